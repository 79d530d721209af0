from django.urls import reverse

from shop.orders.drafts.links import link_of
from shop.orders.models import OrderDraft
from shop.tests.support.access import RouteAccess, Who, admin_entries, some_pk


def checkout(own):
    return {"address_id": own.address, "total_amount": "1.00"}


def save_orders(own):
    amounts = dict.fromkeys(("sub_total_amt", "shipping_amt", "total_amount"), "1.00")
    return {
        "user_id": own.address,
        "cart_items": [{"product_variant_id": own.variant, "quantity": 1}],
        **amounts,
    }


def link(rest=""):
    """Behind the link of the person's draft: it is the key, so whoever has it is let in."""

    def path(own):
        draft = OrderDraft.objects.get(pk=own.draft)
        return f"/p/{link_of(draft).rstrip('/').rpartition('/')[2]}/{rest}"

    return path


def desk_of_drafts(page, *more):
    return lambda own: reverse(f"admin:orders_orderdraft_{page}", args=[some_pk("orders.orderdraft"), *more])


THE_KEY = "the link is the key; what it pays is the draft's"
DRAFT_ACTIONS = (
    "add", "units", "reduce", "country", "choose-address", "type-address", "email", "send", "renew", "place", "stop",
    "withdraw",
)  # fmt: skip

ENTRIES = [
    RouteAccess("p/<str:token>/", "GET POST", Who.ANYONE, path=link(), why=THE_KEY),
    RouteAccess("p/<str:token>/pay/", "GET POST", Who.ANYONE, path=link("pay/"), why=THE_KEY),
    RouteAccess("p/<str:token>/result/", "POST", Who.ANYONE, path=link("result/"), why=THE_KEY),
    RouteAccess("p/<str:token>/check/", "POST", Who.ANYONE, path=link("check/"), why=THE_KEY),
    RouteAccess("p/<str:token>/simulated/", "GET POST", Who.ANYONE, path=link("simulated/"), why=THE_KEY),
    RouteAccess(
        "p/<str:token>/callback/",
        "POST",
        Who.SIGNED,
        path=link("callback/"),
        body=lambda own: own.paid_result | {"razorpay_signature": "0" * 64},
    ),
    *admin_entries("orders.orderdraft", add=True),
    *[
        RouteAccess(
            "admin:orders_orderdraft_do",
            "POST",
            Who.STAFF,
            path=desk_of_drafts("do", action),
            permission="orders.change_orderdraft",
        )
        for action in DRAFT_ACTIONS
    ],
    RouteAccess(
        "admin:orders_orderdraft_duplicate",
        "POST",
        Who.STAFF,
        path=desk_of_drafts("duplicate"),
        permission="orders.add_orderdraft",
    ),
    RouteAccess("checkout/", "GET POST", Who.CUSTOMER, "address", body=checkout),
    RouteAccess("checkout/choose/", "POST", Who.CUSTOMER, "address", body=checkout),
    RouteAccess("checkout/reductions/", "POST", Who.CUSTOMER, body=lambda own: {"change": "remove"}),
    RouteAccess("checkout/address/", "POST", Who.CUSTOMER, "address", body=checkout),
    RouteAccess("checkout/deliver-to/", "POST", Who.CUSTOMER, "address", body=lambda own: {"deliver_to": own.address}),
    RouteAccess("pay/<str:number>/", "GET POST", Who.CUSTOMER, "unpaid", lambda own: f"/pay/{own.unpaid}/"),
    RouteAccess(
        "pay/<str:number>/result/",
        "POST",
        Who.CUSTOMER,
        "unpaid",
        lambda own: f"/pay/{own.unpaid}/result/",
        lambda own: own.paid_result,
    ),
    RouteAccess("pay/<str:number>/check/", "POST", Who.CUSTOMER, "unpaid", lambda own: f"/pay/{own.unpaid}/check/"),
    RouteAccess(
        "order-detail/<str:number>/cancel/",
        "POST",
        Who.CUSTOMER,
        "unpaid",
        lambda own: f"/order-detail/{own.unpaid}/cancel/",
    ),
    *[
        RouteAccess(
            f"{spelling}/",
            "GET POST",
            Who.CUSTOMER,
            "unpaid",
            lambda own, spelling=spelling: f"/{spelling}/?order={own.unpaid}",
            lambda own: {"order": own.unpaid, "outcome": "pending"},
        )
        for spelling in ("DummyPayment", "dummypayment")
    ],
    RouteAccess(
        "payments/callback/", "POST", Who.SIGNED, body=lambda own: own.paid_result | {"razorpay_signature": "0" * 64}
    ),
    RouteAccess("payments/webhook/", "POST", Who.SIGNED, body=lambda own: {"event": "payment.captured"}),
    RouteAccess("POST /save-orders/", "POST", Who.CUSTOMER, "address", body=save_orders),
    RouteAccess("POST /verify-razorpay-payment/", "POST", Who.CUSTOMER, "unpaid", body=lambda own: own.paid_result),
    *admin_entries("payments.payment"),
    RouteAccess(
        "admin:payments_refund_step",
        "POST",
        Who.STAFF,
        path=lambda own: reverse("admin:payments_refund_step", args=[some_pk("payments.refund"), "try_again"]),
        permission="payments.change_refund",
    ),
    RouteAccess(
        "admin:orders_order_step",
        "POST",
        Who.STAFF,
        path=lambda own: reverse("admin:orders_order_step", args=[some_pk("orders.order"), "refund"]),
        permission="payments.change_refund",
    ),
    *admin_entries("payments.refund", actions=dict.fromkeys(("paid_back", "try_again"), "payments.change_refund")),
    RouteAccess(
        "admin:payments_providerevent_step",
        "POST",
        Who.STAFF,
        path=lambda own: reverse(
            "admin:payments_providerevent_step", args=[some_pk("payments.providerevent"), "try_again"]
        ),
        permission="payments.change_refund",
    ),
    *admin_entries("payments.providerevent", actions={"try_again": "payments.change_refund"}),
]
