"""Taking an import back as a whole: what it made goes, what it changed is as before.

What somebody changed since stays, and is listed with the reason. Done by the worker in batches that each commit or
not; doing it again goes on with what is left.
"""

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models import Exists, OuterRef, ProtectedError, Q
from django.utils import timezone
from django.utils.translation import gettext_noop

from shop.backoffice import history
from shop.errors import OutOfStock
from shop.kept_texts import translated_text

from ..models import (
    Attribute,
    AttributeValue,
    Brand,
    Category,
    HealthConcern,
    ImportedChange,
    Picture,
    PictureAddress,
    Product,
    ProductImport,
    StockMovement,
    Variant,
    VariantPrice,
)
from ..pictures.galleries import remove_from_galleries
from ..services import put_market_prices, refresh_products
from ..stock import services as stock
from .journal import PRICE, STOCK

State = ProductImport.State
BATCH = 200
# Why something stays: kept in English, shown by `shown_reason`.
LATER = gettext_noop("Import %(number)s changed it later. Undo that one first.")
ORDERED_SINCE = gettext_noop("This can't be undone: %(sku)s was ordered since.")
ORDERED_SINCE_MANY = gettext_noop("This can't be undone: %(skus)s were ordered since.")
CHANGED_SINCE = gettext_noop("Changed since: %(labels)s.")
VARIANT_ADDED = gettext_noop("A variant was added since (%(sku)s), so it was only taken off sale.")
IN_USE = gettext_noop("It is in use: %(user)s.")
REASONS = (LATER, ORDERED_SINCE, ORDERED_SINCE_MANY, CHANGED_SINCE, VARIANT_ADDED, IN_USE)
LOST_AFTER = timedelta(minutes=10)
PRICES = {"selling_price", "actual_price", "is_active"}  # one change: the database checks them together
ORDERED = {StockMovement.Kind.HELD, StockMovement.Kind.RELEASED, StockMovement.Kind.SOLD, StockMovement.Kind.RETURNED}
NAMES: tuple[type[models.Model], ...] = (AttributeValue, Attribute, HealthConcern, Brand, Category)


def shown_reason(row: ImportedChange) -> str:
    """Why something stays, in the language of the page."""
    return translated_text(row.left, REASONS)


def begin_undo(kept: ProductImport) -> bool:
    """From imported, from an import that broke off, or from undone in part, to being undone; False where it is under
    way, or nothing is left."""
    has_changes = Q(pk__in=ImportedChange.objects.filter(undone_at=None).values("of"))
    is_silent = Q(heartbeat_at__lt=timezone.now() - LOST_AFTER)
    again = Q(state__in=(State.UNDONE, State.FAILED)) & has_changes
    lost = is_silent & (Q(state=State.UNDOING) | (Q(state=State.IMPORTING) & has_changes))
    ready = ProductImport.objects.filter(Q(state=State.DONE) | again | lost, pk=kept.pk)
    return bool(ready.update(state=State.UNDOING, position=0, problem="", heartbeat_at=timezone.now()))


def undo(kept: ProductImport) -> None:
    """What the worker does, once it is begun."""
    ours = ProductImport.objects.filter(pk=kept.pk, state=State.UNDOING)
    if problem := _withdraw(kept):
        ours.update(state=State.DONE, problem=problem[:500], finished_at=timezone.now())
        return
    for step in (_take_pictures_away, _restore, _remove_variants, _remove_products, *map(_remover_of, NAMES)):
        step(kept, lambda: ours.update(heartbeat_at=timezone.now()))
    with transaction.atomic():
        left = kept.changes.filter(undone_at=None).count()
        if ours.update(state=State.UNDONE, finished_at=timezone.now()) and kept.by:
            history.note(kept.by, kept, why=f"Undone: {left} rows were kept" if left else "Undone")


def left_of(kept: ProductImport) -> models.QuerySet[ImportedChange]:
    return kept.changes.filter(undone_at=None).exclude(left="")


@transaction.atomic
def _withdraw(kept: ProductImport) -> str:
    """Take what it made off the shelf, so that nobody buys it meanwhile; says what was bought before that.

    Checkouts lock the same variants in the same order: they are through, and seen, or find nothing on sale.
    """
    made = _open(kept, is_new=True)
    variants = Variant.objects.filter(pk__in=made.filter(kind="variant").values("object_id")).order_by("pk")
    ids = list(variants.select_for_update().values_list("pk", flat=True))
    ordered = StockMovement.objects.filter(kind__in=ORDERED, variant__in=variants.order_by())
    skus = list(ordered.order_by("variant__sku").values_list("variant__sku", flat=True).distinct()[:5])
    if skus:
        return ORDERED_SINCE % {"sku": skus[0]} if len(skus) == 1 else ORDERED_SINCE_MANY % {"skus": ", ".join(skus)}
    products = Product.objects.filter(pk__in=made.filter(kind="product").values("object_id"), is_published=True)
    published = list(products.order_by("pk").select_for_update().values_list("pk", flat=True))
    Product.objects.filter(pk__in=published).update(is_published=False)
    Variant.objects.filter(pk__in=ids).update(is_active=False)
    refresh_products(published)
    return ""


def _open(kept: ProductImport, **filters: Any) -> models.QuerySet[ImportedChange]:
    return kept.changes.filter(undone_at=None, **filters)


def _in_batches(
    changes: models.QuerySet[ImportedChange],
    is_cancelled: Callable[[], object],
    work: Callable[[list[ImportedChange]], None],
) -> None:
    """The newest first. Two workers do not meet: one waits for the other's rows, and finds them done."""
    last: int | None = None
    while True:
        with transaction.atomic():
            pending = changes if last is None else changes.filter(pk__lt=last)
            rows = list(pending.order_by("-pk").select_for_update()[:BATCH])
            if not rows:
                return
            last = rows[-1].pk
            work(rows)
            ImportedChange.objects.bulk_update(rows, ["undone_at", "left", "before"])
        is_cancelled()


def _done(row: ImportedChange) -> None:
    row.undone_at, row.left = timezone.now(), ""


def _take_pictures_away(kept: ProductImport, is_cancelled: Callable[[], object]) -> None:
    """Those that it brought; what it still waits for is not fetched any more."""
    while True:
        with transaction.atomic():
            rows = list(kept.picture_addresses.order_by("pk").select_for_update()[:BATCH])
            if not rows:
                return
            for row in rows:
                if row.picture_id and row.added_to:
                    remove_from_galleries(row.added_to, row.picture_id)
            PictureAddress.objects.filter(pk__in=[row.pk for row in rows]).delete()
            _remove_unused_pictures({row.picture_id for row in rows if row.picture_id and row.is_new_picture})
        is_cancelled()


def _remove_unused_pictures(ids: Iterable[int]) -> None:
    """Their files stay: they are named by content, and the same picture may be on its way in again."""
    for pk in sorted(ids):
        links = [link for link in Picture._meta.related_objects if link.related_model._meta.managed]
        if not any(link.related_model._base_manager.filter(**{link.field.name: pk}).exists() for link in links):
            Picture.objects.filter(pk=pk).delete()


# --- What was changed -------------------------------------------------------------------


def _restore(kept: ProductImport, is_cancelled: Callable[[], object]) -> None:
    _in_batches(_open(kept, is_new=False), is_cancelled, _restore_rows)


def _restore_rows(rows: list[ImportedChange]) -> None:
    touched: set[int] = set()
    for model in (Variant, Product):  # in the order in which everybody locks them
        changes = [row for row in rows if row.kind == model._meta.model_name]
        ids = {row.object_id for row in changes}
        now = {row.pk: row for row in model._default_manager.filter(pk__in=ids).order_by("pk").select_for_update()}
        for change in changes:
            row = now.get(change.object_id)
            kept = _restore_row(row, change) if row else []
            if row:
                touched.add(row.product_id if isinstance(row, Variant) else row.pk)
            if kept:
                change.left = (CHANGED_SINCE % {"labels": ", ".join(kept)})[:300]
            else:
                _done(change)
    refresh_products(touched)


def _restore_row(row: Any, change: ImportedChange) -> list[str]:
    """Sets what is still as the import left it; answers what is not, in words, and keeps only that for another try."""
    kept: dict[str, str] = {}
    fields: dict[str, Any] = {}
    for name, before in change.before.items():
        after = change.after.get(name)
        if name == STOCK:
            kept[name] = _take_stock_back(row, after)
        elif name.startswith(PRICE):
            kept[name] = _restore_market_price(row, int(name.removeprefix(PRICE)), before, after)
        elif row._meta.get_field(name).many_to_many:
            kept[name] = _restore_set(row, name, before, after)
        else:
            field = row._meta.get_field(name)
            fields[name] = field.to_python(before)
            is_changed = getattr(row, name) != field.to_python(after) or not _fits(row, name, fields[name])
            kept[name] = str(field.verbose_name) if is_changed else ""
    if any(kept[name] for name in PRICES & fields.keys()) or not _prices_agree(row, fields):
        kept |= {name: str(row._meta.get_field(name).verbose_name) for name in PRICES & fields.keys()}
    values = {name: value for name, value in fields.items() if not kept[name]}
    if values:
        type(row)._default_manager.filter(pk=row.pk).update(**values)
    change.before = {name: value for name, value in change.before.items() if kept[name]}
    return sorted(filter(None, kept.values()))


def _prices_agree(row: Any, fields: dict[str, Any]) -> bool:
    """What the database asks of the prices of a variant."""
    if not PRICES & fields.keys():
        return True
    selling, actual, is_active = (
        fields.get(name, getattr(row, name)) for name in ("selling_price", "actual_price", "is_active")
    )
    return selling <= actual and (selling > 0 or not is_active)


def _fits(row: models.Model, name: str, value: Any) -> bool:
    """What it names is still there, and nobody else has it."""
    field: Any = row._meta.get_field(name)
    try:
        field.run_validators(value)
    except ValidationError:
        return False
    if field.is_relation and value is not None:
        return bool(field.remote_field.model._default_manager.filter(pk=value).exists())
    return not (field.unique and type(row)._default_manager.filter(**{name: value}).exclude(pk=row.pk).exists())


def _restore_set(row: models.Model, name: str, before: list[int], after: list[int]) -> str:
    related = getattr(row, name)
    if sorted(related.order_by().values_list("pk", flat=True)) != after:
        return name.replace("_", " ")
    related.set(related.model._default_manager.filter(pk__in=before))
    return ""


def _restore_market_price(variant: Variant, location: int, before: list[str] | None, after: list[str]) -> str:
    price = VariantPrice.objects.filter(variant=variant, location=location)
    now = price.values_list("selling_price", "actual_price").first()
    field = VariantPrice._meta.get_field("selling_price")
    if now is None or tuple(map(field.to_python, after)) != now:
        return gettext_noop("price of a country")
    if before is None:
        price.delete()
    else:
        selling, actual = map(field.to_python, before)
        put_market_prices([(variant.pk, {location: (selling, actual)})])
    return ""


def _take_stock_back(variant: Variant, units: int) -> str:
    try:
        stock.receive(variant, -units, note="Import undone")
    except stock.TrackedByBatch:
        return f"stock ({units} units came in, which are tracked by batch now)"
    except OutOfStock:
        return f"stock ({units} units came in, fewer are on hand)"
    return ""


# --- What was made ----------------------------------------------------------------------


def _remove_variants(kept: ProductImport, is_cancelled: Callable[[], object]) -> None:
    """Those of products that were there before; the others go with their products."""
    made = _open(kept, is_new=True, kind="product").values("object_id")
    inside = Variant.objects.filter(product__in=made).values("pk")
    _in_batches(
        _open(kept, is_new=True, kind="variant").exclude(object_id__in=inside), is_cancelled, _remove_variant_rows
    )


def _remove_variant_rows(rows: list[ImportedChange]) -> None:
    products = set(Variant.objects.filter(pk__in=[row.object_id for row in rows]).values_list("product_id", flat=True))
    _remove_rows(Variant, rows)
    refresh_products(products)


def _remove_products(kept: ProductImport, is_cancelled: Callable[[], object]) -> None:
    """With their variants, unless somebody added one."""
    own = kept.changes.filter(is_new=True, kind="variant").values("object_id")

    def remove(rows: list[ImportedChange]) -> None:
        variants = Variant.objects.filter(product__in=[row.object_id for row in rows])
        added = dict(variants.exclude(pk__in=own).values_list("product_id", "sku"))
        later = _changed_later("variant", variants.values_list("pk", flat=True), kept.pk)
        changed = dict(variants.filter(pk__in=later).values_list("product_id", "pk"))
        for row in rows:
            row.left = ""
            if row.object_id in added:
                row.left = VARIANT_ADDED % {"sku": added[row.object_id]}
            elif row.object_id in changed:
                row.left = LATER % {"number": later[changed[row.object_id]]}
        _remove_rows(Product, [row for row in rows if not row.left])

    _in_batches(_open(kept, is_new=True, kind="product"), is_cancelled, remove)
    variants = _open(kept, is_new=True, kind="variant")
    variants.filter(~Exists(Variant.objects.filter(pk=OuterRef("object_id")))).update(undone_at=timezone.now(), left="")
    variants.filter(left="").update(left=gettext_noop("Its product was kept."))


def _remover_of(model: type[models.Model]) -> Callable[[ProductImport, Callable[[], object]], None]:
    """Names that nothing uses any more; the lowest categories are the newest, and go first."""

    def remove(kept: ProductImport, is_cancelled: Callable[[], object]) -> None:
        changes = _open(kept, is_new=True, kind=model._meta.model_name)
        _in_batches(changes, is_cancelled, lambda rows: _remove_rows(model, rows))

    return remove


def _remove_rows(model: type[models.Model], rows: list[ImportedChange]) -> None:
    later = _changed_later(rows[0].kind, [row.object_id for row in rows], rows[0].of_id) if rows else {}
    for change in rows:
        row = model._default_manager.filter(pk=change.object_id).first()
        if row is None:
            _done(change)
        elif change.object_id in later:
            change.left = LATER % {"number": later[change.object_id]}
        elif user := _user_of(row):
            change.left = (IN_USE % {"user": user})[:300]
        else:
            _remove(row, change)


def _remove(row: models.Model, change: ImportedChange) -> None:
    try:
        with transaction.atomic():
            row.delete()
    except ProtectedError:
        change.left = gettext_noop("It was ordered.")
    else:
        _done(change)


def _changed_later(kind: str, ids: Iterable[int], import_id: int) -> dict[int, int]:
    """Row to the later import that changed it, and was not undone."""
    others = ImportedChange.objects.filter(kind=kind, object_id__in=list(ids), of__gt=import_id, undone_at=None)
    return dict(others.values_list("object_id", "of_id"))


def _user_of(row: models.Model) -> str:
    """Something that would go with the row, or lose it, though it is not the row's own."""
    for link in row._meta.related_objects:
        other = link.related_model
        is_own = isinstance(row, (Product, Variant)) and link.on_delete is not models.PROTECT
        if is_own or not other._meta.managed:
            continue
        user = other._base_manager.filter(**{link.field.name: row.pk}).first()
        if user is not None:
            return f"{other._meta.verbose_name} {user}"
    return ""
