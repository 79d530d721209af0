"""The forgotten password: two steps by page, by HTMX, by call."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from shop.accounts.otp.services import WRONG_OTP
from shop.errors import Invalid
from shop.limits.models import Counter
from shop.messaging.models import Message
from shop.tests.support.codes import SOME_CODE, other_code

from ...conftest import PASSWORD
from ...models import ApiToken, Code, Customer, KnownBrowser
from ...otp.services import CodeMessage, WrongCode, send_code
from .. import services as passwords

pytestmark = pytest.mark.django_db
NEW = "amla and honey 7"
ASHA = "asha@example.com"
STEP_2 = "/forgot-password/?step=reset"


@pytest.fixture
def ask(visitor):
    """ask("asha@example.com"): step 1, as a form."""
    return lambda email=ASHA, **more: visitor.post("/forgot-password/", {"email": email} | more)


@pytest.fixture
def choose(visitor, sent_code):
    """choose(): step 2 with the code that was mailed and a new password, as a form."""

    def post(digits=None, password=NEW, again=None, **options):
        fields = {"new_password": password, "password_again": password if again is None else again}
        return visitor.post(STEP_2, {"otp_code": digits or sent_code(ASHA)} | fields, **options)

    return post


@pytest.fixture
def call(visitor):
    return lambda path, body: visitor.post(path, body, content_type="application/json")


def start(address):
    passwords.start_reset(address=address, client_address="203.0.113.9")


def finish(digits, password=NEW, address=ASHA):
    passwords.finish_reset(address=address, digits=digits, password=password)


def test_a_new_password_is_chosen_with_a_code(visitor, customer, ask, choose):
    page = visitor.get("/forgot-password/").text
    assert "<title>Forgot Password ·" in page and ">Send OTP</button>" in page
    answer = ask()
    assert (answer.status_code, answer["Location"]) == (302, f"/en-in{STEP_2}")
    page = visitor.get(STEP_2).text
    assert "<title>Reset Password ·" in page and ASHA in page and "OTP sent to your email" in page
    answer = choose()
    assert (answer.status_code, answer["Location"]) == (302, "/en-in/signin/")
    assert "Password reset successful" in visitor.get("/signin/").text
    customer.refresh_from_db()
    assert customer.check_password(NEW)
    assert "_auth_user_id" not in visitor.session


def test_a_new_password_is_chosen_by_mobile(visitor, sent_code):
    customer = Customer.objects.create_user(phone="+919876543210", password=PASSWORD)
    visitor.post("/forgot-password/", {"by": "mobile", "mobile": "98765 43210"})
    assert "OTP sent to your mobile" in visitor.get(STEP_2).text
    fields = {"otp_code": sent_code(customer.phone), "new_password": NEW, "password_again": NEW}
    assert visitor.post(STEP_2, fields).status_code == 302
    customer.refresh_from_db()
    assert customer.check_password(NEW)
    assert Message.objects.filter(to=customer.phone, kind="password_changed").exists()


def test_sign_in_leads_to_the_forgotten_password(visitor):
    assert re.search(r'<a href="/en-in/forgot-password/">Forgot Password \?</a>', visitor.get("/signin/").text)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"email": ""}, "Please enter your email"),
        ({"by": "mobile", "mobile": ""}, "Please enter your mobile number"),
        ({"email": "asha"}, "Enter a valid email"),
    ],
)
def test_step_1_says_what_is_missing_at_its_field(visitor, fields, message):
    answer = visitor.post("/forgot-password/", fields)
    assert answer.status_code == 422
    assert f"{message}</p>" in answer.text
    assert not Message.objects.exists()


@pytest.mark.parametrize("missing", ["otp_code", "new_password", "password_again"])
def test_step_2_wants_all_fields(visitor, customer, ask, missing):
    ask()
    fields = {"otp_code": SOME_CODE, "new_password": NEW, "password_again": NEW} | {missing: ""}
    answer = visitor.post(STEP_2, fields)
    assert answer.status_code == 422
    assert "All fields are required</p>" in answer.text
    assert Code.objects.get().tries == 0


def test_two_different_passwords_are_refused_and_cost_no_guess(customer, ask, choose):
    ask()
    answer = choose(again="something else")
    assert (answer.status_code, "Passwords do not match</p>" in answer.text) == (422, True)
    assert Code.objects.get().tries == 0


def test_a_wrong_code_is_said_and_the_code_page_stays(customer, ask, choose, sent_code):
    ask()
    wrong = other_code(sent_code(ASHA))
    answer = choose(wrong)
    assert (answer.status_code, WRONG_OTP in answer.text) == (400, True)
    assert choose().status_code == 302


def test_step_2_without_a_code_on_its_way_is_step_1(visitor):
    assert "<title>Forgot Password ·" in visitor.get(STEP_2).text
    answer = visitor.post(STEP_2, {"otp_code": SOME_CODE, "new_password": NEW, "password_again": NEW})
    assert (answer.status_code, "Please enter your email" in answer.text) == (422, True)


def test_with_scripts_the_last_step_leads_to_a_whole_page(customer, ask, choose):
    ask()
    answer = choose(headers={"hx-request": "true"})
    assert (answer.status_code, answer["HX-Redirect"]) == (200, "/en-in/signin/")


def test_resend_sends_another_code_for_the_same_password(visitor, customer, ask, choose, reset_limits):
    ask()
    reset_limits()
    answer = visitor.post("/resend/")
    assert answer["Location"] == f"/en-in{STEP_2}"
    assert "OTP sent successfully" in visitor.get(STEP_2).text
    assert Message.objects.filter(kind="reset_code").count() == 2
    assert choose().status_code == 302


def test_the_pages_are_private_and_take_no_other_method(visitor):
    assert visitor.get("/forgot-password/")["Cache-Control"] == "private, no-store"
    assert visitor.put("/forgot-password/").status_code == 405
    assert visitor.post("/forgot-password/", "x", content_type="text/plain").status_code == 415


# --- What looks the same, what ends ---------------------------------------------


def test_known_and_unknown_addresses_get_the_same_pages(visitor, customer, ask):
    pages = []
    Customer.objects.create_user("off@example.com", PASSWORD, is_active=False)
    for address in (ASHA, "nobody@example.com", "off@example.com"):
        answer = ask(address)
        page = visitor.get(STEP_2).text.replace(address, "…")
        refused = visitor.post(STEP_2, {"otp_code": SOME_CODE, "new_password": NEW, "password_again": NEW})
        texts = [re.sub(r'value="\w{64}"', "", text.replace(address, "…")) for text in (page, refused.text)]
        pages.append((answer.status_code, answer["Location"], refused.status_code, *texts))
    assert pages[0] == pages[1] == pages[2]


def test_an_unknown_mail_is_told_and_an_unknown_number_is_not():
    start("nobody@example.com")
    start("+919876543210")
    told = Message.objects.get()
    assert (told.to, told.kind) == ("nobody@example.com", "no_account")
    assert "/signup/" in told.text
    assert not Code.objects.exclude(code_hash="").exists()


def test_somebody_shut_out_gets_no_code_and_no_letter():
    Customer.objects.create_user("off@example.com", PASSWORD, is_active=False)
    start("off@example.com")
    assert not Message.objects.exists()
    assert Code.objects.get().code_hash == ""


def test_whoever_was_shut_out_meanwhile_changes_nothing(customer, sent_code):
    start(ASHA)
    Customer.objects.update(is_active=False)
    with pytest.raises(WrongCode):
        finish(sent_code(ASHA))
    customer.refresh_from_db()
    assert customer.check_password(PASSWORD)
    assert Code.objects.get().used_at is None


def test_a_reset_ends_every_sign_in_token_code_and_known_browser(
    visitor, signed_in, customer, browser_client, sent_code
):
    expires = timezone.now() + timedelta(days=1)
    ApiToken.objects.create(customer=customer, key_hash="x", expires_at=expires)
    send_code(purpose=Code.Purpose.SIGN_IN, address=ASHA, message=CodeMessage("sign_in_code", "Your code"))
    assert KnownBrowser.objects.filter(customer=customer).exists()
    start(ASHA)
    finish(sent_code(ASHA))
    assert signed_in.get("/profile/").status_code == 302
    assert not ApiToken.objects.exists()
    assert not Code.objects.exists()
    assert not KnownBrowser.objects.exists()


def test_the_owner_is_told_at_the_stored_address(customer, sent_code):
    start(ASHA)
    finish(sent_code(ASHA))
    told = Message.objects.get(kind="password_changed")
    assert (told.to, "/forgot-password/" in told.text) == (ASHA, True)


def test_wrong_passwords_do_not_lock_the_owner_out_of_the_reset(visitor, customer, sent_code):
    wrong = {"email": ASHA, "password": "wrong one"}
    assert [visitor.post("/signin/", wrong).status_code for _ in range(6)] == [400] * 5 + [429]
    start(ASHA)
    finish(sent_code(ASHA))
    Counter.objects.filter(key__startswith="sign_in_client").delete()
    assert visitor.post("/signin/", {"email": ASHA, "password": NEW}).status_code == 302


@pytest.mark.parametrize("password", ["short77", "password123", "12345678", "x" * 129])
def test_a_weak_password_is_refused_at_its_field_and_costs_no_guess(customer, ask, choose, password):
    ask()
    answer = choose(password=password)
    assert answer.status_code == 422
    assert 'id="id_new_password_error"' in answer.text
    assert Code.objects.get().tries == 0


@pytest.mark.parametrize("password", ["zq8 kd0w", "z" * 60 + "quit", "🌿🌿🌿🌿🌿🌿🌿🌿", "  outer blanks  ", "k9" * 64])
def test_a_good_password_is_kept_as_typed(customer, sent_code, password):
    start(ASHA)
    finish(sent_code(ASHA), password)
    customer.refresh_from_db()
    assert customer.check_password(password)
    assert not customer.check_password(password.strip() + " ")


def test_a_code_for_another_purpose_resets_nothing(customer, sent_code):
    send_code(purpose=Code.Purpose.SIGN_IN, address=ASHA, message=CodeMessage("sign_in_code", "Your code"))
    with pytest.raises(WrongCode):
        finish(sent_code(ASHA))


def test_a_code_works_once_and_for_its_own_address(customer, sent_code):
    Customer.objects.create_user("eve@example.com", PASSWORD)
    start("eve@example.com")
    with pytest.raises(WrongCode):
        finish(sent_code("eve@example.com"))
    start(ASHA)
    digits = sent_code(ASHA)
    finish(digits)
    with pytest.raises(WrongCode):
        finish(digits, "another good one")


def test_rules_come_before_the_code(customer, sent_code):
    start(ASHA)
    with pytest.raises(Invalid):
        finish(sent_code(ASHA), "short")
    finish(sent_code(ASHA))


# --- Calls --------------------------------------------------------------------


def test_the_calls_reset_a_password(call, customer, sent_code, visitor):
    answer = call("/forgot-password/", {"email_id": " Asha@Example.com"})
    assert (answer.status_code, answer.json()) == (200, {"detail": "OTP sent to your email"})
    body = {"email_id": ASHA, "otp_code": sent_code(ASHA), "new_password": NEW}
    answer = call("/verify-forgot-password/", body)
    assert (answer.status_code, answer.json()) == (200, {"detail": "Password reset successful"})
    customer.refresh_from_db()
    assert customer.check_password(NEW)
    assert "_auth_user_id" not in visitor.session
    assert call("/verify-forgot-password/", body).json()["detail"] == WRONG_OTP


def test_the_call_answers_alike_for_unknown_addresses(call, customer):
    known, unknown = (call("/forgot-password/", {"email_id": address}) for address in (ASHA, "nobody@example.com"))
    assert (known.status_code, known.json()) == (unknown.status_code, unknown.json())


def test_a_refused_call_repeats_its_words_as_error(call, customer):
    call("/forgot-password/", {"email_id": ASHA})
    answer = call("/forgot-password/", {"email_id": ASHA})
    assert answer.status_code == 429
    assert answer.json()["error"] == answer.json()["detail"] == "Please wait before requesting another OTP."
    assert 58 <= int(answer["Retry-After"]) <= 61


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("/forgot-password/", {}, "email_id"),
        ("/forgot-password/", {"email_id": "asha"}, "email_id"),
        ("/forgot-password/", {"email_id": ASHA, "mobile": "9876543210"}, "mobile"),
        ("/forgot-password/", {"email_id": ASHA, "extra": 1}, "extra"),
        ("/verify-forgot-password/", {"email_id": ASHA, "otp_code": "12345", "new_password": NEW}, "otp_code"),
        ("/verify-forgot-password/", {"email_id": ASHA, "otp_code": SOME_CODE, "new_password": "x"}, "new_password"),
        ("/verify-forgot-password/", {"email_id": ASHA, "otp_code": 123456, "new_password": NEW}, "otp_code"),
    ],
)
def test_bad_input_names_its_field(call, path, body, field):
    answer = call(path, body)
    assert (answer.status_code, list(answer.json()["fields"])) == (422, [field])
