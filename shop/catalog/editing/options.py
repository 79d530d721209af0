"""What the variants of a product differ in, as they are typed on its page: up to three named options, a value each."""

from collections.abc import Iterable, Sequence

from django.db import transaction
from django.utils.text import slugify

from ..import_export.lookups import slug_of
from ..models import Attribute, AttributeValue, Variant

MAX_OPTIONS = 3
MAX_NAME, MAX_VALUE = 60, 80
MAX_SKU = 100


def names_of(variants: Iterable[Variant]) -> list[str]:
    """The options of variants whose attribute values were prefetched, in the order of the catalogue; padded with
    empty names."""
    attributes = {value.attribute for variant in variants for value in variant.attribute_values.all()}
    names = [attribute.name for attribute in sorted(attributes, key=lambda one: (one.position, one.name))]
    return [*names, *[""] * MAX_OPTIONS][:MAX_OPTIONS]


def values_of(variant: Variant, names: Sequence[str]) -> list[str]:
    """Of each option the value that a variant has, or nothing."""
    labels = {value.attribute.name: value.label for value in variant.attribute_values.all()}
    return [labels.get(name, "") for name in names]


@transaction.atomic
def set_options(variant: Variant, former: Sequence[str], pairs: Iterable[tuple[str, str]]) -> None:
    """Give a variant these values (option, value) in place of those of the options named in `former`; names that the
    catalogue does not have are created."""
    kept = [
        value for value in variant.attribute_values.select_related("attribute") if value.attribute.name not in former
    ]
    chosen = [_value(name, text) for name, text in pairs if name and text]
    variant.attribute_values.set([*kept, *chosen])


@transaction.atomic
def rename_options(variants: Iterable[Variant], former: Sequence[str], names: Sequence[str]) -> None:
    """Let the values of these variants stand under the names that the options have now."""
    for variant in variants:
        set_options(variant, former, zip(names, values_of(variant, former), strict=True))


def _value(name: str, text: str) -> AttributeValue:
    attribute = Attribute.objects.filter(name__iexact=name).order_by("pk").first()
    if attribute is None:
        attribute, _ = Attribute.objects.get_or_create(name=name, defaults={"slug": _free_slug(name)})
    for value in attribute.values.all():
        if value.label.casefold() == text.casefold():
            return value
    return AttributeValue.objects.get_or_create(attribute=attribute, value=text, unit="")[0]


def _free_slug(name: str) -> str:
    slug = slug_of(name, 50)
    return f"{slug}-{Attribute.objects.count()}" if Attribute.objects.filter(slug=slug).exists() else slug


def free_sku(product: str, values: Iterable[str], taken: set[str]) -> str:
    """Such as NEEM-SOAP-100-G: of the product's address and the option values; `taken` are those of the same page."""
    base = slugify("-".join([product, *values]))[: MAX_SKU - 5].strip("-").upper() or "SKU"
    sku, number = base, 1
    while sku in taken or Variant.objects.filter(sku=sku).exists():
        number += 1
        sku = f"{base}-{number}"
    taken.add(sku)
    return sku
