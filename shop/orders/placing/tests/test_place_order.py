from decimal import Decimal

import pytest

from shop.accounts.models import Customer
from shop.cart.services import open_cart
from shop.cart.totals import price_cart
from shop.catalog.models import Picture, Variant
from shop.errors import OutOfStock, ShopError
from shop.markets.models import Slab

from ...conftest import fill, new_address
from ...models import Order
from ...states import WrongState
from .. import services
from ..services import CheckoutChanged, KeyReused, cancel_order
from ..values import SubmittedTotals


@pytest.fixture
def tonic(make_variant):
    return make_variant(price="250.50", actual="300", units=5)


def stock_of(variant):
    return Variant.objects.values_list("on_hand", "held", "sold").get(pk=variant.pk)


def test_place_order_freezes_the_cart_and_holds_its_stock(tonic, new_buyer, order_of):
    Slab.objects.update_or_create(location_id=1, tier_amount=1000, defaults={"shipping_cost": 60})
    Slab.objects.filter(location_id=1).exclude(tier_amount=1000).delete()
    order = order_of(new_buyer({tonic: 2}))
    line = order.lines.get()
    assert (line.unit_amount, line.line_amount, line.line_inr) == (Decimal("250.50"), Decimal(501), Decimal(501))
    assert (order.sub_total_amt, order.shipping_amt, order.total_amount) == (501, 60, 561)
    assert (order.total_inr, order.currency, order.rate) == (561, "INR", 1)
    assert order.address["city"] == "Bengaluru"
    assert stock_of(tonic) == (3, 2, 0)
    assert order.number.startswith("ORD-") and len(order.number) == 13


def test_cart_and_order_show_the_first_picture_of_the_variant_that_was_chosen(
    make_variant, make_product, new_buyer, order_of, india
):
    balm = make_product("Balm")
    large, small = (make_variant(product=balm) for _ in range(2))
    for variant, names in ((large, "ab"), (small, "ca")):
        for position, name in enumerate(names):
            picture, _ = Picture.objects.get_or_create(
                digest=name, defaults={"file": f"{name}.png", "width": 800, "height": 800}
            )
            variant.variant_images.create(picture=picture, position=position)
    buyer = new_buyer({small: 1})
    assert [line.picture.digest for line in price_cart(open_cart(buyer), india).lines] == ["c"]
    assert [line.picture.digest for line in order_of(buyer).lines.all()] == ["c"]


def test_an_order_in_another_currency_keeps_the_inr_of_each_part(make_variant, order_of, usa, db):
    variant = make_variant(price="999", units=5)
    buyer = Customer.objects.create_user("us@example.com")
    new_address(buyer, country_id=22, state="NY", pincode="10001")
    fill(buyer, {variant: 3}, usa)
    order = order_of(buyer, market=usa)
    line = order.lines.get()
    assert order.currency == "USD"
    assert line.line_amount == line.unit_amount * 3
    assert line.line_inr == usa.to_inr(line.line_amount)
    assert order.total_inr == line.line_inr + usa.to_inr(order.shipping_amt)


@pytest.mark.parametrize("paisa", [Decimal("-0.01"), Decimal("0.01")])
@pytest.mark.parametrize("name", ["sub_total_amt", "shipping_amt", "coupon_amt", "total_amount"])
def test_an_amount_that_differs_by_a_paisa_creates_nothing(tonic, new_buyer, order_of, name, paisa):
    buyer = new_buyer({tonic: 1})
    order = order_of(buyer)
    right = {key: getattr(order, key) for key in ("sub_total_amt", "shipping_amt", "coupon_amt", "total_amount")}
    cancel_order(order, actor="shop")
    with pytest.raises(CheckoutChanged) as refusal:
        order_of(buyer, submitted=SubmittedTotals(right | {name: right[name] + paisa}))
    assert refusal.value.view.total == order.total_amount
    assert Order.objects.count() == 1
    assert stock_of(tonic) == (5, 0, 0)
    assert order_of(buyer, submitted=SubmittedTotals(right)).total_amount == order.total_amount


def test_other_lines_than_the_cart_has_are_refused(tonic, make_variant, new_buyer, order_of):
    buyer, other = new_buyer({tonic: 1}), make_variant()
    for quantities in ({}, {tonic.pk: 2}, {tonic.pk: 1, other.pk: 1}, {other.pk: 1}):
        with pytest.raises(CheckoutChanged):
            order_of(buyer, submitted=SubmittedTotals(quantities=quantities))
    assert not Order.objects.exists()


def test_cart_and_address_must_name_one_country(tonic, new_buyer, order_of, usa):
    with pytest.raises(CheckoutChanged, match="country"):
        order_of(new_buyer({tonic: 1}), market=usa)
    assert not Order.objects.exists()


def test_an_empty_cart_is_refused(new_buyer, order_of):
    with pytest.raises(ShopError, match="Cart is Empty"):
        order_of(new_buyer({}))


def test_more_than_there_is_holds_nothing(tonic, make_variant, new_buyer, order_of):
    plenty = make_variant(units=9)
    buyer = new_buyer({plenty: 2, tonic: 4})
    order_of(new_buyer({tonic: 3}))
    with pytest.raises(OutOfStock):
        order_of(buyer)
    assert stock_of(plenty) == (9, 0, 0)
    assert stock_of(tonic) == (2, 3, 0)


def test_what_is_taken_off_sale_after_it_was_priced_is_not_sold(tonic, new_buyer, order_of, monkeypatch):
    """An import that is undone withdraws what it made, and looks for orders, while a checkout is under way."""
    buyer = new_buyer({tonic: 2})
    write_order = services._write_order

    def withdrawn_before_it_is_written(*given):
        Variant.objects.filter(pk=tonic.pk).update(is_active=False)
        return write_order(*given)

    monkeypatch.setattr(services, "_write_order", withdrawn_before_it_is_written)
    with pytest.raises(OutOfStock):
        order_of(buyer)
    assert not Order.objects.exists()
    assert stock_of(tonic) == (5, 0, 0)


def test_a_prescription_product_is_refused(tonic, new_buyer, order_of):
    buyer = new_buyer({tonic: 1})
    type(tonic.product).objects.update(is_prescription=True)
    with pytest.raises(CheckoutChanged, match="prescription"):
        order_of(buyer)


def test_the_same_checkout_again_is_the_same_order(tonic, new_buyer, order_of):
    buyer = new_buyer({tonic: 4})
    first = order_of(buyer)
    assert order_of(buyer) == first
    assert order_of(buyer, idempotency_key="a") == order_of(buyer, idempotency_key="b") == first
    assert stock_of(tonic) == (1, 4, 0)


def test_a_changed_cart_replaces_the_live_order(tonic, new_buyer, order_of):
    buyer = new_buyer({tonic: 4})
    first = order_of(buyer)
    open_cart(buyer).lines.update(quantity=3)
    second = order_of(buyer)
    first.refresh_from_db()
    assert (first.status, second.status) == ("cancelled", "pending")
    assert stock_of(tonic) == (2, 3, 0)


def test_the_last_units_held_by_an_own_order_can_be_ordered_again(tonic, new_buyer, order_of):
    type(tonic).objects.update(max_purchase_qty=9)
    buyer = new_buyer({tonic: 5})
    first = order_of(buyer)
    assert order_of(buyer) == first
    open_cart(buyer).lines.update(quantity=4)
    assert order_of(buyer) != first
    assert stock_of(tonic) == (1, 4, 0)


def test_an_idempotency_key_answers_with_its_first_order_even_after_the_cart_is_empty(tonic, new_buyer, order_of):
    buyer = new_buyer({tonic: 1})
    first = order_of(buyer, idempotency_key="once")
    open_cart(buyer).lines.all().delete()
    assert order_of(buyer, idempotency_key="once") == first
    with pytest.raises(KeyReused):
        order_of(buyer, idempotency_key="once", submitted=SubmittedTotals({"total_amount": Decimal(1)}))
    assert Order.objects.count() == 1


def test_an_idempotency_key_belongs_to_its_customer(tonic, new_buyer, order_of):
    first = order_of(new_buyer({tonic: 1}), idempotency_key="once")
    assert order_of(new_buyer({tonic: 1}), idempotency_key="once") != first


def test_a_total_of_a_few_paise_is_refused(make_variant, new_buyer, order_of):
    Slab.objects.all().delete()
    with pytest.raises(ShopError) as refusal:
        order_of(new_buyer({make_variant(price="0.99"): 1}))
    assert refusal.value.code == "below_minimum"
    assert not Order.objects.exists()


def test_cancelling_gives_the_stock_back_once(tonic, new_buyer, order_of):
    order = order_of(new_buyer({tonic: 2}))
    cancel_order(order, actor="customer")
    with pytest.raises(WrongState):
        cancel_order(order, actor="customer")
    assert stock_of(tonic) == (5, 0, 0)
    assert [event.status_to for event in order.events.all()] == ["pending", "cancelled"]


def test_later_edits_change_no_order(tonic, new_buyer, order_of):
    buyer = new_buyer({tonic: 1})
    order = order_of(buyer)
    type(tonic.product).objects.update(name="Another name")
    type(tonic).objects.filter(pk=tonic.pk).update(selling_price=1)
    buyer.addresses.update(city="Delhi")
    order.refresh_from_db()
    assert order.lines.get().product_name != "Another name"
    assert (order.lines.get().unit_amount, order.address["city"]) == (Decimal("250.50"), "Bengaluru")
