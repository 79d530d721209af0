"""A browser that its customer used before has codes and counters of its own."""

import pytest
from django.test import Client

from shop.limits.models import Counter
from shop.messaging.models import Message
from shop.tests.support.codes import other_code

from ...conftest import PASSWORD
from ...models import Code, Customer, KnownBrowser
from ...otp.services import GUESSES
from ...passwords import services as passwords
from .. import known_browsers
from ..known_browsers import COOKIE, MAX_BROWSERS

pytestmark = pytest.mark.django_db
ASHA = "asha@example.com"
RIGHT = {"email": ASHA, "password": PASSWORD}
STRANGER = "198.51.100.7"


def new_browser():
    return Client(headers={"sec-fetch-site": "same-origin"})


@pytest.fixture
def known(customer):
    """A browser in which Asha signed in and out."""
    browser = new_browser()
    browser.post("/signin/", RIGHT)
    browser.post("/logout/")
    return browser


def ask(browser, address=ASHA, path="/signin/code/", **options):
    return browser.post(path, {"email": address}, **options).status_code


def forget_minutes():
    Counter.objects.filter(key__startswith="code_minute").delete()


def asked_until_refused(browser, **options):
    for number in range(30):
        forget_minutes()
        if ask(browser, **options) == 429:
            return number
    return 30


def test_signing_in_leaves_a_secret_that_outlives_the_sign_in(known, customer):
    cookie = known.cookies[COOKIE]
    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (True, "Lax", 365 * 24 * 3600)
    assert len(cookie.value) >= 43  # 256 bits
    kept = KnownBrowser.objects.get()
    assert kept.customer == customer
    assert cookie.value not in kept.secret_hash
    assert "session" not in known.cookies or not known.cookies["session"].value


def test_a_wrong_password_leaves_nothing(customer):
    browser = new_browser()
    browser.post("/signin/", RIGHT | {"password": "wrong one"})
    assert COOKIE not in browser.cookies
    assert not KnownBrowser.objects.exists()


def test_signing_in_again_keeps_the_secret(known):
    before = known.cookies[COOKIE].value
    known.post("/signin/", RIGHT)
    assert known.cookies[COOKIE].value == before
    assert KnownBrowser.objects.count() == 1


def test_two_customers_of_one_browser_are_both_known(known):
    ravi = Customer.objects.create_user("ravi@example.com", PASSWORD)
    known.post("/signin/", RIGHT | {"email": ravi.email})
    assert KnownBrowser.objects.filter(secret_hash=KnownBrowser.objects.first().secret_hash).count() == 2


def test_a_planted_secret_is_never_taken_over(customer):
    browser = new_browser()
    browser.cookies[COOKIE] = "planted"
    browser.post("/signin/", RIGHT)
    assert browser.cookies[COOKIE].value != "planted"


def test_the_oldest_browsers_are_forgotten(customer):
    for _ in range(MAX_BROWSERS + 2):
        new_browser().post("/signin/", RIGHT)
    assert customer.known_browsers.count() == MAX_BROWSERS


def test_strangers_do_not_use_up_the_sends_of_a_known_browser(known):
    assert asked_until_refused(new_browser(), REMOTE_ADDR=STRANGER) == 5
    assert asked_until_refused(known) == 5
    Counter.objects.filter(key__startswith="code_hour").delete()
    assert asked_until_refused(known) == 5  # ten a day


def test_an_unknown_cookie_has_no_sends_of_its_own(customer):
    assert asked_until_refused(new_browser()) == 5
    pretender = new_browser()
    pretender.cookies[COOKIE] = "made up"
    assert ask(pretender, REMOTE_ADDR=STRANGER) == 429


def test_a_known_browser_is_known_to_its_own_customer_only(known):
    Customer.objects.create_user("ravi@example.com", PASSWORD)
    assert asked_until_refused(new_browser(), address="ravi@example.com") == 5
    assert ask(known, "ravi@example.com", REMOTE_ADDR=STRANGER) == 429


def test_strangers_neither_burn_nor_replace_the_code_of_a_known_browser(known, sent_code):
    ask(known)
    digits = sent_code(ASHA)
    stranger = new_browser()
    ask(stranger, REMOTE_ADDR=STRANGER)
    theirs = sent_code(ASHA)
    wrong = other_code(digits, theirs)
    assert {stranger.post("/otp/", {"otp_code": wrong}).status_code for _ in range(GUESSES)} == {400}
    assert stranger.post("/otp/", {"otp_code": digits}).status_code == 400
    assert stranger.post("/otp/", {"otp_code": theirs}).status_code == 400
    assert sorted(Code.objects.values_list("tries", flat=True)) == [0, GUESSES]  # each its own
    assert known.post("/otp/", {"otp_code": digits}).status_code == 302


def test_a_strangers_browser_is_not_let_in_by_a_known_browsers_code(known, sent_code):
    ask(known)
    digits = sent_code(ASHA)
    stranger = new_browser()
    forget_minutes()
    ask(stranger, REMOTE_ADDR=STRANGER)
    if sent_code(ASHA) != digits:
        assert stranger.post("/otp/", {"otp_code": digits}).status_code == 400


def test_a_code_asked_for_elsewhere_works_in_a_known_browser_that_has_none(known, sent_code):
    passwords.start_reset(address=ASHA, client_address=STRANGER)
    body = {"email_id": ASHA, "otp_code": sent_code(ASHA), "new_password": "amla and honey 7"}
    assert known.post("/verify-forgot-password/", body, content_type="application/json").status_code == 200


def test_the_reset_has_sends_of_its_own_for_a_known_browser_too(known):
    assert asked_until_refused(new_browser(), path="/forgot-password/", REMOTE_ADDR=STRANGER) == 5
    assert ask(known, path="/forgot-password/") == 302
    assert Message.objects.filter(kind="reset_code").count() == 6


def test_after_a_reset_no_browser_is_known(known, sent_code):
    ask(known, path="/forgot-password/")
    fields = {"otp_code": sent_code(ASHA)} | dict.fromkeys(("new_password", "password_again"), "amla and honey 7")
    assert known.post("/forgot-password/?step=reset", fields).status_code == 302
    assert not KnownBrowser.objects.exists()


def test_a_sign_in_without_a_session_leaves_nothing(rf, customer):
    request = rf.get("/")
    request.session = {}
    known_browsers.remember_browser(request=request, user=customer)
    known_browsers.remember_browser(request=None, user=customer)
    assert not KnownBrowser.objects.exists()
