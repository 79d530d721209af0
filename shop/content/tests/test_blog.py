import json
import re
from datetime import timedelta
from xml.etree import ElementTree

import pytest
from django.utils import timezone

from shop.catalog.models import Picture
from shop.markets.caching import page_cache
from shop.tests.support.staff import editor_client

from ..models import Post, PostCategory

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def make_post(db):
    def make(title, *, ago=timedelta(days=1), categories=(), **fields):
        fields = {"excerpt": f"About {title}.", "text": f"<p>All of {title}</p>", "is_published": True} | fields
        slug = title.lower().replace(" ", "-")
        post = Post.objects.create(title=title, slug=slug, published_at=timezone.now() - ago, **fields)
        post.categories.set(categories)
        return post

    return make


def titles(answer) -> list[str]:
    return re.findall(r'post-card__title"><a href="[^"]+">(.+?)</a>', answer.content.decode())


def test_the_list_shows_articles_with_author_excerpt_and_categories_newest_first(client, make_post):
    herbs = PostCategory.objects.create(name="Herbs", slug="herbs")
    make_post("Neem", ago=timedelta(days=9), categories=[herbs], author="A. Writer")
    make_post("Amla", ago=timedelta(days=2))
    answer = client.get("/en-in/blog/")
    page = answer.content.decode()
    assert titles(answer) == ["Amla", "Neem"]
    assert "About Neem." in page and "A. Writer" in page and "Aushadhi editorial desk" in page
    assert 'href="/en-in/blog/neem/"' in page and 'href="/en-in/blog/category/herbs/"' in page
    assert titles(client.get("/en-in/blog/category/herbs/")) == ["Neem"]
    assert client.get("/en-in/blog/category/stars/").status_code == 404
    assert "public" in answer["Cache-Control"]


def test_an_article_shows_all_of_itself_with_its_way_home_and_what_to_read_next(client, make_post):
    herbs = PostCategory.objects.create(name="Herbs", slug="herbs")
    for number in range(4):
        make_post(f"Other {number}", ago=timedelta(days=number + 1), categories=[herbs] if number == 3 else [])
    picture = Picture.objects.create(file="pictures/neem/source.jpg", width=1200, height=800, digest="neem")
    make_post("Neem", categories=[herbs], picture=picture, text="<p>Bitter.</p>")
    answer = client.get("/en-in/blog/neem/")
    page = answer.content.decode()
    assert "<h1>Neem</h1>" in page and "<p>Bitter.</p>" in page and "Aushadhi editorial desk" in page
    assert all(link in page for link in ('href="/en-in/">Home', 'href="/en-in/blog/">Blog', 'category/herbs/">Herbs'))
    assert titles(answer) == ["Other 3", "Other 0", "Other 1"], "what shares a category comes first"
    assert '<meta property="og:type" content="article">' in page and 'property="og:image"' in page
    blocks = [json.loads(block) for block in re.findall(r'<script type="application/ld\+json">(.+?)</script>', page)]
    (about,) = [block for block in blocks if block["@type"] == "BlogPosting"]
    assert (about["headline"], about["description"]) == ("Neem", "About Neem.")
    assert about["author"] == {"@type": "Organization", "name": "Aushadhi editorial desk"}
    assert about["image"] and about["datePublished"] <= about["dateModified"]


def test_drafts_and_articles_of_tomorrow_are_nowhere(client, make_post):
    make_post("Draft", is_published=False)
    make_post("Tomorrow", ago=-timedelta(days=1))
    make_post("Today")
    assert titles(client.get("/en-in/blog/")) == ["Today"]
    for slug in ("draft", "tomorrow"):
        assert client.get(f"/en-in/blog/{slug}/").status_code == 404
    for path in ("/feeds/blog.xml", "/sitemaps/in/posts-1.xml", "/en-in/blog/today/"):
        words = client.get(path).content.decode()
        assert "draft" not in words.lower() and "tomorrow" not in words.lower()


def test_a_kept_list_ends_when_the_next_article_comes(client, make_post, monkeypatch, settings):
    settings.PAGE_CACHE_BYTES = 10_000_000
    make_post("Soon", ago=-timedelta(seconds=30))
    assert titles(client.get("/en-in/blog/")) == []
    (kept,) = page_cache.pages._pages.values()
    assert kept.ends_at - page_cache.time.monotonic() < 31
    later = timezone.now() + timedelta(seconds=31)
    monkeypatch.setattr(timezone, "now", lambda: later)
    now = page_cache.time.monotonic() + 31
    monkeypatch.setattr(page_cache.time, "monotonic", lambda: now)
    assert titles(client.get("/en-in/blog/")) == ["Soon"]


def test_long_lists_have_pages(client, make_post):
    for number in range(10):
        make_post(f"Leaf {number}", ago=timedelta(days=number + 1))
    first, second = client.get("/en-in/blog/"), client.get("/en-in/blog/?page=2")
    assert titles(first) == [f"Leaf {number}" for number in range(9)] and titles(second) == ["Leaf 9"]
    assert 'rel="next" href="?page=2"' in first.content.decode() and 'rel="prev"' in second.content.decode()
    assert {client.get(f"/en-in/blog/?page={wrong}").status_code for wrong in ("3", "0", "x", "-1", "٢")} == {404}


def test_the_list_and_an_article_ask_no_more_for_more_articles(client, make_post, django_assert_max_num_queries):
    herbs = PostCategory.objects.create(name="Herbs", slug="herbs")
    for number in range(9):
        make_post(f"Leaf {number}", categories=[herbs])
    client.get("/en-in/blog/leaf-1/")
    with django_assert_max_num_queries(12):
        client.get("/en-us/blog/")
    with django_assert_max_num_queries(12):
        client.get("/en-us/blog/leaf-1/")


@pytest.mark.parametrize("path", ["/blogdetail", "/Blogs", "/blogs/", "/BlogDetail/"])
def test_the_former_routes_lead_to_the_blog(client, path):
    for prefix in ("", "/en-us"):
        answer = client.get(prefix + path)
        assert (answer.status_code, answer["Location"]) == (301, f"{prefix}/blog/")


def test_a_fresh_shop_says_nicely_that_there_is_nothing_yet(client):
    answer = client.get("/en-in/blog/")
    assert answer.status_code == 200 and "No articles yet" in answer.content.decode()


def test_the_feed_and_the_sitemaps_hold_every_article(client, make_post):
    make_post("Neem", text="<p>Back within [return days: wrong-item].</p>")
    page = client.get("/en-in/blog/").content.decode()
    assert 'type="application/atom+xml"' in page and 'href="/feeds/blog.xml"' in page
    answer = client.get("/feeds/blog.xml")
    (entry,) = ElementTree.fromstring(answer.content).iter(f"{ATOM}entry")
    assert entry.find(f"{ATOM}title").text == "Neem"
    assert entry.find(f"{ATOM}link").get("href") == "http://testserver/blog/neem/"
    assert entry.find(f"{ATOM}summary").text == "<p>Back within 7 days.</p>"
    assert entry.find(f"{ATOM}author/{ATOM}name").text == "Aushadhi editorial desk"
    assert "public" in answer["Cache-Control"]
    assert "http://testserver/en-us/blog/neem/" in client.get("/sitemaps/us/posts-1.xml").content.decode()
    assert "/sitemaps/us/posts-1.xml" in client.get("/sitemap.xml").content.decode()


def test_an_editor_writes_looks_and_publishes_and_visitors_see_it(client, make_post):
    office = editor_client()
    herbs = PostCategory.objects.create(name="Herbs", slug="herbs")
    client.get("/en-in/blog/")
    words = {
        "title": "Tulsi", "slug": "tulsi", "excerpt": "A leaf.", "text": "<h2>Leaves</h2><script>x()</script>",
        "categories": [herbs.pk], "published_at_0": "2026-01-05", "published_at_1": "10:00:00",
    }  # fmt: skip
    assert office.post("/admin/content/post/add/", words).status_code == 302
    post = Post.objects.get()
    assert (post.text, post.is_published, list(post.categories.all())) == ("<h2>Leaves</h2>", False, [herbs])
    preview = office.get(f"/admin/content/post/{post.pk}/preview/")
    assert "<h2>Leaves</h2>" in preview.content.decode() and "it's a draft" in preview.content.decode()
    assert "no-store" in preview["Cache-Control"]
    assert titles(client.get("/en-in/blog/")) == []
    change = f"/admin/content/post/{post.pk}/change/"
    assert office.post(change, words | {"is_published": "on", "slug": "other"}).status_code == 302
    assert titles(client.get("/en-in/blog/")) == ["Tulsi"]
    assert client.get("/en-in/blog/tulsi/").status_code == 200, "its address stays"
    assert "it's a draft" not in office.get(f"/admin/content/post/{post.pk}/preview/").content.decode()
    refused = office.post(change, words | {"text": "<script>x()</script>", "excerpt": "x" * 301})
    page = refused.content.decode()
    assert "This text is empty once unsafe tags are removed." in page and "at most 300 characters" in page
