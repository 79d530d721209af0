"""What the figures of a period count, and on which day. On both databases."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from shop.catalog.models import ReturnReason, Variant
from shop.orders.models import ReturnRequest
from shop.search.models import SearchCount

from .. import figures
from ..charts import Bar, draw_bars, round_up
from ..figures import Sales
from ..periods import Period
from .conftest import add_line

pytestmark = [pytest.mark.django_db, pytest.mark.database]
DAY = date(2026, 11, 20)
NOON = datetime(2026, 11, 20, 6, 30, tzinfo=UTC)  # in Kolkata


def of(first, last=None):
    return Period(first, last or first)


def test_a_day_begins_at_midnight_in_kolkata(customer, make_order):
    for minute, total in ((29, "1"), (30, "10")):
        make_order(customer, total, placed_at=datetime(2026, 11, 19, 18, minute, 59, tzinfo=UTC))
    make_order(customer, "100", placed_at=datetime(2026, 11, 20, 18, 29, 59, tzinfo=UTC))
    days = figures.sales_by_day(of(date(2026, 11, 19), DAY), None)
    assert days == {date(2026, 11, 19): Sales(1, Decimal(1)), DAY: Sales(2, Decimal(110))}
    assert figures.sales(of(DAY), None) == figures.add_up(days, of(DAY)) == days[DAY]


def test_what_ended_before_its_delivery_is_no_sale(customer, make_order):
    for status, delivered_at in [
        ("placed", None), ("completed", NOON), ("cancelled", None), ("returned", None), ("returned", NOON),
    ]:  # fmt: skip
        make_order(customer, status=status, placed_at=NOON, delivered_at=delivered_at)
    make_order(customer, status="pending", placed_at=None)
    assert figures.sales(of(DAY), None) == Sales(3, Decimal(300))
    assert Sales(3, Decimal(300)).average == 100
    assert Sales(0, Decimal(0)).average is None


def test_sales_are_told_by_market_in_inr(customer, make_order, usa):
    make_order(customer, placed_at=NOON)
    make_order(customer, "8400", placed_at=NOON, location_id=usa.location_id)
    location = figures.Location.objects.get(pk=usa.location_id)
    assert figures.sales(of(DAY), location) == Sales(1, Decimal(8400))
    assert figures.sales_by_day(of(DAY), location) == {DAY: Sales(1, Decimal(8400))}
    assert figures.sales(of(DAY), None).orders == 2


def test_conversion_is_the_part_of_checkouts_that_were_placed(customer, make_order):
    make_order(customer, created_at=NOON, placed_at=NOON + timedelta(days=2))
    make_order(customer, created_at=NOON, placed_at=None, status="cancelled")
    make_order(customer, created_at=NOON, placed_at=NOON, status="cancelled")
    make_order(customer, created_at=NOON, placed_at=None, status="pending")
    tried = figures.checkouts(of(DAY), None)
    assert (tried.started, tried.placed, tried.conversion) == (4, 2, 50)
    assert figures.checkouts(of(DAY - timedelta(days=1)), None).conversion is None


def test_returned_goods_are_told_on_the_day_they_came_in(customer, make_order, make_variant, usa):
    order = make_order(customer, placed_at=NOON - timedelta(days=9), delivered_at=NOON - timedelta(days=5))
    request = ReturnRequest(
        line=add_line(order, make_variant()), kind="refund", reason=ReturnReason.objects.first(), quantity=1
    )
    request.received_at, request.refund_inr, request.status = NOON, Decimal(80), "received"
    request.save()
    assert figures.given_back(of(DAY), None) == 80
    assert figures.given_back(of(DAY), order.location) == 80
    assert figures.given_back(of(DAY), figures.Location.objects.get(pk=usa.location_id)) == 0
    assert figures.given_back(of(DAY - timedelta(days=5)), None) == 0
    assert figures.sales(of(DAY - timedelta(days=9)), None).inr == 100


def test_products_are_ranked_over_all_their_variants(customer, make_order, make_variant):
    small, dear = make_variant("50"), make_variant("900")
    large = make_variant("90", product=small.product)
    order, other = (make_order(customer, placed_at=NOON) for _ in range(2))
    gone = make_order(customer, placed_at=NOON, status="cancelled")
    add_line(order, small, 4, "200")
    add_line(other, large, 2, "180")
    add_line(other, dear, 1, "900")
    add_line(gone, small, 90, "4500")
    rows = {
        by: [(top.product, top.units, top.inr) for top in figures.top_products(of(DAY), None, by)]
        for by in ("inr", "units")
    }
    first, second = (small.product, 6, Decimal(380)), (dear.product, 1, Decimal(900))
    assert rows == {"inr": [second, first], "units": [first, second]}
    assert figures.top_products(of(DAY - timedelta(days=1)), None, "inr") == []


def test_searches_that_found_nothing_are_added_up_by_words():
    for day, words, searches, results in [
        (20, "soap", 9, 4), (20, "chyawan", 2, 0), (19, "chyawan", 3, 0), (20, "haldi", 4, 0), (1, "old", 50, 0),
    ]:  # fmt: skip
        SearchCount.objects.create(day=DAY.replace(day=day), words=words, searches=searches, results=results)
    found = figures.searches_in_vain(of(date(2026, 11, 19), DAY))
    assert found == [("chyawan", 5), ("haldi", 4)]


def test_low_stock_is_of_what_is_on_sale_the_most_wanted_first(make_variant, settings):
    settings.LOW_STOCK = 5
    few, none, _, draft = (make_variant(units=units) for units in (5, 0, 6, 1))
    make_variant(units=1, is_active=False)
    draft.product.is_published = False
    draft.product.save()
    none.product.popularity = 7
    none.product.save()
    count, variants = figures.low_stock()
    assert (count, variants) == (2, [none, few])
    assert Variant.objects.count() == 5


# --- Days and bars ------------------------------------------------------------------------------


def test_a_period_is_compared_with_as_many_days_before():
    month = Period.of_days(30, DAY)
    assert (month.first, month.days) == (date(2026, 10, 22), 30)
    assert month.before() == of(date(2026, 9, 22), date(2026, 10, 21))
    assert month.end - month.begin == timedelta(days=30)
    assert timezone.localtime(month.begin).isoformat() == "2026-10-22T00:00:00+05:30"


@pytest.mark.parametrize(("days", "steps", "second"), [(1, 1, ""), (30, 30, "23 Oct 2026"), (365, 13, "December 2025")])
def test_a_period_is_drawn_in_parts_that_cover_it(days, steps, second):
    period = Period.of_days(days, DAY)
    parts = period.steps()
    assert len(parts) == steps
    assert sum(part.days for part in parts) == days
    assert (parts[0].first, parts[-1].last) == (period.first, period.last)
    assert [str(part) for part in parts[1:2]] == ([second] if second else [])


def test_weeks_are_drawn_where_days_would_be_too_many():
    assert [part.days for part in Period.of_days(90, DAY).steps()] == [7] * 12 + [6]


def test_bars_reach_up_to_a_round_number():
    assert [round_up(Decimal(n)) for n in ("0", "1", "1.01", "23", "240", "499", "501")] == [
        1,
        1,
        2,
        25,
        250,
        500,
        1000,
    ]
    chart = draw_bars([Bar("Mon", Decimal(0), "₹0"), Bar("Tue", Decimal(40), "₹40"), Bar("Wed", Decimal(20), "₹20")])
    assert [(drawn.y, drawn.height) for drawn in chart.bars] == [(200, 0), (40, 160), (120, 80)]
    assert (chart.best.label, chart.ends, chart.is_empty) == ("Tue", ["Mon", "Tue", "Wed"], False)
    assert draw_bars([Bar("Mon", Decimal(0), "₹0")]).is_empty
