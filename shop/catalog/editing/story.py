"""Everything that happened to a product: by its form, in bulk, by an import, at its variants."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Q
from django.utils.translation import gettext, gettext_lazy

from shop.backoffice import history
from shop.backoffice.actors import STAFF, shown_person
from shop.backoffice.history import ChangeSummary

from ..models import ImportedChange, Product, ProductImport, Variant

MAX_ENTRIES = 200  # of each source, newest first
LABELS = {
    "stock": gettext_lazy("Units received"),
    "attribute_values": gettext_lazy("Options"),
    "options": gettext_lazy("Options"),
}


@dataclass(frozen=True, slots=True)
class Entry:
    """As the history page shows them (templates/backoffice/object_history.html)."""

    action_time: datetime
    who: str
    summaries: list[ChangeSummary]


def story_of(product: Product) -> list[Entry]:
    """The newest first, in five queries."""
    variants = dict(product.variants.values_list("pk", "sku"))
    entries = [*_staff(product, variants), *_imports(product, variants)]
    return sorted(entries, key=lambda entry: entry.action_time, reverse=True)


def _staff(product: Product, variants: dict[int, str]) -> list[Entry]:
    of = ContentType.objects.get_for_models(Product, Variant)
    about = Q(content_type=of[Product], object_id=str(product.pk))
    about |= Q(content_type=of[Variant], object_id__in=[str(pk) for pk in variants])
    entries = LogEntry.objects.filter(about).select_related("user").order_by("-id")[:MAX_ENTRIES]
    return [Entry(entry.action_time, history.who(entry), _named(entry, of[Variant].pk, variants)) for entry in entries]


def _named(entry: LogEntry, of_variant: int, variants: dict[int, str]) -> list[ChangeSummary]:
    parts = history.read(entry)
    if entry.content_type_id != of_variant:
        return parts
    sku = variants[int(entry.object_id or 0)]
    return [ChangeSummary(f"{sku}: {part.what}", part.fields) for part in parts]


def _imports(product: Product, variants: dict[int, str]) -> list[Entry]:
    about = Q(kind="product", object_id=product.pk) | Q(kind="variant", object_id__in=variants)
    changes = ImportedChange.objects.filter(about).select_related("of__by").order_by("-id")[:MAX_ENTRIES]
    found = []
    for change in changes:
        name = variants.get(change.object_id, "") if change.kind == "variant" else ""
        said = gettext("Created by the import %(file)s") if change.is_new else gettext("Changed by the import %(file)s")
        words = f"{name}: {said % {'file': change.of}}".removeprefix(": ")
        found.append(Entry(change.of.finished_at or change.of.at, _importer(change.of), [_summary(words, change)]))
        if change.undone_at:
            undone = ChangeSummary(
                f"{name}: {gettext('The import %(file)s was undone') % {'file': change.of}}".removeprefix(": ")
            )
            found.append(Entry(change.undone_at, _importer(change.of), [undone]))
    return found


def _importer(kept: ProductImport) -> str:
    return shown_person(kept.by, STAFF) if kept.by else gettext("The command line")


def _summary(words: str, change: ImportedChange) -> ChangeSummary:
    if change.is_new:
        return ChangeSummary(words)
    fields = [
        (_label(change.kind, name), _shown(change.before.get(name)), _shown(now)) for name, now in change.after.items()
    ]
    return ChangeSummary(words, fields)


def _label(kind: str, name: str) -> str:
    if name in LABELS:
        return str(LABELS[name])
    if name.startswith("price:"):
        return gettext("Price in another country")
    model: Any = Product if kind == "product" else Variant
    fields = {field.name: field for field in model._meta.get_fields() if hasattr(field, "verbose_name")}
    fields |= {field.attname: field for field in model._meta.concrete_fields}
    return str(fields[name].verbose_name).capitalize() if name in fields else name.replace("_", " ").capitalize()


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return history.shown(", ".join(f"{name} {_shown(part)}" for name, part in value.items()))
    return history.shown(value)
