import re
import threading
from contextlib import suppress

import pytest
from django.db import connection

from shop.errors import TooMany
from shop.limits.models import Counter

from ...conftest import PASSWORD
from ...models import Customer
from ...sessions.store import SessionStore
from .. import services
from ..services import WrongCredentials, check_sign_in

pytestmark = pytest.mark.django_db
RIGHT = {"email": "asha@example.com", "password": PASSWORD}


def test_a_customer_signs_in_by_email_in_any_spelling(visitor, customer):
    answer = visitor.post("/signin/", RIGHT | {"email": " ASHA@Example.com"})
    assert (answer.status_code, answer["Location"]) == (302, "/en-in/")
    assert visitor.session["_auth_user_id"] == str(customer.pk)


def test_a_customer_signs_in_by_mobile(visitor):
    customer = Customer.objects.create_user(phone="+919876543210", password=PASSWORD)
    visitor.post("/signin/", {"by": "mobile", "mobile": "98765 43210", "password": PASSWORD})
    assert visitor.session["_auth_user_id"] == str(customer.pk)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"password": "x"}, "Email is required"),
        ({"by": "mobile", "password": "x"}, "Mobile number is required"),
        ({"email": "asha@example.com"}, "Password is required"),
    ],
)
def test_what_is_missing_is_said(visitor, customer, fields, message):
    answer = visitor.post("/signin/", fields)
    assert answer.status_code == 422
    assert message in answer.content.decode()


def refused_page(visitor, fields):
    answer = visitor.post("/signin/", fields)
    page = answer.content.decode()
    for typed in fields.values():
        page = page.replace(typed, "…")
    return answer.status_code, re.sub(r'value="\w{64}"|value="\S+" data-puzzle="\S+"', "", page)


def test_every_cause_has_one_answer(visitor, customer):
    off = Customer.objects.create_user("off@example.com", PASSWORD, is_active=False)
    answers = [
        refused_page(visitor, fields)
        for fields in (
            RIGHT | {"password": "wrong one"},
            RIGHT | {"email": "nobody@example.com"},
            RIGHT | {"email": off.email},
            RIGHT | {"email": "no address"},
        )
    ]
    assert answers[0][0] == 400
    assert "Wrong Credentials ...." in answers[0][1]
    assert answers[1:] == answers[:1] * 3
    assert "_auth_user_id" not in visitor.session


def test_the_session_key_changes_at_sign_in_and_the_old_one_is_dead(visitor, customer):
    visitor.get("/signin/?next=/checkout/")
    before = visitor.session.session_key
    visitor.post("/signin/", RIGHT)
    assert visitor.session.session_key != before
    assert not SessionStore().exists(before)


def test_a_planted_session_key_never_becomes_signed_in(visitor, customer):
    visitor.cookies["session"] = "a" * 32
    visitor.post("/signin/", RIGHT)
    assert visitor.cookies["session"].value != "a" * 32
    assert not SessionStore().exists("a" * 32)


def test_a_guarded_page_asks_for_sign_in_and_is_returned_to(visitor, customer):
    asked = visitor.get("/en-in/address/")
    assert asked["Location"] == "/en-in/signin/?next=/en-in/address/"
    visitor.get(asked["Location"])
    assert visitor.post("/en-in/signin/", RIGHT)["Location"] == "/en-in/address/"


@pytest.mark.parametrize("wanted", ["//evil.example", "/\\evil.example", "https://evil.example", "/%2f/evil.example"])
def test_no_other_site_is_returned_to(visitor, customer, wanted):
    visitor.get("/signin/", {"next": wanted})
    assert visitor.post("/signin/", RIGHT)["Location"] == "/en-in/"


def test_a_kept_path_that_was_tampered_with_leads_home(visitor, customer):
    session = visitor.session
    session["LastPath"] = "//evil.example"
    session.save()
    visitor.cookies["session"] = session.session_key
    assert visitor.post("/signin/", RIGHT)["Location"] == "/en-in/"


def test_the_path_is_returned_to_once(visitor, customer):
    visitor.get("/signin/?next=/checkout/")
    visitor.post("/signin/", RIGHT)
    assert "LastPath" not in visitor.session


def test_the_path_survives_a_sign_up(visitor, sign_up_fields, sent_code):
    visitor.get("/signin/?next=/checkout/")
    visitor.post("/signup/", sign_up_fields)
    assert visitor.post("/otp/", {"otp_code": sent_code("ravi@example.com")})["Location"] == "/checkout/"


def test_whoever_is_signed_in_is_sent_on(signed_in):
    assert signed_in.get("/signin/?next=/address/")["Location"] == "/address/"


def test_five_wrong_passwords_close_an_account_for_a_while(visitor, customer):
    for _ in range(5):
        assert visitor.post("/signin/", RIGHT | {"password": "wrong one"}).status_code == 400
    answer = visitor.post("/signin/", RIGHT)
    assert answer.status_code == 429
    assert 290 < int(answer["Retry-After"]) <= 301
    assert "_auth_user_id" not in visitor.session


def test_an_unknown_account_is_closed_as_well(visitor):
    codes = [visitor.post("/signin/", RIGHT).status_code for _ in range(6)]
    assert codes == [400] * 5 + [429]


def test_the_right_password_starts_the_count_anew(visitor, customer):
    for _ in range(3):
        for _ in range(3):
            visitor.post("/signin/", RIGHT | {"password": "wrong one"})
        assert visitor.post("/signin/", RIGHT).status_code == 302
        Counter.objects.filter(key__startswith="sign_in_client").delete()


def test_both_addresses_of_a_customer_share_one_count_that_tells_nobody(visitor, customer, monkeypatch):
    """Five passwords of an account are looked at in five minutes; of its two addresses each is closed like the
    address of somebody else."""
    Customer.objects.filter(pk=customer.pk).update(phone="+919876543210")
    looked_at = []
    real = Customer.check_password
    monkeypatch.setattr(Customer, "check_password", lambda own, tried: looked_at.append(tried) or real(own, tried))

    def tries(**address):
        fields = address | {"password": "wrong one"}
        answers = [refused_page(visitor, fields | {"password": f"wrong one {n}"}) for n in range(6)]
        Counter.objects.filter(key__startswith="sign_in_client").delete()
        return answers

    by_email = tries(email="asha@example.com")
    by_mobile = tries(by="mobile", mobile="98765 43210")
    strangers = tries(by="mobile", mobile="98123 45678")
    assert [status for status, _ in by_email] == [400] * 5 + [429]
    assert by_mobile == strangers
    assert len(looked_at) == 5
    assert visitor.post("/signin/", RIGHT | {"by": "mobile", "mobile": "98765 43210"}).status_code == 429


def test_right_passwords_are_not_held_against_a_client_that_many_share(browser_client):
    people = [Customer.objects.create_user(f"person{number}@example.com", PASSWORD) for number in range(12)]
    answers = [
        type(browser_client)(headers={"sec-fetch-site": "same-origin"}).post("/signin/", RIGHT | {"email": one.email})
        for one in people
    ]
    assert {answer.status_code for answer in answers} == {302}


def test_right_passwords_take_no_wrong_one_back(visitor, customer):
    def attempt(number):
        fields = {"email": f"person{number}@example.com", "password": "wrong one"}
        return visitor.post("/signin/", fields).status_code

    for number in range(9):
        attempt(number)
        visitor.post("/signin/", RIGHT)
    assert [attempt(9), attempt(10)] == [400, 429]


def test_ten_tries_a_minute_from_one_client_whatever_it_claims(visitor):
    def attempt(number):
        fields = {"email": f"person{number}@example.com", "password": "wrong one"}
        return visitor.post("/signin/", fields, headers={"x-forwarded-for": f"198.51.100.{number}"}).status_code

    assert [attempt(number) for number in range(11)] == [400] * 10 + [429]


def test_the_admins_form_cannot_go_around_the_limits(customer):
    from django.contrib.auth import authenticate

    assert authenticate(username="asha@example.com", password=PASSWORD) is None


def test_logout_ends_the_sign_in_on_the_server(signed_in):
    key = signed_in.session.session_key
    answer = signed_in.post("/logout/")
    assert (answer.status_code, answer["Location"]) == (302, "/en-in/")
    assert not SessionStore().exists(key)
    signed_in.cookies["session"] = key
    assert signed_in.get("/profile/").status_code == 302
    assert signed_in.post("/logout/").status_code == 302


def test_logout_by_link_changes_nothing(signed_in):
    assert signed_in.get("/logout/").status_code == 405
    assert "_auth_user_id" in signed_in.session


def test_signing_in_as_another_leaves_nothing_of_the_first(signed_in):
    session = signed_in.session
    session["secret"] = "Asha's"
    session.save()
    Customer.objects.create_user("ravi@example.com", PASSWORD)
    signed_in.post("/signin/", RIGHT | {"email": "ravi@example.com"})
    assert "secret" not in signed_in.session


def test_a_foreign_site_cannot_sign_anybody_in(client, customer):
    answer = client.post("/signin/", RIGHT, headers={"sec-fetch-site": "cross-site"})
    assert answer.status_code == 403
    assert "_auth_user_id" not in client.session


def test_login_is_another_name_of_the_page(visitor):
    answer = visitor.get("/login/")
    assert (answer.status_code, answer["Location"]) == (301, "/signin/")


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_of_twenty_parallel_tries_five_are_compared(customer, monkeypatch):
    compared, barrier = [], threading.Barrier(20)
    monkeypatch.setattr(services, "authenticate", lambda **tried: compared.append(1))

    def work(number):
        barrier.wait()
        with suppress(WrongCredentials, TooMany):
            check_sign_in(
                email="asha@example.com", password="x", country_code="IN", client_address=f"203.0.113.{number}"
            )
        connection.close()

    workers = [threading.Thread(target=work, args=(number,)) for number in range(20)]
    [worker.start() for worker in workers]
    [worker.join() for worker in workers]
    assert len(compared) == 5
