"""Every field of every call has its limit: what is as long, as many or as much as the description says is taken, one
more is refused at its field (RELIABILITY.md C35, 33)."""

import copy
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from shop.api import api

from ..support.access import RouteAccess, all_entries
from ..support.belongings import belongings_of, furnish
from .walking import client_of, undone

pytestmark = [pytest.mark.django_db, pytest.mark.database]
DESCRIPTION = api.get_openapi_schema()
LIMITS = ("maxLength", "maxItems", "maximum", "pattern", "enum", "const")
IS_AMOUNT = {"number", "string"}  # decimals, which are measured by their value (PRODUCT.md 8)

Shape = dict[str, Any]
Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Field:
    call: str
    path: Path
    shape: Shape

    def __str__(self) -> str:
        return f"{self.call} {'.'.join(map(str, self.path))}"

    @property
    def longest(self) -> tuple[Any, Any] | None:
        """What is just taken, and what is not; None where that is not a matter of size."""
        if "maxLength" in self.shape:
            return "x" * self.shape["maxLength"], "x" * (self.shape["maxLength"] + 1)
        if "maximum" in self.shape:
            return self.shape["maximum"], self.shape["maximum"] + 1
        return None


def fields_of(call: str, shape: Shape, path: Path = ()) -> Iterator[Field]:
    """Everything that a body can hold, down to the last."""
    if "$ref" in shape:
        shape = DESCRIPTION["components"]["schemas"][shape["$ref"].rpartition("/")[2]]
    for one in shape.get("anyOf", []):
        yield from fields_of(call, one, path)
    match shape.get("type"):
        case "object":
            assert shape.get("additionalProperties") is not True, path
            for name, inner in shape.get("properties", {}).items():
                yield from fields_of(call, inner, (*path, name))
        case "array":
            yield Field(call, path, shape)
            yield from fields_of(call, shape["items"], (*path, 0))
        case "string" | "integer":
            yield Field(call, path, shape)


def bodies() -> Iterator[tuple[str, Shape]]:
    for path, methods in DESCRIPTION["paths"].items():
        for method, operation in methods.items():
            content = operation.get("requestBody", {"content": {}})["content"]
            if "application/json" in content:
                yield f"{method.upper()} {path}", content["application/json"]["schema"]


FIELDS = [field for call, shape in bodies() for field in fields_of(call, shape)]


def is_amount(field: Field) -> bool:
    others = {other.shape["type"] for other in FIELDS if (other.call, other.path) == (field.call, field.path)}
    return others == {"string"} and not set(LIMITS) & field.shape.keys() and field.path[-1] in AMOUNTS


AMOUNTS = {
    "sub_total_amt", "shipping_amt", "coupon_amt", "total_amount", "currency_amount", "inr_amount", "weight_actual",
    "weight_percent_inc", "weight_shipping", "final_package_weight",
}  # fmt: skip


def test_every_field_has_a_limit():
    assert len(FIELDS) > 150
    assert [str(field) for field in FIELDS if not set(LIMITS) & field.shape.keys() and not is_amount(field)] == []


@pytest.fixture
def asha(india, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    return belongings_of("Asha", furnish(), india, phone="+919876500001")


def test_as_much_as_is_said_is_taken_and_one_more_refused_at_its_field(asha):
    wrong, tried = [], 0
    for field in FIELDS:
        [entry, *_] = [entry for entry in all_entries() if entry.route == field.call]
        if sizes := sizes_of(field, entry, asha):
            taken, refused = (
                complaint_of(entry, field, put_in(entry.body_for(asha), field.path, size), asha) for size in sizes
            )
            tried += 1
            if not refused or taken == refused:
                wrong.append(f"{field}: one more {refused!r}, the most {taken!r}")
    assert tried > 150 and wrong == []


def sizes_of(field: Field, entry: RouteAccess, asha) -> tuple[Any, Any] | None:
    if "maxItems" not in field.shape:
        return field.longest
    listed = reach(entry.body_for(asha), field.path) or ["IN"]
    return [listed[0]] * field.shape["maxItems"], [listed[0]] * (field.shape["maxItems"] + 1)


def reach(body: Any, path: Path) -> Any:
    for step in path:
        body = body.get(step) if isinstance(step, str) else body[step]
        if body is None:
            return None
    return body


def put_in(body: Any, path: Path, value: Any) -> Any:
    """The body with this value there; what holds it is made where it is missing."""
    if not path:
        return value
    step, *rest = path
    changed = copy.deepcopy(body) if body else ({} if isinstance(step, str) else [])
    inside = changed.get(step) if isinstance(step, str) else (changed or [None])[0]
    inside = put_in(inside if isinstance(inside, dict | list) else None, tuple(rest), value)
    if isinstance(step, str):
        return {**changed, step: inside}
    return [inside, *changed[1:]]


def complaint_of(entry: RouteAccess, field: Field, body: Shape, asha) -> list[str]:
    """What the call says about this very field."""
    with undone():
        answer = client_of(asha.cookies).post(entry.path_for(asha), json.dumps(body), content_type="application/json")
    assert answer.status_code < 500, (str(field), answer.status_code)
    said = answer.json().get("fields", {}) if answer.status_code == 422 else {}
    name = ".".join(map(str, field.path))
    return [f"{at}: {what}" for at, words in said.items() if f"{at}.".startswith(f"{name}.") for what in words]
