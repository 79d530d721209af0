"""The fields of an address (fields.py) as members of API schemas."""

from collections.abc import Callable, Iterable
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, create_model

from shop.http.api import text

from .fields import ADDRESS_FIELDS, AddressField
from .rules import MAX_LENGTHS

Schema = TypeVar("Schema", bound=BaseModel)


def with_typed_address(schema: type[Schema]) -> type[Schema]:
    """Add every address field to a body: optional, and no longer than its column."""
    return _extended(
        schema,
        {field.api_name: (Annotated[str, text(MAX_LENGTHS[field.name])] | None, None) for field in ADDRESS_FIELDS},
    )


def with_shown_address(fields: Iterable[AddressField]) -> Callable[[type[Schema]], type[Schema]]:
    """Add address fields to what an answer holds."""
    return lambda schema: _extended(schema, {field.api_name: (str, ...) for field in fields})


def _extended(schema: type[Schema], members: dict[str, Any]) -> type[Schema]:
    name = schema.__name__
    schema.__name__ = f"{name}Base"  # the API's description knows schemas by their names
    return create_model(name, __base__=schema, __module__=schema.__module__, __doc__=schema.__doc__, **members)
