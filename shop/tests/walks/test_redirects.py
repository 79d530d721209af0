"""Where a person may be sent back to: 41 spellings of other places lead nowhere but home (RELIABILITY.md 30, C25)."""

import re
from urllib.parse import quote, urlsplit

import pytest
from django.test import Client

from shop.http.redirects import safe_path
from shop.messaging.models import Message
from shop.tests.support.codes import code_in

HOSTILE = [
    None, "", "checkout", "https://evil.example/", "http:evil.example", "//evil.example", "///evil.example",
    "////evil.example/x", "/\\evil.example", "\\/evil.example", "\\\\evil.example", "/\\/evil.example",
    "/%2f/evil.example", "/%2Fevil.example", "/%5cevil.example", "/%5C%5Cevil.example", "/%252fevil.example",
    "/%25252fevil.example", "/\tevil.example", "/\t/evil.example", "/\n/evil.example", "/\r\nLocation: //evil.example",
    "/%0a/evil.example", "/%0d%0aSet-Cookie:x=y", "/%09/evil.example", "/%00", "\x00/", " //evil.example",
    "javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "/x//evil.example", "/en-in//evil.example",
    "/en-in/%2f%2fevil.example", "/.//evil.example", "/\u2028/evil.example", "/\x85/evil.example", "@evil.example",
    "/cart/?x=1\r\nX: y", "?next=//evil.example", "#//evil.example", "mailto:a@evil.example", "/" + "a" * 2000,
]  # fmt: skip


@pytest.mark.parametrize("wanted", HOSTILE)
def test_anything_but_a_path_of_this_site_leads_home(wanted):
    assert safe_path(wanted) == "/"


@pytest.mark.parametrize(
    "wanted",
    [
        "/",
        "/checkout/",
        "/en-in/checkout/",
        "/search/a%20b/?sort=new&page=2",
        "/cart/?next=//x",
        "/a/#top",
        "/%E0%A4%86/",
    ],
)
def test_a_path_of_this_site_is_kept(wanted):
    assert safe_path(wanted) == wanted


# --- On every way that leads back -------------------------------------------------------

PASSWORD = "correct horse battery"
HOME = "/en-in/"


@pytest.fixture
def visitor(db):
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.cookies["deliver_to"] = "IN"
    return client


def sign_in(visitor, email="asha@example.com"):
    return visitor.post("/signin/", {"email": email, "password": PASSWORD})["Location"]


def test_next_at_sign_in_stays_on_the_site(visitor, customer):
    for wanted in HOSTILE:
        visitor.get("/signin/", {"next": wanted or ""})
        assert sign_in(visitor) == HOME, wanted
        visitor.get("/signin/", {"next": wanted or ""})  # who is signed in is sent on at once
        assert visitor.get("/signin/", {"next": wanted or ""})["Location"] == HOME, wanted
        visitor.post("/logout/")


def test_a_kept_path_stays_on_the_site(visitor, customer):
    for wanted in HOSTILE:
        _plant(visitor, wanted)
        assert sign_in(visitor) == HOME, wanted
        visitor.post("/logout/")


@pytest.mark.parametrize("wanted", HOSTILE)
def test_a_kept_path_stays_on_the_site_after_a_sign_up(visitor, wanted):
    _plant(visitor, wanted)
    passwords = {"password": PASSWORD, "password_again": PASSWORD}
    visitor.post("/signup/", {"name": "Ravi Iyer", "email": "ravi@example.com"} | passwords)
    digits = code_in(Message.objects.get().text)
    assert visitor.post("/otp/", {"otp_code": digits})["Location"] == HOME


def test_logout_leads_home_whatever_it_is_told(visitor, customer):
    for wanted in HOSTILE:
        visitor.force_login(customer)
        answer = visitor.post(f"/logout/?next={quote(wanted or '', errors='ignore')}", {"next": wanted or ""})
        assert answer["Location"] == HOME, wanted


@pytest.mark.parametrize(("picker", "field"), [("deliver-to", "country"), ("currency", "currency")])
@pytest.mark.parametrize("choice", ["US", "USD", "nowhere"])
def test_a_picker_stays_on_the_site(visitor, picker, field, choice):
    for wanted in HOSTILE:
        answer = visitor.post(f"/{picker}/", {field: choice, "next": wanted or ""})
        assert _is_of_this_site(answer["Location"]), wanted


def test_an_address_of_many_spellings_stays_on_the_site(visitor):
    """Redirects to the canonical spelling, with a country's prefix and without."""
    for wanted in filter(None, HOSTILE):
        for prefix in ("", "/en-in", "/EN-in"):
            path = prefix + "/" + quote(wanted, safe="/\\:@?#%")
            answer = visitor.generic("GET", path)
            assert _is_of_this_site(answer.headers.get("Location", "/")), path


def _plant(visitor, wanted):
    session = visitor.session
    session["LastPath"] = wanted
    session.save()
    visitor.cookies["session"] = session.session_key


def _is_of_this_site(location):
    """As browsers read it: a backslash is a slash, blanks around and breaks within are nothing."""
    read = re.sub(r"[\t\r\n]", "", location.strip()).replace("\\", "/")
    parts = urlsplit(read)
    return not parts.scheme and not parts.netloc and read.startswith("/") and not read.startswith("//")
