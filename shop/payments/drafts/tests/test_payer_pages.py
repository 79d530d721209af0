"""What whoever has a draft's link sees and pays."""

import pytest
from django.test import Client
from django.utils import timezone

from shop.accounts.models import Customer
from shop.catalog.models import Variant
from shop.messaging.models import Message
from shop.orders.drafts import services as drafts
from shop.orders.models import Order, OrderDraft

from ...models import Payment
from ...reconciliation.jobs import expire_holds
from ..services import stop_payment
from .conftest import DESK, again

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def payer():
    """A browser in which nobody is signed in."""
    return Client(headers={"sec-fetch-site": "same-origin"})


def form_of(page, **more):
    """What the page's form sends."""
    view = page.context["cart_view"]
    return {
        "line": [f"{line.variant.pk}:{line.quantity}:{line.price.selling}" for line in view.lines],
        "market": view.market.key, "shipping_amt": view.shipping, "coupon_amt": view.coupon_amt,
        "total_amount": view.total, "payment_method": "online",
    } | more  # fmt: skip


def pay(payer, path):
    assert payer.post(path, form_of(payer.get(path))).headers["Location"] == f"{path}pay/"
    assert payer.get(f"{path}pay/").headers["Location"] == f"{path}simulated/"
    return payer.post(f"{path}simulated/", {"outcome": "success"})


def words_of(page):
    return " ".join(page.content.decode().split())


def test_the_link_shows_articles_address_and_total_without_signing_in(linked, payer):
    draft, path = linked()
    page = payer.get(path)
    shown = words_of(page)
    assert page.status_code == 200
    assert draft.cart.lines.get().variant.product.name in shown and "12 Temple Road" in shown and "₹529.00" in shown
    assert "Cash on delivery" in shown and "has changed" not in shown
    assert draft.customer.email not in shown
    assert "no-store" in page["Cache-Control"] and "private" in page["Cache-Control"]
    assert page["Referrer-Policy"] in ("same-origin", "no-referrer", "strict-origin-when-cross-origin")
    assert "noindex" in shown


def test_paying_places_the_order_like_any_other(linked, payer):
    draft, path = linked()
    assert pay(payer, path).headers["Location"] == path
    order = Order.objects.get()
    assert (order.status, order.draft, order.customer) == ("placed", draft, draft.customer)
    assert order.invoices.count() == 1 and Message.objects.filter(kind="order_placed").count() == 1
    assert again(draft).state == "paid"
    shown = words_of(payer.get(path))
    assert order.number in shown and "Your order has been placed" in shown and "/track/" in shown
    assert "12 Temple Road" not in shown
    # A second tab, and the steps that are over:
    page = payer.post(path, {"total_amount": "529", "payment_method": "online"})
    assert page.status_code == 200 and Order.objects.count() == 1
    for step in ("pay", "simulated"):
        assert payer.get(f"{path}{step}/").headers["Location"] == path


def test_two_tabs_share_one_order(linked, payer):
    _, path = linked()
    first, second = payer.get(path), payer.get(path)
    for tab in (first, second):
        assert payer.post(path, form_of(tab)).status_code == 302
    assert Order.objects.count() == 1 and Payment.objects.count() == 1
    payer.post(f"{path}simulated/", {"outcome": "pending"})
    assert payer.post(f"{path}check/").headers["Location"] == path
    assert payer.get(path).status_code == 200  # still to be paid


def test_cash_on_delivery_is_placed_at_once(linked, payer):
    _, path = linked()
    assert payer.post(path, form_of(payer.get(path), payment_method="cash")).headers["Location"] == path
    assert Order.objects.get().status == "placed"
    assert "Please pay the courier ₹529.00" in words_of(payer.get(path))


def test_the_payer_reads_old_and_new_before_paying(linked, payer):
    draft, path = linked()
    variant = draft.cart.lines.get().variant
    Variant.objects.filter(pk=variant.pk).update(selling_price=260, actual_price=300)
    page = payer.get(path)
    shown = words_of(page)
    assert "has changed since we wrote" in shown
    assert f"Price of {variant.product.name} changed from ₹250.00 to ₹260.00." in shown
    assert "The total changed from ₹529.00 to ₹549.00." in shown
    # And once more, where it changes while the page is open:
    Variant.objects.filter(pk=variant.pk).update(selling_price=270)
    refused = payer.post(path, form_of(page))
    assert refused.status_code == 409 and "from ₹260.00 to ₹270.00" in words_of(refused)
    assert not Order.objects.exists()


def test_stock_that_is_gone_is_said_and_nothing_can_be_paid(linked, payer):
    draft, path = linked()
    page = payer.get(path)
    Variant.objects.filter(pk=draft.cart.lines.get().variant_id).update(on_hand=1, received=1)
    refused = payer.post(path, form_of(page))
    assert refused.status_code == 409 and "Only 1 left" in words_of(refused)
    assert "You can't pay for this order yet" in words_of(payer.get(path))
    assert not Order.objects.exists()


def test_the_desk_edits_while_the_page_is_open(linked, payer, make_variant):
    draft, path = linked()
    page = payer.get(path)
    drafts.add_line(draft, variant_id=make_variant(price="10", units=5).pk, quantity=1)
    refused = payer.post(path, form_of(page))
    assert refused.status_code == 409 and "The total changed" in words_of(refused)
    assert payer.post(path, form_of(refused)).headers["Location"] == f"{path}pay/"


@pytest.mark.parametrize("how", ["withdrawn", "expired", "replaced", "wrong"])
def test_every_link_that_opens_nothing_says_the_same(linked, payer, how):
    draft, path = linked()
    if how == "withdrawn":
        drafts.withdraw_draft(draft)
    if how == "expired":
        OrderDraft.objects.update(expires_at=timezone.now())
    if how == "replaced":
        drafts.make_link(draft, is_new=True)
    asked = "/p/zzzz-zzzz-zzzz/" if how == "wrong" else path
    for step in ("", "pay/", "simulated/"):
        page = payer.get(f"{asked}{step}")
        assert page.status_code == 404 and "This link is no longer valid" in words_of(page)
    assert payer.post(asked, {"total_amount": 1}).status_code == 404


def test_guesses_are_counted_and_a_right_link_still_opens(linked, payer, monkeypatch):
    monkeypatch.setattr("shop.payments.drafts.views.WRONG_LINKS", 2)
    _, path = linked()
    assert [payer.get(f"/p/zzzz-zzzz-zzz{n}/").status_code for n in range(3)] == [404, 404, 429]
    assert payer.get(path).status_code == 200


def test_a_stopped_payment_goes_on_with_the_link(linked, payer):
    draft, path = linked()
    payer.post(path, form_of(payer.get(path)))
    stop_payment(draft, actor=DESK)
    assert payer.get(f"{path}pay/").headers["Location"] == path
    assert pay(payer, path).headers["Location"] == path
    assert Order.objects.filter(status="placed").count() == 1


def test_a_try_that_ran_out_can_be_paid_again(linked, payer):
    _, path = linked()
    payer.post(path, form_of(payer.get(path)))
    Order.objects.update(hold_expires_at=timezone.now())
    expire_holds()
    assert not Message.objects.filter(kind="payment_lapsed").exists()
    assert pay(payer, path).headers["Location"] == path
    assert sorted(Order.objects.values_list("status", flat=True)) == ["cancelled", "placed"]


def test_the_own_account_shows_the_order_and_a_stranger_gets_nothing(linked, payer, client):
    draft, path = linked()
    payer.post(path, form_of(payer.get(path)))
    number = Order.objects.get().number
    assert payer.get(f"/pay/{number}/").status_code == 302  # to sign in
    client.force_login(Customer.objects.create_user("stranger@example.com"))
    assert client.get(f"/pay/{number}/").status_code == 404
    client.force_login(draft.customer)
    assert client.get(f"/order-detail/{number}/").status_code == 200


def test_a_result_of_another_order_pays_nothing(linked, payer, paying):
    _, path = linked()
    payer.post(path, form_of(payer.get(path)))
    _, other = paying()
    proof = {"razorpay_order_id": other.razorpay_order_id, "razorpay_payment_id": "pay_x", "razorpay_signature": "0"}
    assert payer.post(f"{path}result/", proof).status_code == 404


def test_what_the_provider_posts_from_its_own_site_leads_back_to_the_link(linked, payer):
    _, path = linked()
    payer.post(path, form_of(payer.get(path)))
    bank = Client(headers={"sec-fetch-site": "cross-site", "origin": "https://api.razorpay.com"})
    back = bank.post(f"{path}callback/", {"error[reason]": "payment_cancelled"})
    assert (back.status_code, back.headers["Location"]) == (303, f"{path}pay/?failed=payment_cancelled")
    wrong = {"razorpay_order_id": "o", "razorpay_payment_id": "p", "razorpay_signature": "s"}
    assert bank.post(f"{path}callback/", wrong).status_code == 400
