"""Rows and banners stand from, until and where their editors said, although pages are kept."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from shop.catalog.models import Picture
from shop.markets.caching.page_cache import pages

from ..home import services as home
from ..models import Banner, HomeRow

pytestmark = pytest.mark.django_db
Kind = HomeRow.Kind


class Clock:
    """Time as the tests want it, for the schedule and for the kept pages alike."""

    def __init__(self, monkeypatch):
        self.now, self.passed = timezone.now(), 1000.0
        monkeypatch.setattr("django.utils.timezone.now", lambda: self.now)
        monkeypatch.setattr("shop.markets.caching.page_cache.time.monotonic", lambda: self.passed)

    def go(self, **by):
        step = timedelta(**by)
        self.now, self.passed = self.now + step, self.passed + step.total_seconds()


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)


@pytest.fixture
def kept(settings):
    settings.PAGE_CACHE_BYTES = 2**20


@pytest.fixture
def banner(db):
    HomeRow.objects.create(kind=Kind.BANNERS)
    picture = Picture.objects.create(file="pictures/aa/source.jpg", width=1600, height=800, digest="a" * 64)

    def make(title, **fields):
        return Banner.objects.create(title=title, image=picture, mobile_image=picture, **fields)

    return make


def text_row(words, **fields):
    return HomeRow.objects.create(kind=Kind.TEXT, text=f"<p>{words}</p>", **fields)


def seen(client, *titles, market="in"):
    page = client.get(f"/en-{market}/").text
    return [title for title in titles if title in page]


def test_a_banner_and_a_row_appear_and_vanish_at_their_time_on_kept_pages(client, clock, kept, banner):
    minutes = lambda number: clock.now + timedelta(minutes=number)  # noqa: E731
    banner("Always")
    banner("Monsoon", starts_at=minutes(2), ends_at=minutes(5))
    text_row("Holiday", starts_at=minutes(5))
    titles = ("Always", "Monsoon", "Holiday")
    assert seen(client, *titles) == ["Always"]
    assert pages.bytes, "the page is kept"
    clock.go(minutes=1, seconds=59)
    assert seen(client, *titles) == ["Always"]
    clock.go(seconds=1)
    assert seen(client, *titles) == ["Always", "Monsoon"]
    clock.go(minutes=3)
    assert seen(client, *titles) == ["Always", "Holiday"]


def test_a_kept_page_asks_nothing_until_something_changes(
    client, clock, kept, banner, django_assert_num_queries, make_variant
):
    banner("Later", starts_at=clock.now + timedelta(minutes=3))
    client.get("/en-in/")
    client.get("/en-in/")
    with django_assert_num_queries(0):
        clock.go(minutes=2)
        client.get("/en-in/")


def test_what_is_for_one_market_is_seen_there_only(client, banner):
    banner("Everywhere")
    banner("For India").locations.add(1)
    text_row("Dollars").locations.add(22)
    titles = ("Everywhere", "For India", "Dollars")
    assert seen(client, *titles) == ["Everywhere", "For India"]
    assert seen(client, *titles, market="us") == ["Everywhere", "Dollars"]
    assert seen(client, *titles, market="de") == ["Everywhere"]


def test_the_sliders_call_tells_banners_of_now_and_of_every_market(client, clock, banner):
    banner("Everywhere")
    banner("For India").locations.add(1)
    banner("Over", ends_at=clock.now)
    banner("Draft", is_published=False)
    assert [found["title"] for found in client.get("/get-home-sliders").json()] == ["Everywhere"]


def test_draft_banner_is_not_shown(client, banner):
    banner("Draft", is_published=False)
    assert seen(client, "Draft") == []


def test_states_in_words(clock, banner):
    hour = timedelta(hours=1)
    states = [
        banner("1", is_published=False),
        banner("2", starts_at=clock.now + hour),
        banner("3", starts_at=clock.now, ends_at=clock.now + hour),
        banner("4", ends_at=clock.now),
    ]
    assert [found.state() for found in states] == ["Draft", "Scheduled", "Live", "Ended"]


@pytest.mark.parametrize(
    ("field", "value"),
    [("link", "https://elsewhere.example"), ("link", "//elsewhere.example"), ("link", "/\\x"), ("background", "#zz")],
)
def test_a_link_elsewhere_and_a_colour_that_is_none_are_refused(banner, field, value):
    made = banner("Odd", **{field: value})
    with pytest.raises(ValidationError) as refused:
        made.full_clean()
    assert list(refused.value.message_dict) == [field]


def test_an_end_before_the_beginning_is_refused(clock, banner):
    made = banner("Odd", starts_at=clock.now, ends_at=clock.now)
    with pytest.raises(ValidationError, match="must be after the start"):
        made.full_clean()


# --- Broken and empty rows ----------------------------------------------------------------------


def test_a_row_that_cannot_be_filled_is_logged_and_left_out(client, monkeypatch, caplog):
    def fail(row, market):
        raise ZeroDivisionError

    broken = HomeRow.objects.create(kind=Kind.HOT_SELLING, position=1)
    text_row("Before", position=0)
    text_row("After", position=2)
    monkeypatch.setitem(home.FILLERS, Kind.HOT_SELLING, fail)
    assert seen(client, "Before", "After") == ["Before", "After"]
    assert f"row {broken.pk} (Hot Selling) of the home page is left out" in caplog.text


def test_a_row_that_cannot_be_drawn_is_logged_and_left_out(client, banner, caplog):
    banner("Broken", background="#nonsen")
    text_row("After", position=2)
    answer = client.get("/en-in/")
    assert answer.status_code == 200
    assert "After" in answer.text and "Broken" not in answer.text
    assert "left out of the page" in caplog.text


def test_banners_that_cannot_be_read_take_only_their_own_row(client, banner, caplog):
    banner("Broken")
    Picture.objects.update(width=0)  # its file is missing, too
    text_row("After", position=2)
    assert seen(client, "Broken", "After") == ["After"]
    assert "(Banners) of the home page is left out" in caplog.text


def test_a_row_is_back_as_soon_as_it_can_be_filled(client, monkeypatch, make_variant):
    make_variant()
    HomeRow.objects.create(kind=Kind.HOT_SELLING)
    right = home.FILLERS[Kind.HOT_SELLING]
    monkeypatch.setitem(home.FILLERS, Kind.HOT_SELLING, lambda row, market: 1 / 0)
    assert seen(client, "Hot Selling") == []
    monkeypatch.setitem(home.FILLERS, Kind.HOT_SELLING, right)
    assert seen(client, "Hot Selling") == ["Hot Selling"]


def test_hand_picked_products_stand_in_the_order_of_picking(client, make_product, make_variant):
    picked = HomeRow.objects.create(kind=Kind.PRODUCTS, title="Our favourites")
    products = [make_variant(product=make_product(name)).product for name in ("Amla", "Brahmi", "Clove")]
    picked.products.add(products[2])
    picked.products.add(products[0])
    products[0].save()
    page = client.get("/en-in/").text
    assert page.index("Our favourites") < page.index("Clove") < page.index("Amla")
    assert "Brahmi" not in page[page.index("Our favourites") :]


def test_a_hand_picked_row_needs_a_title():
    with pytest.raises(ValidationError, match="title"):
        HomeRow(kind=Kind.PRODUCTS).full_clean()
