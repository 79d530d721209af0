"""Pages kept for visitors: what is kept, for whom, and when it is dropped."""

import gzip
from decimal import Decimal

import brotli
import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.db import connection
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext

from shop.accounts.models import Customer
from shop.catalog.models import Category, Product
from shop.catalog.stock import services as stock
from shop.content import views as content_views
from shop.content.models import Page
from shop.http import middleware, recompression
from shop.http.middleware import preferred_encoding
from shop.invalidation import subscriptions
from shop.invalidation.models import Change
from shop.invalidation.services import invalidate
from shop.search.listing import views as search_views

from ..caching.page_cache import ASKED_OFTEN, KeptPage, PageCache, find_page, pages, show_only

LISTING = "/en-in/products/ayurveda/"


@pytest.fixture(autouse=True)
def kept(settings, db):
    """The cache as in a running shop; it hears of changes at each request (shop/conftest.py)."""
    settings.PAGE_CACHE_BYTES = 4 * 2**20


@pytest.fixture
def ask():
    """ask(path): (answer, number of queries), as another visitor each time."""

    def ask(path, client=None, **headers):
        subscriptions.catch_up()  # news are not what is counted
        with CaptureQueriesContext(connection) as queries:
            answer = (client or Client()).get(path, headers=headers)
        return answer, len(queries)

    return ask


def test_a_second_visitor_gets_the_same_page_without_a_query(make_variant, ask):
    make_variant(price="499")
    for path in ("/en-in/", LISTING, "/en-in/product/product-1/", "/en-in/search/product/", "/en-in/brands/"):
        subscriptions.reset()  # cards that another page showed are remembered, and a search needs nothing else
        first, made = ask(path)
        second, asked = ask(path)
        assert made > 0 and asked == 0, path
        assert second.content == first.content
        dropped = {"X-Request-Id"}
        assert {k: v for k, v in second.items() if k not in dropped} == {
            k: v for k, v in first.items() if k not in dropped
        }


def test_each_answer_has_a_request_id_of_its_own(make_variant, ask):
    make_variant()
    assert len({ask(LISTING)[0]["X-Request-Id"] for _ in range(3)}) == 3


def test_markets_queries_and_parts_are_kept_apart(make_variant, ask):
    make_variant(price="8600")
    rupees, dollars = ask(LISTING)[0].content.decode(), ask("/en-us/products/ayurveda/")[0].content.decode()
    assert "₹8,600" in rupees and "$" in dollars and "₹8,600" not in dollars
    part = ask(LISTING, hx_request="true", hx_target="div#more")[0].content.decode()
    assert "<html" in rupees and "<html" not in part
    assert ask(LISTING)[0].content.decode() == rupees
    kept = pages.bytes
    ask(f"{LISTING}?sort=newest")
    assert pages.bytes > kept, "another query is another page"
    assert ask(LISTING)[0]["Vary"].split(", ") == ["Accept-Encoding", "HX-Request", "HX-Target", "Cookie"]


def test_who_chose_another_currency_is_not_answered_from_the_cache_and_leaves_nothing_in_it(make_variant, ask):
    make_variant(price="8600")
    visitor, other = Client(), Client()
    other.post("/en-in/currency/", {"currency": "USD", "next": LISTING}, headers={"sec-fetch-site": "same-origin"})
    assert "₹8,600" in ask(LISTING, visitor)[0].content.decode()
    theirs = ask(LISTING, other)[0]
    assert "₹8,600" not in theirs.content.decode()
    assert theirs["Cache-Control"] == "private, no-store"
    assert "₹8,600" in ask(LISTING, visitor)[0].content.decode()
    back = ask("/en-us/products/ayurveda/", other)[0]  # a currency goes with the country it was chosen for
    assert "public" in back["Cache-Control"]


def test_nothing_of_a_person_is_in_what_others_get(make_variant, browser_client, ask):
    variant = make_variant()
    asha = Customer.objects.create_user("asha@shop.invalid", "Neem-and-tulsi-7", name="Ashalata")
    browser_client.force_login(asha)
    browser_client.post("/en-in/cart/add/", {"variant": variant.pk, "quantity": 2})
    hers = ask(LISTING, browser_client)[0]
    theirs, asked = ask(LISTING)
    assert (asked, theirs.content) == (0, hers.content)
    assert not theirs.cookies
    for text in ("Ashalata", "asha@shop.invalid", "csrfmiddlewaretoken"):
        assert text not in theirs.content.decode()


@pytest.mark.parametrize("path", ["/en-in/cart/", "/en-in/signin/", "/products/ayurveda/", "/en-in/nothing-here/"])
def test_private_guessed_and_missing_pages_are_not_kept(make_variant, ask, path):
    make_variant()
    for _ in range(2):
        Client().get(path)
    assert pages.bytes == 0


def test_an_answer_with_a_cookie_is_never_kept(make_variant, ask, monkeypatch):
    make_variant()
    rendered = content_views.render

    def render(*args, **kwargs):
        answer = rendered(*args, **kwargs)
        answer.set_cookie("theirs", "1")
        return answer

    monkeypatch.setattr(content_views, "render", render)
    Client().get("/en-in/")
    assert pages.bytes == 0


def test_each_browser_gets_a_body_it_can_read(make_variant, ask):
    make_variant()
    plain = ask(LISTING)[0].content
    for _ in range(2):  # made from what is kept, then kept itself
        zipped, asked = ask(LISTING, accept_encoding="gzip, deflate")
        assert (asked, zipped["Content-Encoding"]) == (0, "gzip")
        assert gzip.decompress(zipped.content) == plain
        smaller, asked = ask(LISTING, accept_encoding="gzip, deflate, br, zstd")
        assert (asked, smaller["Content-Encoding"]) == (0, "br")
        assert brotli.decompress(smaller.content) == plain
        assert smaller["Content-Length"] == str(len(smaller.content))
    bare = ask(LISTING)[0]
    assert not bare.has_header("Content-Encoding") and bare.content == plain


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("", ""),
        ("identity", ""),
        ("gzip", "gzip"),
        ("br;q=0, gzip", "gzip"),
        ("BR", "br"),
        ("gzip; q=0", ""),
        ("*", ""),
    ],
)
def test_an_encoding_is_chosen_from_what_is_taken(accepted, encoding):
    assert preferred_encoding(accepted) == encoding


def test_a_browser_that_has_the_page_is_told_so(make_variant, ask):
    make_variant()
    etag = ask(LISTING)[0]["ETag"]
    for _ in range(2):
        known, asked = ask(LISTING, if_none_match=f'W/"other", {etag}', accept_encoding="br")
        assert (known.status_code, known.content, asked) == (304, b"", 0)
        assert known["ETag"] == etag and "public" in known["Cache-Control"]
        assert not known.has_header("Content-Encoding")
    assert ask(LISTING, if_none_match='W/"other"')[0].status_code == 200


def test_head_and_a_range_are_answered_like_get(make_variant, ask):
    make_variant()
    client = Client()
    head = client.head(LISTING)
    page = client.get(LISTING)
    assert client.head(LISTING)["Content-Length"] == page["Content-Length"] == head["Content-Length"]
    assert client.head(LISTING).content == b""
    whole = client.get(LISTING, headers={"range": "bytes=0-10"})
    assert (whole.status_code, whole.content) == (200, page.content)


def test_a_foreign_host_is_refused_although_the_page_is_kept(make_variant, ask):
    make_variant()
    page = ask(LISTING)[0]
    assert ask(LISTING, host="evil.example")[0].status_code == 400
    other, asked = ask(LISTING, host="localhost")
    assert (asked, other.content) == (0, page.content)
    assert ask(LISTING, x_forwarded_host="evil.example")[0].content == page.content


def test_a_kept_page_is_found_in_front_of_django_and_nothing_else_is(make_variant, ask):
    def is_found(method="get", path=LISTING, **headers):
        return find_page(getattr(RequestFactory(), method)(path, headers=headers).environ)

    make_variant()
    assert not is_found(), "it is not kept yet"
    ask(LISTING)
    assert is_found() and is_found(cookie="sessionid=x") and is_found("head")
    assert not is_found("post") and not is_found(path=f"{LISTING}?page=2") and not is_found(path="/admin/")
    assert not is_found(host="evil.example") and not is_found(cookie="currency=IN-USD")
    subscriptions.check_at_once()
    assert not is_found(), "what changed meanwhile is asked first"


def test_what_was_found_is_answered_without_asking_what_changed(make_variant, ask):
    """By the thread that received it, which has no connection to the database."""
    make_variant()
    page, _ = ask(LISTING)
    environ = RequestFactory().get(LISTING).environ
    assert find_page(environ)
    subscriptions.check_at_once()
    with CaptureQueriesContext(connection) as queries:
        statuses = []
        body = b"".join(WSGIHandler()(environ, lambda status, headers: statuses.append(status)))
    assert (statuses, body, len(queries)) == (["200 OK"], page.content, 0)


def test_a_posted_form_is_never_answered_from_the_cache(make_variant, ask):
    make_variant()
    ask(LISTING)
    kept = pages.bytes
    posted = Client().post(LISTING)
    assert (posted["Cache-Control"], pages.bytes) == ("private, no-store", kept)


def test_a_changed_price_shows_wherever_the_product_stands_and_leaves_other_pages(make_variant, ask):
    changed, other = make_variant(price="100"), make_variant(price="200")
    skin = Category.objects.create(name="Skin", slug="skin", path="skin")
    Product.objects.filter(pk=other.product_id).update(category=skin)
    own, others = f"/en-in/product/{changed.product.slug}/", f"/en-in/product/{other.product.slug}/"
    for path in (own, others, LISTING):
        ask(path)
    changed.selling_price = changed.actual_price = Decimal("77")
    changed.save()
    invalidate("product", [changed.product_id])
    assert "₹77" in ask(own)[0].content.decode()
    assert "₹77" in ask(LISTING)[0].content.decode()
    assert ask(others)[1] == 0


def test_units_on_hand_change_only_the_product_s_pages(make_variant, ask):
    variant = make_variant(units=9)
    own = f"/en-in/product/{variant.product.slug}/"
    for path in (own, LISTING):
        ask(path)
    invalidate("stock", [variant.product_id])
    subscriptions.check_at_once()  # the second is over in which nobody asks
    assert ask(LISTING)[1] == 0
    assert ask(own)[1] > 0


def test_what_sells_out_is_sold_out_in_lists(make_variant, ask):
    variant = make_variant(units=1)
    assert "Sold out" not in ask(LISTING)[0].content.decode()
    stock.receive(variant, -1)
    assert "Sold out" in ask(LISTING)[0].content.decode()


def test_a_change_of_the_shop_drops_every_page(make_variant, ask):
    make_variant()
    page = Page.objects.first() or Page.objects.create(slug="about", title="About", text="<p>Us</p>")
    ask(f"/en-in/{page.slug}/")
    ask(LISTING)
    invalidate("shop")
    assert ask(LISTING)[1] > 0
    assert pages.bytes > 0
    invalidate("shop")
    subscriptions.catch_up()
    assert pages.bytes == 0


def test_a_page_whose_making_a_change_overtook_is_not_kept(make_variant, ask, monkeypatch):
    variant = make_variant()
    rendered = search_views.render

    def render(*args, **kwargs):
        answer = rendered(*args, **kwargs)
        invalidate("product", [variant.product_id])
        subscriptions.catch_up()
        return answer

    monkeypatch.setattr(search_views, "render", render)
    ask(LISTING)
    assert pages.bytes == 0


def _page(size, **fields):
    facts = {"status": 200, "headers": {}, "etag": "", "shows": None, "ends_at": 1e18, "bodies": {"": b"x" * size}}
    return KeptPage(**facts | fields)


def test_the_cache_stays_within_its_bytes_and_drops_what_was_used_least_lately():
    cache = PageCache()
    for name in "abc":
        cache.put((name,), _page(10_000), version=0, max_bytes=30_000)
        cache.get(("a",))
    assert [bool(cache.get((name,))) for name in "abc"] == [True, False, True]
    assert cache.bytes <= 30_000
    cache.put(("large",), _page(40_000), version=0, max_bytes=30_000)
    assert cache.get(("large",)) is None
    cache.on_changes(None)
    assert cache.bytes == 0


def test_bytes_are_counted_once_however_often_a_body_is_made():
    cache, page = PageCache(), _page(5_000)
    cache.put(("a",), page, version=0, max_bytes=10**6)
    for _ in range(2):
        cache.body(("a",), page, "gzip")
        cache.body(("a",), page, "br")
    assert cache.bytes == page.size
    cache.on_changes([Change(kind="product", ids=[1])])
    assert cache.bytes == 0


def test_what_no_change_tells_of_ends_by_itself():
    cache = PageCache()
    cache.put(("a",), _page(10, ends_at=0.0), version=0, max_bytes=10**6)
    assert (cache.get(("a",)), cache.bytes) == (None, 0)


def test_show_only_narrows_what_drops_a_page():
    cache = PageCache()
    cache.put(("a",), _page(10, shows=frozenset({1})), version=0, max_bytes=10**6)
    cache.on_changes([Change(kind="product", ids=[2])])
    assert cache.get(("a",))
    cache.on_changes([Change(kind="stock", ids=[1, 2])])
    assert cache.get(("a",)) is None
    response = HttpResponse()
    show_only(response, [3, 3])
    assert response.shows == {3}


def test_what_a_stranger_may_write_is_neither_kept_without_end_nor_for_nothing(make_variant, ask):
    """Addresses count as memory, and those that no page links to are not kept."""
    make_variant()
    ask(LISTING)
    before = pages.bytes
    for question in (f"{LISTING}?{'x' * 501}", f"{LISTING}?q={'%41' * 500}"):
        assert ask(question)[0].status_code == 200
    assert ask(LISTING, hx_request="true", hx_target="div#" + "x" * 60)[0].status_code == 200
    assert pages.bytes == before
    ask(f"{LISTING}?{'x' * 500}")
    assert pages.bytes > before
    assert ask(f"{LISTING}?{'x' * 500}")[1] == 0


def test_a_long_key_counts_as_memory():
    def grown(key):
        cache = PageCache()
        cache.put(key, KeptPage(200, {}, "", None, 1e12, {"": b"page"}), version=0, max_bytes=10**6)
        return cache.bytes

    assert grown(("https", "/", "x" * 10_000)) - grown(("https", "/", "")) == 10_000
    assert grown(("https", "/", "\u0928" * 10_000)) - grown(("https", "/", "")) > 20_000


def test_a_header_that_is_remembered_is_short():
    middleware._preferred_encoding.cache_clear()
    assert preferred_encoding("br" + "," * 50_000) == "br"
    assert preferred_encoding("br" + "," * 60_000) == "br"
    assert middleware._preferred_encoding.cache_info().currsize == 1


def test_what_is_asked_for_often_becomes_as_small_as_it_gets(make_variant, ask):
    make_variant(price="499")
    answers = [ask(LISTING, **{"accept-encoding": "br"})[0] for _ in range(ASKED_OFTEN + 2)]
    recompression._executor.submit(int).result(timeout=300)  # one at a time, when other tests leave it some
    smallest = ask(LISTING, **{"accept-encoding": "br"})[0]
    assert len({len(answer.content) for answer in answers[: ASKED_OFTEN + 1]}) == 1
    assert len(smallest.content) < len(answers[0].content)
    assert brotli.decompress(smallest.content) == brotli.decompress(answers[0].content)
    assert smallest["Content-Length"] == str(len(smallest.content)) and smallest["ETag"] == answers[0]["ETag"]
    assert pages.bytes == sum(page.size for page in pages._pages.values())


def test_where_too_many_pages_wait_one_asks_again(monkeypatch):
    submitted: list[tuple] = []
    monkeypatch.setattr(recompression._executor, "submit", lambda *job: submitted.append(job))
    cache, bodies = PageCache(), {"br": middleware.compress(b"ginger and honey " * 99, "br")}
    kept = [KeptPage(200, {}, "", None, float("inf"), dict(bodies)) for _ in range(recompression.MAX_WAITING + 1)]
    for page in kept:
        for _ in range(ASKED_OFTEN + 2):
            cache.body((), page, "br")
    *accepted, refused = kept
    assert all(page.is_smallest for page in accepted) and not refused.is_smallest
    for work, *job in submitted[:]:
        work(*job)
    cache.body((), refused, "br")
    assert refused.is_smallest and len(submitted) == len(kept)
    work, *job = submitted[-1]
    work(*job)


def test_a_page_dropped_while_it_was_compressed_again_is_not_counted():
    cache, bodies = PageCache(), {"br": middleware.compress(b"ginger and honey " * 99, "br")}
    page = KeptPage(200, {}, "", None, float("inf"), bodies)
    cache.put(("one",), page, version=0, max_bytes=10_000)
    cache.on_changes(None)
    cache._replace(("one",), page, b"smaller")
    assert cache.bytes == 0
