"""What every request passes: origin proof, size, canonical address, headers."""

import gzip

import pytest
from django.test import Client

from shop.cart.models import CartLine

FOREIGN = {"sec-fetch-site": "cross-site", "origin": "https://elsewhere.example"}


@pytest.fixture
def variant(make_variant):
    return make_variant()


def test_a_form_of_a_cached_page_is_accepted_with_a_same_origin_proof(variant):
    for proof in ({"sec-fetch-site": "same-origin"}, {"origin": "http://testserver"}):
        answer = Client(enforce_csrf_checks=True, headers=proof).post("/cart/add/", {"variant": variant.pk})
        assert answer.status_code == 302
    assert CartLine.objects.count() == 2


def test_a_foreign_form_changes_nothing(variant):
    answer = Client(enforce_csrf_checks=True, headers=FOREIGN).post("/cart/add/", {"variant": variant.pk})
    assert answer.status_code == 403
    assert not CartLine.objects.exists()


def test_a_form_without_any_proof_is_asked_again_with_a_token(variant):
    client = Client(enforce_csrf_checks=True)
    asked = client.post("/cart/add/", {"variant": variant.pk, "quantity": "2"})
    assert asked.status_code == 403
    assert f'name="variant" value="{variant.pk}"' in asked.content.decode()
    assert "no-store" in asked["Cache-Control"]
    assert not CartLine.objects.exists()
    token = asked.context["csrf_token"]
    client.post("/cart/add/", {"variant": variant.pk, "quantity": "2", "csrfmiddlewaretoken": str(token)})
    assert CartLine.objects.get().quantity == 2


@pytest.mark.parametrize("headers", [{}, FOREIGN])
def test_a_call_without_a_proof_of_origin_is_refused(variant, headers):
    client = Client(enforce_csrf_checks=True, headers=headers)
    answer = client.post("/add-to-cart/", {"product": variant.pk}, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    assert not CartLine.objects.exists()


@pytest.mark.parametrize(
    ("content_type", "body", "status"),
    [
        ("text/plain", '{"product": 1}', 415),
        ("application/json", "{", 400),
        ("application/json", '{"product": NaN}', 400),
        ("application/json", "[" * 100_000, 400),
        ("application/json", "[]", 422),
        ("application/json", '{"product": 9223372036854775808}', 422),
        ("application/json", '{"product": true}', 422),
        ("application/json", '{"product": 1, "currency": "\\u0000"}', 422),
        ("application/json", '{"product": 1, "currency": "\\ud800"}', 422),
        ("application/json", '{"x": "' + "y" * 300_000 + '"}', 413),
    ],
)
def test_bad_bodies_get_a_reason_as_json(browser_client, db, content_type, body, status):
    answer = browser_client.generic("POST", "/add-to-cart/", body, content_type=content_type)
    assert answer.status_code == status
    assert answer.json()["request_id"] == answer["X-Request-Id"]


def test_another_method_is_refused_as_json(browser_client, db):
    answer = browser_client.get("/add-to-cart/")
    assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")


@pytest.mark.parametrize(
    ("asked", "canonical"),
    [
        ("/CART", "/cart/"),
        ("/en-IN/cart/", "/en-in/cart/"),
        ("/en-in/Cart?x=1", "/en-in/cart/?x=1"),
        ("/Search/Neem Oil", "/search/Neem%20Oil/"),
    ],
)
def test_other_spellings_have_one_permanent_redirect(client, db, asked, canonical):
    answer = client.get(asked)
    assert (answer.status_code, answer["Location"]) == (301, canonical)


@pytest.mark.parametrize(
    "path", ["/brand/%00/", "/products/%00/", "/search/%00/", "/product/a%00/", "/en-in/brand/%00/"]
)
def test_an_address_with_a_nul_is_not_found(client, db, path):
    assert client.get(path).status_code == 404


def test_an_unlisted_host_is_refused(client, db):
    assert client.get("/cart/", headers={"host": "evil.example"}).status_code == 400


def test_pages_allow_no_inline_script_or_style(client, db):
    policy = client.get("/cart/")["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "object-src 'none'" in policy
    assert "base-uri 'none'" in policy
    assert "frame-ancestors 'none'" in policy


def test_what_depends_on_the_person_is_never_stored(client, db):
    assert client.get("/cart/")["Cache-Control"] == "private, no-store"


def test_pages_travel_compressed(client, db):
    page = client.get("/en-in/cart/", headers={"accept-encoding": "gzip"})
    assert page["Content-Encoding"] == "gzip"
    assert b"<html" in gzip.decompress(page.content)


@pytest.mark.parametrize("path", ["/faq/", "/en-in/cart/", "/add-to-cart/"])
def test_an_unforeseen_error_is_a_page_for_browsers_and_json_for_calls(db, path, monkeypatch):
    def fail(*args, **kwargs):
        raise RuntimeError("SELECT secret FROM inside")

    for place in ("shop.content.views.find_answers", "shop.cart.views.price_cart", "shop.cart.api.fill_cart"):
        monkeypatch.setattr(place, fail)
    client = Client(raise_request_exception=False, headers={"sec-fetch-site": "same-origin"})
    is_call = path == "/add-to-cart/"
    body = {"data": '{"product": 1}', "content_type": "application/json"} if is_call else {}
    answer = getattr(client, "post" if is_call else "get")(path, **body)
    assert answer.status_code == 500
    assert "secret" not in answer.text and "Traceback" not in answer.text
    if is_call:
        assert (answer.json()["detail"], answer.json()["code"]) == ("Server Error", "server_error")
    else:
        assert "<h1" in answer.text and answer["X-Request-Id"] in answer.text
        assert (answer["Cache-Control"], "Content-Security-Policy" in answer) == ("no-store", True)
