"""How attribute values stand together, on page and in call."""

from collections.abc import Iterable

from ..models import AttributeValue


def group_attributes(values: Iterable[AttributeValue]) -> dict[str, list[str]]:
    """Attribute name to its labels in the active language, each once, in the order the catalogue gives them."""
    groups: dict[str, set[AttributeValue]] = {}
    for value in values:
        groups.setdefault(value.attribute.translated.name, set()).add(value)
    return {
        name: [value.shown_label for value in sorted(group, key=lambda value: (value.position, value.pk))]
        for name, group in groups.items()
    }
