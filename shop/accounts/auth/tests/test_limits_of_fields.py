"""What the account calls take: as much as is said of each field, and not one more (C35)."""

import pytest

from shop.tests.support.codes import SOME_CODE

from ...conftest import PASSWORD

pytestmark = pytest.mark.django_db
WHO = {"email_id": "asha@example.com"}
REGISTER = {"user_name": "Asha Rao", "password": PASSWORD} | WHO
LOGIN = {"password": PASSWORD} | WHO
VERIFY = {"otp_code": SOME_CODE} | WHO
RESET = {"new_password": PASSWORD} | VERIFY
CHANGE = {"current_password": PASSWORD, "new_password": "honey and amla"} | WHO
MAX_EMAIL_LENGTH = f"{'a' * 64}@{'b' * 60}.{'c' * 60}.{'d' * 59}.example"  # 254 characters
MAX_PASSWORD_LENGTH = "honey and amla " * 8 + "in a jar"  # 128

# call, its body, the field, the longest that it takes
LENGTHS = [
    ("/user-register/", REGISTER, "user_name", "n" * 100),
    ("/user-register/", REGISTER, "email_id", MAX_EMAIL_LENGTH),
    ("/user-register/", REGISTER, "password", MAX_PASSWORD_LENGTH),
    ("/user-login/", LOGIN, "email_id", MAX_EMAIL_LENGTH),
    ("/user-login/", LOGIN, "password", "p" * 4096),
    ("/verify-otp/", VERIFY, "email_id", MAX_EMAIL_LENGTH),
    ("/verify-otp/", VERIFY, "otp_code", SOME_CODE),
    ("/verify-otp/", VERIFY, "signup_key", "k" * 100),
    ("/forgot-password/", WHO, "email_id", MAX_EMAIL_LENGTH),
    ("/verify-forgot-password/", RESET, "email_id", MAX_EMAIL_LENGTH),
    ("/verify-forgot-password/", RESET, "otp_code", SOME_CODE),
    ("/verify-forgot-password/", RESET, "new_password", MAX_PASSWORD_LENGTH),
    ("/change-password/", CHANGE, "current_password", "p" * 4096),
    ("/change-password/", CHANGE, "new_password", MAX_PASSWORD_LENGTH),
]


@pytest.fixture
def call(signed_in):
    return lambda path, body: signed_in.post(path, body, content_type="application/json")


@pytest.mark.parametrize(("path", "body", "field", "longest"), LENGTHS)
def test_the_longest_is_taken_and_one_more_is_refused_at_its_field(call, path, body, field, longest):
    one_more = longest + longest[-1]
    refused = call(path, body | {field: one_more})
    assert (refused.status_code, list(refused.json()["fields"])) == (422, [field])
    assert call(path, body | {field: longest}).status_code in (200, 400)


def test_the_longest_are_as_long_as_is_said():
    assert (len(MAX_EMAIL_LENGTH), len(MAX_PASSWORD_LENGTH)) == (254, 128)


@pytest.mark.parametrize("path", sorted({path for path, *_ in LENGTHS}))
@pytest.mark.parametrize("nested", ["[" * 100_000 + "]" * 100_000, '{"a":' * 40_000 + "1" + "}" * 40_000])
def test_what_is_nested_deeply_is_no_json_of_the_shop(signed_in, path, nested):
    assert signed_in.post(path, nested, content_type="application/json").status_code in (400, 422)


@pytest.mark.parametrize("path", sorted({path for path, *_ in LENGTHS}))
def test_a_body_of_more_than_256_kib_is_too_large(signed_in, path):
    for size, statuses in ((256 * 1024, (400, 422)), (256 * 1024 + 1, (413,))):
        body = '{"x": "' + "y" * (size - 9) + '"}'
        assert len(body) == size
        assert signed_in.post(path, body, content_type="application/json").status_code in statuses
