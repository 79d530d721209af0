"""Checkout, payment and orders in Hindi and Arabic: no English is left (PRODUCT.md 10)."""

import re
from datetime import timedelta
from decimal import Decimal

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone, translation

from shop.accounts.addresses.rules import address_rules, clean_address
from shop.catalog.models import ReturnReason
from shop.errors import Invalid
from shop.invalidation.models import Change
from shop.invalidation.services import invalidate
from shop.markets.geography.local_time import time_left_words
from shop.markets.models import Location
from shop.messaging.models import Message
from shop.orders.conftest import new_address, new_buyer, order_of  # noqa: F401 (fixtures)
from shop.orders.invoices.services import SHIPPING
from shop.orders.placing.services import cancel_order, confirm_order
from shop.orders.returns.services import approve, receive
from shop.orders.shipping.event_notes import TEMPLATES, translated_note
from shop.orders.shipping.services import deliver_all, ship
from shop.orders.shipping.tracking_links import tracking_url
from shop.payments.providers.failures import WORDS
from shop.payments.services import start_payment

from .test_translated_pages import PLACES, english_in, languages  # noqa: F401 (a fixture)

pytestmark = pytest.mark.django_db
# What an order is made of: names of people, places and carriers, and codes.
NAMES = """Buyer Asha Rao Temple Road Bengaluru Karnataka example com buyer India Dubai ORD GSTIN UPI JPEG PNG WebP
IST GMT CVV DTDC Speed Post Ltd kg Unit gram PDF INV CRN JavaScript"""


@pytest.fixture
def honey(make_product, make_variant):
    return make_variant(price="250", units=9, product=make_product("Forest Honey"))


@pytest.fixture
def buyer(new_buyer, honey):  # noqa: F811
    return new_buyer({honey: 3})


@pytest.fixture
def read(client, buyer, honey):
    """read(path, data): asks as the buyer and says what of the page is English."""
    client.force_login(buyer)
    product = honey.product

    def ask(path, data=None):
        answer = client.post(path, data, follow=True) if data is not None else client.get(path, follow=True)
        assert answer.status_code in (200, 404, 409, 422), (path, answer)
        numbers = " ".join(buyer.orders.values_list("number", flat=True))
        states = " ".join(state for code in ("IN", "AE") for state in address_rules(code).states)
        return english_in(answer, NAMES, numbers, states, product.brand.name, product.category.name)

    return ask


@pytest.fixture
def placed(buyer, order_of):  # noqa: F811
    order = order_of(buyer)
    confirm_order(order, actor="shop")
    return order


@pytest.mark.parametrize("place", PLACES)
def test_the_checkout_and_its_refusals(read, buyer, place):
    if place == "ar-ae":
        emirates = Location.objects.get(code="AE")
        new_address(buyer, country_id=emirates.pk, state="Dubai", city="Dubai", pincode="", is_default=False)
    address = buyer.addresses.get(country__code=place[-2:].upper())
    assert read(f"/{place}/checkout/") == []
    assert read(f"/{place}/checkout/", {"address_id": address.pk, "total_amount": "1"}) == []
    assert read(f"/{place}/checkout/", {"address_id": "", "full_name": "Asha", "pincode": "1"}) == []
    assert read(f"/{place}/checkout/", {"total_amount": "x"}) == []
    assert read(f"/{place}/checkout/", {"address_id": address.pk, "total_amount": "1", "gstin": "12"}) == []
    assert read(f"/{place}/checkout/reductions/", {"change": "apply", "coupon_code": "NOPE"}) == []


@pytest.mark.parametrize("place", PLACES)
def test_the_figures_that_a_page_sends_back_are_read_in_every_language(read, client, buyer, place):
    """Some languages write a decimal comma."""
    buyer.addresses.all().delete()
    page = client.get(f"/{place}/checkout/").content.decode()
    hidden = re.findall(r'<input type="hidden" form="checkout" name="(\w+)" value="([^"]*)"', page)
    typed = {"full_name": "Asha", "address": "12 Temple Road", "city": "Mysuru", "address_type": "Home"}
    if place == "hi-in":
        typed |= {"pincode": "570001", "state": "Karnataka", "phone_code": "+91", "phone_number": "9876543210"}
        typed |= {"alt_phone_code": "+91", "alt_phone_number": "9876543211"}
    else:
        typed |= {"state": "Dubai", "phone_code": "+971", "phone_number": "501234567"}
        typed |= {"alt_phone_code": "+971", "alt_phone_number": "501234568"}
    answer = client.post(f"/{place}/checkout/", dict(hidden) | typed)
    order = buyer.orders.get()
    assert (answer.status_code, order.status) == (302, "pending")
    assert Decimal(dict(hidden)["total_amount"]) == order.total_amount


@pytest.mark.parametrize("place", PLACES)
def test_the_first_address_and_the_address_book(read, buyer, place):
    book = buyer.addresses.get()
    assert read(f"/{place}/address/") == []
    assert (
        read(f"/{place}/address/", {"full_name": "", "phone_number": "12", "pincode": "99", "state": "Nowhere"}) == []
    )
    assert read(f"/{place}/address/{book.pk}/", {"pincode": "682001", "state": "Karnataka"}) == []
    assert read(f"/{place}/address/choose/", {"address": book.pk}) == []
    assert read(f"/{place}/address/{book.pk}/delete/", {}) == []
    assert read(f"/{place}/checkout/") == []


@pytest.mark.parametrize("place", PLACES)
def test_paying(read, buyer, order_of, settings, place):  # noqa: F811
    order = order_of(buyer)
    start_payment(order)
    assert read(f"/{place}/DummyPayment/?order={order.number}") == []
    assert read(f"/{place}/DummyPayment/", {"order": order.number, "outcome": "pending"}) == []
    for page in ("place-order", "ordercancel", "ordercon", "ordersummery"):
        assert read(f"/{place}/{page}/?order={order.number}") == [], page
    assert read(f"/{place}/orders/") == []
    assert read(f"/{place}/order-detail/{order.number}/") == []
    settings.SIMULATED_GATEWAY = False
    order.payments.update(simulated=False)
    for reason in ("", *WORDS):
        assert read(f"/{place}/pay/{order.number}/?failed={reason}") == [], reason


@pytest.mark.parametrize("place", PLACES)
def test_a_placed_order(read, placed, place):
    line = placed.lines.get()
    for page in ("place-order", "ordersuccess", "ordercon", "ordersummery"):
        assert read(f"/{place}/{page}/?order={placed.number}") == [], page
    number = placed.number
    assert read(f"/{place}/order-detail/{number}/address/") == []
    assert read(f"/{place}/order-detail/{number}/address/", {"phone_number": "98765 00000"}) == []
    assert read(f"/{place}/order-detail/{number}/cancel-items/", {}) == []
    assert read(f"/{place}/order-detail/{number}/cancel-items/", {f"line_{line.pk}": 1, "seen": 0}) == []
    assert read(f"/{place}/order-detail/{number}/cancel/", {}) == []
    assert read(f"/{place}/order-detail/{number}/cancel/", {}) == []
    assert read(f"/{place}/orders/?tab=ended") == []
    assert read(f"/{place}/orders/?q=99") == []
    assert read(f"/{place}/order-detail/{number}/reorder/", {}) == []


@pytest.mark.parametrize("place", PLACES)
def test_an_order_on_its_way_and_back(read, placed, client, place):
    ship(placed, actor="staff:1")
    shared = "/" + tracking_url(placed).split("/", 3)[3]
    pages = [f"/{place}/order-detail/{placed.number}/", f"/{place}{shared}", f"/{place}/trackorders/"]
    assert [read(page) for page in pages] == [[], [], []]
    for typed in ({}, {"number": placed.number, "phone": "1"}, {"number": placed.number, "phone": "9876543210"}):
        assert read(f"/{place}/trackorders/", typed) == []
    deliver_all(placed, actor="staff:1")
    assert [read(page) for page in pages] == [[], [], []]
    line = placed.lines.get()
    form = f"/{place}/order-detail/{placed.number}/return/{line.pk}/"
    assert read(form) == []
    wrong = {"reason": "damaged", "kind": "refund", "quantity": 1, "seen": 0}
    assert read(form, {}) == [] and read(form, wrong) == []
    assert read(form, wrong | {"photos": SimpleUploadedFile("a.jpg", b"none")}) == []
    assert read(form, wrong | {"reason": "wrong-item"}) == []
    request = approve(line.return_requests.get(), actor="staff:1")
    assert read(pages[0]) == []
    receive(request, actor="staff:1", is_restocked=True)
    assert read(pages[0]) == []


@pytest.mark.parametrize("place", PLACES)
def test_an_order_that_nobody_paid(read, buyer, order_of, place):  # noqa: F811
    order = order_of(buyer)
    cancel_order(order, actor="shop", note="Not paid in time.")
    assert read(f"/{place}/order-detail/{order.number}/") == []
    assert read(f"/{place}/place-order/?order={order.number}") == []


def test_mails_and_invoice_name_reasons_and_shipping_in_the_language_of_the_order(buyer, order_of):  # noqa: F811
    ReturnReason.objects.filter(slug="wrong-item").update(translations={"hi": {"name": "गलत आइटम या साइज़"}})
    invalidate(Change.Kind.SHOP)
    order = order_of(buyer)
    order.language = "hi"
    order.save()
    confirm_order(order, actor="shop")
    [row] = [row for row in order.invoices.get().content["rows"] if row["id"] == SHIPPING]
    assert (row["own_name"], row["name"]) == ("शिपिंग", "Shipping")
    ship(order, actor="staff:1")
    deliver_all(order, actor="staff:1")
    for kind in ("order_placed", "order_delivered"):
        text = Message.objects.get(kind=kind).text
        assert "गलत आइटम या साइज़" in text and "Wrong item" not in text, kind


def test_messages_stay_in_one_language(read, buyer, order_of):  # noqa: F811
    """However the customer reads the page that owes them."""
    order = order_of(buyer)
    with translation.override("hi"):
        confirm_order(order, actor="shop")
        cancel_order(order, actor="shop")
    texts = [message.text for message in Message.objects.filter(to=buyer.email)]
    assert texts and not any(re.search("[\u0900-\u097f]", text) for text in texts)
    assert not any(re.search("[\u0900-\u097f]", event.note) for event in order.events.all())


@pytest.mark.parametrize(
    ("note", "words"),
    [
        ("Cancelled: 2 × Forest Honey, ₹10.00.", "कैंसल किया: 2 × Forest Honey, ₹10.00।"),
        ("Return approved: 1 × Honey. Thank you.", "रिटर्न मंज़ूर: 1 × Honey। Thank you."),
        ("₹10.00 refunded. Returned: 1 × Honey.", "₹10.00 रिफ़ंड कर दिए गए। रिटर्न हुआ: 1 × Honey।"),
        ("Checked out from draft D-7.", "ड्राफ़्ट D-7 से चेकआउट हुआ।"),
        ("Tracking of a parcel: DTDC 5 (before: none).", "पार्सल की ट्रैकिंग: DTDC 5 (पहले: कुछ नहीं)।"),
        ("Written by somebody: nothing.", "Written by somebody: nothing."),
        ("", ""),
    ],
)
def test_notes_that_are_kept_in_english_are_read_in_the_language_of_the_page(note, words):
    assert translated_note(note) == note
    with translation.override("hi"):
        assert translated_note(note) == words


def test_every_template_of_a_note_reads_itself():
    values = {
        "units": 2,
        "name": "Honey: 50 g (new)",
        "amount": "₹1",
        "reason": "R s",
        "reference": "X 1",
        "batch": "AB12",
    }
    values |= {"before": "A", "after": "B", "now": "C", "draft": "D-1"}
    with translation.override("hi"):
        assert not [text for text in TEMPLATES if translated_note(text % values) == text % values]


def test_refusals_of_an_address_name_its_parts_in_the_language_of_the_page():
    with translation.override("ar"), pytest.raises(Invalid) as refused:
        clean_address({"state": "Nowhere", "pincode": "1"}, country_code="US")
    assert refused.value.fields["state"] == ["اختر \u2068الولاية\u2069 من القائمة"]
    with translation.override("hi"), pytest.raises(Invalid) as refused:
        clean_address({"pincode": "560001", "state": "Kerala"}, country_code="IN")
    assert "पिन कोड 560001 Karnataka का है।" in str(refused.value.fields)


def test_the_time_that_is_left_has_the_plural_of_its_language(monkeypatch):
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    with translation.override("ar"):
        assert time_left_words(now + timedelta(minutes=2)) == "دقيقتان"
        assert time_left_words(now + timedelta(minutes=65)) == "\u2068ساعة واحدة\u2069 و\u2068\u20685\u2069 دقائق\u2069"
    assert time_left_words(now + timedelta(minutes=65)) == "1 hour 5 minutes"
