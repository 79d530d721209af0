from shop.tests.support.access import RouteAccess, Who, admin_entries

OWN = "the visitor's own cart, named by a secret in a cookie"


def line(own):
    return {"variant": own.variant, "quantity": "1"}


def call(name, body, who=Who.ANYONE):
    """The call by itself, and with each id in it that must be the caller's own."""
    return [
        RouteAccess(f"POST /{name}/", "POST", who, body=body, why=OWN),
        RouteAccess(f"POST /{name}/", "POST", who, "cart", body=lambda own: body(own) | {"cart_id": own.cart}, why=OWN),
        RouteAccess(
            f"POST /{name}/", "POST", who, "customer", body=lambda own: body(own) | {"user_id": own.customer}, why=OWN
        ),
    ]


def one(own):
    return {"product_id": own.variant}


ENTRIES = [
    RouteAccess("cart/", "GET", Who.ANYONE),
    RouteAccess("cart/preview/", "GET", Who.ANYONE),
    *[
        RouteAccess(f"cart/{action}/", "POST", Who.ANYONE, body=line, why=OWN)
        for action in ("add", "change", "remove", "restore", "save", "move")
    ],
    RouteAccess("cart/coupon/", "POST", Who.ANYONE, body=lambda own: {"coupon_code": own.shelf.coupon}, why=OWN),
    RouteAccess("cart/coupon/remove/", "POST", Who.ANYONE, why=OWN),
    RouteAccess("cart/points/", "POST", Who.ANYONE, body=lambda own: {"use_points": "1"}, why=OWN),
    RouteAccess("GET /api/me/", "GET", Who.ANYONE),
    RouteAccess("POST /add-to-cart/", "POST", Who.ANYONE, body=lambda own: {"product": own.shelf.variant}, why=OWN),
    RouteAccess(
        "POST /add-to-cart/",
        "POST",
        Who.ANYONE,
        "customer",
        body=lambda own: {"product": own.shelf.variant, "user": own.customer},
        why=OWN,
    ),
    *call("get-cart", lambda own: {}),
    *call("update-cart-product-quantity", lambda own: one(own) | {"quantity": 1}),
    *call("delete-from-cart", lambda own: {"product_ids": [own.variant]}),
    *call("save-for-later", one),
    *call("move-to-cart", one),
    *call("apply-coupon", lambda own: {"coupon_code": own.shelf.coupon}),
    *call("remove-coupon", lambda own: {}),
    *call("use-points", lambda own: {"use_points": True}, Who.CUSTOMER),
    *admin_entries("cart.coupon", add=True, change=True, delete=True),
]
