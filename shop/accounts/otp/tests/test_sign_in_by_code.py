"""Sign-in by code, which opens the account where there is none."""

import pytest
from allauth.account.models import EmailAddress

from shop.messaging.models import Message
from shop.tests.support.codes import SOME_CODE

from ...conftest import PASSWORD
from ...models import Code, Consent, Customer
from .. import sign_in
from ..services import WrongCode
from ..sign_in import finish_code_sign_in, send_sign_in_code

pytestmark = pytest.mark.django_db
NEW = "new@example.com"
KEY = "the key of a session"


def send(address):
    send_sign_in_code(address=address, client_address="203.0.113.9", key=KEY)


def test_a_customer_signs_in_with_a_code_and_returns(visitor, customer, sent_code):
    visitor.get("/signin/?next=/checkout/")
    answer = visitor.post("/signin/code/", {"email": " ASHA@example.com"})
    assert (answer.status_code, answer["Location"]) == (302, "/en-in/otp/")
    page = visitor.get("/otp/").text
    assert "OTP sent to your email" in page and ">Login</button>" in page
    answer = visitor.post("/otp/", {"otp_code": sent_code(customer.email)})
    assert answer["Location"] == "/checkout/"
    assert visitor.session["_auth_user_id"] == str(customer.pk)
    assert Customer.objects.count() == 1
    assert not Consent.objects.exists()


def test_a_visitor_gets_an_account_with_the_code(visitor, sent_code, privacy_notice):
    visitor.post("/signin/code/", {"email": NEW})
    assert not Customer.objects.exists()
    visitor.post("/otp/", {"otp_code": sent_code(NEW)})
    customer = Customer.objects.get()
    assert (customer.email, customer.name, customer.has_usable_password()) == (NEW, "", False)
    assert EmailAddress.objects.get(user=customer).verified
    consent = Consent.objects.get()
    assert (consent.kind, consent.version) == (Consent.Kind.PRIVACY, privacy_notice)
    assert visitor.get("/api/me/").json()["name"] == NEW.upper()


def test_a_visitor_gets_an_account_by_mobile(visitor, sent_code):
    visitor.post("/signin/code/", {"by": "mobile", "mobile": "98765 43210"})
    visitor.post("/otp/", {"otp_code": sent_code("+919876543210")})
    assert Customer.objects.get().phone == "+919876543210"
    assert visitor.get("/profile/").status_code == 200


@pytest.mark.parametrize(
    ("fields", "message"),
    [({"email": ""}, "Email is required"), ({"by": "mobile", "mobile": "12"}, "Enter a valid mobile number")],
)
def test_what_is_wrong_is_said_at_its_field(visitor, fields, message):
    answer = visitor.post("/signin/code/", fields)
    assert (answer.status_code, f"{message}</p>" in answer.text) == (422, True)
    assert not Message.objects.exists()


def test_known_unknown_and_shut_out_get_the_same_answers(visitor, customer):
    Customer.objects.create_user("off@example.com", PASSWORD, is_active=False)
    pages = []
    for address in (customer.email, NEW, "off@example.com"):
        answer = visitor.post("/signin/code/", {"email": address})
        refused = visitor.post("/otp/", {"otp_code": SOME_CODE})
        pages.append((answer.status_code, answer["Location"], refused.status_code))
    assert pages[0] == pages[1] == pages[2]
    assert not Message.objects.filter(to="off@example.com").exists()
    assert Code.objects.get(address="off@example.com").code_hash == ""


def test_whoever_was_shut_out_meanwhile_stays_out(customer, sent_code):
    send(customer.email)
    Customer.objects.update(is_active=False)
    with pytest.raises(WrongCode):
        finish_code_sign_in(address=customer.email, digits=sent_code(customer.email), key=KEY)


def test_a_code_works_once(sent_code):
    send(NEW)
    digits = sent_code(NEW)
    finish_code_sign_in(address=NEW, digits=digits, key=KEY)
    with pytest.raises(WrongCode):
        finish_code_sign_in(address=NEW, digits=digits, key=KEY)
    assert Customer.objects.count() == 1


def test_an_address_that_got_an_account_in_this_moment_has_one(sent_code, monkeypatch):
    send(NEW)
    Customer.objects.create_user(NEW, PASSWORD)
    monkeypatch.setattr(sign_in, "customer_at", lambda address: None)  # looked just before
    with pytest.raises(WrongCode):
        finish_code_sign_in(address=NEW, digits=sent_code(NEW), key=KEY)
    assert Customer.objects.count() == 1


def test_resend_sends_another_code(visitor, customer, sent_code, reset_limits):
    visitor.post("/signin/code/", {"email": customer.email})
    reset_limits()
    answer = visitor.post("/resend/", follow=True)
    assert "OTP sent successfully" in answer.text
    visitor.post("/otp/", {"otp_code": sent_code(customer.email)})
    assert visitor.session["_auth_user_id"] == str(customer.pk)


def test_the_notice_stands_at_the_button_and_sign_in_leads_here(visitor):
    assert "/privacypolicy/" in visitor.get("/signin/code/").text
    assert 'href="/en-in/signin/code/"' in visitor.get("/signin/").text
    assert visitor.put("/signin/code/").status_code == 405


def test_whoever_is_signed_in_keeps_the_session_on_the_way_through(signed_in):
    key = signed_in.session.session_key
    assert signed_in.get("/signin/?next=/address/")["Location"] == "/address/"
    assert signed_in.session.session_key == key
    assert "LastPath" not in signed_in.session
