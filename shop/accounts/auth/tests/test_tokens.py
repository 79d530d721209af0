from datetime import timedelta

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from shop.cart.models import Cart
from shop.errors import NotFound

from ...conftest import PASSWORD
from ...models import Address, ApiToken, Customer
from ..tokens import MAX_TOKENS, TOKEN_DAYS, delete_expired_tokens, issue_token, revoke_token, token_of, tokens_of

pytestmark = pytest.mark.django_db
RIGHT = {"email_id": "asha@example.com", "password": PASSWORD}
SESSION = settings.SESSION_COOKIE_NAME


def post(client, path, body=None, key=None, **headers):
    headers |= {"authorization": f"Bearer {key}"} if key else {}
    return client.post(path, body or {}, content_type="application/json", headers=headers)


@pytest.fixture
def stranger():
    return Customer.objects.create_user("eve@example.com", PASSWORD)


@pytest.fixture
def key(customer):
    return issue_token(customer, name="A till")[0]


@pytest.fixture
def program():
    """A client that is no browser: it proves no origin."""
    return Client(enforce_csrf_checks=True)


def sign_in(client, **body):
    return post(client, "/user-login/", RIGHT | body, origin="http://testserver", user_agent="Till/2.0")


def test_a_token_is_told_to_who_asks_for_one_and_no_cookie_is_set(program, customer):
    answer = sign_in(program, token=True)
    assert answer.status_code == 200
    assert not answer.cookies
    token = ApiToken.objects.get()
    assert token.name == "Till/2.0"
    assert answer.json()["token"] not in str(ApiToken.objects.values())
    lasts = token.expires_at - timezone.now()
    assert timedelta(days=TOKEN_DAYS) - timedelta(minutes=5) < lasts <= timedelta(days=TOKEN_DAYS)
    assert answer.json()["token_expires_at"][:16] == token.expires_at.isoformat()[:16]
    customer.refresh_from_db()
    assert customer.last_login
    assert post(program, "/user-orders/", key=answer.json()["token"]).json() == []


def test_who_does_not_ask_gets_a_session_and_no_token(program, customer):
    answer = sign_in(program)
    assert (answer.json()["token"], answer.json()["token_expires_at"]) == (None, None)
    assert SESSION in answer.cookies
    assert not ApiToken.objects.exists()


@pytest.mark.parametrize("wanted", ["yes", 1, None])
def test_a_token_is_asked_for_by_true_alone(program, customer, wanted):
    assert list(sign_in(program, token=wanted).json()["fields"]) == ["token"]
    assert not ApiToken.objects.exists()


def test_the_code_of_a_sign_up_is_worth_a_token_too(program, sent_code):
    new = {"user_name": "Ravi Iyer", "email_id": "ravi@example.com", "password": PASSWORD}
    key = post(program, "/user-register/", new, origin="http://testserver").json()["signup_key"]
    program.cookies.clear()
    body = {"email_id": "ravi@example.com", "otp_code": sent_code("ravi@example.com"), "signup_key": key, "token": True}
    answer = post(program, "/verify-otp/", body, origin="http://testserver")
    assert not answer.cookies
    assert post(program, "/user-orders/", key=answer.json()["token"]).status_code == 200
    assert token_of(answer.json()["token"]).customer.email == "ravi@example.com"


def test_wrong_credentials_are_worth_nothing(program, customer):
    assert sign_in(program, token=True, password="wrong").status_code == 400
    assert not ApiToken.objects.exists()


def test_signing_in_by_token_absorbs_the_guest_cart(program, customer, make_variant):
    variant = make_variant()
    post(program, "/add-to-cart/", {"product": variant.pk}, origin="http://testserver")
    key = sign_in(program, token=True).json()["token"]
    assert Cart.objects.get().customer == customer
    assert post(program, "/get-cart/", key=key).json()["cart_count"] == 1


def test_bearer_token_skips_same_origin_check(program, key, make_variant):
    variant = make_variant()
    assert post(program, "/add-to-cart/", {"product": variant.pk}).status_code == 403
    assert post(program, "/add-to-cart/", {"product": variant.pk}, key).status_code == 200
    assert program.get("/api/me/", headers={"authorization": f"bearer {key}"}).json()["name"] == "ASHA RAO"


def test_beside_a_session_cookie_the_session_counts_and_proves_its_origin(program, key, stranger):
    program.force_login(stranger)
    foreign = post(program, "/user-orders/", key=key)
    assert foreign.status_code == 403
    me = program.get("/api/me/", headers={"authorization": f"Bearer {key}"})
    assert me.json()["id"] == stranger.pk


@pytest.mark.parametrize("path", ["/user-orders/", "/save-orders/", "/get-cart/", "/user-login/", "/search/"])
@pytest.mark.parametrize("wrong", ["x", "", "é".encode().decode("latin-1"), "x" * 5000])
def test_an_unknown_token_is_refused_by_every_call(program, customer, path, wrong):
    answer = program.post(path, RIGHT, content_type="application/json", headers={"authorization": f"Bearer {wrong}"})
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")
    assert answer["WWW-Authenticate"] == "Bearer"


def test_an_altered_token_opens_nothing(program, key):
    altered = ("A" if key[0] != "A" else "B") + key[1:]
    assert post(program, "/user-orders/", key=key).status_code == 200
    for wrong in (altered, key[:-1], key + "A", key.swapcase()):
        assert post(program, "/user-orders/", key=wrong).status_code == 401


@pytest.mark.parametrize(
    "end",
    [
        lambda customer, token: ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1)),
        lambda customer, token: Customer.objects.update(is_active=False),
        lambda customer, token: revoke_token(customer, token.pk),
        lambda customer, token: customer.set_password("another good one") or customer.save(),
    ],
    ids=["expired", "disabled", "revoked", "password changed"],
)
def test_a_token_that_ended_is_refused_at_once(program, customer, end):
    key, token = issue_token(customer, name="A till")
    assert post(program, "/user-orders/", key=key).status_code == 200
    end(customer, token)
    assert post(program, "/user-orders/", key=key).status_code == 401
    assert tokens_of(customer) == []


def test_a_token_issued_while_the_password_changes_opens_nothing(customer):
    before = Customer.objects.get()
    customer.set_password("another good one")
    customer.save()
    key, _ = issue_token(before, name="Late")
    assert token_of(key) is None


def test_signing_out_ends_the_token_and_may_be_repeated(program, key, customer):
    other, _ = issue_token(customer, name="Another")
    for _ in range(2):
        assert post(program, "/user-logout/", key=key).status_code == 200
    assert post(program, "/user-orders/", key=key).status_code == 401
    assert post(program, "/user-orders/", key=other).status_code == 200


def test_a_token_reaches_its_own_customers_things_only(program, key, customer, stranger):
    theirs = Cart.objects.create(customer=stranger)
    address = Address.objects.create(customer=stranger, full_name="Eve", country_id=1, is_default=True)
    for path, body in (
        ("/get-cart/", {"cart_id": str(theirs.public_id)}),
        ("/get-cart/", {"user_id": stranger.pk}),
        ("/user-orders/", {"user_id": stranger.pk}),
        ("/update-address/", {"address_id": address.pk, "city": "Mine"}),
        ("/delete-address/", {"address_id": address.pk}),
    ):
        assert post(program, path, body, key).status_code == 404
    address.refresh_from_db()
    assert address.city == ""


def test_a_token_opens_no_page(program, customer):
    customer.is_staff = customer.is_superuser = True
    customer.save()
    key, _ = issue_token(customer, name="A till")
    program.cookies["deliver_to"] = "IN"
    headers = {"authorization": f"Bearer {key}"}
    for page in ("/api/docs", "/api/openapi.json"):
        assert program.get(page, headers=headers).status_code == 404
    for page in ("/profile/", "/orders/", "/checkout/", "/admin/"):
        answer = program.get(page, headers=headers)
        assert answer.status_code == 302, page
        assert "/signin/" in answer["Location"] or "/login/" in answer["Location"]
    answer = program.post("/address/", {"full_name": "x"}, headers=headers)
    assert answer.status_code == 302
    assert not Address.objects.exists()


def test_a_call_that_shares_its_address_with_a_page_takes_the_token(program, key, make_variant):
    assert post(program, "/search/", {"query": "soap"}, key).status_code == 200
    assert post(program, "/search/", {"query": "soap"}, "x").status_code == 401
    page = program.get("/en-in/search/?query=soap", headers={"authorization": "Bearer x"})
    assert page.status_code in (200, 302)


def test_only_the_newest_tokens_are_kept(customer, stranger):
    theirs, _ = issue_token(stranger, name="Hers")
    keys = [issue_token(customer, name=f"Client {number}")[0] for number in range(MAX_TOKENS + 1)]
    assert token_of(keys[0]) is None
    assert token_of(keys[1]) and token_of(keys[-1]) and token_of(theirs)
    assert tokens_of(customer)[0].name == f"Client {MAX_TOKENS}"


def test_a_client_is_named_by_what_it_says_of_itself(customer):
    assert issue_token(customer, name=" ")[1].name == "Unnamed client"
    assert len(issue_token(customer, name="x" * 500)[1].name) == 80


def test_a_use_is_noted_once_an_hour(program, key, django_assert_num_queries):
    post(program, "/user-orders/", key=key)
    noted = ApiToken.objects.get().last_used_at
    assert noted
    post(program, "/user-orders/", key=key)
    assert ApiToken.objects.get().last_used_at == noted
    ApiToken.objects.update(last_used_at=noted - timedelta(hours=2))
    post(program, "/user-orders/", key=key)
    assert ApiToken.objects.get().last_used_at > noted - timedelta(hours=1)


def test_a_customer_revokes_own_tokens_only(customer, stranger):
    key, token = issue_token(stranger, name="Hers")
    with pytest.raises(NotFound):
        revoke_token(customer, token.pk)
    assert token_of(key)


def test_no_token_writes_a_session(program, key):
    from django.contrib.sessions.models import Session

    answer = post(program, "/user-orders/", key=key)
    assert not answer.cookies
    assert not Session.objects.exists()


def test_expired_tokens_are_deleted(customer):
    now = timezone.now()
    for name, expires_at in (("old", now - timedelta(seconds=1)), ("good", now + timedelta(days=1))):
        ApiToken.objects.create(customer=customer, key_hash=name, name=name, expires_at=expires_at)
    assert delete_expired_tokens() == 1
    assert ApiToken.objects.get().name == "good"
