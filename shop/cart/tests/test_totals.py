from dataclasses import replace
from decimal import Decimal

import pytest

from shop.catalog.models import VariantPrice

from ..services import add_to_cart, open_guest_cart
from ..totals import price_cart, shipping_cost

SLABS = [(Decimal(499), Decimal(49)), (Decimal(999), Decimal(29)), (Decimal(100000), Decimal(0))]


@pytest.mark.parametrize(
    ("sub_total", "cost"),
    [("0.01", 49), ("498.99", 49), ("499", 29), ("998.99", 29), ("999", 0), ("100000", 0), ("100000.01", 0)],
)
def test_a_subtotal_equal_to_a_tier_uses_the_next_slab_and_above_all_the_last(sub_total, cost):
    assert shipping_cost(Decimal(sub_total), SLABS) == cost


def test_without_slabs_shipping_is_free():
    assert shipping_cost(Decimal(10), []) == 0


@pytest.mark.parametrize(
    ("price", "words"),
    [
        ("450", "Add ₹49.00 more and shipping is ₹29.00."),
        ("499", "Add ₹500.00 more and shipping is free."),
        ("998.50", "Add ₹0.50 more and shipping is free."),
        ("999", ""),
        ("100000", ""),
    ],
)
def test_a_cart_says_what_is_missing_for_cheaper_shipping(make_variant, india, price, words):
    cart, _ = open_guest_cart()
    add_to_cart(cart, variant_id=make_variant(price=price).pk, quantity=1, market=india)
    assert price_cart(cart, india).next_tier_text == words


def test_the_cart_page_says_it_until_shipping_is_free(client, make_variant):
    cheap, dear = make_variant(price="450"), make_variant(price="600")
    for variant, is_said in ((cheap, True), (dear, False)):
        client.post("/en-in/cart/add/", {"variant": variant.pk, "quantity": 1})
        assert ("Add ₹49.00 more and shipping is ₹29.00." in client.get("/en-in/cart/").text) == is_said


def test_a_dearer_cart_that_ships_for_more_is_no_offer(make_variant, india):
    cart, _ = open_guest_cart()
    add_to_cart(cart, variant_id=make_variant(price="450").pk, quantity=1, market=india)
    slabs = [(Decimal(499), Decimal(49)), (Decimal(100000), Decimal(60))]
    assert replace(price_cart(cart, india), slabs=slabs).next_tier_text == ""


def test_line_total_is_the_shown_unit_price_times_quantity(make_variant, usa):
    cart, _ = open_guest_cart()
    add_to_cart(cart, variant_id=make_variant(price="100", actual="120").pk, quantity=3, market=usa)
    line = price_cart(cart, usa).lines[0]
    assert line.price.selling == Decimal("1.13")
    assert line.line_total == Decimal("3.39")


def test_a_fixed_price_of_the_location_wins_and_is_converted_into_another_currency(make_variant, usa):
    from shop.markets.queries import market_registry

    variant = make_variant(price="100")
    VariantPrice.objects.create(variant=variant, location_id=22, selling_price="5.00", actual_price="6.00")
    cart, _ = open_guest_cart()
    add_to_cart(cart, variant_id=variant.pk, quantity=1, market=usa)
    in_rupees = market_registry().market(market_registry().by_code["US"], "INR")
    assert price_cart(cart, usa).sub_total == Decimal("5.00")
    assert price_cart(cart, in_rupees).sub_total == Decimal("442.50")


def test_what_cannot_be_ordered_says_why_and_is_not_charged(make_variant, india):
    sold_out, prescription = make_variant(units=2), make_variant()
    cart, _ = open_guest_cart()
    for variant in (sold_out, prescription):
        add_to_cart(cart, variant_id=variant.pk, quantity=2, market=india)
    type(sold_out).objects.filter(pk=sold_out.pk).update(on_hand=1, sold=1)
    prescription.product.is_prescription = True
    prescription.product.save()
    view = price_cart(cart, india)
    assert [line.problem for line in view.lines] == [
        "Only 1 left. Please reduce your quantity from 2.",
        "This is a prescription medicine, so we don't sell it online.",
    ]
    assert view.total == 0


def test_a_cart_is_priced_in_the_same_number_of_queries_whatever_its_size(
    make_variant, india, django_assert_num_queries
):
    cart, _ = open_guest_cart()
    add_to_cart(cart, variant_id=make_variant().pk, quantity=1, market=india)
    price_cart(cart, india)  # categories and slabs are remembered
    with django_assert_num_queries(4):
        price_cart(cart, india)
    for _ in range(3):
        add_to_cart(cart, variant_id=make_variant().pk, quantity=1, market=india)
    price_cart(cart, india)
    with django_assert_num_queries(4):
        view = price_cart(cart, india)
        assert [line.picture for line in view.lines] == [None] * 4
