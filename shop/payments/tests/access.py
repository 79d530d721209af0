from django.urls import reverse

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


ENTRIES = [
    RouteAccess("checkout/", "GET POST", Who.CUSTOMER, "address", body=checkout),
    RouteAccess("checkout/choose/", "POST", Who.CUSTOMER, "address", body=checkout),
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
