import pytest

from shop.messaging.models import Message
from shop.tests.support.codes import SOME_CODE, other_code

from ...conftest import PASSWORD
from ...models import Address, Code, Customer

pytestmark = pytest.mark.django_db
NEW = {"user_name": "Ravi Iyer", "email_id": "ravi@example.com", "mobile": "", "password": PASSWORD}
RIGHT = {"email_id": "asha@example.com", "password": PASSWORD}
ADDRESS = {
    "full_name": "Asha Rao",
    "phone_number": "9876543210",
    "alt_phone_number": "9876543211",
    "address": "12 Temple Road",
    "city": "Bengaluru",
    "state": "Karnataka",
    "pincode": "560001",
}
CALLS = [
    ("/user-register/", NEW),
    ("/verify-otp/", {"email_id": "ravi@example.com", "otp_code": SOME_CODE}),
    ("/user-login/", RIGHT),
    ("/user-logout/", {}),
    ("/add-address/", ADDRESS),
    ("/update-address/", {"address_id": 1}),
    ("/delete-address/", {"address_id": 1}),
]


@pytest.fixture
def call(visitor):
    def call(path, body, **options):
        return visitor.post(path, body, content_type="application/json", **options)

    return call


@pytest.fixture
def other_address():
    other = Customer.objects.create_user("eve@example.com", PASSWORD)
    return Address.objects.create(customer=other, full_name="Eve", country_id=1, is_default=True)


def test_an_account_opens_with_two_calls(call, visitor, sent_code):
    answer = call("/user-register/", NEW)
    assert answer.status_code == 200
    key = answer.json()["signup_key"]
    assert answer.json() == {
        "message": "OTP sent to your email",
        "signup_key": key,
        "customer": {"user_name": "Ravi Iyer", "email_id": "ravi@example.com", "mobile": None},
    }
    visitor.cookies.pop("session")  # code and key are enough
    body = {"email_id": "Ravi@example.com", "otp_code": sent_code("ravi@example.com"), "signup_key": key}
    answer = call("/verify-otp/", body)
    customer = Customer.objects.get()
    assert answer.json() == {
        "message": "Login Successful!",
        "id": customer.pk,
        "customer": {
            "id": customer.pk,
            "user_name": "Ravi Iyer",
            "email_id": "ravi@example.com",
            "mobile": None,
        },
        "cart": {"id": None},
        "profiles": [],
        "token": None,
        "token_expires_at": None,
    }
    assert visitor.session["_auth_user_id"] == str(customer.pk)


def test_a_taken_address_gets_the_same_answer(call, customer):
    free = call("/user-register/", NEW)
    taken = call("/user-register/", NEW | {"email_id": "asha@example.com"})
    assert taken.status_code == free.status_code
    own = {"customer": free.json()["customer"] | {"email_id": "asha@example.com"}}
    assert taken.json() == free.json() | own | {"signup_key": taken.json()["signup_key"]}
    assert len(taken.json()["signup_key"]) == len(free.json()["signup_key"])


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"email_id": ""}, "email_id"),
        ({"email_id": "ravi"}, "email_id"),
        ({"email_id": None, "mobile": "12345"}, "mobile"),
        ({"mobile": "9876543210"}, "mobile"),
        ({"password": "short77"}, "password"),
        ({"user_name": ""}, "user_name"),
        ({"user_name": "x" * 101}, "user_name"),
        ({"user_name": "a\x00b"}, "user_name"),
        ({"password": 12345678}, "password"),
        ({"is_staff": True}, "is_staff"),
    ],
)
def test_register_refuses_bad_input_and_names_the_field(call, change, field):
    answer = call("/user-register/", NEW | change)
    assert answer.status_code == 422
    assert list(answer.json()["fields"]) == [field]
    assert answer.json()["error"] == answer.json()["detail"]
    assert not Code.objects.exists()


def test_a_code_is_sent_once_a_minute(call):
    call("/user-register/", NEW)
    answer = call("/user-register/", NEW)
    assert answer.status_code == 429
    assert 58 <= int(answer["Retry-After"]) <= 61
    assert Message.objects.count() == 1


@pytest.mark.parametrize("address", ["ravi@example.com", "nobody@example.com", "asha@example.com"])
def test_a_wrong_code_has_one_message_for_every_cause(call, customer, address):
    call("/user-register/", NEW)
    answer = call("/verify-otp/", {"email_id": address, "otp_code": SOME_CODE})
    assert answer.status_code == 400
    assert answer.json()["msg"] == "Please enter a valid OTP"
    assert Customer.objects.count() == 1


def test_the_sixth_guess_is_not_evaluated(call, sent_code):
    call("/user-register/", NEW)
    right = sent_code("ravi@example.com")
    wrong = other_code(right)
    for _ in range(5):
        call("/verify-otp/", {"email_id": "ravi@example.com", "otp_code": wrong})
    assert call("/verify-otp/", {"email_id": "ravi@example.com", "otp_code": right}).status_code == 400
    assert not Customer.objects.exists()


def test_login_answers_with_the_customer_and_the_addresses(call, customer, address):
    answer = call("/user-login/", RIGHT | {"deliver_to": 1, "currency": "INR"}).json()
    assert answer["message"] == "Login successful!"
    assert answer["id"] == answer["customer"]["id"] == customer.pk
    assert [profile["id"] for profile in answer["profiles"]] == [address.pk]
    assert answer["profiles"][0]["country"] == "India"
    assert "password" not in str(answer)


@pytest.mark.parametrize("change", [{"password": "wrong"}, {"email_id": "nobody@example.com"}, {"email_id": "x"}])
def test_login_has_one_answer_for_every_cause(call, customer, change):
    answer = call("/user-login/", RIGHT | change)
    assert answer.status_code == 400
    assert (answer.json()["detail"], answer.json()["code"]) == ("Wrong Credentials ....", "wrong_credentials")


@pytest.mark.parametrize("change", [{"deliver_to": 9999}, {"currency": "XXX"}, {"deliver_to": True}, {"email_id": ""}])
def test_login_refuses_bad_input(call, customer, change):
    assert call("/user-login/", RIGHT | change).status_code == 422


def test_logout_ends_the_own_sign_in_and_may_be_repeated(call, signed_in, other_address):
    assert call("/user-logout/", {"user_id": other_address.customer_id}).status_code == 200
    assert "_auth_user_id" not in signed_in.session
    assert call("/user-logout/", {}).status_code == 200


def test_an_address_is_added_updated_and_deleted(call, signed_in, customer):
    first = call("/add-address/", ADDRESS).json()
    assert [(a["full_name"], a["is_default"], a["additional_info"]) for a in first] == [("Asha Rao", True, "")]
    second = call(
        "/add-address/", ADDRESS | {"full_name": "Second", "custom_Address_type": "x", "address_type": "other"}
    )
    assert [(a["full_name"], a["is_default"]) for a in second.json()] == [("Second", True), ("Asha Rao", False)]
    assert second.json()[0]["custom_Address_type"] == "x"
    changed = call(
        "/update-address/",
        {"user_id": customer.pk, "address_id": first[0]["id"], "is_default": True, "city": "Mysuru", "state": ""},
    ).json()
    assert [(a["city"], a["state"], a["is_default"]) for a in changed] == [
        ("Mysuru", "Karnataka", True),
        ("Bengaluru", "Karnataka", False),
    ]
    left = call("/delete-address/", {"user_id": customer.pk, "address_id": first[0]["id"]}).json()
    assert [(a["full_name"], a["is_default"]) for a in left] == [("Second", True)]
    assert call("/delete-address/", {"address_id": first[0]["id"]}).status_code == 404


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"pincode": "12"}, "pincode"),
        ({"phone_number": "1234567890"}, "phone_number"),
        ({"city": "  "}, "city"),
        ({"country": "USA"}, "country"),
        ({"deliver_to": 9999}, "deliver_to"),
        ({"full_name": "x" * 101}, "full_name"),
        ({"address_type": "Castle"}, "address_type"),
        ({"id": 7}, "id"),
    ],
)
def test_a_wrong_address_names_the_field(call, signed_in, change, field):
    answer = call("/add-address/", ADDRESS | change)
    assert answer.status_code == 422
    assert list(answer.json()["fields"]) == [field]
    assert not Address.objects.exists()


def test_an_address_is_kept_in_the_country_that_is_named(call, signed_in):
    us = ADDRESS | {"phone_code": "+1", "phone_number": "2125550123", "alt_phone_code": "+1"}
    us |= {"alt_phone_number": "2125550124", "city": "New York", "state": "NY", "pincode": "10001", "deliver_to": 22}
    answer = call("/add-address/", us | {"country": "US"})
    assert answer.status_code == 200
    assert answer.json()[0]["state"] == "New York"
    assert Address.objects.get().country_id == 22


def test_another_customers_address_is_not_found(call, signed_in, customer, other_address):
    before = Address.objects.values().get()
    for path, body in (
        ("/update-address/", {"address_id": other_address.pk, "city": "Mine"}),
        ("/update-address/", {"address_id": other_address.pk, "is_default": True}),
        ("/delete-address/", {"address_id": other_address.pk}),
        ("/add-address/", ADDRESS | {"user_id": other_address.customer_id}),
        ("/add-address/", ADDRESS | {"customer": other_address.customer_id}),
    ):
        answer = call(path, body)
        assert answer.status_code == 404
        assert answer.json() == {
            "detail": "Not found.",
            "code": "not_found",
            "request_id": answer.json()["request_id"],
            "fields": {},
        }
    assert Address.objects.values().get() == before


@pytest.mark.parametrize(("path", "body"), CALLS[4:])
def test_address_calls_ask_strangers_to_sign_in(call, path, body):
    answer = call(path, body)
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")


@pytest.mark.parametrize(("path", "body"), CALLS)
def test_every_call_takes_json_from_the_own_site_only(signed_in, customer, path, body, client):
    assert signed_in.get(path).status_code == 405
    assert signed_in.post(path, "x=1", content_type="text/plain").status_code == 415
    assert signed_in.post(path, "{", content_type="application/json").status_code == 400
    assert signed_in.post(path, [], content_type="application/json").status_code == 422
    strict = type(client)(enforce_csrf_checks=True)
    strict.cookies["session"] = signed_in.cookies["session"].value
    for headers in ({}, {"sec-fetch-site": "cross-site"}, {"origin": "https://evil.example"}):
        assert strict.post(path, body, content_type="application/json", headers=headers).status_code == 403
    assert not Code.objects.exists()
    assert not Address.objects.exists()
    assert signed_in.session["_auth_user_id"] == str(customer.pk)
