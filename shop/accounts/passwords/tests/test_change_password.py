import pytest
from django.test import Client

from shop.messaging.models import Message

from ...conftest import PASSWORD
from ...models import Code, Customer
from ...otp.services import CodeMessage, send_code
from .. import services as passwords
from ..services import WrongPassword

pytestmark = pytest.mark.django_db
NEW = "amla and honey 7"
FIELDS = {"current_password": PASSWORD, "new_password": NEW, "password_again": NEW}
BODY = {"current_password": PASSWORD, "new_password": NEW}


@pytest.fixture
def call(signed_in):
    return lambda **change: signed_in.post("/change-password/", BODY | change, content_type="application/json")


def test_a_changed_password_signs_out_everywhere_and_goes_home(signed_in, customer):
    elsewhere = Client()
    elsewhere.force_login(customer)
    send_code(purpose=Code.Purpose.RESET, address=customer.email, message=CodeMessage("reset_code", "Your code"))
    assert "Re-enter new password" in signed_in.get("/change-password/").text
    answer = signed_in.post("/change-password/", FIELDS)
    assert (answer.status_code, answer["Location"]) == (302, "/en-in/")
    customer.refresh_from_db()
    assert customer.check_password(NEW)
    assert "_auth_user_id" not in signed_in.session
    assert elsewhere.get("/profile/").status_code == 302
    assert not Code.objects.exists()
    assert Message.objects.get(kind="password_changed").to == customer.email
    assert signed_in.get("/api/me/").json()["toasts"][0]["kind"] == "success"


@pytest.mark.parametrize(
    ("change", "status", "message"),
    [
        ({"password_again": "something else"}, 422, "Passwords do not match</p>"),
        ({"current_password": ""}, 422, "Password is required</p>"),
        ({"new_password": "", "password_again": ""}, 422, "Password is required</p>"),
        ({"current_password": "wrong one"}, 400, "not your current password.</p>"),
        ({"new_password": "short77", "password_again": "short77"}, 422, "Use 8 to 128 characters.</p>"),
    ],
)
def test_what_is_wrong_is_said_at_its_field(signed_in, customer, change, status, message):
    answer = signed_in.post("/change-password/", FIELDS | change)
    assert (answer.status_code, message in answer.text) == (status, True)
    customer.refresh_from_db()
    assert customer.check_password(PASSWORD)
    assert signed_in.get("/profile/").status_code == 200


@pytest.mark.parametrize("password", ["password123", "12345678", "x" * 129])
def test_a_weak_password_is_refused(signed_in, customer, password):
    fields = {"current_password": PASSWORD, "new_password": password, "password_again": password}
    assert signed_in.post("/change-password/", fields).status_code == 422


@pytest.mark.parametrize("password", ["zq8 kd0w", "🌿🌿🌿🌿🌿🌿🌿🌿", "  outer blanks  ", "k9" * 64])
def test_a_good_password_is_kept_as_typed(signed_in, customer, password):
    signed_in.post("/change-password/", {"current_password": PASSWORD} | dict.fromkeys(
        ("new_password", "password_again"), password
    ))  # fmt: skip
    customer.refresh_from_db()
    assert customer.check_password(password)


def test_the_page_asks_visitors_to_sign_in(visitor):
    assert visitor.get("/change-password/")["Location"] == "/en-in/signin/?next=/change-password/"


def test_wrong_current_passwords_count_as_tries_to_sign_in(signed_in, customer, browser_client):
    for _ in range(3):
        signed_in.post("/change-password/", FIELDS | {"current_password": "wrong one"})
    for _ in range(2):
        browser_client.post("/signin/", {"email": customer.email, "password": "wrong one"})
    assert signed_in.post("/change-password/", FIELDS).status_code == 429


def test_whoever_has_no_password_is_led_to_a_code(visitor):
    customer = Customer.objects.create_user("new@example.com", None)
    visitor.force_login(customer)
    page = visitor.get("/change-password/").text
    assert "Set a password with a code" in page and "current_password" not in page
    answer = visitor.post("/change-password/", BODY, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (409, "no_password")


def test_of_two_changes_at_once_the_second_is_refused(customer):
    same = Customer.objects.get(pk=customer.pk)
    passwords.change_password(customer, current=PASSWORD, new=NEW, client_address="203.0.113.9")
    with pytest.raises(WrongPassword):  # it read the old hash before the first was written
        passwords.change_password(same, current=PASSWORD, new="another good one", client_address="203.0.113.9")
    same.refresh_from_db()
    assert same.check_password(NEW)


def test_the_call_changes_the_password(call, signed_in, customer):
    answer = call(email_id=" ASHA@example.com")
    assert (answer.status_code, answer.json()) == (200, {"detail": "Password changed"})
    assert "_auth_user_id" not in signed_in.session
    customer.refresh_from_db()
    assert customer.check_password(NEW)


def test_anothers_email_is_refused_alike_for_right_and_wrong_passwords(call, customer):
    Customer.objects.create_user("eve@example.com", "eves own password")
    answers = [
        call(email_id="eve@example.com", current_password=tried) for tried in (PASSWORD, "eves own password", "x")
    ]
    assert {answer.status_code for answer in answers} == {404}
    assert len({str(answer.json() | {"request_id": ""}) for answer in answers}) == 1
    customer.refresh_from_db()
    assert customer.check_password(PASSWORD)


def test_the_call_refuses_wrong_passwords_and_visitors(call, signed_in, customer, client):
    answer = call(current_password="wrong one")
    assert (answer.status_code, answer.json()["code"]) == (400, "wrong_password")
    assert list(call(new_password="short").json()["fields"]) == ["new_password"]
    headers = {"sec-fetch-site": "same-origin"}
    assert client.post("/change-password/", BODY, content_type="application/json", headers=headers).status_code == 401
