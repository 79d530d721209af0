"""Invoices and credit notes: one for each, without gaps, adding up to what was charged."""

from datetime import date, datetime
from decimal import Decimal
from functools import partial
from zoneinfo import ZoneInfo

import pytest
from django.db import transaction
from django.urls import reverse
from hypothesis import HealthCheck, given
from hypothesis import settings as tries
from hypothesis import strategies as st

from shop.accounts.models import Customer
from shop.cart.models import Coupon
from shop.catalog.models import GstRate, HsnCode
from shop.company.models import Company
from shop.errors import OutOfStock
from shop.invalidation import subscriptions
from shop.markets.models import Slab
from shop.markets.queries import market_registry
from shop.money import PAISA, share_of_units, spread

from ...conftest import fill, new_address
from ...models import Invoice, InvoiceSeries, Order, OrderLine
from ...placing.services import confirm_order
from ...tax.gst import Supply
from ...tests.racing import of_kind, together
from .. import pdf
from .. import services as invoicing
from ..pdf import draw_invoice
from ..services import Credit, credit, credit_rest

pytestmark = pytest.mark.django_db


@pytest.fixture
def company(db):
    return Company.objects.create(
        legal_name="Leaf Ltd", address="1 Road\nBengaluru", cin="C1", gstin="29AAAPL2356Q1Z8", lut="AD290123"
    )


@pytest.fixture
def taxed(make_product):
    """taxed("12", code="3004", since=…): a product whose HSN code has this GST rate."""

    def make(percent="12", code="3004", since=date(2020, 1, 1)):
        hsn, _ = HsnCode.objects.get_or_create(code=code)
        GstRate.objects.create(hsn=hsn, percent=Decimal(percent), valid_from=since)
        return make_product(f"Product {code} {percent}", hsn=hsn)

    return make


@pytest.fixture
def placed(new_buyer, order_of):
    """placed({variant: quantity}, state=…): a placed order, locked as its caller has it."""

    def place(lines, market=None, coupon=None, **address):
        customer = new_buyer(lines)
        customer.addresses.update(**address)
        if coupon:
            customer.cart.coupon = coupon
            customer.cart.save()
        order = order_of(customer, market)
        confirm(order)
        return order

    return place


def confirm(order):
    with transaction.atomic():
        confirm_order(Order.objects.select_for_update().get(pk=order.pk), actor="shop")


def rows_of(invoice):
    invoice.refresh_from_db()
    return invoice.content["rows"]


def assert_adds_up(invoice, total):
    rows = rows_of(invoice)
    for row in rows:
        parts = [Decimal(row[part]) for part in ("taxable", "cgst", "sgst", "igst")]
        assert sum(parts) == Decimal(row["total"])
    assert sum(Decimal(row["total"]) for row in rows) == total == invoice.total_inr
    for part in invoicing.PARTS:
        assert sum(Decimal(row[part]) for row in rows) == Decimal(invoice.content["totals"][part])


def test_a_placed_order_has_one_invoice_over_what_was_charged(company, taxed, make_variant, placed):
    order = placed({make_variant("112", product=taxed()): 2}, state="Karnataka")
    invoice = order.invoices.get()
    assert invoice.number == f"INV/{invoicing.financial_year(date.today())}/000001" and len(invoice.number) == 16
    assert_adds_up(invoice, order.total_inr)
    goods = rows_of(invoice)[0]
    assert (goods["hsn"], goods["quantity"], goods["unit"]) == ("3004", 2, "NOS")
    assert [Decimal(goods[part]) for part in ("taxable", "cgst", "sgst", "igst")] == [200, 12, 12, 0]
    assert invoice.content["place_of_supply"] == "Karnataka (29)"
    assert invoice.content["seller"]["gstin"] == "29AAAPL2356Q1Z8"


def test_an_unpaid_order_has_none(company, make_variant, new_buyer, order_of):
    order_of(new_buyer({make_variant(): 1}))
    assert not Invoice.objects.exists()


def test_another_state_pays_igst(company, taxed, make_variant, placed):
    goods = rows_of(placed({make_variant("112", product=taxed()): 1}, state="Delhi", pincode="110001").invoices.get())[
        0
    ]
    assert [Decimal(goods[part]) for part in ("taxable", "cgst", "sgst", "igst")] == [100, 0, 0, 12]


def test_a_state_that_nobody_knows_follows_from_the_pin(company, taxed, make_variant, placed):
    order = placed({make_variant("112", product=taxed()): 1}, state="Mysore State", pincode="560001")
    content = order.invoices.get().content
    assert (content["buyer"]["state"], content["supply"]) == ("Karnataka", Supply.WITHIN)


def test_an_export_is_zero_rated_under_the_lut(company, taxed, make_variant, new_buyer, order_of, usa):
    customer = new_buyer({make_variant("1120", product=taxed()): 1})
    customer.addresses.update(country_id=22, state="Texas", pincode="73301")
    fill(customer, {}, usa)
    order = order_of(customer, usa)
    confirm(order)
    invoice = order.invoices.get()
    assert_adds_up(invoice, order.total_inr)
    content = invoice.content
    assert "under LUT without payment of IGST" in content["declaration"] and "AD290123" in content["declaration"]
    assert all(Decimal(row["igst"]) == 0 == Decimal(row["percent"]) for row in content["rows"])
    assert content["place_of_supply"].endswith("(96, outside India)")
    assert (content["shown"]["currency"], Decimal(content["shown"]["rate"])) == ("USD", order.rate)


def test_the_rate_is_that_of_the_invoices_day(company, taxed, make_variant, new_buyer, order_of):
    order = order_of(new_buyer({make_variant("118", product=taxed("12")): 1}))
    GstRate.objects.create(hsn_id="3004", percent=18, valid_from=date.today())
    confirm(order)
    row = rows_of(order.invoices.get())[0]
    assert Decimal(row["percent"]) == 18 and order.lines.get().gst_percent == 12


def test_shipping_is_taxed_as_the_line_of_the_highest_value(company, taxed, make_variant, placed):
    lines = {make_variant("50", product=taxed("5", "0902")): 1, make_variant("90", product=taxed("18", "3304")): 1}
    order = placed(lines)
    shipping = rows_of(order.invoices.get())[-1]
    assert (shipping["name"], shipping["hsn"], Decimal(shipping["percent"])) == ("Shipping", "3304", 18)


def test_a_coupon_lowers_the_taxable_value(company, taxed, make_variant, placed):
    coupon = Coupon.objects.create(code="TEN", kind="percent", percent=10)
    order = placed({make_variant("112", product=taxed()): 2}, coupon=coupon, state="Delhi", pincode="110001")
    goods = rows_of(order.invoices.get())[0]
    assert [Decimal(goods[part]) for part in ("gross", "off", "taxable", "igst")] == [
        224, Decimal("22.40"), 180, Decimal("21.60"),
    ]  # fmt: skip


def test_a_free_order_has_an_invoice_over_nothing(company, make_variant, new_buyer, order_of):
    coupon = Coupon.objects.create(code="ALL", kind="percent", percent=100)
    Slab.objects.all().delete()
    subscriptions.reset()
    customer = new_buyer({make_variant("500"): 1})
    customer.cart.coupon = coupon
    customer.cart.save()
    order = order_of(customer)
    assert (order.status, order.invoices.get().total_inr) == ("placed", 0)


@tries(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    lines=st.lists(
        st.tuples(st.integers(1, 9), st.decimals("0.01", 20000, places=2), st.sampled_from(["0", "5", "12", "18"])),
        min_size=1,
        max_size=8,
    ),
    off=st.integers(0, 100),
    shipping=st.decimals(0, 500, places=2),
    place=st.sampled_from(["Karnataka", "Delhi", "abroad"]),
)
def test_rows_of_any_order_add_up_to_what_was_charged(company, lines, off, shipping, place):
    order, goods = any_order(lines, off, shipping, place)
    content = invoicing.content_of(order, date(2026, 11, 21))
    assert sum(row["total"] for row in content["rows"]) == order.total_inr == content["totals"]["total"]
    assert all(row["taxable"] + row["cgst"] + row["sgst"] + row["igst"] == row["total"] for row in content["rows"])
    assert all(row["taxable"] >= 0 for row in content["rows"])
    assert len(goods) == sum(row["id"] != invoicing.SHIPPING for row in content["rows"])


def any_order(lines, off, shipping, place):
    """An order of no database, whose coupon takes `off` percent of the goods."""
    goods = [
        OrderLine(
            pk=at, quantity=units, line_inr=units * price, gst_percent=Decimal(percent), product_name=f"P{at}",
            brand_name="B", attributes={},
        )
        for at, (units, price, percent) in enumerate(lines, 1)
    ]  # fmt: skip
    whole = sum(line.line_inr for line in goods)
    coupon = (whole * off / 100).quantize(PAISA)
    for line, share in zip(goods, spread(coupon, [line.line_inr for line in goods], PAISA), strict=True):
        line.reduction_inr = share
    address = {
        "full_name": "Asha Rao", "state": "" if place == "abroad" else place, "country": place,
        "country_code": "US" if place == "abroad" else "IN",
    }  # fmt: skip
    order = Order(
        pk=1, number="ORD-X", address=address, currency="INR", coupon_inr=coupon, shipping_inr=shipping,
        total_inr=whole - coupon + shipping,
    )  # fmt: skip
    order._prefetched_objects_cache = {"lines": OrderLine.objects.none()}
    order._prefetched_objects_cache["lines"]._result_cache = goods
    return order, goods


# --- Credit notes ---------------------------------------------------------------------------------


def test_the_rest_of_an_order_is_credited_once(company, taxed, make_variant, placed):
    order = placed({make_variant("112", product=taxed()): 2})
    note = credit_rest(order, reason="The order was cancelled.")
    assert note.number.startswith("CRN/") and len(note.number) == 16
    assert_adds_up(note, order.total_inr)
    assert note.content["original"]["number"] == order.invoices.get(kind="invoice").number
    assert credit_rest(order, reason="Again").pk == note.pk
    assert Invoice.objects.filter(kind="credit").count() == 1


def test_units_credited_one_by_one_add_up_to_their_row(company, taxed, make_variant, placed):
    coupon = Coupon.objects.create(code="ODD", kind="amount", amount_inr=Decimal("10.01"))
    order = placed({make_variant("33.33", product=taxed()): 3}, coupon=coupon, state="Karnataka")
    line = order.lines.get()
    net = line.line_inr - line.reduction_inr
    for unit in range(3):
        share = share_of_units(net, 3, first=unit, count=1)
        credit(order, {str(line.pk): Credit(1, share)}, reference=f"return:{unit}", reason="Returned")
    notes = order.invoices.filter(kind="credit")
    invoiced = rows_of(order.invoices.get(kind="invoice"))[0]
    for part in invoicing.PARTS:
        assert sum(Decimal(note.content["rows"][0][part]) for note in notes) == Decimal(invoiced[part])
    rest = credit_rest(order, reason="The end")
    assert [row["id"] for row in rest.content["rows"]] == [invoicing.SHIPPING]
    assert sum(note.total_inr for note in order.invoices.filter(kind="credit")) == order.total_inr


def test_invoices_stay_as_they_were_issued(company, taxed, make_variant, placed):
    variant = make_variant("112", product=taxed())
    order = placed({variant: 1})
    before = order.invoices.get().content
    company.legal_name = "Twig Ltd"
    company.save()
    GstRate.objects.update(percent=28)
    variant.product.name = "Another"
    variant.product.save()
    assert order.invoices.get().content == before


# --- UK VAT ----------------------------------------------------------------------------------------

VAT_NUMBER = "GB980780684"


@pytest.fixture
def to_the_uk(company, settings, taxed, make_variant, new_buyer, order_of):
    """to_the_uk("1404", …): a placed order of one unit to the United Kingdom, shown in pounds at ₹117."""
    settings.UK_VAT_NUMBER = VAT_NUMBER

    def place(price, units=1, currency=None):
        registry = market_registry()
        uk = registry.market(registry.by_code["GB"], currency)
        customer = new_buyer({make_variant(price, units=9, product=taxed()): units})
        customer.addresses.update(country_id=uk.location_id, state="", city="London", pincode="SW1A 1AA")
        order = order_of(customer, uk)
        confirm(order)
        return order

    return place


def test_uk_vat_is_on_the_invoice_with_its_number(to_the_uk, settings):
    order = to_the_uk("1404", units=2)
    invoice = order.invoices.get()
    assert_adds_up_with_vat(invoice, order.total_inr)
    goods, shipping = rows_of(invoice)
    assert [Decimal(goods[part]) for part in ("total", "taxable", "vat", "igst")] == [2808, 2340, 468, 0]
    assert Decimal(shipping["vat"]) == (order.shipping_inr / 6).quantize(PAISA)
    content = invoice.content
    assert content["layout"]["taxes"] == [["vat", "UK VAT 20%"]] and content["supply"] == Supply.EXPORT
    assert content["seller"]["registration"] == f"UK VAT number {VAT_NUMBER}"
    assert draw_invoice(invoice).startswith(b"%PDF-")


def assert_adds_up_with_vat(invoice, total):
    rows = rows_of(invoice)
    for row in rows:
        assert sum(Decimal(row[part]) for part in ("taxable", "igst", "vat")) == Decimal(row["total"])
    assert sum(Decimal(row["total"]) for row in rows) == total == invoice.total_inr
    assert sum(Decimal(row["vat"]) for row in rows) == Decimal(invoice.content["totals"]["vat"]) > 0


@pytest.mark.parametrize("currency", ["GBP", "USD", "INR"])
@pytest.mark.parametrize(("price", "is_collected"), [("15795", True), ("15800", False)])  # £135.00 and £135.04
def test_goods_above_135_pounds_are_left_to_the_border(to_the_uk, price, is_collected, currency):
    content = to_the_uk(price, currency=currency).invoices.get().content
    assert (Decimal(content["totals"]["vat"]) > 0) == is_collected
    assert bool(content["seller"]["registration"]) == is_collected


def test_without_a_number_no_uk_vat_is_collected(to_the_uk, settings):
    settings.UK_VAT_NUMBER = ""
    content = to_the_uk("1404").invoices.get().content
    assert Decimal(content["totals"]["vat"]) == 0 and content["layout"]["taxes"] == []


def test_a_credit_note_takes_uk_vat_back_at_the_rate_of_its_invoice(to_the_uk, settings):
    order = to_the_uk("1404", units=3)
    settings.UK_VAT_NUMBER = ""
    line = order.lines.get()
    share = share_of_units(line.line_inr, 3, first=0, count=1)
    first = credit(order, {str(line.pk): Credit(1, share)}, reference="return:1", reason="Returned")
    assert Decimal(rows_of(first)[0]["vat"]) == 234 and first.content["seller"]["registration"].endswith(VAT_NUMBER)
    rest = credit_rest(order, reason="The end")
    notes = sum(Decimal(note.content["totals"]["vat"]) for note in (first, rest))
    assert notes == Decimal(order.invoices.get(kind="invoice").content["totals"]["vat"])


@pytest.mark.parametrize(
    ("state", "supply", "heading"),
    [("Karnataka", Supply.WITHIN, "CGST"), ("Delhi", Supply.BETWEEN, "IGST")],
)
def test_an_invoice_from_before_the_rules_is_drawn_and_credited(
    company, taxed, make_variant, placed, state, supply, heading
):
    order = placed({make_variant("112", product=taxed()): 1}, state=state, pincode="")
    invoice = order.invoices.get()
    content = {name: part for name, part in invoice.content.items() if name != "layout"}
    content["rows"] = [{name: part for name, part in row.items() if name != "vat"} for row in content["rows"]]
    for part in ("seller", "totals"):
        content[part] = {name: said for name, said in content[part].items() if name not in ("registration", "vat")}
    columns = [name for name, *_ in pdf._columns(invoice.content)]
    Invoice.objects.update(content=content)
    invoice.refresh_from_db()
    assert content["supply"] == supply and heading in columns
    assert [name for name, *_ in pdf._columns(content)] == columns
    assert draw_invoice(invoice).startswith(b"%PDF-")
    assert_adds_up(credit_rest(order, reason="The end"), order.total_inr)


# --- Numbers ---------------------------------------------------------------------------------------


def numbers(kind="invoice"):
    return [int(number[-6:]) for number in Invoice.objects.filter(kind=kind).values_list("number", flat=True)]


def test_each_financial_year_begins_with_one(company, make_variant, placed, monkeypatch):
    for day in (datetime(2027, 3, 31, 23, 59), datetime(2027, 4, 1, 0, 0), datetime(2027, 4, 1, 0, 1)):
        moment = day.replace(tzinfo=ZoneInfo("Asia/Kolkata"))
        monkeypatch.setattr(invoicing.timezone, "now", lambda at=moment: at)
        placed({make_variant(): 1})
    found = list(Invoice.objects.values_list("number", flat=True))
    assert found == ["INV/26-27/000001", "INV/27-28/000001", "INV/27-28/000002"]


def test_a_number_that_is_rolled_back_is_given_again(company, make_variant, new_buyer, order_of, placed):
    placed({make_variant(): 1})
    order = order_of(new_buyer({make_variant(): 1}))
    with pytest.raises(OutOfStock), transaction.atomic():
        confirm_order(order, actor="shop")
        raise OutOfStock("Something failed afterwards.")
    placed({make_variant(): 1})
    assert numbers() == [1, 2]


@pytest.fixture
def waiting(company, make_variant, new_buyer, order_of, transactional_db):
    """waiting(20): orders that wait for their confirmation."""
    market = market_registry().market(market_registry().by_code["IN"])

    def make(count):
        variant = make_variant(units=count)
        for number in range(count):
            person = Customer.objects.create_user(f"w{number}@example.com", name=f"W {number}")
            new_address(person)
            fill(person, {variant: 1}, market)
            yield order_of(person, market)

    return make


def confirm_and_sometimes_fail(order, at):
    with transaction.atomic():
        confirm_order(Order.objects.select_for_update().get(pk=order.pk), actor="shop")
        if at % 4 == 0:
            raise OutOfStock("Something failed afterwards.")
    return order


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_20_confirmations_at_once_leave_no_gap(waiting):
    orders = list(waiting(20))
    results = together([partial(confirm_and_sometimes_fail, order, at) for at, order in enumerate(orders)])
    assert len(of_kind(results, Order)) == 15 and len(of_kind(results, OutOfStock)) == 5
    assert sorted(numbers()) == list(range(1, 16))
    assert InvoiceSeries.objects.get().last == 15


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_numbers_taken_outside_the_transaction_would_leave_gaps(waiting, monkeypatch):
    """Negative control: as a counter of the database gives them, which no rollback takes back."""
    given = iter(range(1, 100))
    monkeypatch.setattr(invoicing, "_next_number", lambda kind, day: f"INV/26-27/{next(given):06}")
    orders = list(waiting(20))
    together([partial(confirm_and_sometimes_fail, order, at) for at, order in enumerate(orders)])
    assert sorted(numbers()) != list(range(1, 16))


# --- Files -----------------------------------------------------------------------------------------


def test_the_owner_downloads_the_pdf_and_nobody_else(company, make_variant, placed, client, customer):
    order = placed({make_variant(): 1})
    invoice = order.invoices.get()
    path = reverse("invoice_file", args=[order.number, invoice.pk])
    assert client.get(path).status_code == 302
    client.force_login(order.customer)
    answer = client.get(path)
    assert answer.content.startswith(b"%PDF-") and answer["Content-Type"] == "application/pdf"
    assert answer["Content-Disposition"] == f'attachment; filename="{invoice.number.replace("/", "-")}.pdf"'
    assert "private" in answer["Cache-Control"] and answer["X-Content-Type-Options"] == "nosniff"
    assert client.get(reverse("invoice_file", args=["ORD-OTHER0000", invoice.pk])).status_code == 404
    client.force_login(customer)
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("lines", [1, 30])
def test_a_pdf_holds_as_many_pages_as_it_needs(company, make_variant, make_product, placed, lines):
    products = [make_product(f"Ashwagandha root extract tablets number {n}") for n in range(lines)]
    order = placed({make_variant("99", product=product): 1 for product in products})
    pdf = draw_invoice(order.invoices.get())
    assert pdf.count(b"/Type /Page\n") == (1 if lines == 1 else 2)


def test_letters_without_a_glyph_do_not_stop_a_pdf(company, make_variant, placed):
    order = placed({make_variant(): 1}, full_name="अशा राव 李 ☃", landmark="\u0301 ẞ")
    assert draw_invoice(order.invoices.get()).startswith(b"%PDF-")
