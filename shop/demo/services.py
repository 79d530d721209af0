"""Loads the demo shop."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from django.conf import settings
from django.core.files.storage import default_storage
from django.db import connections, transaction

from shop.catalog.models import Product
from shop.catalog.tasks import request_pictures
from shop.http.media import is_folder
from shop.invalidation.models import Change
from shop.invalidation.services import invalidate
from shop.markets.geography.pin_directory import SHIPPED, load_directory

from .batches import load_batches, recall_one
from .catalogue import reading
from .history.services import load_history
from .painting import add_rows, draw_all
from .pending import all_paintings, first_paintings
from .people import load_people
from .prescriptions import load_prescriptions
from .purchases import load_cash_on_delivery, load_couriers, load_purchases
from .shelves import ShelfArt, load_blog, load_home, load_shelves, translate_pages
from .stocking import in_order_of_visits, load_products, product_paintings
from .tasks import request_drawings

Timed = Callable[[str], AbstractContextManager[object]]


def load_demo(timed: Timed = nullcontext) -> int:
    """Fill an empty shop; returns how many products came, 0 when the shop was not empty.

    The rows come in one transaction, so that an interrupted run leaves an empty shop and can simply be repeated. Only
    what is bought as customers buy comes after it, for a payment is never waited for inside a transaction.
    What home page and first listings show is drawn then; the worker draws the rest (pending.py), but all is drawn
    for a bucket, which asks nobody for what it lacks. `timed` is entered with the name of each phase.
    """
    if Product.objects.exists():
        return 0
    has_orders = settings.SIMULATED_GATEWAY  # nobody pays for the demo's orders at a real provider
    with transaction.atomic():
        with timed("Loading the catalogue"):
            loaded = load_catalogue()
        with timed("Loading PIN codes"):
            load_directory(SHIPPED)
        if has_orders:
            with timed("Making a year of orders"):
                load_history(load_couriers())
                load_batches()
    if has_orders:
        with timed("Buying as customers do"):
            load_purchases()
            load_prescriptions(load_couriers()[0])
            recall_one()
    with timed("Drawing the first pictures"):
        first = first_paintings() if is_folder(default_storage) else all_paintings()
        connections.close_all()  # the children that draw must not inherit a connection
        draw_all(first)
        invalidate(Change.Kind.SHOP)
    request_drawings()
    request_pictures()
    return loaded


def load_catalogue() -> int:
    """Everything but the year of orders and the drawing of pictures; returns how many products."""
    plans = reading.products()
    shelf_art = ShelfArt(plans)
    paintings = {plan.slug: product_paintings(plan) for plan in plans}
    shelf_art.pictures = pictures = add_rows([*shelf_art.paintings.values(), *in_order_of_visits(plans, paintings)])
    load_shelves(shelf_art)
    load_products(plans, paintings, pictures)
    load_home(shelf_art)
    load_blog(shelf_art)
    translate_pages()
    load_people()
    load_cash_on_delivery()
    invalidate(Change.Kind.SHOP)  # rows in bulk say nothing by themselves
    return len(plans)
