"""Pages, articles, questions, banners and rows of the home page in the language of the page."""

import pytest

from shop.invalidation.services import invalidate

from ...models import Banner, Faq, FaqSection, HomeRow, Page, Post, PostCategory
from ...pages.placeholders import fill_in
from ...templatetags.sharing import describe_article

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def languages(settings):
    settings.SHOP_LANGUAGES = ("en", "hi", "ar")


@pytest.fixture
def page():
    page = Page.objects.get(slug="returnspolicy")
    page.translations = {
        "hi": {"title": "वापसी की नीति", "text": "<p>[return days: wrong-item] में बताएँ।</p><p>[return windows]</p>"}
    }
    page.save()
    return page


def shown(client, path):
    return client.get(path).content.decode()


def test_a_page_falls_back_by_field_and_its_facts_are_in_its_language(client, page):
    html = shown(client, "/hi-in/returnspolicy/")
    assert "<h1>वापसी की नीति</h1>" in html and '<span aria-current="page">वापसी की नीति</span>' in html
    assert f'<p class="paper__lead" lang="en">{page.summary.replace(",", ",")}' in html
    assert "<p>7 दिन में बताएँ।</p>" in html and "<th>क्या हुआ</th>" in html


def test_the_facts_of_an_english_text_are_english_too(client, page):
    html = shown(client, "/ar-ae/returnspolicy/")
    assert '<div class="prose" lang="en" dir="ltr">' in html
    assert "<th>What happened</th>" in html and "7 days of delivery" in html


def test_facts_in_english_read_as_before():
    assert fill_in("<p>[holding time], [return days: wrong-item]</p>") == "<p>30 minutes, 7 days</p>"


@pytest.fixture
def post():
    words = {"title": "अश्वगंधा", "text": "<p>यह एक जड़ है।</p>"}
    post = Post.objects.create(
        title="Ashwagandha", slug="ashwagandha", excerpt="A root.", text="<p>A root.</p>", is_published=True,
        translations={"hi": words},
    )  # fmt: skip
    herbs = PostCategory.objects.create(name="Herbs", slug="herbs", translations={"hi": {"name": "जड़ी-बूटियाँ"}})
    post.categories.add(herbs)
    return post


def test_an_article_its_list_and_its_feed(client, post):
    html = shown(client, "/hi-in/blog/ashwagandha/")
    assert (
        "<h1>अश्वगंधा</h1>" in html and "यह एक जड़ है।" in html and '<p class="paper__lead" lang="en">A root.</p>' in html
    )
    listed = shown(client, "/hi-in/blog/")
    assert ">अश्वगंधा</a>" in listed and "जड़ी-बूटियाँ" in listed and 'href="/feeds/blog-hi.xml"' in listed
    feed = shown(client, "/feeds/blog-hi.xml")
    assert (
        "<title>अश्वगंधा</title>" in feed
        and "यह एक जड़ है।" in feed
        and 'href="http://testserver/feeds/blog-hi.xml"' in feed
    )
    assert "<title>Ashwagandha</title>" in shown(client, "/feeds/blog.xml")
    assert client.get("/feeds/blog-ta.xml").status_code == 404


def test_structured_data_says_the_language_of_the_text(post, client):
    assert describe_article(post)["inLanguage"] == "en"
    assert '"inLanguage":"hi"' in shown(client, "/hi-in/blog/ashwagandha/")
    assert '"inLanguage":"en"' in shown(client, "/ar-ae/blog/ashwagandha/")


def test_questions_are_shown_and_searched_in_the_language(client):
    section = FaqSection.objects.create(name="Herbs", translations={"hi": {"name": "बूटियाँ"}})
    words = {"question": "क्या इसमें चीनी है?", "answer": "<p>नहीं।</p>"}
    Faq.objects.create(
        section=section, question="Is there sugar in it?", slug="sugar", answer="<p>No.</p>", translations={"hi": words}
    )
    Faq.objects.create(section=section, question="Is it raw?", slug="raw", answer="<p>Yes.</p>")
    html = shown(client, "/hi-in/faq/")
    assert ">बूटियाँ</h2>" in html and "<h3>क्या इसमें चीनी है?</h3>" in html and '<h3 lang="en">Is it raw?</h3>' in html
    found = shown(client, "/hi-in/faq/?q=चीनी")
    assert "क्या इसमें चीनी है?" in found and "Is it raw?" not in found


def test_banners_and_rows_of_the_home_page(client):
    from shop.catalog.models import Picture

    picture = Picture.objects.create(file="pictures/a.jpg", width=10, height=10, digest="a")
    Banner.objects.create(
        title="Rooted", button="Shop", image=picture, mobile_image=picture, translations={"hi": {"title": "जड़ों से"}}
    )
    HomeRow.objects.create(kind=HomeRow.Kind.BANNERS)
    row = HomeRow.objects.create(
        kind=HomeRow.Kind.TEXT, title="Points", text="<p>One</p>", translations={"hi": {"title": "अंक"}}
    )
    invalidate("shop")
    html = shown(client, "/hi-in/")
    assert (
        '<span class="banner__title">जड़ों से</span>' in html
        and '<span class="button button--saffron" lang="en">Shop</span>' in html
    )
    assert '<h2>अंक</h2><div lang="en"><p>One</p></div>' in html
    assert client.get("/get-home-sliders?language=hi").json()[0]["title"] == "जड़ों से"
    row.translations = {"hi": {"title": "पॉइंट"}}
    row.save()
    assert "<h2>पॉइंट</h2>" in shown(client, "/hi-in/") and "<h2>Points</h2>" in shown(client, "/en-in/")


def test_the_merchant_feed_is_in_the_language_of_its_market(client, make_variant, make_product):
    product = make_product("Neem Soap", highlight="Mild", translations={"hi": {"name": "नीम साबुन"}})
    make_variant(product=product)
    feed = b"".join(client.get("/feeds/merchant-hi-in.xml").streaming_content).decode()
    assert "<g:title>नीम साबुन</g:title><g:description>नीम साबुन</g:description>" in feed
    assert "<g:title>Neem Soap</g:title>" in b"".join(client.get("/feeds/merchant-in.xml").streaming_content).decode()
