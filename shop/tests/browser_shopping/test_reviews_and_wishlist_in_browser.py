"""A review from the link of its mail, and a wishlist that a visitor begins and keeps: in Chromium on a phone of 360 px,
with and without scripts."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from shop.accounts.models import Customer
from shop.accounts.wishlist.models import WishlistItem
from shop.messaging.models import Message
from shop.orders.conftest import new_buyer, order_of  # noqa: F401 (fixtures)
from shop.orders.models import Order
from shop.orders.placing.services import confirm_order
from shop.orders.shipping.services import deliver_all, ship
from shop.reviews.invitations.services import invite_to_review
from shop.reviews.models import Review
from shop.reviews.moderation.services import publish

from .answers import answered

pytestmark = pytest.mark.browser
FITS = "document.documentElement.scrollWidth <= window.innerWidth"
SCRIPTS = pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])


@pytest.fixture
def soap(transactional_db, real_passwords, make_variant, make_product):
    return make_variant("80", units=20, product=make_product("Neem Soap"))


@pytest.fixture
def invited(soap, new_buyer, order_of):  # noqa: F811
    """The path in the mail that asks for a review of the soap."""
    order = order_of(new_buyer({soap: 1}))
    confirm_order(order, actor="provider")
    ship(order, actor="staff:1")
    deliver_all(order, actor="staff:1")
    Order.objects.update(delivered_at=timezone.now() - timedelta(days=8), email="asha@example.com")
    invite_to_review()
    mail = Message.objects.get(kind="review_invitation")
    return re.search(r"https?://[^/\s]+(/\S*review/\S+/)", mail.text)[1]


def fits(page):
    for width in (320, 360):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate(FITS)


@SCRIPTS
def test_a_review_from_the_link_of_the_mail_is_read_by_others(invited, open_phone, scripts, barriers):
    page = open_phone(scripts=scripts)
    page.goto(invited)
    expect(page.get_by_role("heading", name="Write a review")).to_be_visible()
    fits(page)
    if scripts:
        assert barriers(page) == []
        page.get_by_role("button", name="Next").click()
        expect(page.locator(".field__error")).to_be_visible()  # no star was chosen
    page.locator("input[name=stars][value='2']").check()
    for label, words in (("title", "Not for me"), ("text", "It dried my skin within two days.")):
        if scripts:
            page.get_by_role("button", name="Next").click()
        page.locator(f"[name={label}]").fill(words)
    if scripts:
        page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Send review").click()
    expect(page.get_by_text("We have your review and will publish it soon.")).to_be_visible()
    review = Review.objects.get()
    assert (review.stars, review.title, review.state) == (2, "Not for me", "waiting")

    publish(review, actor="staff:1", seen=review.revision)
    reader = open_phone(scripts=scripts)
    reader.goto("/en-in/product/neem-soap/")
    expect(reader.get_by_text("It dried my skin within two days.")).to_be_visible()
    fits(reader)
    page.goto(invited)
    expect(page.get_by_text("Your review is published.")).to_be_visible()


@SCRIPTS
def test_a_visitors_wishlist_is_merged_into_the_customers(
    soap, make_variant, make_product, open_phone, scripts, barriers
):
    oil = make_variant("150", units=5, product=make_product("Amla Oil"))
    asha = Customer.objects.create_user("asha@example.com", "honey and amla", name="Asha Rao")
    for phone, product in ((open_phone(scripts=scripts), "amla-oil"), (open_phone(scripts=scripts), "neem-soap")):
        phone.goto(f"/en-in/product/{product}/")
        with answered(phone):
            phone.get_by_role("button", name="Save to wishlist").first.click()
        phone.goto("/en-in/wishlist/")
        expect(phone.locator(".wishlist__item")).to_have_count(1)
        fits(phone)
        if scripts:
            assert barriers(phone) == []
        phone.goto("/signin/?next=/en-in/wishlist/")
        phone.get_by_label("Email", exact=True).fill("asha@example.com")
        phone.get_by_label("Password", exact=True).fill("honey and amla")
        phone.get_by_role("button", name="Login", exact=True).click()
        phone.wait_for_url("**/wishlist/")
    expect(phone.locator(".wishlist__item")).to_have_count(2)
    fits(phone)
    kept = WishlistItem.objects.filter(wishlist__customer=asha).values_list("product", flat=True)
    assert set(kept) == {oil.product_id, soap.product_id}
    phone.get_by_label("Email me when the price drops").first.check()
    with answered(phone):
        phone.get_by_role("button", name="Save", exact=True).first.click()
    assert WishlistItem.objects.filter(wants_price=True).count() == 1
    phone.get_by_role("button", name="Remove").first.click()
    expect(phone.locator(".wishlist__item")).to_have_count(1)
