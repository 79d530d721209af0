"""What every request passes: origin proof, size, canonical address, headers."""

import gzip
import json
import os
import subprocess
import sys

import brotli
import pytest
from django.test import Client

from shop.cart.models import CartLine
from shop.catalog.import_export.formats.cells import json_object
from shop.catalog.import_export.rows import BadRow
from shop.http.api import MAX_JSON_DEPTH, parse_json
from shop.http.middleware import MAX_PATH

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


def test_a_page_of_a_person_in_brotli_has_no_length_of_its_own(client, db):
    def ask(path="/en-in/cart/"):
        return client.get(path, headers={"accept-encoding": "gzip, br"})

    pages = [ask() for _ in range(20)]
    assert {page["Content-Encoding"] for page in pages} == {"br"} and "Accept-Encoding" in pages[0]["Vary"]
    assert all(int(page["Content-Length"]) == len(page.content) for page in pages)
    assert len({len(page.content) for page in pages}) > 5
    read = [brotli.decompress(page.content).rpartition(b"<!--") for page in pages]
    assert {(body[:15], body[-8:], comment[-3:]) for body, _, comment in read} == {
        (b"<!doctype html>", b"</html>\n", b"-->")
    }


@pytest.mark.parametrize("path", ["/faq/", "/en-in/cart/", "/add-to-cart/"])
def test_an_unforeseen_error_is_a_page_for_browsers_and_json_for_calls(db, path, monkeypatch):
    def fail(*args, **kwargs):
        raise RuntimeError("SELECT secret FROM inside")

    for place in ("shop.content.views.find_answers", "shop.cart.views.price_cart", "shop.cart.api.fill_cart"):
        monkeypatch.setattr(place, fail)
    client = Client(raise_request_exception=False, headers={"sec-fetch-site": "same-origin"})
    is_api = path == "/add-to-cart/"
    body = {"data": '{"product": 1}', "content_type": "application/json"} if is_api else {}
    answer = getattr(client, "post" if is_api else "get")(path, **body)
    assert answer.status_code == 500
    assert "secret" not in answer.text and "Traceback" not in answer.text
    if is_api:
        assert (answer.json()["detail"], answer.json()["code"]) == ("Server Error", "server_error")
    else:
        assert "<h1" in answer.text and answer["X-Request-Id"] in answer.text
        assert (answer["Cache-Control"], "Content-Security-Policy" in answer) == ("no-store", True)


# --- Where a request comes from ------------------------------------------------------------------


@pytest.mark.parametrize("origin", [{}, {"origin": "http://testserver"}, {"authorization": "Bearer tok_abc"}])
@pytest.mark.parametrize("said", ["cross-site", "Cross-Site", "same-origin, cross-site"])
def test_what_a_browser_says_comes_from_another_site_changes_nothing(variant, origin, said):
    client = Client(enforce_csrf_checks=True, headers={"sec-fetch-site": said, **origin})
    page = client.post("/cart/add/", {"variant": variant.pk})
    call = client.post("/add-to-cart/", {"product": variant.pk}, content_type="application/json")
    assert (page.status_code, call.status_code) == (403, 403)
    assert not CartLine.objects.exists()


def test_only_the_provider_posts_from_its_own_site(db, settings):
    """A mail program's button, which posts without any origin, is no browser on another site."""
    provider = Client(enforce_csrf_checks=True, headers=FOREIGN)
    assert provider.post("/payments/callback/", {}).status_code == 303
    assert provider.post("/payments/webhook/", "{}", content_type="application/json").status_code == 400
    assert provider.post("/newsletter/leave/unknown/").status_code == 403
    assert Client(enforce_csrf_checks=True).post("/newsletter/leave/unknown/").status_code == 400


# --- Sizes and depths ----------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/product/", "/search/", "/en-in/products/", "/admin/r/", "/static/", "/media/"])
def test_a_path_that_no_page_can_have_is_refused_before_it_is_matched(client, db, path):
    long = client.get(path + "x/" * ((MAX_PATH - len(path)) // 2 + 1))
    assert (long.status_code, long.json()["code"]) == (414, "too_long")
    assert long["X-Request-Id"] == long.json()["request_id"]
    assert client.get(path + "x" * (MAX_PATH - len(path))).status_code != 414


DEEP = {
    "lists": ("[", "]"),
    "objects": ('{"a":', "}"),
    "both": ('[{"a":', "}]"),
}


@pytest.mark.parametrize(("opened", "closed"), DEEP.values(), ids=DEEP)
def test_json_is_at_most_32_deep(browser_client, db, opened, closed):
    levels = MAX_JSON_DEPTH // len(closed)
    fits, deep = (opened * count + "1" + closed * count for count in (levels, levels + 1))
    assert parse_json(fits)
    for text in (deep, f'[{{"a": 1}}, {{"b": {deep}}}]', opened * 100_000, opened * 900 + "1" + closed * 900):
        with pytest.raises(ValueError, match=r"nested|delimiter|Expecting"):
            parse_json(text)
    answers = [
        browser_client.generic("POST", "/add-to-cart/", body, content_type="application/json")
        for body in (fits, deep, f'{{"product": 1, "currency": {deep}}}')
    ]
    assert [answer.status_code for answer in answers] == [422, 400, 400]


def test_deep_json_in_a_cell_is_refused_at_its_column():
    deep = '{"a":' * 33 + "1" + "}" * 33
    with pytest.raises(BadRow, match="composition is not a JSON object"):
        json_object(deep, "composition")
    assert json_object('{"a": {"b": 1}}', "composition") == {"a": {"b": 1}}


# --- Headers -------------------------------------------------------------------------------------


def test_pages_ask_a_browser_for_nothing_and_stand_alone(client, db):
    page = client.get("/cart/")
    denied = page["Permissions-Policy"]
    for feature in ("camera", "microphone", "geolocation", "payment", "usb"):
        assert f"{feature}=()" in denied
    assert page["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "report-uri /csp-report/" in page["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({}, "max-age=31536000"),
        ({"HSTS_SUBDOMAINS": "1"}, "max-age=31536000; includeSubDomains"),
        ({"HSTS_SUBDOMAINS": "1", "HSTS_PRELOAD": "1"}, "max-age=31536000; includeSubDomains; preload"),
        ({"HSTS_SECONDS": "300"}, "max-age=300"),
        ({"SHOP_URL": "http://shop.example", "HSTS_SUBDOMAINS": "1"}, "None"),
    ],
)
def test_browsers_keep_to_https_as_the_settings_say(variables, said, tmp_path):
    show = (
        "import django; django.setup(); from django.http import HttpResponse as R; from django.test import "
        "RequestFactory as F; from django.middleware.security import SecurityMiddleware as S; "
        "print(S(lambda request: R())(F().get('/', secure=True)).get('Strict-Transport-Security'))"
    )
    own = {name: value for name, value in os.environ.items() if not name.startswith(("SHOP_", "HSTS_", "DEBUG"))}
    own |= {"DJANGO_SETTINGS_MODULE": "shop.settings", "SHOP_DATA_DIR": str(tmp_path)}
    own |= {"SHOP_URL": "https://shop.example"} | variables
    ended = subprocess.run([sys.executable, "-c", show], env=own, capture_output=True, text=True)
    assert ended.stdout.strip() == said, ended.stderr


# --- Reports of the content policy ---------------------------------------------------------------

REPORT = {
    "csp-report": {
        "document-uri": "https://shop.example/en-in/search/piles cream/?q=secret",
        "blocked-uri": "https://evil.example/x.js?key=secret",
        "effective-directive": "script-src-elem",
        "line-number": 7,
        "source-file": "a\nERROR forged line",
        "script-sample": "alert(document.cookie)",
    }
}


def report(client, told=REPORT, content_type="application/csp-report"):
    return client.generic("POST", "/csp-report/", json.dumps(told), content_type=content_type)


def test_a_report_of_the_content_policy_is_one_line_without_anything_secret(db, caplog):
    caplog.set_level("WARNING", "shop.ops.csp_reports")
    assert report(Client()).status_code == 204
    body = {"documentURL": "https://shop.example/", "blockedURL": "inline", "effectiveDirective": "style-src-attr"}
    many = [{"type": "csp-violation", "body": body}] * 9
    assert report(Client(), many, "application/reports+json").status_code == 204
    first, *others = [record.getMessage() for record in caplog.records]
    assert len(others) == 5
    assert "effective-directive=script-src-elem" in first and "blocked-uri=https://evil.example/x.js?…" in first
    assert "\n" not in first and not [word for word in ("piles", "secret", "cookie") if word in first]
    assert "blocked-uri=inline" in others[0]


@pytest.mark.parametrize(
    ("body", "content_type", "status"),
    [
        ("{}", "text/plain", 415),
        ("{", "application/csp-report", 400),
        ("[]", "application/csp-report", 400),
        ('{"csp-report": 1}', "application/csp-report", 400),
        ('{"csp-report": ' + "[" * 40 + "]" * 40 + "}", "application/csp-report", 400),
        ('{"csp-report": {"blocked-uri": "' + "x" * 20_000 + '"}}', "application/csp-report", 413),
    ],
)
def test_what_is_no_report_is_refused(db, body, content_type, status):
    assert Client().generic("POST", "/csp-report/", body, content_type=content_type).status_code == status


def test_reports_are_few(db, caplog):
    caplog.set_level("WARNING", "shop.ops.csp_reports")
    answers = [report(Client()) for _ in range(22)]
    assert [answer.status_code for answer in answers] == [204] * 20 + [429] * 2
    assert int(answers[-1]["Retry-After"]) > 0
    assert len(caplog.records) == 20
    assert report(Client(headers={"sec-fetch-site": "cross-site"})).status_code == 403
