"""What the rows of the home page are made of: chips, slides, logos, titles; all of it in the first HTML."""

import re

import pytest

from shop.catalog.models import Brand, Category, HealthConcern, Picture

from ..models import Banner, HomeRow

pytestmark = pytest.mark.django_db
KINDS = HomeRow.Kind


@pytest.fixture
def make_picture():
    def make(name):
        return Picture.objects.create(file=f"pictures/{name}/source.jpg", width=1600, height=800, digest=name * 32)

    return make


@pytest.fixture
def row():
    def make(kind, **fields):
        return HomeRow.objects.create(kind=kind, **fields)

    return make


def home(client):
    return client.get("/en-in/").text


def test_a_concern_is_a_round_picture_with_its_name_and_leads_to_its_page(client, row, make_picture):
    row(KINDS.CONCERNS)
    HealthConcern.objects.create(name="Immunity", slug="immunity", image=make_picture("aa"))
    HealthConcern.objects.create(name="Sleep", slug="sleep")
    page = home(client)
    chips = re.findall(r'<a class="chip" href="([^"]+)">(.*?)</a>', page, re.DOTALL)
    assert [href for href, _ in chips] == ["/en-in/health-concerns/immunity/", "/en-in/health-concerns/sleep/"]
    assert "pictures/aa/" in chips[0][1] and "Immunity" in chips[0][1]
    assert "placeholder" in chips[1][1], "a missing picture has a stand-in"


def test_a_banner_has_its_own_link_and_its_own_picture_on_phones(client, row, make_picture):
    row(KINDS.BANNERS)
    wide, narrow = make_picture("bb"), make_picture("cc")
    Banner.objects.create(title="Monsoon", image=wide, mobile_image=narrow, link="/brand/vanamitra/", position=1)
    Banner.objects.create(title="Summer", image=wide, mobile_image=narrow, position=2)
    page = home(client)
    slides = re.findall(r'<a class="banner[^"]*" href="([^"]+)">(.*?)</a>', page, re.DOTALL)
    assert [href for href, _ in slides] == ["/en-in/brand/vanamitra/", "/en-in/products/ayurveda/"]
    sources = re.findall(r"<source([^>]*)>", slides[0][1])
    phone = [source for source in sources if "(max-width: 48em)" in source]
    assert phone and all("pictures/cc/" in source for source in phone)
    assert all("pictures/bb/" in source for source in sources if source not in phone)


def test_each_featured_category_has_a_carousel_and_the_spotlight_its_own(client, row, make_product, make_variant):
    row(KINDS.CATEGORIES, position=1)
    row(KINDS.SPOTLIGHT, position=2)
    for number, name in enumerate(("Ayurveda", "Unani")):
        category = Category.objects.create(name=name, slug=name.lower(), is_featured=True, position=number)
        make_variant(product=make_product(f"{name} tonic", category=category))
    Brand.objects.update(is_spotlight=True)
    titles = re.findall(
        r'<div class="section-title"><h2[^>]*>([^<]+)</h2><span class="section-title__rule"', home(client)
    )
    assert titles == ["Ayurveda", "Unani", "Brand Spotlight"]
    assert '<a class="section-title__more" href="/en-in/products/unani/">' in home(client)


def test_a_brand_is_its_logo_or_its_name_and_leads_to_its_page(client, row, make_picture):
    row(KINDS.BRANDS)
    Brand.objects.create(name="Himagiri", slug="himagiri", brand_image=make_picture("dd"))
    Brand.objects.create(name="Vanamitra", slug="vanamitra")
    page = home(client)
    assert re.search(r'href="/en-in/brand/himagiri/"><picture>.*?alt="Himagiri"', page, re.DOTALL)
    assert re.search(r'href="/en-in/brand/vanamitra/"><span[^>]*>Vanamitra<', page)


def test_an_editor_s_words_stand_where_the_editor_put_them(client, row, make_variant):
    make_variant()
    row(KINDS.TEXT, position=2, title="Points for every purchase", text="<p>1 point per ₹100</p>")
    row(KINDS.HOT_SELLING, position=1)
    row(KINDS.TEXT, position=3, title="Hidden", is_published=False)
    page = home(client)
    assert page.index("Hot Selling") < page.index("Points for every purchase")
    assert "<p>1 point per ₹100</p>" in page and "Hidden" not in page


def test_an_empty_shop_has_a_home_page(client):
    for kind in KINDS:
        HomeRow.objects.create(kind=kind)
    answer = client.get("/en-in/")
    assert answer.status_code == 200
    assert "section-title" not in answer.text and "/en-in/privacypolicy/" in answer.text
