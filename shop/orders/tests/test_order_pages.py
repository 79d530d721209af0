"""The customer's pages of orders: list, detail, outcomes of a checkout, cancelling, ordering again."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone

from shop.cart.services import open_cart
from shop.catalog.models import Variant
from shop.messaging.models import Message

from ..conftest import fill
from ..models import Courier, Order
from ..placing.services import cancel_order, confirm_order, expire_order
from ..shipping.services import deliver_all, refuse_all, ship

PAGES = ["place-order", "ordersuccess", "ordercancel", "ordercon", "ordersummery"]


@pytest.fixture
def tonic(make_variant, make_product):
    return make_variant(price="250", units=20, product=make_product("Ashwa Tonic"))


@pytest.fixture
def buyer(tonic, new_buyer):
    return new_buyer({tonic: 2})


@pytest.fixture
def browser(buyer):
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(buyer)
    return client


@pytest.fixture
def pending(buyer, order_of):
    return order_of(buyer)


@pytest.fixture
def placed(pending):
    confirm_order(pending, actor="provider")
    return pending


def text_of(answer):
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def page(browser, path):
    answer = browser.get(f"/en-in/{path}")
    assert answer.status_code == 200, answer
    assert "no-store" in answer["Cache-Control"]
    return answer


# --- The list -------------------------------------------------------------------------------------


@pytest.fixture
def three(browser, buyer, tonic, make_variant, make_product, order_of, india):
    """A placed order of a tonic, a cancelled one of a balm, a returned one of soap."""
    orders = []
    for name in ("Ashwa", "Cool Balm", "Neem Soap"):
        variant = tonic if name == "Ashwa" else make_variant(product=make_product(name))
        open_cart(buyer).lines.all().delete()
        fill(buyer, {variant: 1}, india)
        order = order_of(buyer)
        confirm_order(order, actor="provider")
        orders.append(order)
    cancel_order(orders[1], actor="customer")
    ship(orders[2], actor="staff:1")
    refuse_all(orders[2], actor="staff:1")
    return orders


def numbers_on(answer):
    return re.findall(r'order__number"[^>]*>(ORD-[A-Z0-9]{9})<', answer.content.decode())


def test_two_tabs_hold_all_orders_and_those_that_ended_otherwise(browser, three):
    placed, cancelled, returned = [order.number for order in three]
    everything = page(browser, "orders/")
    assert numbers_on(everything) == [returned, cancelled, placed]
    assert "All Orders" in text_of(everything) and "Cancelled / Replaced" in text_of(everything)
    assert numbers_on(page(browser, "orders/?tab=ended")) == [returned, cancelled]


@pytest.mark.parametrize(
    ("words", "found"),
    [("balm", [1]), ("COOL b", [1]), ("%", []), ("_", []), ("nothing", []), ("   ", [2, 1, 0]), ("\x00", [2, 1, 0])],
)
def test_the_search_finds_products_by_name(browser, three, words, found):
    answer = browser.get("/en-in/orders/", {"q": words})
    assert numbers_on(answer) == [three[index].number for index in found]


def test_the_search_finds_a_number_and_keeps_to_its_tab(browser, three):
    placed = three[0]
    assert numbers_on(browser.get("/en-in/orders/", {"q": placed.number.lower()[4:]})) == [placed.number]
    assert numbers_on(browser.get("/en-in/orders/", {"q": placed.number, "tab": "ended"})) == []
    tab = re.search(r'href="([^"]*tab=all[^"]*)"', browser.get("/en-in/orders/?q=balm&tab=ended").content.decode())[1]
    assert "q=balm" in tab


def test_pages_of_twelve_are_links(browser, buyer, placed):
    for number in range(13):
        copy = Order.objects.get(pk=placed.pk)
        copy.pk, copy.number = None, f"ORD-COPY{number:05}"
        copy.save()
    first = page(browser, "orders/")
    assert len(numbers_on(first)) == 12
    older = re.search(r'href="([^"]+)"[^>]*rel="next"', first.content.decode())[1].replace("&amp;", "&")
    assert len(numbers_on(page(browser, f"orders/{older}"))) == 2
    assert len(numbers_on(page(browser, "orders/?page=99999"))) == 2


def test_htmx_gets_the_list_alone(browser, placed):
    part = browser.get("/en-in/orders/", headers={"HX-Request": "true"})
    assert numbers_on(part) == [placed.number]
    assert "<html" not in part.content.decode()
    # Back takes in this list alone, too.
    assert all('<div id="found" data-busy hx-history-elt>' in html.text for html in (part, page(browser, "orders/")))


def test_the_list_takes_the_same_queries_however_long(browser, three, django_assert_max_num_queries):
    page(browser, "orders/")
    with django_assert_max_num_queries(9):
        page(browser, "orders/")


@pytest.mark.parametrize(
    ("status", "tone"),
    [("completed", "good"), ("pending", "warn"), ("cancelled", "bad"), ("placed", "other"), ("processing", "other"),
     ("shipped", "other"), ("delivered", "other"), ("returned", "other"), ("replaced", "other")],
)  # fmt: skip
def test_a_status_has_the_colour_of_the_specification(browser, placed, status, tone):
    Order.objects.filter(pk=placed.pk).update(status=status)
    assert f'status--{tone}">{status.title()}<' in page(browser, "orders/").content.decode()


# --- One order ------------------------------------------------------------------------------------


def steps_on(answer):
    steps = re.search(r'<ol class="steps".*?</ol>', answer.content.decode(), re.DOTALL)
    return re.findall(r'<li class="is-done"[^>]*>(\w+)', steps[0]) if steps else None


def test_the_tracker_lights_the_steps_up_to_now(browser, placed):
    detail = f"order-detail/{placed.number}/"
    assert steps_on(page(browser, detail)) == ["Placed"]
    ship(placed, actor="staff:1")
    assert steps_on(page(browser, detail)) == ["Placed", "Processing", "Shipped"]
    deliver_all(placed, actor="staff:1")
    assert steps_on(page(browser, detail)) == ["Placed", "Processing", "Shipped", "Delivered"]
    Order.objects.update(status="completed")
    assert steps_on(page(browser, detail)) == ["Placed", "Processing", "Shipped", "Delivered"]


def test_a_pending_and_a_cancelled_order_show_a_notice_instead(browser, pending):
    detail = f"order-detail/{pending.number}/"
    answer = page(browser, detail)
    assert steps_on(answer) is None
    assert "is waiting for payment" in text_of(answer) and f"/pay/{pending.number}/" in answer.content.decode()
    cancel_order(pending, actor="customer")
    answer = page(browser, detail)
    assert steps_on(answer) is None
    assert "This order was cancelled." in text_of(answer)


def test_an_order_refused_at_the_door_keeps_its_steps_and_says_so(browser, placed):
    ship(placed, actor="staff:1")
    refuse_all(placed, actor="staff:1")
    answer = page(browser, f"order-detail/{placed.number}/")
    assert steps_on(answer) == ["Placed", "Processing", "Shipped"]
    assert "refused on delivery" in text_of(answer)
    assert "refund the" in text_of(answer)


def test_the_detail_shows_parcels_events_and_the_sums(browser, placed):
    courier = Courier.objects.create(name="Quick Post", tracking_link="https://post.example/{number}")
    line = placed.lines.get()
    ship(placed, {line.pk: 1}, courier=courier, tracking_number="QP1", actor="staff:2")
    Order.objects.update(
        coupon_code="HELLO", coupon_amt=10, coupon_inr=10, points_used=5, points_amt=5, points_inr=5,
        total_amount=485 + placed.shipping_amt, total_inr=485 + placed.shipping_inr,
    )  # fmt: skip
    answer = page(browser, f"order-detail/{placed.number}/")
    words = text_of(answer)
    assert 'href="https://post.example/QP1"' in answer.content.decode()
    for said in ("Parcel 1", "The rest of your order will follow", "1 × Ashwa Tonic",
                 "On its way", "Order placed", "Coupon HELLO", "5 loyalty points",
                 "Paid online", "Temple Road", "9876543211"):  # fmt: skip
        assert said in words, said
    assert "Ravi" not in words


def test_a_total_in_another_currency_says_what_is_charged(browser, placed):
    Order.objects.update(currency="USD", rate="83.5")
    words = text_of(page(browser, f"order-detail/{placed.number}/"))
    assert "Charged in rupees" in words and "1 USD = ₹83.50" in words


def test_an_order_is_cancelled_after_a_step_in_words(browser, placed):
    detail = f"/en-in/order-detail/{placed.number}/"
    words = text_of(browser.get(detail))
    assert f"Cancel the whole order ({placed.number})?" in words and "refund the" in words
    done = browser.post(f"{detail}cancel/", follow=True)
    placed.refresh_from_db()
    assert placed.status == "cancelled"
    assert "Cancelled by you" in text_of(done) and "Yes, cancel it" not in text_of(done)
    assert Message.objects.filter(kind="order_cancelled").count() == 1


def test_a_shipped_order_offers_no_cancelling_and_refuses_it(browser, placed):
    ship(placed, actor="staff:1")
    detail = f"/en-in/order-detail/{placed.number}/"
    assert "Cancel order" not in text_of(browser.get(detail))
    assert "can no longer be cancelled" in text_of(browser.post(f"{detail}cancel/", follow=True))


def test_order_detail_without_a_number_leads_to_the_latest_or_the_list(browser, buyer, order_of):
    assert browser.get("/en-in/order-detail/").url == "/en-in/orders/"
    order = order_of(buyer)
    assert browser.get("/en-in/order-detail/").url == f"/en-in/order-detail/{order.number}/"


# --- How a checkout ended -------------------------------------------------------------------------


def test_the_placed_screens(browser, placed):
    for path in ("place-order/", "ordersuccess/", f"place-order/?order={placed.number}"):
        words = text_of(page(browser, path))
        assert "Order Placed Successfully" in words and "BACK HOME" in words and placed.number in words
    thanks = text_of(page(browser, "ordercon/"))
    assert "Thank You!" in thanks and "BACK TO HOME" in thanks
    assert f"{timezone.localtime(placed.created_at):%d %b %Y}".upper() in thanks
    assert placed.number in thanks and f"{placed.total_amount:.2f}" in thanks
    assert "Orders Summary" in text_of(page(browser, "ordersummery/"))
    assert browser.get("/en-in/ordercancel/").url == f"/en-in/ordersuccess/?order={placed.number}"


def test_the_unpaid_screens(browser, pending):
    assert "haven't received your payment" in text_of(page(browser, "place-order/"))
    assert browser.get("/en-in/ordersuccess/").url == f"/en-in/place-order/?order={pending.number}"
    for path in ("ordercon/", "ordercancel/"):
        assert f"/pay/{pending.number}/" in page(browser, path).content.decode()
    assert "Order cancelled, payment incomplete" in text_of(page(browser, "ordercon/"))
    Order.objects.update(hold_expires_at=timezone.now() - timedelta(minutes=1))
    expire_order(pending)
    for path in ("place-order/", "ordercon/", "ordercancel/"):
        assert "Order cancelled, payment incomplete" in text_of(page(browser, path))


def test_a_cancelled_order_that_was_paid_is_not_called_unpaid(browser, placed):
    cancel_order(placed, actor="customer")
    for path in ("place-order/", "ordercon/"):
        words = text_of(page(browser, path))
        assert "Order cancelled" in words and "incomplete" not in words


def test_the_waiting_page_looks_again_a_while_and_then_promises_a_mail(browser, pending):
    first = page(browser, "place-order/").content.decode()
    again = f"/place-order/?order={pending.number}&amp;looked=1"
    assert f'hx-get="/en-in{again}" hx-trigger="every 5s" hx-swap="outerMorph"' in first  # what has focus keeps it
    assert "looked=1" in re.search(r"<noscript>.*?</noscript>", first)[0]
    part = browser.get(f"/en-in/place-order/?order={pending.number}&looked=1", headers={"HX-Request": "true"})
    assert "looked=2" in part.content.decode() and "<html" not in part.content.decode()
    last = page(browser, "place-order/?looked=12")
    assert "hx-get" not in last.content.decode() and "http-equiv" not in last.content.decode()
    assert "We'll email you" in text_of(last)


def test_the_waiting_page_goes_to_the_placed_order_by_itself(browser, placed):
    path = f"/en-in/place-order/?order={placed.number}"
    answer = browser.get(f"{path}&looked=3", headers={"HX-Request": "true"})
    assert answer["HX-Redirect"].startswith(path)


def test_without_any_order_the_outcome_pages_lead_to_the_empty_list(browser):
    for name in PAGES:
        assert browser.get(f"/en-in/{name}/").url == "/en-in/orders/"
    assert "No orders here yet" in text_of(page(browser, "orders/"))


# --- Ordering again -------------------------------------------------------------------------------


def test_ordering_again_fills_the_cart_at_todays_prices(browser, buyer, placed, tonic):
    Variant.objects.filter(pk=tonic.pk).update(selling_price=200)
    cart = browser.post(f"/en-in/order-detail/{placed.number}/reorder/", follow=True)
    assert [(line.variant_id, line.quantity) for line in open_cart(buyer).lines.all()] == [(tonic.pk, 2)]
    assert "400.00" in text_of(cart)
    again = browser.post(f"/en-in/order-detail/{placed.number}/reorder/", follow=True)
    assert "Ashwa Tonic: not added. It's already in your cart (2)." in text_of(again)


@pytest.mark.parametrize(
    ("changes", "added", "said"),
    [
        ({"received": 3, "on_hand": 1}, 1, "1 of 2 added. Only 1 left in stock."),
        ({"received": 2, "on_hand": 0}, 0, "not added. This product is out of stock."),
        ({"max_purchase_qty": 1}, 1, "1 of 2 added. Choose a quantity from 1 to 1."),
        ({"is_active": False}, 0, "not added. We don't sell this product."),
    ],
)
def test_what_cannot_be_ordered_again_is_said_by_line(browser, buyer, placed, tonic, changes, added, said):
    Variant.objects.filter(pk=tonic.pk).update(**changes)
    answer = browser.post(f"/en-in/order-detail/{placed.number}/reorder/", follow=True)
    assert said in text_of(answer)
    assert sum(open_cart(buyer).lines.values_list("quantity", flat=True)) == added


# --- Whose ----------------------------------------------------------------------------------------


def test_nobody_sees_the_order_of_another(placed, new_buyer, make_variant):
    """C1: pages, partials and screens answer 404 for another's number, as for one that does not exist."""
    other = Client(headers={"sec-fetch-site": "same-origin"})
    other.force_login(new_buyer({make_variant(): 1}))
    detail = "/en-in/order-detail/{}/"
    paths = [detail, *(f"/en-in/{name}/?order={{}}" for name in PAGES)]
    for path in paths:
        for number in (placed.number, "ORD-AAAAAAAAA", "x"):
            assert other.get(path.format(number)).status_code == 404, path
            assert other.get(path.format(number), headers={"HX-Request": "true"}).status_code == 404, path
    assert other.get("/en-in/place-order/", {"order": "\x00"}).status_code == 404
    for action in ("cancel", "reorder"):
        assert other.post(detail.format(placed.number) + f"{action}/").status_code == 404
    assert numbers_on(other.get("/en-in/orders/", {"q": placed.number})) == []
    placed.refresh_from_db()
    assert placed.status == "placed"


@pytest.mark.parametrize("path", ["orders", "order-detail", "order-detail/ORD-AAAAAAAAA", *PAGES])
def test_who_is_not_signed_in_goes_to_sign_in(client, db, path):
    assert client.get(f"/en-in/{path}/").url.startswith("/en-in/signin/")
