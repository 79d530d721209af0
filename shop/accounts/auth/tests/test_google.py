"""Sign-in with Google, against an OAuth server on loopback."""

import json
import threading
import time
from html import unescape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, parse_qsl, urlsplit

import jwt
import pytest
from allauth.socialaccount.models import SocialAccount
from django.test import Client

from shop.messaging.models import Message
from shop.tests.support.codes import code_in

from ...conftest import PASSWORD
from ...models import Consent, Customer
from ...passwords.services import finish_reset, start_reset
from ...profile.services import finish_address_change, start_address_change
from ..google import GoogleAdapter

pytestmark = pytest.mark.django_db
CLIENT = "shop.apps.googleusercontent.example"
SECRET = "the secret of the shop at Google, long enough"
RAVI = {
    "sub": "1055",
    "email": "Ravi@Example.com",
    "email_verified": True,
    "name": "Ravi  Iyer",
    "picture": "https://x",
}


class Google(ThreadingHTTPServer):
    """What the shop asked Google's token endpoint on loopback; `claims` is who comes back."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.claims, self.status, self.asked = dict(RAVI), 200, []

    def answer(self):
        own = {"iss": "https://accounts.google.com", "aud": CLIENT, "exp": int(time.time()) + 300}
        return {"access_token": "t", "expires_in": 300, "id_token": jwt.encode(own | self.claims, SECRET)}


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.server.asked.append((self.path, dict(parse_qsl(body))))
        self.send_response(self.server.status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(self.server.answer()).encode())

    def log_message(self, *words):
        pass


@pytest.fixture
def google(settings, monkeypatch):
    settings.GOOGLE_CLIENT_ID, settings.GOOGLE_CLIENT_SECRET = CLIENT, SECRET
    apps = [{"client_id": CLIENT, "secret": SECRET}]
    providers = settings.SOCIALACCOUNT_PROVIDERS
    settings.SOCIALACCOUNT_PROVIDERS = {"google": providers["google"] | {"APPS": apps}}
    server = Google()
    monkeypatch.setattr(GoogleAdapter, "access_token_url", f"http://127.0.0.1:{server.server_port}/token")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def leave(client, path="/google/login/"):
    """What the shop asks Google's page for."""
    answer = client.post(path)
    assert answer.status_code == 302
    page = urlsplit(answer["Location"])
    assert f"{page.scheme}://{page.netloc}{page.path}" == "https://accounts.google.com/o/oauth2/v2/auth"
    return {name: values[0] for name, values in parse_qs(page.query).items()}


def come_back(client, asked=None, **fields):
    asked = asked or leave(client)
    return client.get("/google/login/callback/", {"state": asked["state"], "code": "4/c"} | fields)


def is_signed_in(client):
    return "_auth_user_id" in client.session


def said_on_sign_in(client, answer):
    assert (answer.status_code, answer["Location"]) == (302, "/en-in/signin/")
    assert not is_signed_in(client)
    return unescape(client.get(answer["Location"]).content.decode())


def test_somebody_new_comes_in_and_has_an_account(visitor, google):
    answer = come_back(visitor)
    assert (answer.status_code, answer["Location"]) == (302, "/en-in/")
    customer = Customer.objects.get()
    assert (customer.email, customer.name, customer.has_usable_password()) == ("ravi@example.com", "Ravi Iyer", False)
    assert visitor.session["_auth_user_id"] == str(customer.pk)
    account = SocialAccount.objects.get()
    assert (account.user, account.uid, account.extra_data) == (customer, "1055", {})
    assert Consent.objects.get().kind == Consent.Kind.PRIVACY


def test_the_second_time_it_is_the_same_account(visitor, google):
    come_back(visitor)
    visitor.post("/logout/")
    google.claims |= {"email": "other@example.com", "email_verified": False}  # the address at Google changed
    come_back(visitor)
    assert visitor.session["_auth_user_id"] == str(Customer.objects.get().pk)
    assert SocialAccount.objects.get().extra_data == {}


def test_who_has_the_verified_email_keeps_account_and_password(visitor, google, customer):
    google.claims |= {"email": "Asha@Example.com"}
    come_back(visitor)
    assert visitor.session["_auth_user_id"] == str(customer.pk)
    customer.refresh_from_db()
    assert customer.check_password(PASSWORD)
    assert customer.name == "Asha Rao"


def reset_password(customer):
    start_reset(address=customer.email, client_address="203.0.113.9")
    digits = code_in(Message.objects.filter(to=customer.email).latest("id").text)
    finish_reset(address=customer.email, digits=digits, password="amla and honey 7")


def change_email(customer):
    start_address_change(customer, address="new@example.org", client_address="203.0.113.9")
    digits = code_in(Message.objects.filter(to="new@example.org").latest("id").text)
    finish_address_change(customer, address="new@example.org", digits=digits)


@pytest.mark.parametrize("step", [reset_password, change_email])
def test_a_link_made_before_ends_with_the_password_or_the_email(visitor, google, customer, step):
    google.claims |= {"email": customer.email}
    come_back(visitor)
    step(Customer.objects.get())
    assert not SocialAccount.objects.exists()
    google.claims |= {"email": "other@example.com"}  # the address at Google is another by now
    stranger = Client(headers={"sec-fetch-site": "same-origin"})
    come_back(stranger)
    assert stranger.session["_auth_user_id"] != str(customer.pk)


def test_the_owner_links_again_by_the_verified_email(visitor, google, customer):
    google.claims |= {"email": customer.email}
    come_back(visitor)
    reset_password(customer)
    come_back(visitor)
    assert SocialAccount.objects.get().user == customer


@pytest.mark.parametrize("claims", [{"email_verified": False}, {"email": ""}, {"email": "no address"}])
def test_an_unverified_email_opens_nothing(visitor, google, customer, claims):
    google.claims |= {"email": "asha@example.com"} | claims
    assert "Google hasn't verified your email." in said_on_sign_in(visitor, come_back(visitor))
    assert not SocialAccount.objects.exists()
    assert Customer.objects.count() == 1


def test_a_disabled_account_stays_closed(visitor, google):
    come_back(visitor)
    visitor.post("/logout/")
    Customer.objects.update(is_active=False)
    assert "Google sign-in didn't work." in said_on_sign_in(visitor, come_back(visitor))


def test_the_path_before_is_returned_to(visitor, google):
    visitor.get("/signin/?next=/en-in/orders/")
    assert come_back(visitor)["Location"] == "/en-in/orders/"


@pytest.mark.parametrize("wanted", ["//evil.example/", "https://evil.example/", "/\\evil.example"])
def test_google_sends_nobody_to_another_site(visitor, google, wanted):
    visitor.get("/signin/", {"next": wanted})
    asked = leave(visitor, f"/google/login/?next={wanted}")
    assert come_back(visitor, asked)["Location"] == "/en-in/"


def test_a_new_session_begins(visitor, google):
    visitor.get("/signin/?next=/en-in/orders/")
    before = visitor.session.session_key
    come_back(visitor)
    assert visitor.session.session_key != before


def test_the_way_back_has_no_markets_prefix_and_the_way_there_a_proof_key(visitor, google):
    asked = leave(visitor, "/en-in/google/login/?scope=drive&process=connect")
    assert asked["redirect_uri"] == "http://testserver/google/login/callback/"
    assert (asked["client_id"], set(asked["scope"].split())) == (CLIENT, {"profile", "email"})
    assert asked["code_challenge_method"] == "S256"
    come_back(visitor, asked)
    ((path, body),) = google.asked
    assert path == "/token"
    assert (body["redirect_uri"], body["client_secret"]) == (asked["redirect_uri"], SECRET)
    assert body["code_verifier"]


def test_another_browsers_state_opens_nothing(visitor, google):
    asked = leave(Client(headers={"sec-fetch-site": "same-origin"}))
    assert "Google sign-in didn't work." in said_on_sign_in(visitor, come_back(visitor, asked))
    assert "t work" in said_on_sign_in(visitor, visitor.get("/google/login/callback/?code=x"))
    assert google.asked == []


def test_a_state_is_good_once(visitor, google):
    asked = leave(visitor)
    come_back(visitor, asked)
    visitor.post("/logout/")
    said_on_sign_in(visitor, come_back(visitor, asked))


def test_who_cancels_is_told_so(visitor, google):
    asked = leave(visitor)
    answer = visitor.get("/google/login/callback/", {"state": asked["state"], "error": "access_denied"})
    assert "Google sign-in was cancelled." in said_on_sign_in(visitor, answer)


@pytest.mark.parametrize(
    "claims", [{"aud": "another shop"}, {"iss": "https://evil.example"}, {"exp": 1}, {"sub": ""}, {"sub": 7}]
)
def test_a_token_that_is_not_for_the_shop_opens_nothing(visitor, google, claims):
    google.claims |= claims
    said_on_sign_in(visitor, come_back(visitor))
    assert not Customer.objects.exists()


def test_google_in_trouble_is_said_in_words(visitor, google, monkeypatch):
    google.status = 500
    assert "t work" in said_on_sign_in(visitor, come_back(visitor))
    monkeypatch.setattr(GoogleAdapter, "access_token_url", "http://127.0.0.1:1/token")
    assert "t work" in said_on_sign_in(visitor, come_back(visitor))


def test_the_button_is_on_the_pages_where_keys_are_set_and_may_lead_to_google(visitor, google):
    for path in ("/signin/", "/signup/"):
        answer = visitor.get(path)
        assert "Continue with Google" in answer.content.decode()
        assert "form-action 'self' https://accounts.google.com" in answer["Content-Security-Policy"]
    assert "accounts.google.com" not in visitor.get("/otp/")["Content-Security-Policy"]


def test_without_keys_there_is_no_google(visitor, settings):
    assert settings.GOOGLE_CLIENT_ID == ""
    answer = visitor.get("/signin/")
    assert "Google" not in answer.content.decode()
    assert "accounts.google.com" not in answer["Content-Security-Policy"]
    assert visitor.post("/google/login/").status_code == 404
    assert visitor.get("/google/login/callback/").status_code == 404


def test_the_way_there_is_asked_for_by_the_shops_own_button(google):
    assert Client(enforce_csrf_checks=True).post("/google/login/").status_code == 403
    assert Client(headers={"sec-fetch-site": "same-origin"}).get("/google/login/").status_code == 405
