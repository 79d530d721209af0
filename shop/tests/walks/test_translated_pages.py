"""What a shopper meets on the way to an order, in Hindi and Arabic: no English is left (PRODUCT.md 10)."""

import re
from datetime import timedelta
from decimal import Decimal
from html import unescape
from html.parser import HTMLParser

import pytest
from allauth.mfa.models import Authenticator
from django.utils import timezone, translation
from django.utils.translation import gettext

from shop.accounts.auth.reauthentication import PROVEN
from shop.accounts.models import Customer
from shop.care.models import Complaint, Subscription
from shop.cart.models import Coupon
from shop.catalog.stock.notifications import notify_of_return_to_stock
from shop.markets.canonical import bare_path
from shop.markets.models import Location
from shop.messaging.models import Message
from shop.pharmacy.models import RefillReminder
from shop.pharmacy.refills.links import refill_path
from shop.pharmacy.refills.services import RefillRequest, save_refill

pytestmark = pytest.mark.django_db
PLACES = ["hi-in", "ar-ae"]
# Names and codes, of this test and of others, that are the same in every language.
NAMES = {"Forest", "Honey", "Unit", "Brand", "SAVE", "NOPE", "India", "United", "Arab", "Emirates", "OTP", "PIN", "AED"}
READ_OUT = ("aria-label", "placeholder", "alt", "title", "data-busy-label", "data-failure")


class _Words(HTMLParser):
    """What is read or read out of a page's title and main part."""

    def __init__(self):
        super().__init__()
        self.found, self.depth, self.silent = [], 0, 0

    def handle_starttag(self, tag, attrs):
        self.depth += tag in ("main", "title")
        self.silent += tag in ("script", "style", "svg")
        if self.depth:
            self.found += [value for name, value in attrs if name in READ_OUT and value]

    def handle_endtag(self, tag):
        self.depth -= tag in ("main", "title")
        self.silent -= tag in ("script", "style", "svg")

    def handle_data(self, data):
        if self.depth and not self.silent:
            self.found.append(data)


def english_in(answer, *names):
    """Texts of a page that have a word in Latin letters; of the title only what stands before the shop's name."""
    words = _Words()
    words.feed(re.sub(r"(<title>[^·]*)[^<]*", r"\1", answer.content.decode()))
    known = NAMES | {part for name in names for part in re.findall(r"[A-Za-z]+", name)}
    return [text.strip() for text in words.found if set(re.findall(r"[A-Za-z]{3,}", text)) - known]


@pytest.fixture(autouse=True)
def languages(settings):
    settings.SHOP_LANGUAGES = ("en", "hi", "ar")


@pytest.fixture
def honey(make_product, make_variant):
    return make_variant(price="250", units=9, product=make_product("Forest Honey"))


@pytest.fixture
def shown(client, honey):
    """Asks for a page and says what of it is English."""

    def ask(path, data=None, *names):
        answer = client.post(path, data, follow=True) if data is not None else client.get(path, follow=True)
        assert answer.status_code in (200, 400, 409, 422, 429), answer
        brand, category = honey.product.brand.name, honey.product.category.name
        return english_in(answer, brand, category, *names)

    return ask


def test_english_is_found():
    class Answer:
        content = (
            b"<title>Cart</title><p>Skip</p><main><h1 aria-label='Your cart'>Forest Honey</h1>AB \xe0\xa4\x95</main>"
        )

    assert english_in(Answer()) == ["Cart", "Your cart"]


@pytest.mark.parametrize("place", PLACES)
def test_the_cart(shown, honey, place):
    assert shown(f"/{place}/cart/") == []
    assert shown(f"/{place}/cart/add/", {"variant": honey.pk, "quantity": 2}) == []
    assert shown(f"/{place}/cart/add/", {"variant": honey.pk, "quantity": 2}) == []
    assert shown(f"/{place}/cart/change/", {"variant": honey.pk, "quantity": 99}) == []
    assert shown(f"/{place}/cart/save/", {"variant": honey.pk}) == []
    assert shown(f"/{place}/cart/move/", {"variant": honey.pk}) == []
    assert shown(f"/{place}/cart/preview/") == []
    assert shown(f"/{place}/cart/remove/", {"variant": honey.pk}) == []


@pytest.mark.parametrize("place", PLACES)
def test_a_coupon_and_its_refusals(shown, honey, place):
    Coupon.objects.create(code="SAVE", kind="percent", percent=10, minimum_inr=100, customer_limit=None)
    Coupon.objects.create(code="SAVE9", kind="amount", amount_inr=9, minimum_inr=9000, customer_limit=None)
    shown(f"/{place}/cart/add/", {"variant": honey.pk, "quantity": 2})
    for code in ("", "NOPE", "SAVE9", "SAVE"):
        assert shown(f"/{place}/cart/coupon/", {"coupon_code": code}) == []
    assert shown(f"/{place}/cart/coupon/remove/", {}) == []


@pytest.mark.parametrize("place", PLACES)
def test_sign_in_codes_sign_up_and_passwords(shown, place):
    address = "asha@example.com"
    for page in ("signin", "signin/code", "signup", "forgot-password"):
        for by in ("email", "mobile"):
            assert shown(f"/{place}/{page}/?by={by}") == [], (page, by)
            assert shown(f"/{place}/{page}/", {"by": by}) == [], (page, by)
            assert shown(f"/{place}/{page}/", {"by": by, by: "nobody", "password": "x", "name": "व"}) == [], (page, by)
    assert shown(f"/{place}/signin/", {"by": "email", "email": address, "password": "wrong words"}, address) == []
    assert shown(f"/{place}/signin/code/", {"by": "email", "email": address}, address) == []
    assert shown(f"/{place}/otp/", {"otp_code": "000000"}, address) == []


@pytest.mark.parametrize("place", PLACES)
def test_the_one_field_of_the_checkout(shown, honey, place):
    address = "asha@example.com"
    shown(f"/{place}/cart/add/", {"variant": honey.pk, "quantity": 2})
    assert shown(f"/{place}/checkout/") == []
    assert shown(f"/{place}/signin/code/", {"contact": "nobody"}) == []
    assert shown(f"/{place}/signin/code/", {"contact": address}, address) == []


@pytest.fixture
def account(client):
    """Somebody who is signed in, with a password, and has just confirmed it."""
    customer = Customer.objects.create_user("asha@example.com", "Temple-Road-12", name="आशा", phone="+919876543210")
    client.force_login(customer)
    session = client.session
    session[PROVEN] = timezone.now().timestamp()
    session.save()
    return customer


@pytest.mark.parametrize("place", PLACES)
def test_the_profile_with_points_passkeys_and_tokens(shown, account, place):
    for entry, points in (("earned", 9), ("redeemed", -1), ("given_back", 1), ("taken_back", -1), ("expired", -1)):
        ends = timezone.now() + timedelta(days=9) if points > 0 else None
        account.points_entries.create(kind=entry, points=points, reference="ORD-ABC123XYZ", expires_at=ends, key=entry)
    Authenticator.objects.create(user=account, type="webauthn", data={"name": "कुंजी", "credential": {}})
    known = ("asha@example.com", "ORD-ABC123XYZ", "JavaScript", "IST", "GMT")
    assert shown(f"/{place}/profile/", None, *known) == []
    assert shown(f"/{place}/profile/", {"name": ""}, *known) == []
    assert shown(f"/{place}/profile/", {"name": "आशा"}, *known) == []
    assert shown(f"/{place}/profile/sign-ins/end-others/", {}, *known) == []


@pytest.mark.parametrize("place", PLACES)
def test_another_address_and_leaving(shown, account, place):
    new = "rao@example.com"
    for way in ("email", "mobile"):
        assert shown(f"/{place}/profile/address/?by={way}") == [], way
        assert shown(f"/{place}/profile/address/", {"by": way}) == [], way
    assert shown(f"/{place}/profile/address/", {"by": "email", "email": account.email}, account.email) == []
    assert shown(f"/{place}/profile/address/", {"by": "email", "email": new}, new) == []
    assert shown(f"/{place}/profile/address/confirm/", {"otp_code": "000000"}, new) == []
    assert shown(f"/{place}/profile/delete/") == []
    assert shown(f"/{place}/profile/delete/", {"password": "wrong words"}) == []


@pytest.mark.parametrize("place", PLACES)
def test_the_second_factor(shown, account, place):
    account.is_staff = True
    account.save(update_fields=["is_staff"])
    app = re.compile(r"[A-Z2-7]{4}")
    for page in ("", "set-up/", "codes/"):
        found = shown(f"/{place}/second-factor/{page}", None, "JavaScript", "QR", "PIN")
        assert [text for text in found if not app.match(text)] == [], page


@pytest.mark.parametrize("place", PLACES)
def test_refill_reminders_and_what_their_link_opens(client, customer, honey, shown, place):
    facts = {"net_quantity": 60, "net_unit": "tablets"}
    type(honey).objects.filter(pk=honey.pk).update(**facts)
    refill_request = RefillRequest(2, per_day=Decimal(2))
    honey.refresh_from_db()
    refill = save_refill(customer, honey, refill_request, location_id=1)
    reminder = RefillReminder.objects.create(customer=customer)
    reminder.refills.add(refill)
    link = bare_path(refill_path(reminder.pk))
    for path in (link, f"{link}end/", "/refill/1.x/", "/refill/1.x/end/"):
        assert shown(f"/{place}{path}") == [], path
    client.force_login(customer)
    assert shown(f"/{place}/refills/") == []
    assert shown(f"/{place}/refills/{refill.pk}/") == []
    for typed in ({}, {"when": "pack", "per_day": "9", "quantity": "1"}, {"when": "30", "quantity": "99"}):
        assert shown(f"/{place}/refills/{refill.pk}/", typed) == [], typed
    assert shown(f"/{place}/refills/{refill.pk}/pause/", {}) == []
    honey.product.barred_locations.add(1, Location.objects.get(code="AE"))
    assert shown(f"/{place}{link}", {}) == []
    assert shown(f"/{place}{link}end/", {}) == []


SHOP = ("GRV-ORD-", "Aushadhi", "care@shop.invalid")
LETTER = {"username": "आशा", "mobile": "9876543210", "email": "asha@example.com", "quote": "क्या है?"}


@pytest.mark.parametrize("place", PLACES)
def test_writing_to_the_shop(shown, place):
    for page in ("contactus", "complaint"):
        assert shown(f"/{place}/{page}/", None, *SHOP) == [], page
        assert shown(f"/{place}/{page}/", {}, *SHOP) == [], page
        wrong = LETTER | {"mobile": "1", "email": "nobody", "order_number": "1"}
        assert shown(f"/{place}/{page}/", wrong, "nobody", *SHOP) == [], page
        known = (*SHOP, LETTER["email"], "IST", "GMT", *(f"GRV-{number}" for number in numbers()))
        assert [text for text in shown(f"/{place}/{page}/", LETTER, *known) if "GRV" not in text] == [], page
    assert shown(f"/{place}/contactus/?looked_for=कखग", None, *SHOP) == []


def numbers():
    return Complaint.objects.values_list("number", flat=True)


@pytest.mark.parametrize("place", PLACES)
def test_a_complaint_and_its_answer(shown, client, place):
    assert shown(f"/{place}/complaint/state/", None, "GRV") == []
    assert shown(f"/{place}/complaint/state/", {}, "GRV") == []
    data = {"number": "GRV-123456789", "email": "asha@example.com"}
    unknown = client.post(f"/{place}/complaint/state/", data)
    assert unknown.status_code == 404 and english_in(unknown, "GRV", "asha@example.com") == []
    now = timezone.now()
    clocks = {"acknowledge_by": now, "resolve_by": now, "acknowledged_at": now}
    Complaint.objects.create(number="GRV-123456789", email="asha@example.com", state="acknowledged", **clocks)
    assert shown(f"/{place}/complaint/state/", data, "GRV", "IST", "GMT") == []


@pytest.mark.parametrize("place", PLACES)
def test_the_newsletter(shown, place):
    email = "asha@example.com"
    assert shown(f"/{place}/newsletter/") == []
    for typed in ("", "nobody", email):
        assert shown(f"/{place}/newsletter/", {"email": typed}, typed, email) == []
    key = Subscription.objects.get().key
    for step in ("confirm", "leave"):
        for data in (None, {}):
            assert shown(f"/{place}/newsletter/{step}/{key}/", data, email) == [], step
        assert shown(f"/{place}/newsletter/{step}/none/", {}) == [], step


@pytest.mark.parametrize(("place", "direction"), [("hi-in", ""), ("ar-ae", ' dir="rtl"')])
def test_a_page_that_failed(client, place, direction, monkeypatch):
    monkeypatch.setattr("shop.care.views.ContactForm", None)
    client.raise_request_exception = False
    answer = client.get(f"/{place}/contactus/")
    language = place[:2]
    assert answer.status_code == 500 and f'<html lang="{language}"{direction}>' in answer.text
    assert f'href="/{place}/"' in answer.text
    code = re.search(r"<p[^>]*>[^<]*?([0-9a-f]{8,})", answer.text)
    assert english_in(answer, code[1] if code else "") == []


@pytest.mark.parametrize("place", ["en-in", *PLACES])
def test_pages_bring_along_what_is_said_when_nothing_can_be_fetched(client, place, settings):
    """Every text of the list in api.ts, in the language of the page: none in English, which scripts know."""
    listed = (settings.BASE_DIR / "islands" / "api.ts").read_text().split("const WORDS = {")[1].split("};")[0]
    texts = dict(re.findall(r'(\w+): "(.*)"', listed))
    page = client.get(f"/{place}/").text
    said = {kind: re.search(rf'<html[^>]* data-{kind}="([^"]*)"', page) for kind in texts}
    with translation.override(place[:2]):
        translated = {kind: gettext(text) for kind, text in texts.items() if place != "en-in"}
    assert {kind: unescape(found[1]) for kind, found in said.items() if found} == translated
    assert len(texts) > 5 and not set(translated.values()) & set(texts.values())


@pytest.mark.parametrize(("place", "subject"), [("en-in", "is back"), ("hi-in", "फिर से"), ("ar-ae", "متوفر")])
def test_waiting_for_stock_and_the_mail_that_ends_it(client, honey, place, subject):
    path = f"/{place}/product/{honey.product.slug}/alert/"
    variants = type(honey).objects.filter(pk=honey.pk)
    texts = []
    for units, email in ((9, "asha@example.com"), (0, "nobody"), (0, "asha@example.com")):
        variants.update(on_hand=units, received=units)
        answer = client.post(path, {"variant": honey.pk, "email": email})
        texts += english_in(answer, honey.product.name, "asha@example.com")
    assert bool(texts) == (place == "en-in")
    variants.update(on_hand=5, received=5)
    notify_of_return_to_stock()
    assert subject in Message.objects.get(kind="back_in_stock").subject
