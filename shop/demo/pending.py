"""Pictures of the demo that have their row and not yet their file: drawn by the worker in the order of the rows, and
at once when a browser asks for one."""

import re
from functools import lru_cache
from itertools import chain
from threading import Lock

from django.conf import settings
from django.core.files.storage import default_storage
from django.db.models import Q

from shop.catalog.models import Category, Picture, Product
from shop.catalog.pictures.services import DIGEST, DIGITS
from shop.content.home.services import choose
from shop.markets.queries import market_registry
from shop.search.listing.services import PAGE_SIZE

from .catalogue import reading
from .painting import Painting, draw
from .shelves import ShelfArt
from .stocking import in_order_of_visits, product_paintings

ADDRESS = re.compile(rf"pictures/[0-9a-f]{{2}}/({DIGEST})/[\w.]+")
MAX_WAIT = 5  # seconds that a browser waits for its turn; a process draws one picture at a time
_drawing = Lock()


def first_paintings() -> list[Painting]:
    """What must be there when the shop opens: the home page's pictures, and those of each top category's first page:
    its products and the tiles of its subcategories."""
    registry = market_registry()
    ids: set[int] = set()
    for location in (registry.default, registry.by_code["IN"]):
        shown = choose(registry.market(location))
        ids |= {*shown.hot_selling, *shown.spotlight, *chain.from_iterable(ids for _, ids in shown.featured)}
    for category in Category.objects.roots():
        inside = Product.objects.in_categories(Category.objects.within(category))
        ids |= {*inside.order_by("-in_stock", "-popularity", "id").values_list("pk", flat=True)[:PAGE_SIZE]}
    of_products = Product.objects.filter(pk__in=ids).values("first_picture")
    of_tiles = Category.objects.filter(parent__parent__isnull=True, parent__isnull=False).values("img_icon")
    pictures = Picture.objects.filter(Q(pk__in=of_products) | Q(pk__in=of_tiles)).order_by("pk")
    further = [painting for picture in pictures if (painting := _painting_of(picture))]
    first = {painting.digest: painting for painting in (*ShelfArt(reading.products()).seen_first(), *further)}
    return list(first.values())


def all_paintings() -> list[Painting]:
    """Every picture that has a row, in the order of the rows."""
    plans = reading.products()
    of_products = in_order_of_visits(plans, {plan.slug: product_paintings(plan) for plan in plans})
    return list({one.digest: one for one in (*ShelfArt(plans).paintings.values(), *of_products)}.values())


def draw_next(limit: int) -> bool:
    """Draw the next few pictures that have no file; tells whether more may be left."""
    drawn = 0
    for picture in Picture.objects.filter(is_complete=False).order_by("pk"):
        if default_storage.exists(str(picture.file)) or not (painting := _painting_of(picture)):
            continue
        draw(painting, file=str(picture.file))
        drawn += 1
        if drawn == limit:
            return True
    return False


def draw_missing(sender: object, name: str, **kwargs: object) -> bool:
    """Receive `file_missing`: draw the picture if it is one of the demo's that has no file yet."""
    address = ADDRESS.fullmatch(name)
    if not address or not (settings.DEMO or settings.DEBUG):
        return False
    picture = Picture.objects.filter(digest=address[1][:DIGITS]).first()
    if not picture or default_storage.exists(str(picture.file)) or not (painting := _painting_of(picture)):
        return False
    if _drawing.acquire(timeout=MAX_WAIT):
        try:
            draw(painting, file=str(picture.file))
        finally:
            _drawing.release()
    return True


def _painting_of(picture: Picture) -> Painting | None:
    shown_on = Product.objects.filter(variants__variant_images__picture=picture).values_list("slug", flat=True).first()
    if plan := next((plan for plan in reading.products() if plan.slug == shown_on), None):
        views = chain.from_iterable(product_paintings(plan).values())
        return next((view for view in views if view.digest == picture.digest), None)
    return _shelf_paintings().get(picture.digest)


@lru_cache
def _shelf_paintings() -> dict[str, Painting]:
    return {painting.digest: painting for painting in ShelfArt(reading.products()).paintings.values()}
