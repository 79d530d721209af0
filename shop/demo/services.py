"""Loads the demo shop."""

from django.conf import settings
from django.db import connections, transaction

from shop.catalog.models import Product
from shop.catalog.tasks import request_pictures
from shop.invalidation.models import Change
from shop.invalidation.services import invalidate

from .catalogue import reading
from .painting import paint_all
from .people import load_people
from .purchases import load_purchases
from .shelves import ShelfArt, load_blog, load_home, load_shelves
from .stocking import load_products, product_paintings


def load_demo(*, with_pictures: bool = True) -> int:
    """Fill an empty shop; returns how many products came, 0 when the shop was not empty.

    Pictures are drawn first, into files that a later run finds again; the rows then come in one
    transaction, so that an interrupted run leaves an empty shop and can simply be repeated.
    """
    if Product.objects.exists():
        return 0
    plans = reading.products()
    shelf_art = ShelfArt(plans)
    paintings = {plan.slug: product_paintings(plan) for plan in plans} if with_pictures else {}
    pictures = {}
    if with_pictures:
        connections.close_all()  # the children that draw must not inherit a connection
        views = [painting for looks in paintings.values() for views in looks.values() for painting in views]
        pictures = paint_all([*shelf_art.paintings.values(), *views])
    shelf_art.pictures = pictures
    with transaction.atomic():
        load_shelves(shelf_art)
        load_products(plans, paintings, pictures)
        if with_pictures:
            load_home(shelf_art)
            load_blog(shelf_art)
        load_people()
        invalidate(Change.Kind.SHOP)  # rows in bulk say nothing by themselves
    if settings.SIMULATED_GATEWAY:  # nobody pays for the demo's orders at a real provider
        load_purchases()
    request_pictures()
    return len(plans)
