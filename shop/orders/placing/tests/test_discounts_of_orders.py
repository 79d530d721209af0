"""Orders with discounts of every kind: sums, shares of lines, refunds, first orders, the last use."""

from decimal import Decimal
from functools import partial

import pytest

from shop.accounts.points.services import earn
from shop.cart import coupons
from shop.cart.models import Cart, CartLine, Coupon, CouponUse
from shop.catalog.stock import services as stock
from shop.errors import ShopError
from shop.markets.models import Slab
from shop.markets.queries import market_registry
from shop.messaging.models import Message
from shop.payments.reconciliation import invariants, invariants_after

from ...conftest import fill
from ...models import Order
from ...returns.cancellation import refund_of
from ...tests.racing import of_kind, together, without_write_lock
from .. import services
from ..services import CheckoutChanged, cancel_order
from ..values import PlaceOrder, SubmittedTotals
from .test_coupon_races import take_by_looking_first
from .test_reductions import let_expire, place, uses_of, with_coupon

BUY_GET, FREE_SHIPPING = Coupon.Kind.BUY_GET, Coupon.Kind.FREE_SHIPPING


def assert_sums(order):
    assert not list(invariants.totals_that_do_not_add_up())
    assert not list(invariants_after.coupons_miscounted())
    assert all(0 <= line.reduction_amt <= line.line_amount for line in order.lines.all())
    assert all(0 <= line.reduction_inr <= line.line_inr for line in order.lines.all())


@pytest.fixture
def oil(make_variant):
    return make_variant(price="199.99", units=90, max_purchase_qty=20)


@pytest.fixture
def soap(make_variant):
    return make_variant(price="33.33", units=90, max_purchase_qty=20)


@pytest.mark.django_db
def test_a_discount_on_one_product_is_refunded_with_that_line_alone(oil, soap, make_coupon, new_buyer, order_of):
    coupon = make_coupon("OIL", percent=15, products=[oil.product])
    buyer = with_coupon(new_buyer({oil: 2, soap: 3}), coupon, use_points=True)
    earn(buyer, 20, reference="ORD-OLD")
    order = order_of(buyer)
    dear, cheap = order.lines.order_by("pk")
    assert order.coupon_amt == Decimal("60.00")  # 15 % of 399.98
    assert sum(line.reduction_amt for line in (dear, cheap)) == 80
    points_of_the_cheap = Decimal("20") * Decimal("99.99") / (Decimal("339.98") + Decimal("99.99"))
    assert abs(cheap.reduction_amt - points_of_the_cheap) < Decimal("0.01")
    assert refund_of(cheap, 3) == cheap.line_inr - cheap.reduction_inr
    assert refund_of(dear, 2) + refund_of(cheap, 3) == order.total_inr - order.shipping_inr
    assert_sums(order)


@pytest.mark.django_db
@pytest.mark.parametrize(("country", "currency"), [("IN", "INR"), ("US", "USD"), ("US", "JPY"), ("KW", "KWD")])
@pytest.mark.parametrize(
    "terms",
    [
        {"percent": Decimal("100"), "some": True},
        {"percent": Decimal("33.33"), "some": True},
        {"amount": Decimal("77.77"), "some": True},
        {"percent": Decimal("100"), "kind": BUY_GET, "buy_quantity": 2, "get_quantity": 1},
        {"percent": Decimal("50"), "kind": BUY_GET, "buy_quantity": 1, "get_quantity": 1, "some": True},
        {"kind": FREE_SHIPPING},
    ],
)
def test_sums_of_orders_are_exact_in_every_currency(
    oil, soap, make_coupon, customer, order_of, country, currency, terms
):
    from ...conftest import new_address

    market = market_registry().market(market_registry().by_code[country], currency)
    state = {"IN": "Karnataka", "US": "NY"}.get(country, "")
    new_address(customer, country_id=market.location_id, state=state)
    terms = dict(terms)
    products = [oil.product] if terms.pop("some", False) else []
    coupon = make_coupon("EACH", products=products, **terms)
    fill(customer, {oil: 3, soap: 2}, market)
    with_coupon(customer, coupon, use_points=True)
    earn(customer, 40, reference="ORD-OLD")
    order = order_of(customer, market=market)
    assert order.coupon_code == "EACH"
    assert order.coupon_amt > 0 or not order.shipping_amt
    assert_sums(order)


@pytest.mark.django_db
def test_free_shipping_counts_a_use_and_a_cancellation_gives_it_back(oil, make_coupon, new_buyer, order_of):
    coupon = make_coupon("SHIP", kind=FREE_SHIPPING, total_limit=1)
    order = order_of(with_coupon(new_buyer({oil: 1}), coupon))
    assert (order.shipping_amt, order.coupon_amt, order.coupon_code) == (0, 0, "SHIP")
    assert order.total_amount == order.sub_total_amt
    assert uses_of(coupon) == (1, 1, 0)
    cancel_order(order, actor="customer")
    assert uses_of(coupon) == (0, 0, 0)


@pytest.mark.django_db
def test_an_automatic_discount_applies_to_the_order_and_is_named_on_it(oil, make_coupon, new_buyer, order_of):
    coupon = make_coupon("FESTIVE", percent=10, is_automatic=True)
    order = order_of(new_buyer({oil: 1}), submitted=SubmittedTotals({"coupon_amt": Decimal("20.00")}, coupon_code=""))
    assert (order.coupon_code, order.coupon_amt) == ("FESTIVE", Decimal("20.00"))
    assert (order.discount_label, order.free_shipping) == ("10% off", None)
    assert uses_of(coupon) == (1, 1, 0)
    assert_sums(order)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("terms", "rows"),
    [
        ({"percent": 10, "is_automatic": True, "description": "Festive 10% off"}, "Festive 10% off"),
        ({"percent": 10}, "Coupon FESTIVE"),
        ({"kind": FREE_SHIPPING}, "Coupon FESTIVE: Free shipping"),
        ({"kind": FREE_SHIPPING, "is_automatic": True}, "Discount: Free shipping"),
    ],
)
def test_pages_mails_and_invoices_name_the_discount(oil, make_coupon, new_buyer, order_of, client, terms, rows):
    coupon = make_coupon("FESTIVE", **terms)
    buyer = new_buyer({oil: 1})
    order = order_of(buyer if coupon.is_automatic else with_coupon(buyer, coupon))
    place(order)
    mail = Message.objects.get(kind="order_placed")
    assert rows in mail.text
    name, _, words = rows.partition(": ")
    client.force_login(buyer)
    for page in (mail.html, client.get(f"/order-detail/{order.number}/").content.decode()):
        assert name in page and words in page
    Coupon.objects.filter(pk=coupon.pk).update(description="Another name")
    expected = order.discount_name if coupon.is_automatic else "FESTIVE"
    assert order.invoices.get().content["discount"] == expected


@pytest.mark.django_db
def test_a_coupon_that_the_order_did_not_use_stays_in_the_cart(oil, make_coupon, new_buyer, order_of):
    make_coupon("FESTIVE", percent=20, is_automatic=True)
    own = make_coupon("FIVE", percent=5)
    order = order_of(with_coupon(new_buyer({oil: 1}), own))
    place(order)
    assert order.coupon_code == "FESTIVE"
    assert Cart.objects.get(customer=order.customer).coupon == own


@pytest.mark.django_db
def test_what_changed_since_it_was_shown_is_said_with_new_totals(oil, make_coupon, new_buyer, order_of):
    coupon = make_coupon("FESTIVE", percent=10, is_automatic=True)
    buyer = new_buyer({oil: 1})
    coupon.is_active = False
    coupon.save(update_fields=["is_active"])
    with pytest.raises(CheckoutChanged) as refused:
        order_of(buyer, submitted=SubmittedTotals({"coupon_amt": Decimal("20.00")}))
    assert (refused.value.status, refused.value.view.coupon_amt) == (409, 0)


@pytest.mark.django_db
def test_only_a_first_order_gets_what_is_for_first_orders(oil, make_coupon, new_buyer, order_of, india):
    make_coupon("WELCOME", percent=10, is_automatic=True, is_first_order=True)
    typed = make_coupon("HELLO", percent=20, is_first_order=True)
    buyer = new_buyer({oil: 1})
    first = order_of(buyer)
    assert first.coupon_code == "WELCOME"
    assert order_of(buyer) == first  # still the first one
    place(first)
    fill(buyer, {oil: 1}, india)
    assert order_of(buyer).coupon_code == ""
    with_coupon(buyer, typed)
    with pytest.raises(CheckoutChanged, match="only for first orders"):
        order_of(buyer, submitted=SubmittedTotals({"coupon_amt": Decimal("40.00")}, coupon_code="HELLO"))


@pytest.mark.django_db
def test_late_money_of_a_second_order_gets_no_first_order_discount(oil, make_coupon, new_buyer, order_of, india):
    make_coupon("WELCOME", percent=10, is_automatic=True, is_first_order=True)
    buyer = new_buyer({oil: 1})
    late = order_of(buyer)
    let_expire(late)
    fill(buyer, {}, india)
    place(order_of(buyer))
    with pytest.raises(ShopError, match="only for first orders"):
        place(late)


# --- Two hundred at once, ten uses left ------------------------------------------------------------

CROWD, LEFT = 200, 10


@pytest.fixture
def market(transactional_db, monkeypatch):
    """No lock on a variant keeps the buyers apart by chance."""
    for name in ("hold", "sell", "release", "take_back"):
        monkeypatch.setattr(stock, name, lambda quantities, **how: None)
    Slab.objects.all().delete()
    return market_registry().market(market_registry().by_code["IN"])


def want_ten_uses(crowd, market, make_variant, make_coupon, size=CROWD):
    coupon = make_coupon("FESTIVE", percent=10, is_automatic=True, total_limit=LEFT + 5, uses=5)
    variant = make_variant(price="200", units=size)
    people = crowd(size)
    CartLine.objects.bulk_create(CartLine(cart=person.cart, variant=variant, quantity=1) for person in people)
    shown = SubmittedTotals({"coupon_amt": Decimal(20), "total_amount": Decimal(180)}, coupon_code="")

    def check_out(person):
        return services.place_order(
            PlaceOrder(
                customer=person, cart=Cart.objects.get(customer=person), address=person.addresses.get(),
                market=market, submitted=shown,
            )
        )  # fmt: skip

    return coupon, together([partial(check_out, person) for person in people])


def assert_ten_uses(coupon, results):
    assert not [error for error in of_kind(results, Exception) if not isinstance(error, ShopError)]
    assert len(of_kind(results, Order)) == LEFT
    assert Order.objects.filter(coupon_code=coupon.code).count() == CouponUse.objects.count() == LEFT
    assert Coupon.objects.get(pk=coupon.pk).uses == LEFT + 5


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_two_hundred_checkouts_use_the_ten_uses_that_are_left(crowd, market, make_variant, make_coupon):
    assert_ten_uses(*want_ten_uses(crowd, market, make_variant, make_coupon))


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_without_the_conditional_update_more_than_ten_use_it(crowd, market, make_variant, make_coupon, monkeypatch):
    monkeypatch.setattr(coupons, "take", take_by_looking_first)
    without_write_lock(monkeypatch)
    coupon, results = want_ten_uses(crowd, market, make_variant, make_coupon, size=40)
    with pytest.raises(AssertionError):
        assert_ten_uses(coupon, results)
