from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from ...auth.tokens import issue_token
from ...conftest import PASSWORD
from ...models import ApiToken, Customer, KnownBrowser
from ..sign_ins import delete_ended, sign_ins_of
from ..store import SessionStore, stored_key
from ..user_agents import browser_name

pytestmark = pytest.mark.django_db
PHONE = "Mozilla/5.0 (Linux; Android 14; SM-A155F) AppleWebKit/537.36 Chrome/142.0 Mobile Safari/537.36"
DESK = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0"
END_OTHERS = "/en-in/profile/sign-ins/end-others/"


@pytest.fixture
def stranger():
    return Customer.objects.create_user("eve@example.com", PASSWORD)


@pytest.fixture
def browser(customer):
    """browser(): another one in which Asha is signed in, over the page."""

    def open_browser(agent=PHONE, email="asha@example.com"):
        client = Client(headers={"sec-fetch-site": "same-origin", "user-agent": agent})
        client.cookies["deliver_to"] = "IN"
        client.post("/signin/", {"email": email, "password": PASSWORD})
        return client

    return open_browser


def is_signed_in(client):
    return client.get("/en-in/profile/").status_code == 200


def row_of(client):
    return UserSession.objects.get(session_key=stored_key(client.session.session_key))


def open_session(customer, lasts=timedelta(days=1)):
    session = SessionStore()
    session.save()
    Session.objects.filter(pk=stored_key(session.session_key)).update(expire_date=timezone.now() + lasts)
    return UserSession.objects.create(user=customer, session_key=stored_key(session.session_key), ip="203.0.113.9")


def test_the_profile_lists_where_its_customer_is_signed_in(browser, customer):
    browser(DESK)
    phone = browser(PHONE)
    page = phone.get("/en-in/profile/")
    listed = page.context["sign_ins"]
    assert [(sign_in.browser, sign_in.is_here) for sign_in in listed] == [
        ("Chrome on Android", True),
        ("Firefox on Windows", False),
    ]
    assert {sign_in.address for sign_in in listed} == {"127.0.0.1"}
    assert phone.session.session_key not in page.content.decode()


def test_nobody_elses_sign_ins_are_listed_nor_those_that_ended(browser, customer, stranger):
    browser(email="eve@example.com")
    own = browser()
    open_session(customer, lasts=-timedelta(seconds=1))
    gone = open_session(customer)
    Session.objects.filter(session_key=gone.session_key).delete()
    assert [sign_in.pk for sign_in in sign_ins_of(customer, here=None)] == [row_of(own).pk]


def test_signing_in_again_as_somebody_else_is_noted_too(browser, customer, stranger):
    client = browser()
    client.post("/user-login/", {"email_id": "eve@example.com", "password": PASSWORD}, content_type="application/json")
    assert row_of(client).user == stranger
    assert sign_ins_of(customer, here=None) == []


def test_one_other_sign_in_is_ended(browser):
    here, there, third = browser(), browser(), browser()
    answer = here.post(f"/en-in/profile/sign-ins/{row_of(there).pk}/end/")
    assert answer["Location"] == "/en-in/profile/#sign-ins"
    assert not is_signed_in(there)
    assert is_signed_in(here) and is_signed_in(third)


def test_all_others_are_ended_with_the_tokens_and_known_browsers_stay_known(browser, customer, stranger):
    KnownBrowser.objects.create(customer=customer, secret_hash="x")
    here, there, theirs = browser(), browser(), browser(email="eve@example.com")
    issue_token(customer, name="A till"), issue_token(stranger, name="Hers")
    for _ in range(2):
        here.post(END_OTHERS)
    assert is_signed_in(here) and is_signed_in(theirs)
    assert not is_signed_in(there)
    assert [token.name for token in ApiToken.objects.all()] == ["Hers"]
    assert KnownBrowser.objects.filter(secret_hash="x").exists()


def test_a_session_that_was_ended_does_not_come_back_with_its_next_save(browser):
    here, there = browser(), browser()
    kept = there.session
    assert kept.get("_auth_user_id")  # read while it was there
    here.post(END_OTHERS)
    kept["address_draft"] = {"city": "Delhi"}
    with pytest.raises(UpdateError):
        kept.save()
    assert not is_signed_in(there)


def test_the_button_for_all_others_shows_where_there_are_others(browser, customer):
    here = browser()
    assert "Sign out everywhere else" not in here.get("/en-in/profile/").content.decode()
    issue_token(customer, name="<b>A till</b>")
    page = here.get("/en-in/profile/").content.decode()
    assert "Sign out everywhere else" in page
    assert "&lt;b&gt;A till&lt;/b&gt;" in page


def test_a_token_is_revoked_in_the_profile(browser, customer):
    _, token = issue_token(customer, name="A till")
    here = browser()
    assert here.post(f"/en-in/profile/tokens/{token.pk}/revoke/").status_code == 302
    assert not ApiToken.objects.exists()


def test_somebody_elses_sign_in_and_token_are_not_found(browser, stranger):
    theirs = browser(email="eve@example.com")
    _, token = issue_token(stranger, name="Hers")
    here = browser()
    for path in (
        f"/en-in/profile/sign-ins/{row_of(theirs).pk}/end/",
        f"/en-in/profile/tokens/{token.pk}/revoke/",
        "/en-in/profile/sign-ins/999999/end/",
        f"/en-in/profile/sign-ins/{10**30}/end/",
    ):
        assert here.post(path).status_code == 404
    assert is_signed_in(theirs)
    assert ApiToken.objects.get() == token


def test_a_visitor_ends_nothing(browser, visitor):
    there = browser()
    answer = visitor.post(f"/en-in/profile/sign-ins/{row_of(there).pk}/end/")
    assert (answer.status_code, "/signin/" in answer["Location"]) == (302, True)
    assert is_signed_in(there)


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (PHONE, "Chrome on Android"),
        (DESK, "Firefox on Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1", "Safari on iPhone"),
        ("(Linux; Android 13) SamsungBrowser/28.0 Chrome/130.0 Safari/537.36", "Samsung Internet on Android"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/142.0 Safari/537.36 Edg/142.0", "Edge on Windows"),
        ("", "Unknown browser"),
        ("<script>", "Unknown browser"),
    ],
)  # fmt: skip
def test_browsers_are_told_in_words(agent, words):
    assert browser_name(agent) == words


def test_sessions_that_expired_are_deleted_with_what_was_kept_of_them(customer):
    still_open = open_session(customer)
    open_session(customer, lasts=-timedelta(seconds=1))
    signed_out = open_session(customer)
    Session.objects.filter(session_key=signed_out.session_key).delete()
    assert delete_ended() == 3
    assert UserSession.objects.get() == still_open
    assert Session.objects.get().session_key == still_open.session_key


def test_the_session_of_a_visitor_stays_until_it_expires(db):
    session = SessionStore()
    session.save()
    assert delete_ended() == 0
    assert session.exists(session.session_key)
