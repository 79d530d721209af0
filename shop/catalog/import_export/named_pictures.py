"""Keeps the addresses of pictures that rows name, each once a product, in the file's order. Nothing is fetched here:
shop/catalog/pictures/fetching.py does that, once the rows are in the catalogue."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils import timezone

from ..models import PictureAddress, Product, Variant, VariantImage
from ..pictures.services import identities_in
from .existing import KnownProduct, KnownVariant
from .report import Report
from .rows import NamedPicture, Row

MAX_PICTURES = 20  # of a product, and again of each variant
MAX_ADDRESS = PictureAddress._meta.get_field("address").max_length or 0
MAX_ALT = PictureAddress._meta.get_field("alt").max_length
State = PictureAddress.State
Key = tuple[int | None, int | None, str]  # product, variant, address


@dataclass(frozen=True, slots=True)
class Taken:
    product: Product | None
    variant: Variant | None
    picture: NamedPicture
    position: int

    @property
    def key(self) -> Key:
        """What it is known by, once its product and variant are written."""
        product = self.product.pk if self.product else None
        return product, self.variant.pk if self.variant else None, self.picture.address

    @property
    def identities(self) -> tuple[str, ...]:
        return identities_in(self.picture.address)

    def is_in(self, shown: set[tuple[int | None, str]]) -> bool:
        """Its variant's gallery has this very picture, however it came there."""
        variant = self.variant.pk if self.variant else None
        return any((variant, digest) in shown for digest in self.identities)


class NamedPictures:
    """`named_by` is the ProductImport that shows what became of them; None for the command."""

    def __init__(self, report: Report, *, dry_run: bool, named_by: int | None) -> None:
        self._report = report
        self._dry_run = dry_run
        self._named_by = named_by
        self._seen: dict[tuple[str, str], set[str]] = {}  # handle and, of its own pictures, variant: addresses
        self._batch: list[Taken] = []
        self._grown: list[KnownProduct] = []

    def take(self, row: Row, product: KnownProduct | None, variant: KnownVariant | None) -> None:
        """Before the row is written. Only a dry run may take a row without its product: one of an earlier batch."""
        if product is None and not self._dry_run:
            return  # the catalogue has it under another handle
        if product and not product.is_new and variant and variant.is_new:
            self._grown.append(product)
        for picture in row.pictures:
            if problem := self._problem(row, picture, variant):
                self._report.remark(row.number, problem, row.name or row.handle)
                continue
            seen = self._seen_of(row, picture, variant)
            if picture.address not in seen:
                seen.add(picture.address)
                position = picture.position or len(seen)
                own = variant.record if variant and picture.is_own else None
                self._batch.append(Taken(product.record if product else None, own, picture, position))

    def write(self) -> None:
        """After the rows: what is new is queued, what failed is queued again, what was fetched stays fetched."""
        if not self._dry_run:
            self._queue_for_new_variants()
        known = self._known()
        shown = self._shown()
        new = [taken for taken in self._batch if taken.key not in known and not taken.is_in(shown)]
        failed = [known[key] for taken in self._batch if (key := taken.key) in known and _has_failed(known[key])]
        self._report.pictures += len(new) + len(failed)
        self._batch.clear()
        self._grown.clear()
        if self._dry_run:
            return
        PictureAddress.objects.bulk_create(map(self._row, new), ignore_conflicts=True)
        PictureAddress.objects.filter(pk__in=[row.pk for row in failed]).update(
            state=State.WAITING, tries=0, problem="", due_at=timezone.now(), named_by=self._named_by
        )

    def _problem(self, row: Row, picture: NamedPicture, variant: KnownVariant | None) -> str:
        address = picture.address
        if not address.lower().startswith(("http://", "https://")):
            return f"{address[:80]!r} is not a picture address: it must begin with http:// or https://"
        if len(address) > MAX_ADDRESS:
            return f"a picture address is longer than {MAX_ADDRESS} characters: {address[:80]!r}…"
        seen = self._seen_of(row, picture, variant)
        if len(seen) >= MAX_PICTURES and address not in seen:
            return f"more than {MAX_PICTURES} pictures: {address[:80]!r} is left out"
        return ""

    def _seen_of(self, row: Row, picture: NamedPicture, variant: KnownVariant | None) -> set[str]:
        own = (variant.record.sku if variant else row.sku or str(row.options)) if picture.is_own else ""
        return self._seen.setdefault((row.handle, own), set())

    def _known(self) -> dict[Key, PictureAddress]:
        products = {taken.product.pk for taken in self._batch if taken.product} - {None}
        rows: Iterable[PictureAddress] = PictureAddress.objects.filter(product__in=products) if products else ()
        return {(row.product_id, row.variant_id, row.address): row for row in rows}

    def _shown(self) -> set[tuple[int | None, str]]:
        """Variants with the hashes of what stands in their galleries, of the shop's own pictures that are named."""
        hashes = {digest for taken in self._batch for digest in taken.identities}
        variants = {taken.variant.pk for taken in self._batch if taken.variant}
        images = VariantImage.objects.filter(variant__in=variants, picture__digest__in=hashes).order_by()
        return set(images.values_list("variant_id", "picture__digest")) if hashes else set()

    def _queue_for_new_variants(self) -> None:
        """What a product shows with every variant is put into the galleries again when it gets a new one; it has
        its picture, so that nothing is fetched."""
        if ids := {product.record.pk for product in self._grown}:
            shared = PictureAddress.objects.filter(product__in=ids, variant=None, picture__isnull=False)
            shared.filter(state=State.FETCHED).update(state=State.WAITING, tries=0, due_at=timezone.now())

    def _row(self, taken: Taken) -> PictureAddress:
        return PictureAddress(
            product=taken.product,
            variant=taken.variant,
            address=taken.picture.address,
            alt=taken.picture.alt[:MAX_ALT],
            position=taken.position,
            named_by_id=self._named_by,
        )


def _has_failed(row: PictureAddress) -> bool:
    return row.state == State.FAILED
