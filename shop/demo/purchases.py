"""What the demo's customer bought, and what makes buying cheaper: a coupon, couriers, some orders on their way."""

from collections.abc import Iterable
from decimal import Decimal

from django.db.models import QuerySet

from shop.accounts.models import Customer
from shop.backoffice.actors import SHOP
from shop.cart.models import Coupon
from shop.cart.services import add_to_cart, open_cart
from shop.catalog.models import Variant
from shop.catalog.products.popularity import count_popularity
from shop.markets.market import Market
from shop.markets.models import Location, ServiceRule
from shop.markets.queries import market_registry
from shop.orders.models import Courier, Order
from shop.orders.placing.values import PlaceOrder
from shop.orders.shipping.services import deliver_all, ship
from shop.payments.services import check_out, verify_payment
from shop.payments.simulator.payer import pay
from shop.pharmacy.refills.queries import bought_lines
from shop.pharmacy.refills.services import RefillRequest, pause_refill, save_refill

from .catalogue import translating
from .logins import CUSTOMER

COUPON = {
    "description": "10% off your order, up to ₹200",
    "kind": Coupon.Kind.PERCENT,
    "percent": Decimal(10),
    "most_inr": Decimal(200),
    "minimum_inr": Decimal(300),
    "is_listed": True,
}
COURIERS = {
    "Himalaya Parcel": "https://parcel.example.com/track/{number}",
    "Ganga Express": "https://express.example.com/{number}",
}
CASH_LIMIT = Decimal(2000)
CASH_PREFIXES = ("110", "400", "411", "500", "560", "600", "700")  # Delhi, Mumbai, Pune, Hyderabad, Bengaluru, …
REFILLS = [RefillRequest(1, interval=30), RefillRequest(2, interval=60), RefillRequest(1, interval=90)]
ON_HAND = 10  # so that nothing sells out by it


def load_couriers() -> list[Courier]:
    return [
        Courier.objects.get_or_create(name=name, defaults={"tracking_link": link})[0] for name, link in COURIERS.items()
    ]


def load_cash_on_delivery() -> None:
    """In India, up to a limit, where the PIN code begins like those of some large cities."""
    india = market_registry().by_code["IN"].pk
    Location.objects.filter(pk=india).update(cash_on_delivery_max=CASH_LIMIT)
    rules = [("", False), *((prefix, True) for prefix in CASH_PREFIXES)]
    for prefix, takes_cash in rules:
        ServiceRule.objects.get_or_create(location_id=india, prefix=prefix, defaults={"cash_on_delivery": takes_cash})


def load_purchases() -> None:
    """A coupon, the couriers, one order each that was delivered, is on its way, and waits to be packed; reminders.

    The orders are made as any customer's are, the simulated payment included, and therefore outside any
    transaction; a second run finds them.
    """
    said = translating.translations(description=str(COUPON["description"]))
    Coupon.objects.get_or_create(code="WELCOME10", defaults=COUPON | {"translations": said})
    couriers = load_couriers()
    asha = Customer.objects.get(email=CUSTOMER.email)
    for at in range(asha.orders.count(), 3):
        order = buy(asha, bestsellers(_india())[3 * at : 3 * at + 2])
        if at < 2:
            ship(order, courier=couriers[at], tracking_number=f"AU{order.pk:09}IN", actor=SHOP)
        if at < 1:
            deliver_all(order, actor=SHOP)
    _add_refills(asha)
    count_popularity()


def _add_refills(customer: Customer) -> None:
    """Reminders of what was bought, one of them paused."""
    if customer.refills.exists():
        return
    lines = list(bought_lines().filter(order__customer=customer).select_related("order", "variant").order_by("pk")[:3])
    refills = [
        save_refill(customer, line.variant, refill_request, location_id=line.order.location_id)
        for line, refill_request in zip(lines, REFILLS, strict=False)
    ]
    if refills:
        pause_refill(customer, refills[-1].pk)


def bestsellers(market: Market) -> QuerySet[Variant]:
    """Variants with enough on hand, those of popular products first."""
    shelf: QuerySet[Variant] = Variant.objects.sellable_in(market).filter(on_hand__gt=ON_HAND)
    return shelf.order_by("-product__popularity", "id")


def buy(customer: Customer, variants: Iterable[Variant]) -> Order:
    """One of each, to the customer's address in India, paid at the simulated provider."""
    india = _india()
    cart = open_cart(customer)
    for variant in variants:
        add_to_cart(cart, variant_id=variant.pk, quantity=1, market=india)
    order, payment = check_out(
        PlaceOrder(customer=customer, cart=cart, address=customer.addresses.get(is_default=True), market=india)
    )
    if payment and payment.razorpay_order_id:
        result = pay(payment.razorpay_order_id)
        verify_payment(
            razorpay_order_id=result.razorpay_order_id,
            razorpay_payment_id=result.razorpay_payment_id,
            signature=result.razorpay_signature,
        )
    return order


def _india() -> Market:
    return market_registry().market(market_registry().by_code["IN"])
