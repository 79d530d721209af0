from shop.catalog.models import Variant
from shop.tests.support.access import RouteAccess, Who

OWN = "the visitor's own wishlist, named by a secret in a cookie"


def product(own):
    return Variant.objects.values_list("product", flat=True).get(pk=own.shelf.variant)


ENTRIES = [
    RouteAccess("wishlist/", "GET", Who.ANYONE),
    RouteAccess("wishlist/change/", "POST", Who.ANYONE, body=lambda own: {"product": product(own)}, why=OWN),
    RouteAccess("wishlist/share/", "POST", Who.ANYONE, why=OWN),
    RouteAccess(
        "wishlist/notices/<int:pk>/",
        "POST",
        Who.CUSTOMER,
        path=lambda own: f"/wishlist/notices/{product(own)}/",
        body=lambda own: {"price": "on"},
    ),
    RouteAccess(
        "wishlist/shared/<str:key>/",
        "GET",
        Who.ANYONE,
        path=lambda own: f"/wishlist/shared/shared-{own.mark.lower()}/",
    ),
    RouteAccess("POST /api/wishlist/", "POST", Who.ANYONE, body=lambda own: {"product": product(own)}, why=OWN),
]
