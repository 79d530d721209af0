"""What follows from the active ingredients that a product states: its components, and whether another has the same."""

import json
import re
from collections.abc import Iterable, Sequence
from hashlib import sha256

from django.utils.text import slugify
from django.utils.translation import gettext

from shop.invalidation.models import Change
from shop.invalidation.services import invalidate

from ..models import Component, Product, Substance
from .dosage import COUNTED
from .parsing import MAX_NAME, Part, part_of
from .substances import substance_key

Ingredients = Sequence[Sequence[str]]  # name and strength of each, as Product.active_ingredients


def parts_of(ingredients: Ingredients) -> list[Part]:
    return [part_of(name, strength) for name, strength in ingredients]


def ingredients_of(parts: Iterable[Part]) -> list[list[str]]:
    """As Product.active_ingredients keeps them."""
    return [[part.name[:MAX_NAME], part.words] for part in parts]


def composition_key(product: Product) -> str:
    """The same for all products of one composition: substances, strengths and dosage form. Empty where nobody confirmed
    that the composition is whole, or where strengths cannot be compared."""
    parts = parts_of(product.active_ingredients)
    if not product.is_composition_confirmed or problem_of(parts, product.dosage_form):
        return ""
    compared = sorted(f"{substance_key(part.name)}={part.strength.compared}" for part in parts if part.strength)
    return _digest([int(product.dosage_form), *compared])


def problem_of(parts: Sequence[Part], form: int) -> str:
    """Why a composition cannot be compared with others, for staff; empty where it can."""
    if not parts:
        return gettext("There are no active ingredients.")
    for part in parts:
        if not part.is_read or part.strength is None:
            return gettext("The strength of {name} is missing.").format(name=part.name)
    if form not in COUNTED and not all(part.strength and part.strength.is_relative for part in parts):
        return gettext(
            "Choose the dosage form. For liquids, creams and the like, give strengths per measure, such as 5 mg/ml."
        )
    return "" if form else gettext("Choose the dosage form.")


def ingredients_digest(product: Product) -> str:
    """Of the ingredients that the components were made of; empty where there are none."""
    return _digest(product.active_ingredients) if product.active_ingredients else ""


def write_components(products: Sequence[Product]) -> None:
    """Put components in place of those of these products, which the caller has locked. At most six statements, whatever
    their number. A substance that is new is made, which invalidates the shop: facets name it."""
    by_product = {product.pk: parts_of(product.active_ingredients) for product in products}
    ids = _substances({substance_key(part.name): part.name for parts in by_product.values() for part in parts})
    Component.objects.filter(product__in=list(by_product)).delete()
    Component.objects.bulk_create(
        _component(pk, position, part, ids[substance_key(part.name)])
        for pk, parts in by_product.items()
        for position, part in enumerate(parts)
    )


def _component(product: int, position: int, part: Part, substance: int) -> Component:
    row = Component(product_id=product, substance_id=substance, position=position, name=part.name[:MAX_NAME])
    if part.strength:
        row.amount, row.unit = part.strength.amount, part.strength.unit
        row.per_amount, row.per_unit = part.strength.per_amount, part.strength.per_unit
    return row


def _substances(names: dict[str, str]) -> dict[str, int]:
    """Key to id; those that are new are made under these names. Two imports may make the same one at once."""
    known = dict(Substance.objects.filter(key__in=names).values_list("key", "pk"))
    new = sorted(names.keys() - known.keys())
    if not new:
        return known
    rows = [Substance(key=key, name=names[key][:MAX_NAME], slug=_slug(key)) for key in new]
    Substance.objects.bulk_create(rows, ignore_conflicts=True)
    invalidate(Change.Kind.SHOP)
    return dict(Substance.objects.filter(key__in=names).values_list("key", "pk"))


def _slug(key: str) -> str:
    """Another one for every key."""
    plain = slugify(key)
    is_whole = re.fullmatch(r"[a-z0-9 ]{1,110}", key)
    return plain if is_whole and plain else f"{plain[:100]}-{_digest(key)[:12]}".strip("-")


def siblings_of(products: Iterable[Product], limit: int) -> list[int]:
    """Ids of products, at most `limit`, whose pages may list one of these under "Same composition"."""
    keys = {product.composition_key for product in products} - {""}
    found = Product.objects.filter(composition_key__in=keys).order_by("pk") if keys else Product.objects.none()
    return list(found.values_list("pk", flat=True)[:limit])


def _digest(value: object) -> str:
    return sha256(json.dumps(value, ensure_ascii=False).encode()).hexdigest()[:32]
