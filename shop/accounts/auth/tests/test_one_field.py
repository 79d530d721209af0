"""CHECK OUT asks a visitor for one field, mobile number or email, and goes on with a code."""

import re

import pytest
from django.conf import settings

from shop.accounts.otp.services import EXPIRED, GUESSES, TRIES_USED_UP
from shop.limits.models import Counter
from shop.messaging.models import Message
from shop.tests.support.codes import other_code

from ...models import Code, Customer

pytestmark = pytest.mark.django_db
CHECKOUT = "/en-in/checkout/"


@pytest.fixture
def buyer(visitor, make_variant):
    """A visitor with two in the cart, sent from the checkout to sign in."""
    variant = make_variant(price="250", units=10)
    visitor.post("/en-in/cart/add/", {"variant": variant.pk, "quantity": 2})
    assert visitor.get(CHECKOUT)["Location"].startswith("/en-in/signin/?next=")
    return visitor


@pytest.fixture
def page(buyer):
    return buyer.get("/en-in/signin/", {"next": CHECKOUT}).text


def ask(buyer, contact):
    buyer.get("/en-in/signin/", {"next": CHECKOUT})
    return buyer.post("/en-in/signin/code/", {"contact": contact})


def guess_wrongly(buyer, right, times=GUESSES):
    for turn in range(1, times + 1):
        answer = buyer.post("/en-in/otp/", {"otp_code": other_code(right, turn=turn)})
    return answer


def test_it_asks_for_one_field_beside_the_cart_and_the_steps(page):
    main = page[page.index("<main") : page.index("</main>")]
    assert re.findall(r'<input(?![^>]*type="hidden")[^>]* name="(\w+)"', main) == ["contact"]
    assert "How can we reach you?" in main and "Your cart is kept." in main
    assert "2 items" in main and "Get it by" in main and 'aria-current="step">Address' in main


def test_its_frame_leads_nowhere_else(page):
    assert page.count('class="logo"') == 1 and "/en-in/contactus/" in page
    for part in ("data-menu-sheet", "foot__letters", "data-pickers", 'name="q"'):
        assert part not in page


def test_elsewhere_the_sign_in_page_is_as_it_was(buyer):
    page = buyer.get("/en-in/signin/", {"next": "/en-in/orders/"}).text
    assert 'name="password"' in page and 'name="contact"' not in page and "data-menu-sheet" in page


@pytest.mark.parametrize(
    ("typed", "reached"), [("98765 43210", "+919876543210"), (" Ravi@Example.com", "ravi@example.com")]
)
def test_six_digits_open_the_account_and_go_on_with_the_cart(buyer, sent_code, typed, reached):
    assert ask(buyer, typed)["Location"] == "/en-in/otp/"
    assert "data-menu-sheet" not in buyer.get("/en-in/otp/").text
    assert buyer.post("/en-in/otp/", {"otp_code": sent_code(reached)})["Location"] == CHECKOUT
    customer = Customer.objects.get()
    assert reached in (customer.phone, customer.email)
    assert sum(customer.cart.lines.values_list("quantity", flat=True)) == 2
    assert buyer.get(CHECKOUT).status_code == 200


@pytest.mark.parametrize(
    ("typed", "words"),
    [("", "Enter your mobile number or email"), ("12", "Enter a valid mobile number"), ("a@b", "Enter a valid email")],
)
def test_what_is_wrong_is_said_at_the_field_which_keeps_what_was_typed(buyer, typed, words):
    answer = ask(buyer, typed)
    assert answer.status_code == 422 and f"{words}</p>" in answer.text
    assert not typed or f'value="{typed}"' in answer.text
    assert not Message.objects.exists()


def test_a_refused_send_keeps_what_was_typed(buyer):
    ask(buyer, "98765 43210")
    answer = ask(buyer, "98765 43210")
    assert answer.status_code == 429 and 'value="98765 43210"' in answer.text and answer["Retry-After"]


def test_the_number_is_changed_where_it_was_typed(buyer):
    ask(buyer, "98765 43210")
    page = buyer.get("/en-in/otp/").text
    assert re.search(r'<a href="/en-in/signin/">Change number</a>', page)
    assert 'value="+919876543210"' in buyer.get("/en-in/signin/").text


def test_a_mobile_sign_up_at_the_checkout_changes_its_number(buyer, sign_up_fields):
    sign_up_fields |= {"by": "mobile", "mobile": "98765 43210"}
    buyer.get("/en-in/signin/", {"next": CHECKOUT})
    assert buyer.post("/en-in/signup/", sign_up_fields)["Location"] == "/en-in/otp/"
    page = buyer.get("/en-in/otp/").text
    assert "data-menu-sheet" not in page  # the frame of the checkout
    assert re.search(r'<a href="/en-in/signup/\?by=mobile">Change number</a>', page)


@pytest.mark.parametrize(("typed", "field"), [("98765 43210", "mobile"), ("ravi@example.com", "email")])
def test_whoever_wants_a_password_keeps_what_was_typed(buyer, typed, field):
    buyer.get("/en-in/signin/", {"next": CHECKOUT})
    answer = buyer.post("/en-in/signin/", {"contact": typed})
    assert answer.status_code == 200 and 'name="password"' in answer.text
    assert re.search(rf'name="{field}" value="{typed}"', answer.text)
    assert "Please check" not in answer.text and not Counter.objects.exists()


def test_used_up_tries_are_said_and_a_new_code_offered(buyer, sent_code):
    ask(buyer, "98765 43210")
    first = sent_code("+919876543210")
    assert TRIES_USED_UP not in guess_wrongly(buyer, first, GUESSES - 1).text
    used_up = guess_wrongly(buyer, first, 1)
    assert used_up.status_code == 400 and "used all 5 attempts" in used_up.text
    assert 'name="otp_code"' not in used_up.text and "Resend OTP" in used_up.text
    assert "used all 5 attempts" in buyer.post("/en-in/otp/", {"otp_code": first}).text
    Counter.objects.filter(key__startswith="code_minute").delete()  # the minute is over
    buyer.post("/en-in/resend/")
    page = buyer.get("/en-in/otp/").text
    assert 'name="otp_code"' in page and "used all 5 attempts" not in page
    assert buyer.post("/en-in/otp/", {"otp_code": sent_code("+919876543210")})["Location"] == CHECKOUT


def test_used_up_tries_tell_nothing_of_the_address(buyer, customer, sent_code):
    Customer.objects.create_user("off@example.com", "correct horse battery", is_active=False)
    for address in (customer.email, "new@example.com", "off@example.com"):
        ask(buyer, address)
        assert "used all 5 attempts" in guess_wrongly(buyer, "111111").text


def test_an_expired_code_is_said(buyer):
    ask(buyer, "98765 43210")
    Code.objects.update(expires_at="2026-01-01T00:00Z")
    assert EXPIRED in buyer.get("/en-in/otp/").text


def test_the_last_line_of_the_sms_lets_the_phone_fill_the_code_in(buyer, sent_code):
    ask(buyer, "98765 43210")
    sms = Message.objects.get()
    host = settings.SHOP_URL.partition("//")[2].partition(":")[0]
    assert sms.text.splitlines()[-1] == f"@{host} #{sent_code(sms.to)}"
