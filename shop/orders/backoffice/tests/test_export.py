"""Orders as tables for spreadsheets: the period, the state, and no cell that is a formula."""

import csv
from datetime import datetime
from io import BytesIO, StringIO
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse
from openpyxl import load_workbook

from shop.accounts.staff.roles import CATALOGUE_MANAGER, ORDER_DESK

from ...models import Order
from ...placing.services import confirm_order
from ..export import HEAD
from .test_order_admin import staff

pytestmark = pytest.mark.django_db
EXPORT = reverse("admin:orders_order_export")
OCTOBER = {"first": "2026-10-01", "last": "2026-10-31", "format": "csv"}
KOLKATA = ZoneInfo("Asia/Kolkata")


@pytest.fixture
def sold(make_variant, new_buyer, order_of):
    """sold(day, month): an order of three units at the last minute of that day."""

    def make(day, month=10, *, placed=True):
        order = order_of(new_buyer({make_variant(units=9): 3}))
        if placed:
            confirm_order(order, actor="provider")
        at = datetime(2026, month, day, 23, 59, tzinfo=KOLKATA)
        Order.objects.filter(pk=order.pk).update(created_at=at)
        return Order.objects.get(pk=order.pk)

    return make


def table_of(answer):
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    return list(csv.DictReader(StringIO(text)))


def test_orders_of_a_period_and_state_are_exported(sold):
    first, last, unpaid = sold(1), sold(31), sold(15, placed=False)
    sold(30, 9)
    sold(1, 11)
    desk = staff(ORDER_DESK)
    answer = desk.get(EXPORT, OCTOBER)
    assert answer["Content-Disposition"] == 'attachment; filename="orders-2026-10-01-2026-10-31.csv"'
    rows = table_of(answer)
    assert [row["number"] for row in rows] == [first.number, unpaid.number, last.number]
    assert (rows[0]["units"], rows[0]["total INR"], rows[0]["city"]) == ("3", str(first.total_inr), "Bengaluru")
    placed = table_of(desk.get(EXPORT, OCTOBER | {"status": "placed"}))
    assert [row["number"] for row in placed] == [first.number, last.number]


def test_a_workbook_holds_the_same_and_no_formula(sold):
    order = sold(5)
    order.address |= {"full_name": "=HYPERLINK(1)", "city": "@SUM(A1)", "phone_code": "+91"}
    order.save()
    desk = staff(ORDER_DESK)
    answer = desk.get(EXPORT, OCTOBER | {"format": "xlsx"})
    head, row = load_workbook(BytesIO(b"".join(answer.streaming_content))).active.iter_rows()
    assert tuple(cell.value for cell in head) == HEAD
    cells = dict(zip(HEAD, row, strict=True))
    assert (cells["name"].value, cells["city"].value) == ("'=HYPERLINK(1)", "'@SUM(A1)")
    assert cells["phone"].value.startswith("'+91") and all(cell.data_type != "f" for cell in row)
    assert cells["total INR"].value == order.total_inr
    assert table_of(desk.get(EXPORT, OCTOBER))[0]["name"] == "'=HYPERLINK(1)"


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"last": "2026-09-30"}, "The end date is before the start date."),
        ({"last": "2028-10-31"}, "At most 366 days at a time."),
        ({"first": "soon"}, "Enter a valid date."),
        ({"format": "pdf"}, "Select a valid choice."),
    ],
)
def test_a_wrong_period_is_refused_in_words(wrong, words):
    answer = staff(ORDER_DESK).get(EXPORT, OCTOBER | wrong)
    assert answer.status_code == 422 and words in answer.content.decode()


def test_others_export_nothing(sold):
    sold(5)
    assert staff(CATALOGUE_MANAGER).get(EXPORT, OCTOBER).status_code == 403
