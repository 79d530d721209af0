import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone

from shop.errors import VerificationFailed
from shop.limits.models import Counter
from shop.messaging.models import Message
from shop.tests.support.codes import SOME_CODE

from ...conftest import PASSWORD
from ...models import Code, Customer
from .. import services

pytestmark = pytest.mark.django_db


def test_an_account_opens_with_the_code(visitor, sign_up_fields, sent_code):
    answer = visitor.post("/signup/", sign_up_fields)
    assert (answer.status_code, answer["Location"]) == (302, "/en-in/otp/")
    assert not Customer.objects.exists()
    answer = visitor.post("/otp/", {"otp_code": sent_code("ravi@example.com")})
    assert (answer.status_code, answer["Location"]) == (302, "/en-in/")
    customer = Customer.objects.get()
    assert (customer.email, customer.name) == ("ravi@example.com", "Ravi Iyer")
    assert customer.check_password(PASSWORD)
    assert EmailAddress.objects.get(user=customer).verified
    assert b"Ravi Iyer" in visitor.get("/profile/").content


def test_an_account_opens_by_mobile(visitor, sign_up_fields, sent_code):
    sign_up_fields |= {"by": "mobile", "mobile": "98765 43210"}
    visitor.post("/signup/", sign_up_fields)
    visitor.post("/otp/", {"otp_code": sent_code("+919876543210")})
    assert Customer.objects.get().phone == "+919876543210"


def test_the_code_is_kept_hashed_and_the_password_too(visitor, sign_up_fields, sent_code):
    visitor.post("/signup/", sign_up_fields)
    code = Code.objects.get()
    assert sent_code("ravi@example.com") not in code.code_hash
    assert PASSWORD not in str(code.payload)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("name", "", "Name is required"),
        ("email", "", "Email is required"),
        ("email", "ravi", "Enter a valid email"),
        ("password", "", "Password is required"),
        ("password_again", "something else", "Passwords do not match"),
    ],
)
def test_a_wrong_field_is_said_and_nothing_sent(visitor, sign_up_fields, field, value, message):
    answer = visitor.post("/signup/", sign_up_fields | {field: value})
    assert answer.status_code == 422
    assert message in answer.content.decode()
    assert not Message.objects.exists()


def test_a_missing_mobile_is_said(visitor, sign_up_fields):
    answer = visitor.post("/signup/", sign_up_fields | {"by": "mobile"})
    assert b"Mobile number is required" in answer.content


@pytest.mark.parametrize("password", ["short77", "password123", "12345678", "x" * 129])
def test_a_weak_password_is_refused(visitor, sign_up_fields, password):
    answer = visitor.post("/signup/", sign_up_fields | {"password": password, "password_again": password})
    assert answer.status_code == 422
    assert not Code.objects.exists()


@pytest.mark.parametrize(
    "password", ["zq8 kd0w", "z" * 60 + "quiet", "🌿🌿🌿🌿🌿🌿🌿🌿", "  outer blanks  ", "k9" * 64]
)
def test_a_good_password_is_kept_as_typed(visitor, sign_up_fields, sent_code, password):
    visitor.post("/signup/", sign_up_fields | {"password": password, "password_again": password})
    visitor.post("/otp/", {"otp_code": sent_code("ravi@example.com")})
    assert Customer.objects.get().check_password(password)
    assert not Customer.objects.get().check_password(password + " ")


def test_a_taken_address_gets_the_same_answer_and_another_mail(visitor, sign_up_fields, customer, client):
    free = visitor.post("/signup/", sign_up_fields)
    free_page = visitor.get("/otp/").content.decode().replace("ravi@example.com", "…")
    other = type(visitor)(headers={"sec-fetch-site": "same-origin"})
    other.cookies["deliver_to"] = "IN"
    taken = other.post("/signup/", sign_up_fields | {"email": "asha@example.com"})
    taken_page = other.get("/otp/").content.decode().replace("asha@example.com", "…")
    assert (free.status_code, free["Location"]) == (taken.status_code, taken["Location"])
    assert _without_token(free_page) == _without_token(taken_page)
    assert Message.objects.get(to="asha@example.com").kind == "account_exists"


def _without_token(page):
    return re.sub(r'value="\w{64}"', "", page)


def test_no_code_opens_a_taken_address(customer, visitor, sign_up_fields):
    visitor.post("/signup/", sign_up_fields | {"email": "asha@example.com"})
    assert Code.objects.get().code_hash == ""
    assert visitor.post("/otp/", {"otp_code": SOME_CODE}).status_code == 400
    assert Customer.objects.get().check_password(PASSWORD)


def test_somebody_elses_sign_up_with_my_address_gets_nothing_from_my_code(
    visitor, sign_up_fields, sent_code, reset_limits
):
    visitor.post("/signup/", sign_up_fields)
    reset_limits()
    services.start_sign_up(
        name="Eve", address="ravi@example.com", password="eves own password", client_address="203.0.113.9"
    )
    answer = visitor.post("/otp/", {"otp_code": sent_code("ravi@example.com")})
    assert answer.status_code == 400
    assert not Customer.objects.exists()


def test_a_code_works_once(visitor, sign_up_fields, sent_code):
    visitor.post("/signup/", sign_up_fields)
    own = {"digits": sent_code("ravi@example.com"), "key": visitor.session["pending_code"]["key"]}
    services.finish_sign_up(address="ravi@example.com", **own)
    with pytest.raises(VerificationFailed):
        services.finish_sign_up(address="ravi@example.com", **own)
    assert Customer.objects.count() == 1


def test_an_address_that_got_an_account_meanwhile_stays_with_it(visitor, sign_up_fields, sent_code):
    visitor.post("/signup/", sign_up_fields)
    Customer.objects.create_user("ravi@example.com", "another password")
    own = {"digits": sent_code("ravi@example.com"), "key": visitor.session["pending_code"]["key"]}
    with pytest.raises(VerificationFailed):
        services.finish_sign_up(address="ravi@example.com", **own)


def test_nothing_pending_shows_a_link_to_login(visitor):
    page = visitor.get("/otp/").content.decode()
    assert ">Login</a>" in page
    assert "otp_code" not in page
    assert visitor.post("/otp/", {"otp_code": SOME_CODE}).status_code == 200


def test_an_incomplete_code_is_said_and_costs_no_guess(visitor, sign_up_fields):
    visitor.post("/signup/", sign_up_fields)
    answer = visitor.post("/otp/", {"otp_code": "12345"})
    assert b"Please enter a valid OTP" in answer.content
    assert Code.objects.get().tries == 0


def test_resend_really_sends_a_new_code(visitor, sign_up_fields, sent_code, reset_limits):
    visitor.post("/signup/", sign_up_fields)
    old = Code.objects.get().code_hash
    reset_limits()
    answer = visitor.post("/resend/", follow=True)
    assert b"OTP sent successfully" in answer.content
    assert Message.objects.count() == 2
    assert Code.objects.get().code_hash != old
    visitor.post("/otp/", {"otp_code": sent_code("ravi@example.com")})
    assert Customer.objects.exists()


def test_resend_within_a_minute_is_refused_in_words(visitor, sign_up_fields):
    visitor.post("/signup/", sign_up_fields)
    answer = visitor.post("/resend/", follow=True)
    assert b"Please wait before requesting another OTP." in answer.content
    assert Message.objects.count() == 1


def test_the_countdown_shows_the_seconds_that_are_left(visitor, sign_up_fields, reset_limits):
    visitor.post("/signup/", sign_up_fields)
    assert 58 <= _countdown(visitor.get("/otp/")) <= 60
    Counter.objects.filter(key__startswith="code_minute").update(expires_at=timezone.now() + timedelta(seconds=30))
    assert 20 <= _countdown(visitor.get("/otp/")) <= 30
    assert 20 <= _countdown(visitor.post("/resend/", follow=True)) <= 30  # refused
    reset_limits()
    assert _countdown(visitor.get("/otp/")) == 0


def _countdown(answer):
    return int(re.search(r'data-countdown="(\d+)"', answer.text)[1])


def test_resend_without_a_pending_sign_up_sends_nothing(visitor):
    visitor.post("/resend/")
    assert not Message.objects.exists()


def test_an_expired_sign_up_can_be_sent_again(visitor, sign_up_fields, reset_limits):
    visitor.post("/signup/", sign_up_fields)
    Code.objects.update(expires_at=timezone.now() - timedelta(minutes=1))
    reset_limits()
    visitor.post("/resend/")
    assert Code.objects.get().expires_at > timezone.now()


def test_the_code_page_has_one_real_field(visitor, sign_up_fields):
    visitor.post("/signup/", sign_up_fields)
    page = visitor.get("/otp/").content.decode()
    assert page.count('name="otp_code"') == 1
    assert 'autocomplete="one-time-code"' in page
    assert 'inputmode="numeric"' in page


def test_the_pages_are_private(visitor, sign_up_fields):
    for path in ("/signup/", "/signin/", "/otp/"):
        assert visitor.get(path)["Cache-Control"] == "private, no-store"
