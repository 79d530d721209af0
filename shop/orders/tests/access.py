from django.urls import reverse

from shop.orders.shipping.tracking_links import tracking_token
from shop.tests.support.access import RouteAccess, Who, admin_entries, some_pk

RETURN_STEPS = (
    "approve", "reject", "receive_to_shelf", "receive_written_off", "refund_instead", "send_replacement",
)  # fmt: skip
DESK_MOVES = ("start_processing", "ship_everything_left", "mark_delivered", "mark_refused", "cancel")


def of_the_desk(page, *more):
    return lambda own: reverse(f"admin:orders_{page}", args=[some_pk("orders.order"), *more])


def of_the_order(rest=""):
    return lambda own: f"/order-detail/{own.order}/{rest}"


ENTRIES = [
    RouteAccess("orders/", "GET", Who.CUSTOMER),
    RouteAccess("order-detail/", "GET", Who.CUSTOMER),
    RouteAccess("order-detail/<str:number>/", "GET", Who.CUSTOMER, "order", of_the_order()),
    RouteAccess(
        "order-detail/<str:number>/invoice/<int:pk>.pdf",
        "GET",
        Who.CUSTOMER,
        "invoice",
        lambda own: f"/order-detail/{own.order}/invoice/{own.invoice}.pdf",
    ),
    RouteAccess(
        "order-detail/<str:number>/return/<int:pk>/",
        "GET POST",
        Who.CUSTOMER,
        "line",
        lambda own: f"/order-detail/{own.order}/return/{own.line}/",
        lambda own: {"kind": "refund", "reason": "wrong-item", "quantity": "1", "seen": "1"},
    ),
    RouteAccess(
        "order-detail/<str:number>/return-photo/<int:pk>/",
        "GET",
        Who.CUSTOMER,
        "photo",
        lambda own: f"/order-detail/{own.order}/return-photo/{own.photo}/",
    ),
    RouteAccess("order-detail/<str:number>/address/", "GET POST", Who.CUSTOMER, "order", of_the_order("address/")),
    RouteAccess(
        "order-detail/<str:number>/cancel-items/", "GET POST", Who.CUSTOMER, "order", of_the_order("cancel-items/")
    ),
    RouteAccess("order-detail/<str:number>/restore/", "POST", Who.CUSTOMER, "order", of_the_order("restore/")),
    RouteAccess("order-detail/<str:number>/reorder/", "POST", Who.CUSTOMER, "order", of_the_order("reorder/")),
    *[
        RouteAccess(f"{name}/", "GET", Who.CUSTOMER, "order", lambda own, name=name: f"/{name}/?order={own.order}")
        for name in ("place-order", "ordersuccess", "ordercancel", "ordercon", "ordersummery")
    ],
    RouteAccess(
        "track/<str:token>/",
        "GET",
        Who.ANYONE,
        path=lambda own: f"/track/{tracking_token(own.order)}/",
    ),
    RouteAccess(
        "trackorders/",
        "GET POST",
        Who.ANYONE,
        body=lambda own: {"number": own.order, "phone": own.phone},
        why="reads; number and phone are the proof, counted for order and client",
    ),
    RouteAccess("POST /user-orders/", "POST", Who.CUSTOMER, "customer", body=lambda own: {"user_id": own.customer}),
    RouteAccess("POST /user-orders/", "POST", Who.CUSTOMER, "cart", body=lambda own: {"cart_id": own.cart}),
    RouteAccess("POST /reorder/", "POST", Who.CUSTOMER, "order", body=lambda own: {"order": own.order}),
    RouteAccess(
        "POST /cancel-order-items/",
        "POST",
        Who.CUSTOMER,
        "order",
        body=lambda own: {"order": own.order, "items": [{"id": own.line, "cancelled": 1}]},
    ),
    RouteAccess(
        "POST /update-order-address/",
        "POST",
        Who.CUSTOMER,
        "order",
        body=lambda own: {"order": own.order, "landmark": "Near the temple"},
    ),
    *admin_entries("orders.courier", add=True, change=True, delete=True),
    *admin_entries(
        "orders.order",
        actions=dict.fromkeys(DESK_MOVES, "orders.change_order") | {"packing_list": "orders.view_order"},
    ),
    *admin_entries("orders.returnrequest", actions=dict.fromkeys(RETURN_STEPS, "orders.change_returnrequest")),
    *admin_entries("orders.invoice"),
    *admin_entries("orders.recall", add=True),
    RouteAccess(
        "admin:orders_recall_export",
        "GET",
        Who.STAFF,
        path=lambda own: reverse("admin:orders_recall_export", args=[some_pk("orders.recall")]),
        permission="orders.view_recall",
    ),
    RouteAccess(
        "admin:orders_order_parcels",
        "GET POST",
        Who.STAFF,
        path=of_the_desk("order_parcels"),
        permission="orders.change_order",
    ),
    RouteAccess(
        "admin:orders_order_board",
        "GET",
        Who.STAFF,
        path=lambda own: reverse("admin:orders_order_board"),
        permission="orders.view_order",
    ),
    RouteAccess(
        "admin:orders_order_packing",
        "GET",
        Who.STAFF,
        path=lambda own: f"{reverse('admin:orders_order_packing')}?to_do=pack",
        permission="orders.view_order",
    ),
    RouteAccess(
        "admin:orders_order_export",
        "GET",
        Who.STAFF,
        path=lambda own: f"{reverse('admin:orders_order_export')}?first=2026-01-01&last=2026-01-31&format=csv",
        permission="orders.view_order",
    ),
    RouteAccess(
        "admin:orders_order_address",
        "GET POST",
        Who.STAFF,
        path=of_the_desk("order_address"),
        permission="orders.change_order",
    ),
    RouteAccess(
        "admin:orders_order_step",
        "POST",
        Who.STAFF,
        path=of_the_desk("order_step", "note"),
        body=lambda own: {"text": "Call before delivery", "key": "1"},
        permission="orders.change_order",
    ),
    RouteAccess(
        "admin:orders_order_step",
        "POST",
        Who.STAFF,
        path=of_the_desk("order_step", "cancel_units"),
        permission="orders.change_order",
    ),
    RouteAccess(
        "admin:orders_returnrequest_step",
        "POST",
        Who.STAFF,
        path=lambda own: reverse("admin:orders_returnrequest_step", args=[own.return_request, "approve"]),
        permission="orders.change_returnrequest",
    ),
    RouteAccess(
        "admin:orders_return_photo",
        "GET",
        Who.STAFF,
        path=lambda own: reverse("admin:orders_return_photo", args=[own.photo]),
        permission="orders.view_returnrequest",
    ),
    RouteAccess(
        "admin:orders_invoice_pdf",
        "GET",
        Who.STAFF,
        path=lambda own: reverse("admin:orders_invoice_pdf", args=[own.invoice]),
        permission="orders.view_invoice",
    ),
]
