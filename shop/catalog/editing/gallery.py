"""The pictures of a product as its page shows and saves them: one row of tiles, each for every variant or for one.

The page says which pictures it showed (`picture_shown`) and for whom (`picture_was_<id>`). Only what differs from that
is written: a picture that somebody else added meanwhile stays, and one that they removed does not come back.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext

from shop.errors import Invalid

from ..models import Picture, Product, VariantImage
from ..pictures.services import rendition_url, widths_of

ALL, SEVERAL = "all", "several"
MAX_PICTURES = 60


@dataclass(frozen=True, slots=True)
class Tile:
    picture: Picture
    of: str  # all, several, or the id of a variant
    is_removed: bool = False  # ticked, and not saved yet

    @property
    def url(self) -> str:
        return thumbnail_url(self.picture)


def thumbnail_url(picture: Picture) -> str:
    widths = widths_of(picture)
    return rendition_url(picture, next((width for width in widths if width >= 200), widths[-1]), "jpg")


def tiles_of(product: Product, variant_ids: set[int]) -> list[Tile]:
    """Each picture once, in the order of the shop: one query."""
    places = _places(product)
    return [Tile(images[0].picture, _of(images, variant_ids)) for images in places.values()]


def tiles_sent(sent: Any) -> list[Tile]:
    """Of a page that comes back with an error: the tiles as they were left."""
    ids, removed = _numbered(_ids(sent.getlist("picture")), sent), set(_ids(sent.getlist("picture_remove")))
    pictures = Picture.objects.in_bulk(ids)
    return [Tile(pictures[pk], sent.get(f"picture_for_{pk}", ALL), pk in removed) for pk in ids if pk in pictures]


def shown_sent(sent: Any) -> list[tuple[int, str]]:
    """Of a page that comes back with an error: the pictures that it was opened with, and for whom they were then. What
    others did since is no change of this page."""
    return [(pk, sent.get(f"picture_was_{pk}", SEVERAL)) for pk in _ids(sent.getlist("picture_shown"))]


@transaction.atomic
def save_gallery(product: Product, sent: Any, new: Collection[int] = ()) -> str:
    """Write what the page changed, of variants that the caller has locked; what that was, in words. Variants that are
    `new` with this save get the pictures of all. Raises Invalid for too many."""
    variants = list(product.variants.order_by("position", "id").values_list("pk", flat=True))
    places = _places(product)
    shown = _ids(sent.getlist("picture_shown"))
    order = _numbered(_ids(sent.getlist("picture")), sent)
    removed = set(_ids(sent.getlist("picture_remove"))) | (set(shown) - set(order))
    added = [pk for pk in order if pk not in shown and pk not in places and pk not in removed]
    if added and len(places.keys() - removed) + len(added) > MAX_PICTURES:
        raise Invalid(gettext("A product can have up to %(most)s pictures.") % {"most": MAX_PICTURES})
    gone, _ = VariantImage.objects.filter(variant__in=variants, picture__in=removed).delete()
    for pk in Picture.objects.filter(pk__in=added).values_list("pk", flat=True):
        _put(pk, _targets(sent.get(f"picture_for_{pk}", ALL), variants), order.index(pk))
    moved = 0
    for pk in (pk for pk in order if pk in places and pk not in removed):
        wanted = sent.get(f"picture_for_{pk}", SEVERAL)
        if wanted != SEVERAL and wanted != sent.get(f"picture_was_{pk}"):
            targets = _targets(wanted, variants)
            VariantImage.objects.filter(variant__in=variants, picture=pk).exclude(variant__in=targets).delete()
            _put(pk, targets, order.index(pk))
            moved += 1
        elif wanted == ALL and {image.variant_id for image in places[pk]} >= set(variants) - set(new):
            _put(pk, list(new), places[pk][0].position)
    is_reordered = [pk for pk in order if pk in shown] != [pk for pk in shown if pk in order]
    if is_reordered or added:
        _number(variants, order)
    words = [
        f"{len(added)} added" * bool(added), f"{len(removed)} removed" * bool(gone),
        f"{moved} for other variants" * bool(moved), "reordered" * is_reordered,
    ]  # fmt: skip
    return ", ".join(filter(None, words))


def _places(product: Product) -> dict[int, list[VariantImage]]:
    places: dict[int, list[VariantImage]] = {}
    images = VariantImage.objects.filter(variant__product=product).select_related("picture")
    for image in images.order_by("position", "variant__position", "variant", "id"):
        places.setdefault(image.picture_id, []).append(image)
    return places


def _of(images: list[VariantImage], variants: set[int]) -> str:
    owners = {image.variant_id for image in images}
    if owners >= variants:
        return ALL
    return str(images[0].variant_id) if len(owners) == 1 else SEVERAL


def _targets(of: str, variants: list[int]) -> list[int]:
    return [pk for pk in variants if str(pk) == of] or variants


def _put(picture: int, targets: list[int], position: int) -> None:
    VariantImage.objects.bulk_create(
        [VariantImage(variant_id=pk, picture_id=picture, position=position) for pk in targets], ignore_conflicts=True
    )


def _number(variants: list[int], order: list[int]) -> None:
    """The pictures of the page in its order; those that it did not know come after."""
    at = {pk: place for place, pk in enumerate(order)}
    images = list(VariantImage.objects.filter(variant__in=variants))
    for image in images:
        image.position = at.get(image.picture_id, len(order) + image.position)
    VariantImage.objects.bulk_update(images, ["position"])


def _numbered(ids: list[int], sent: Mapping[str, str]) -> list[int]:
    """Without scripts the order is typed as numbers."""

    def place(pk: int) -> int:
        typed = sent.get(f"picture_place_{pk}", "")
        return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 5 else 10_000

    return sorted(ids, key=place)


def _ids(texts: list[str]) -> list[int]:
    """Each once, in their order."""
    return list(dict.fromkeys(int(text) for text in texts if text.isascii() and text.isdigit() and len(text) < 18))
