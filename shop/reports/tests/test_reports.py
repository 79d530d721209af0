"""The reports: sums of each against the orders, their files, their queries; visits counted without persons."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.contrib.auth.models import Group
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from shop.accounts.models import Customer
from shop.accounts.staff.roles import ORDER_DESK, OWNER
from shop.catalog.models import Category
from shop.http.middleware import VisitMiddleware
from shop.orders.models import Invoice, Order, OrderLine, ReturnReason, ReturnRequest
from shop.orders.shipping.services import CANCELLED_UNITS

from .. import figures, visits
from ..models import VisitCount
from ..periods import Period
from ..tables import REPORTS
from .conftest import add_line

pytestmark = [pytest.mark.django_db, pytest.mark.database]
URL = reverse("admin:reports_report")


@pytest.fixture
def owner():
    return member(OWNER)


def member(role):
    person = Customer.objects.create_user(f"{role[:3]}@example.com", "pw", name="Meera", is_staff=True)
    person.groups.add(Group.objects.get(name=role))
    client = Client()
    client.force_login(person)
    return client


@pytest.fixture
def period():
    return Period.of_days(7, timezone.localdate())


def table(name, period, location=None):
    made = REPORTS[name].make(period, location)
    return made.named(made.rows), made.total


def test_sales_by_day_name_each_day_and_add_up(make_order, customer, period):
    now = timezone.now()
    make_order(customer, "100")
    make_order(customer, "300")
    make_order(customer, "50", placed_at=now - timedelta(days=2))
    make_order(customer, "999", status=Order.Status.CANCELLED)
    rows, total = table("day", period)
    assert [row[0] for row in rows] == [period.first + timedelta(days=at) for at in range(7)]
    assert rows[-1] == (timezone.localdate(), 400, 2, Decimal("200.00"))
    assert rows[-3][1:3] == (50, 1) and rows[-2][1:] == (0, 0, None)
    assert total == ("Total", 450, 3, Decimal("150.00"))


def test_sales_by_market_the_largest_first(make_order, customer, period):
    make_order(customer, "100")
    make_order(customer, "70", location_id=22)
    make_order(customer, "80", location_id=22)
    rows, total = table("market", period)
    assert [(row[0], row[1], row[2]) for row in rows] == [("USA", 150, 2), ("India", 100, 1)]
    assert total[:3] == ("Total", 250, 3)


def test_goods_count_what_was_paid_for_what_was_kept(make_order, make_variant, customer, period):
    oil, soap = make_variant(), make_variant()
    above = oil.product.category
    below = Category.objects.create(name="Soaps", slug="soaps", path=f"{above.path}/soaps", parent=above)
    type(soap.product).objects.filter(pk=soap.product_id).update(category=below)
    order = make_order(customer, "400")
    add_line(order, oil, quantity=2, inr="300")
    line = add_line(order, soap, quantity=1, inr="100")
    type(line).objects.filter(pk=line.pk).update(reduction_inr=Decimal("10"))
    rows, total = table("product", period)
    assert rows == [(oil.product.name, 300, 2, 0), (soap.product.name, 90, 1, 10)]
    assert total == ("Total", 390, 3, 10)
    rows, total = table("category", period)
    assert rows == [(above.name, 300, 2, 0), (f"{above.name} › Soaps", 90, 1, 10)]
    assert total == ("Total", 390, 3, 10)


def test_discounts_with_the_orders_that_used_them(make_order, customer, period):
    make_order(customer, "90", coupon_code="TEN", coupon_inr=10, sub_total_amt=90)
    make_order(customer, "180", coupon_code="TEN", coupon_inr=20, sub_total_amt=180)
    make_order(customer, "500")
    assert table("coupon", period) == ([("TEN", 270, 2, 30)], ("Total", 270, 2, 30))


def invoice(order, kind, number, *rows):
    parts = ("taxable", "cgst", "sgst", "igst", "vat", "percent")
    content = {"rows": [dict(zip(parts, map(Decimal, row), strict=True)) for row in rows]}
    return Invoice.objects.create(
        kind=kind, number=number, order=order, reference=number, total_inr=0, content=content
    )  # fmt: skip


def test_taxes_by_country_and_rate_without_what_was_credited(make_order, customer, period):
    here, abroad = make_order(customer), make_order(customer, location_id=22)
    row_5, row_12 = ("100.10", "2.51", "2.51", "0", "0", "5"), ("200", "0", "0", "24", "0", "12")
    invoice(here, "invoice", "INV/1", row_5, row_12)
    invoice(here, "invoice", "INV/2", row_5)
    invoice(here, "credit", "CR/1", row_5)
    invoice(abroad, "invoice", "INV/3", ("50.00", "0", "0", "0", "0", "0"))
    rows, total = table("tax", period)
    assert rows == [
        ("India", Decimal("5.00"), Decimal("100.10"), Decimal("2.51"), Decimal("2.51"), 0, 0, Decimal("5.02")),
        ("India", Decimal("12.00"), 200, 0, 0, 24, 0, 24),
        ("USA", 0, 50, 0, 0, 0, 0, 0),
    ]
    assert total == ("Total", None, Decimal("350.10"), Decimal("2.51"), Decimal("2.51"), 24, 0, Decimal("29.02"))


def test_stock_says_what_it_is_worth_and_how_long_it_lasts(make_order, make_variant, customer, period):
    oil, soap = make_variant(price="100", units=20), make_variant(price="10", units=5)
    make_variant(units=0)
    add_line(make_order(customer), oil, quantity=6, inr="120")
    rows, total = table("stock", period)
    assert [row[1:5] for row in rows] == [(2000, 20, 6, 100), (50, 5, 0, None)]
    assert rows[1][5] == soap.sku and total == ("Total", 2050, 25, 6)


def test_the_first_rows_of_the_stock_are_those_of_the_whole_with_what_sells_first(
    make_order, make_variant, customer, period
):
    quick, slow, returned, dear, cheap = (
        make_variant(price=price, units=units) for price, units in (("1", 6), ("2", 60), ("3", 7), ("50", 9), ("4", 9))
    )
    order = make_order(customer)
    for variant in (quick, slow, returned):
        add_line(order, variant, quantity=6, inr="6")
    OrderLine.objects.filter(variant=returned).update(cancelled=6)
    stock = REPORTS["stock"].make(period, None)
    skus = [row[-1] for row in stock.named(list(stock.rows))]
    assert skus == [variant.sku for variant in (quick, slow, dear, cheap, returned)]
    assert len(stock.rows) == 5
    for count in range(7):
        assert [row[-1] for row in stock.named(stock.rows[:count])] == skus[:count]


# --- The page --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", REPORTS)
def test_each_report_is_a_page_and_a_file(
    owner, make_order, make_variant, customer, name, django_assert_max_num_queries
):
    line = add_line(make_order(customer, "1234", coupon_code="TEN"), make_variant(units=3))
    type(line.variant.product).objects.update(name="=HYPERLINK(1)")
    invoice(Order.objects.get(), "invoice", "INV/1", ("100", "2.5", "2.5", "0", "0", "5"))
    with django_assert_max_num_queries(30):
        page = owner.get(URL, {"report": name})
    text = page.content.decode()
    assert page.status_code == 200 and f'<h1 class="dash-title">{REPORTS[name].title}</h1>' in text
    assert '<table class="report-table">' in text and "Decimal(" not in text
    file = owner.get(URL, {"report": name, "format": "csv"})
    assert file["Content-Type"] == "text/csv; charset=utf-8"
    lines = b"".join(file.streaming_content).decode("utf-8-sig").splitlines()
    assert len(lines) > 1 and not [line for line in lines if line.startswith("=")]


def test_the_period_and_the_market_stay_from_report_to_report(owner):
    page = owner.get(URL, {"report": "day", "period": "7", "market": "1"}).content.decode()
    assert "?period=7&amp;market=1&amp;report=product" in page
    assert "?period=7&amp;market=1&amp;report=day&amp;format=csv" in page


@pytest.mark.parametrize("period", ["custom", "nonsense"])
def test_a_wrong_period_is_said_and_the_usual_one_shown(owner, period):
    page = owner.get(URL, {"report": "day", "period": period, "first": "2026-02-01", "last": "2026-01-01"})
    assert page.status_code == 200 and len(page.context["table"].rows) == 30


def test_who_may_not_see_sales_sees_no_report():
    client = member(ORDER_DESK)
    assert client.get(URL).status_code == 403
    assert b"All reports" not in client.get("/admin/").content


def test_see_all_opens_the_list_that_was_meant(owner, make_order, make_variant, customer):
    add_line(make_order(customer), make_variant(units=1))
    page = owner.get("/admin/", {"period": "7"}).content.decode()
    assert f'href="{URL}?report=product&amp;period=7"' in page
    low = f"{reverse('admin:catalog_product_changelist')}?stock=low&is_published__exact=1"
    assert f'href="{low}"' in page.replace("&amp;", "&")
    assert owner.get(low).status_code == 200


# --- Visits ----------------------------------------------------------------------------------------

NAVIGATION = {"sec-fetch-mode": "navigate", "sec-fetch-site": "none"}


@pytest.fixture
def nothing_counted():
    VisitMiddleware.take()


def test_pages_are_counted_by_kind_and_country_kept_ones_too(nothing_counted, make_variant, settings):
    settings.PAGE_CACHE_BYTES = 10_000_000
    page = f"/en-in/product/{make_variant().product.slug}/"
    visitor = Client()
    visitor.get(page, headers=NAVIGATION)
    visitor.get(page, headers=NAVIGATION | {"sec-fetch-site": "same-origin"})  # answered from the kept pages
    visitor.get("/en-us/cart/", headers=NAVIGATION | {"sec-fetch-site": "same-origin"})
    visitor.get("/en-in/", headers=NAVIGATION)
    visitor.get(page)  # a program
    visitor.get(page, headers=NAVIGATION | {"user-agent": "Mozilla/5.0 (compatible; Googlebot/2.1)"})
    visitor.get(page, headers=NAVIGATION | {"sec-purpose": "prefetch"})
    visitor.get("/en-in/product/none/", headers=NAVIGATION)
    visits.write_down()
    today = timezone.localdate()
    found = {(row.day, row.kind, row.country): row.times for row in VisitCount.objects.all()}
    assert found == {
        (today, "product", "IN"): 2, (today, "cart", "US"): 1, (today, "home", "IN"): 1, (today, "visit", "IN"): 2,
    }  # fmt: skip
    assert not visitor.cookies.get("visit")


def test_processes_add_to_each_other(nothing_counted):
    today = timezone.localdate()
    for times in (3, 4):
        VisitMiddleware.counted[today, "visit", "IN"] += times
        assert visits.write_down() == 1
    assert VisitCount.objects.get().times == 7
    assert visits.write_down() == 0


def test_conversion_is_orders_of_visits(nothing_counted, make_order, customer, period):
    today = timezone.localdate()
    VisitCount.objects.create(day=today, kind="visit", country="IN", times=40)
    VisitCount.objects.create(day=today, kind="product", country="IN", times=90)
    make_order(customer)
    rows, total = table("visits", period)
    assert rows[-1] == (today, 40, 90, 0, 0, 1, Decimal("2.5"))
    assert rows[0][-1] is None and total[-1] == Decimal("2.5")


def test_the_report_of_visits_draws_its_days(owner):
    VisitCount.objects.create(day=timezone.localdate(), kind="visit", country="IN", times=40)
    page = owner.get(URL, {"report": "visits"})
    assert page.status_code == 200 and b"most: " in page.content


def test_what_could_not_be_written_down_is_counted_again(nothing_counted, monkeypatch):
    today = timezone.localdate()
    VisitMiddleware.counted[today, "visit", "IN"] += 3
    with monkeypatch.context() as broken, pytest.raises(DatabaseError):
        broken.setattr(VisitCount._meta, "db_table", "no_such_table")
        with transaction.atomic():
            visits.write_down()
    VisitMiddleware.counted[today, "visit", "IN"] += 4
    visits.write_down()
    assert VisitCount.objects.get().times == 7


def test_units_that_were_cancelled_brought_nothing(make_order, make_variant, customer, period):
    """Two of three cancelled: what was paid for them is in no figure, like an order that was cancelled."""
    variant = make_variant(units=5)
    order = make_order(customer, "280", coupon_code="TEN", coupon_inr=20, sub_total_amt=280)
    line = add_line(order, variant, quantity=3, inr="300")
    type(line).objects.filter(pk=line.pk).update(reduction_inr=Decimal("20"), cancelled=2)
    cancellation = ReturnReason.objects.create(slug=CANCELLED_UNITS, name="Cancelled before packing", days=0)
    ReturnRequest.objects.create(
        line=line, kind="refund", reason=cancellation, quantity=2, status="received", refund_inr=Decimal("186.67"),
        received_at=timezone.now(),
    )  # fmt: skip
    left = Decimal("93.33")
    assert order.due_inr == left
    rows, total = table("day", period)
    assert (rows[-1][1:3], total[1:3]) == ((left, 1), (left, 1))
    assert table("market", period)[1][1:3] == (left, 1)
    assert table("coupon", period)[0] == [("TEN", left, 1, Decimal("20"))]
    assert figures.given_back(period, None) == 0
    for name in ("product", "category"):
        rows, total = table(name, period)
        assert (rows[0][1:], total[1:]) == ((left, 1, Decimal("6.66")), (left, 1, Decimal("6.66")))


@pytest.mark.parametrize("days", [("0001-01-01", "0001-06-01"), ("9999-01-01", "9999-12-31")])
@pytest.mark.parametrize("url", [URL, "/admin/"])
def test_days_at_the_ends_of_the_calendar_are_refused(owner, url, days):
    page = owner.get(url, {"period": "custom", "first": days[0], "last": days[1]})
    assert page.status_code == 200 and b"Choose a date between 2000 and 2099." in page.content


def test_a_file_has_no_more_decimals_than_the_page_and_the_same_sums(owner, make_order, customer):
    VisitCount.objects.create(day=timezone.localdate(), kind="visit", country="IN", times=3)
    make_order(customer)
    file = owner.get(URL, {"report": "visits", "format": "csv", "period": "today"})
    lines = b"".join(file.streaming_content).decode("utf-8-sig").splitlines()
    assert lines[1].endswith(",3,0,0,0,1,33.3")


def test_a_day_of_the_shop_begins_at_its_own_midnight(make_order, customer, period):
    midnight = period.begin + timedelta(days=5)
    make_order(customer, "10", placed_at=midnight - timedelta(seconds=1))
    make_order(customer, "200", placed_at=midnight)
    rows, _ = table("day", period)
    assert [row[1] for row in rows] == [0, 0, 0, 0, 10, 200, 0]
