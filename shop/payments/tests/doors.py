from django.urls import reverse

from shop.tests.support.access import Door, Who, screen, some_pk


def checkout(own):
    return {"address_id": own.address, "total_amount": "1.00"}


def save_orders(own):
    amounts = dict.fromkeys(("sub_total_amt", "shipping_amt", "total_amount"), "1.00")
    return {
        "user_id": own.address,
        "cart_items": [{"product_variant_id": own.variant, "quantity": 1}],
        **amounts,
    }


DOORS = [
    Door("checkout/", "GET POST", Who.CUSTOMER, "address", body=checkout),
    Door("checkout/choose/", "POST", Who.CUSTOMER, "address", body=checkout),
    Door("checkout/address/", "POST", Who.CUSTOMER, "address", body=checkout),
    Door("checkout/deliver-to/", "POST", Who.CUSTOMER, "address", body=lambda own: {"deliver_to": own.address}),
    Door("pay/<str:number>/", "GET POST", Who.CUSTOMER, "unpaid", lambda own: f"/pay/{own.unpaid}/"),
    Door(
        "pay/<str:number>/result/",
        "POST",
        Who.CUSTOMER,
        "unpaid",
        lambda own: f"/pay/{own.unpaid}/result/",
        lambda own: own.paid_result,
    ),
    Door("pay/<str:number>/check/", "POST", Who.CUSTOMER, "unpaid", lambda own: f"/pay/{own.unpaid}/check/"),
    Door(
        "order-detail/<str:number>/cancel/",
        "POST",
        Who.CUSTOMER,
        "unpaid",
        lambda own: f"/order-detail/{own.unpaid}/cancel/",
    ),
    *[
        Door(
            f"{spelling}/",
            "GET POST",
            Who.CUSTOMER,
            "unpaid",
            lambda own, spelling=spelling: f"/{spelling}/?order={own.unpaid}",
            lambda own: {"order": own.unpaid, "outcome": "pending"},
        )
        for spelling in ("DummyPayment", "dummypayment")
    ],
    Door("payments/callback/", "POST", Who.SIGNED, body=lambda own: own.paid_result | {"razorpay_signature": "0" * 64}),
    Door("payments/webhook/", "POST", Who.SIGNED, body=lambda own: {"event": "payment.captured"}),
    Door("POST /save-orders/", "POST", Who.CUSTOMER, "address", body=save_orders),
    Door("POST /verify-razorpay-payment/", "POST", Who.CUSTOMER, "unpaid", body=lambda own: own.paid_result),
    *screen("payments.payment"),
    Door(
        "admin:payments_refund_step",
        "POST",
        Who.STAFF,
        path=lambda own: reverse("admin:payments_refund_step", args=[some_pk("payments.refund"), "try_again"]),
        permission="payments.change_refund",
    ),
    *screen("payments.refund", actions=dict.fromkeys(("paid_back", "try_again"), "payments.change_refund")),
    Door(
        "admin:payments_providerevent_step",
        "POST",
        Who.STAFF,
        path=lambda own: reverse(
            "admin:payments_providerevent_step", args=[some_pk("payments.providerevent"), "try_again"]
        ),
        permission="payments.change_refund",
    ),
    *screen("payments.providerevent", actions={"try_again": "payments.change_refund"}),
]
