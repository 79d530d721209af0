"""What a CDN is told of pages, and what everybody else is."""

import time
from datetime import timedelta

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from shop.content import views as content_views
from shop.invalidation import subscriptions
from shop.invalidation.cdn.registry import KINDS

from ..caching import page_cache
from ..caching.cdn_headers import CDN_SECONDS, IF_ERROR, WHILE_REVALIDATED
from ..caching.headers import public_api
from ..caching.page_cache import pages

LISTING, PRODUCT = "/en-in/products/ayurveda/", "/en-in/product/product-1/"
CONTROL = f"max-age={CDN_SECONDS}, stale-while-revalidate={WHILE_REVALIDATED}, stale-if-error={IF_ERROR}"


@pytest.fixture(autouse=True)
def behind_a_cdn(settings, db):
    settings.CDN, settings.COUNTRY_HEADER = "varnish", "X-Country"
    settings.PAGE_CACHE_BYTES = 4 * 2**20
    subscriptions.reset()
    # Midnight, which ends every page, is far away.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page_cache, "next_midnight", lambda market=None: timezone.now() + timedelta(hours=9))
        yield


def get(path, **headers):
    return Client().get(path, headers=headers)


def test_a_public_page_tells_the_cdn_how_long_and_under_which_keys(make_variant):
    product = make_variant().product
    for path, keys in {
        LISTING: "shop products",
        PRODUCT: f"shop product-{product.pk}",
        "/en-in/faq/": "shop",
        "/en-in/nothing-here/": "shop products",
        "/en-in/brand/Vanamitra/": "shop products",
    }.items():
        made, kept = get(path), get(path)
        for answer in (made, kept):
            assert answer["Surrogate-Key"] == keys, path
            assert answer["Surrogate-Control"] == CONTROL
            assert 0 <= float(answer["Surrogate-Age"]) <= 1.2
            # By these a browser would show its own copy of an old price.
            assert answer["Cache-Control"] == "public, max-age=0"
            assert answer["Vary"] == "Accept-Encoding, HX-Request, HX-Target"


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_has_headers_of_its_own(make_variant, settings, kind):
    make_variant()
    settings.CDN = kind
    cdn = KINDS[kind]
    answer = get(LISTING)
    assert answer[cdn.keys_header] == f"shop{cdn.keys_separator}products" and answer[cdn.control_header] == CONTROL


def test_without_a_cdn_nothing_of_it_is_told(make_variant, settings):
    make_variant()
    settings.CDN = ""
    for _ in range(2):
        answer = get(LISTING)
        assert not answer.has_header("Surrogate-Key") and not answer.has_header("Surrogate-Control")
        assert answer["Cache-Control"] == f"public, max-age=0, s-maxage={CDN_SECONDS}"
        assert "Cookie" in answer["Vary"]
        bare = get("/products/ayurveda/", x_country="IN")
        assert bare["Cache-Control"] == "private, no-store"


def test_a_page_that_the_browser_has_is_described_too(make_variant):
    make_variant()
    etag = get(LISTING)["ETag"]
    known = get(LISTING, if_none_match=etag)
    assert (known.status_code, known["Surrogate-Key"], known["Surrogate-Control"]) == (304, "shop products", CONTROL)


@pytest.mark.parametrize(("left", "fresh", "stale"), [(30, 29, 0), (75, 60, 14), (100, 60, 30)])
def test_no_copy_outlives_what_ends_by_itself(monkeypatch, left, fresh, stale):
    monkeypatch.setattr(content_views, "next_home_change", lambda: timezone.now() + timedelta(seconds=left + 0.5))
    answer = get("/en-in/")
    found = [int(part.partition("=")[2]) for part in answer["Surrogate-Control"].split(", ")]
    assert found[0] in (fresh, fresh + 1) and found[1] in (stale, stale + 1) and found[0] + found[1] <= left + 1


def test_a_kept_page_is_handed_out_for_what_is_left_of_its_life(make_variant):
    make_variant()
    get(LISTING)
    [page] = pages._pages.values()
    page.ends_at = time.monotonic() + 40.5
    assert get(LISTING)["Surrogate-Control"].startswith("max-age=40, stale-while-revalidate=0,")
    assert page.headers["Surrogate-Control"] == CONTROL


NOT_KEPT = f"max-age=0, stale-while-revalidate=0, stale-if-error={IF_ERROR}"


def test_what_may_be_older_than_purges_reckon_with_is_not_kept(make_variant, monkeypatch):
    """While another thread reads what changed, or nobody can: it comes from the memory of before."""
    make_variant()
    get(LISTING)
    with monkeypatch.context() as patch:
        patch.setattr(subscriptions, "EVERY_SECONDS", 0.5)
        for seconds, control in ((0.2, CONTROL), (0.8, NOT_KEPT), (600.0, NOT_KEPT)):
            subscriptions._subscriptions.read_at = time.monotonic() - seconds
            subscriptions._subscriptions.due_at = time.monotonic() + 60
            kept, made = get(LISTING), get("/en-in/faq/")
            assert [answer["Surrogate-Control"] for answer in (kept, made)] == [control] * 2, seconds
            assert kept["Surrogate-Key"] == "shop products" and kept["Cache-Control"] == "public, max-age=0"
    subscriptions.check_at_once()
    assert get(LISTING)["Surrogate-Control"] == CONTROL


@pytest.mark.parametrize("megabytes", [64, 0])
def test_what_a_change_overtook_is_not_kept(settings, monkeypatch, megabytes):
    """Its old price could come to the CDN after the purge."""
    settings.PAGE_CACHE_BYTES = megabytes << 20
    monkeypatch.setattr(content_views, "next_home_change", lambda: pages.on_changes([]))
    assert get("/en-in/")["Surrogate-Control"] == NOT_KEPT
    monkeypatch.setattr(content_views, "next_home_change", lambda: None)
    assert get("/en-in/")["Surrogate-Control"] == CONTROL


def test_an_error_of_a_call_is_not_shared(rf, make_variant, settings):
    make_variant()
    wrong = get(f"/api/pincode/110001/?state={'x' * 101}")
    failed = public_api(lambda request: HttpResponse(status=503))(rf.get("/"))
    assert (wrong.status_code, failed.status_code) == (422, 503)
    for answer in (wrong, failed):
        assert not answer.has_header("Surrogate-Key") and not answer.has_header("Surrogate-Control")
        assert "public" not in answer.get("Cache-Control", "")
    assert get("/api/pincode/110001/")["Surrogate-Control"] == CONTROL


def test_what_is_of_a_person_says_nothing_to_the_cdn(make_variant, customer):
    make_variant()
    client = Client()
    client.force_login(customer)
    client.cookies["currency"] = "IN-USD"
    for path in (LISTING, "/en-in/cart/", "/en-in/profile/", "/api/me/", "/en-in/checkout/"):
        answer = client.get(path)
        assert not answer.has_header("Surrogate-Key") and not answer.has_header("Surrogate-Control"), path
        assert "public" not in answer["Cache-Control"], path


def test_a_page_that_reads_the_session_is_not_for_the_cdn(make_variant, monkeypatch):
    rendered = content_views.render

    def render(request, *args, **kwargs):
        request.session.get("anything")
        return rendered(request, *args, **kwargs)

    monkeypatch.setattr(content_views, "render", render)
    answer = get("/en-in/")
    assert "Cookie" in answer["Vary"] and not answer.has_header("Surrogate-Control")


def test_without_a_market_in_the_address_the_country_of_the_cdn_counts(make_variant):
    make_variant(price="8600")
    rupees, dollars = get("/products/ayurveda/", x_country="IN"), get("/products/ayurveda/", x_country="US")
    assert "₹8,600" in rupees.text and "₹" not in dollars.text.partition("<main")[2]
    for answer in (rupees, dollars, get("/", x_country="IN")):
        assert answer["Vary"] == "Accept-Encoding, HX-Request, HX-Target, X-Country"
        assert (answer["Surrogate-Control"], answer["Cache-Control"]) == (CONTROL, "public, max-age=0")
        assert not answer.cookies
    languages = [get("/", x_country="IN", accept_language=language).content for language in ("hi", "de-DE", "")]
    addresses = [get("/", x_country="IN", x_forwarded_for=address).content for address in ("8.8.8.8", "203.0.113.7")]
    assert len({*languages, *addresses}) == 1, "nothing else has a part in it"


@pytest.mark.parametrize("country", ["", "XX", "T1", "India"])
def test_a_guess_of_another_kind_stays_private(make_variant, country):
    make_variant()
    assert get("/", x_country=country, accept_language="en-IN")["Cache-Control"] == "private, no-store"


@pytest.mark.parametrize("cookie", ["deliver_to=IN", "deliver_to=nowhere", "language=hi", "currency=IN-USD"])
def test_who_picked_something_has_an_answer_of_their_own(make_variant, cookie):
    make_variant()
    answer = get("/", x_country="IN", cookie=cookie)
    assert answer["Cache-Control"] == "private, no-store" and not answer.has_header("Surrogate-Control")


@pytest.mark.parametrize(
    "path", ["/get-menu-list/", "/robots.txt", "/sitemap.xml", "/feeds/merchant-in.xml", "/feeds/blog.xml"]
)
def test_other_public_answers_are_purged_with_what_they_show(make_variant, path):
    make_variant()
    answer = get(path)
    if answer.status_code == 404:
        pytest.fail(f"no {path}")
    assert answer["Surrogate-Key"].startswith("shop") and answer["Surrogate-Control"] == CONTROL
