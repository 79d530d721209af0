from typing import Annotated, Any, Self

from ninja import Schema
from pydantic import ConfigDict, Field, ModelWrapValidatorHandler, model_validator

from shop.http.api import Body, Id, text


class MarketBody(Body):
    """Where to, in which money and language (else Accept-Language); `symbol` is accepted and ignored."""

    deliver_to: Id | None = None
    currency: Annotated[str, text(3)] | None = None
    symbol: Annotated[str, text(8)] | None = None
    language: Annotated[str, text(8)] | None = None


NULL = {"type": "null"}
DEEPEST_VALUES = 3  # {"attributes": {"Size": ["10 ml"]}}


def _allow_null(schema: dict[str, Any], model: type[Body]) -> None:
    """Describe that each optional field may be null."""
    for name in schema["properties"].keys() - set(schema.get("required", ())):
        described = schema["properties"][name]
        about = {key: described.pop(key) for key in ("title", "default") if key in described}
        choices = described.pop("anyOf", None) or [described]
        schema["properties"][name] = {
            "anyOf": [*(c for c in choices if c != {"type": "null"}), {"type": "null"}],
            **about,
        }


class ListingBody(MarketBody):
    """What a listing is restricted by. An empty value of an optional field restricts nothing, as if the field
    were absent: null, blank text, an empty list or object, or one that holds nothing but such values."""

    model_config = ConfigDict(json_schema_extra=_allow_null)

    @model_validator(mode="wrap")
    @classmethod
    def _without_empty_values(cls, values: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        if isinstance(values, dict):
            required = {field.alias or name for name, field in cls.model_fields.items() if field.is_required()}
            values = {name: value if name in required else _without_empty(value) for name, value in values.items()}
            values = {name: value for name, value in values.items() if value is not None or name in required}
        return handler(values)


def _without_empty(value: Any, depth: int = DEEPEST_VALUES) -> Any:
    """`value` without the empty values in it; None where nothing is left."""
    if isinstance(value, str):
        return value if value.strip() else None
    if isinstance(value, list) and depth:
        return [kept for one in value if (kept := _without_empty(one, depth - 1)) is not None] or None
    if isinstance(value, dict) and depth:
        kept = {name: _without_empty(one, depth - 1) for name, one in value.items()}
        return {name: one for name, one in kept.items() if one is not None and name.strip()} or None
    return value


class LocationOut(Schema):
    """`aliases` are other names that people type for it; `is_likely` stands on top of a list to pick from."""

    id: int
    name: str
    timezone_shorthand: str
    currency_shorthand: str
    currency_symbol: str
    aliases: list[str]
    is_likely: bool


PinCodeText = Annotated[str, Field(pattern=r"^[1-9][0-9]{5}$")]


class PinCodeOut(Schema):
    """`states` are those that the PIN may lie in; `state` and `city` are empty where they are not known."""

    pincode: str
    is_known: bool
    states: list[str]
    state: str
    city: str
    warning: str
