import codecs
import gzip
import json
import re
from datetime import date
from decimal import Decimal
from io import BytesIO
from zipfile import ZipFile

import openpyxl
import pytest

from shop.html import clean_html

from ..files import reading
from ..files.reading import Source
from ..formats import cells
from ..rows import BadFile, BadRow


@pytest.fixture
def source(tmp_path):
    def source(data):
        (tmp_path / "file").write_bytes(data if isinstance(data, bytes) else data.encode())
        return Source(tmp_path / "file")

    return source


def cells_of(source):
    return [record.cells for record in source.records()]


@pytest.mark.parametrize(
    "data",
    [
        "name,price\nTulsi,10\n",
        "name,price\r\nTulsi,10\r\n",
        "name,price\rTulsi,10",
        "\ufeffname,price\nTulsi,10\n\n",
        "Name;Price\nTulsi;10\n",
        "name\tPRICE\nTulsi\t10\n",
        gzip.compress(b"name,price\nTulsi,10\n", mtime=0),
        codecs.BOM_UTF16_LE + "name,price\nTulsi,10\n".encode("utf-16-le"),
        '[{"name": "Tulsi", "price": 10}]',
        '{"name": "Tulsi", "price": "10"}\n',
    ],
)
def test_the_same_record_in_many_dresses(source, data):
    assert cells_of(source(data)) == [{"name": "Tulsi", "price": "10"}]


def test_quotes_hold_commas_quotes_and_line_ends(source):
    found = cells_of(source('a,b\n"1, 2","he said ""no""\r\ntwice"\n'))
    assert found == [{"a": "1, 2", "b": 'he said "no"\r\ntwice'}]


@pytest.mark.parametrize("text", [b"name,price\n" + b"Tea,10\n" * 1000, b"name,price\n" + b"Cr\xe8me,1\n" * 1000])
def test_what_unpacks_to_more_than_the_limit_is_refused(source, monkeypatch, text):
    monkeypatch.setattr(reading, "MAX_UNPACKED", len(text))
    assert len(cells_of(source(gzip.compress(text)))) >= 1000
    monkeypatch.setattr(reading, "MAX_UNPACKED", len(text) - 1)
    with pytest.raises(BadFile, match="unpacks to more than 1 GB"):
        cells_of(source(gzip.compress(text)))


def test_a_line_without_end_is_refused(source, monkeypatch):
    monkeypatch.setattr(reading, "MAX_LINE", 1000)
    assert cells_of(source("name\n" + "x" * 999 + "\n")) == [{"name": "x" * 999}]
    with pytest.raises(BadFile, match="A line of the file"):
        cells_of(source("name\n" + "x" * 2000))


def test_row_numbers_are_those_of_a_spreadsheet(source):
    records = list(source("a,b\n1,2\n\n3,4,5\n,\n6\n").records())
    assert [(record.number, record.problem) for record in records] == [
        (2, ""), (3, "3 cells for 2 columns"), (4, "an empty row"), (5, ""),
    ]  # fmt: skip


def test_repeated_and_missing_header_names_keep_their_cells(source):
    assert cells_of(source("url,url,,\nx,y,z,\n")) == [{"url": "x", "url (2)": "y", "column 3": "z", "column 4": ""}]


def rows_of(source):
    return [(record.number, record.problem or list(record.cells.values())) for record in source.records()]


TEAS = [f"Tea {n},{n},12\n" for n in range(4, 100)]


@pytest.mark.parametrize(
    "rows",
    [
        ['"Tea 3,3,12\n', *TEAS],  # to the end of the file
        ['"Tea 3,3,12\n', *TEAS[:40], '"Tea, black",9,12\n', *TEAS[40:]],  # to the next quoted cell
        ['"Tea 3,3,12\n', *TEAS[:40], 'Pipe 5",9,12\n', *TEAS[40:]],  # closed by chance
        ['Tea 3,"3,12\n', *TEAS[:40], '"",9,12\n', *TEAS[40:]],
        ['"Tea 3,3,12\n', '"Tea 3,3,12\n', *TEAS],
    ],
)
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_an_unclosed_quote_costs_its_own_row_only(source, rows, ends):
    text = "name,price,mrp\nTea 1,1,12\n" + "".join(rows)
    found = rows_of(source(text.replace("\n", ends)))
    bad = [number for number, cells in enumerate(rows, start=3) if cells.count('"') == 1 and "Pipe" not in cells]
    assert len(found) == 1 + len(rows)
    assert [(number, told) for number, told in found if isinstance(told, str)] == [
        (number, f"a quote opened in line {number} is never closed") for number in bad
    ]


@pytest.mark.parametrize(
    "text",
    [
        # What an open quote swallowed is prose: nobody can tell where the record ends.
        'name,description,price\n"Tea,"Green\nand fresh\nfrom Assam",12\nOil,Cold pressed,20\n',
        'name,description,price\nTea,"Green\nand fresh\nfrom Assam,12\nfor all\n',
    ],
)
def test_where_an_unclosed_quote_ends_is_not_guessed(source, text):
    with pytest.raises(BadFile, match=r"^Line [23]: a quote is opened and never closed"):
        rows_of(source(text))


@pytest.mark.parametrize(
    ("header", "row", "cells"),
    [
        ("name,description,price", 'Tulsi Tea,"Warm, soothing\nroots, leaves",120', 3),
        ("name,description,price", '"Tulsi, green","Warm, soothing\nroots, leaves",120', 3),
        ("name,description,price", 'Tulsi Tea,"Warm, soothing\nroots, 5 leaves\nand, all",120.50', 3),
        ("sku,name,description,price,mrp", 'S1,Tea,"Warm, soothing, mild\nroots, leaves, spice",120,130', 5),
        ("handle,title,body,vendor,variant price", 't,Tea,"<p>a, b, c</p>\n<p>d, e, f</p>",V,120', 5),
        ("name;description;price", 'Tulsi Tea;"Warm; soothing\nroots; leaves";"120,50"', 3),
    ],
)
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_description_of_two_lines_with_commas_is_one_cell(source, header, row, cells, ends):
    text = f"{header}\n{row}\n{row}\n".replace("\n", ends)
    found = rows_of(source(text))
    assert [number for number, _ in found] == [2, 3]
    assert all(len(told) == cells and ends in "".join(told) for _, told in found)


@pytest.mark.parametrize("rest", ["", "Oil,Cold,Pressed\n"])
def test_lines_that_may_be_rows_or_one_cell_are_refused(source, rest):
    with pytest.raises(BadFile, match="Lines 2 to 3 are between two quotes"):
        rows_of(source('name,brand,note\nTea,X,"Warm, soothing\nroots, leaves, spice"\n' + rest))


def test_two_columns_between_two_quotes_are_refused_where_they_look_like_rows(source):
    text = 'name,price\n"Tea 1,1\n' + "".join(f"Tea {n},{n}\n" for n in range(25)) + 'Pipe 5",9\n'
    with pytest.raises(BadFile, match="Lines 2 to 28 are between two quotes"):
        rows_of(source(text))


def test_quoted_cells_of_many_lines_and_inch_marks_are_read_as_they_are(source):
    pipes = 'Pipe 6",None,5\n"7" pipe",None,8\n'
    text = 'name,description,price\n"Pipe 5"" long","Green,\nfresh, light\nand good",12\n' + pipes
    assert rows_of(source(text)) == [
        (2, ['Pipe 5" long', "Green,\nfresh, light\nand good", "12"]),
        (3, ['Pipe 6"', "None", "5"]),
        (4, ['7 pipe"', "None", "8"]),
    ]


HINDI = ["तुलसी चाय,10\n", "नीम का तेल,20\n", "आँवला,30\n"]


def test_one_bad_byte_costs_its_line_and_garbles_nothing(source):
    read = source(b"name,price\n" + "".join(HINDI).encode() + b"Cr\xe8me,5\n" + "Café,6\n".encode())
    assert rows_of(read) == [
        (2, ["तुलसी चाय", "10"]), (3, ["नीम का तेल", "20"]), (4, ["आँवला", "30"]),
        (5, "bytes that are not UTF-8, from line 5 on"), (6, ["Café", "6"]),
    ]  # fmt: skip
    assert read.remark == ""


def test_a_file_is_of_old_windows_only_if_most_of_its_lines_are(source):
    old = ["Crème,1\n".encode("cp1252"), "Thé,2\n".encode("cp1252"), "Café,3\n".encode("cp1252")]
    read = source(b"name,price\n" + b"".join(old) + "नीम,4\n".encode())
    assert rows_of(read)[:3] == [(2, ["Crème", "1"]), (3, ["Thé", "2"]), (4, ["Café", "3"])]
    assert read.remark.endswith("3 of its 4 lines with letters other than A to Z are not UTF-8")
    assert source(b"name,price\n" + old[0] + "नीम,4\n".encode()).remark == ""


@pytest.mark.parametrize(
    "line",
    [
        "पतंजलि आंवला रस,100\n".encode().replace("रस".encode(), b"\xe0\xff" + "स".encode()),
        "Dolo 650 – 10 tablets ₹,30\n".encode().replace("–".encode(), "–".encode()[:2]),
        "Café – thé à la crème,5\n".encode().replace("é".encode(), b"\xe9", 1),
    ],
)
def test_a_bad_byte_among_letters_of_utf_8_costs_its_line_alone(source, line):
    read = source(b"name,price\nCalpol,20\n" + line + b"Tea,5\n")
    told = "bytes that are not UTF-8, from line 3 on"
    assert (rows_of(read), read.remark) == ([(2, ["Calpol", "20"]), (3, told), (4, ["Tea", "5"])], "")


MEDICINES = "name,price\n" + "".join(f"Med {n},{n}\n" for n in range(1, 21))


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("at", [3, 30, 31, 100, -1])
@pytest.mark.parametrize("length", [1, 3])
def test_utf_16_that_lost_bytes_is_refused_whole(source, codec, at, length):
    data = "\ufeff".encode(codec) + MEDICINES.encode(codec)
    cut = data[:at] + data[at:][length:] if at > 0 else data[:-1]
    with pytest.raises(BadFile, match="UTF-16 text"):
        rows_of(source(cut))


def test_utf_16_shifted_by_an_even_loss_is_refused_whole(source):
    data = codecs.BOM_UTF16_LE + MEDICINES.encode("utf-16-le")
    with pytest.raises(BadFile, match="a byte of its UTF-16 text is missing"):
        rows_of(source(data[:41] + data[42:101] + data[102:]))


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("sign", ["\ud800", "\udc00", "\ufffd", "\ud800\ud800"])
def test_a_letter_that_is_none_costs_its_line_of_utf_16(source, codec, sign):
    text = f"\ufeffname,price\nPara{sign}cetamol,10\nनीम 🌿,2\n"
    assert rows_of(source(text.encode(codec, "surrogatepass"))) == [
        (2, "bytes that are not UTF-16, from line 2 on"), (3, ["नीम 🌿", "2"]),
    ]  # fmt: skip


def test_json_on_one_line_with_a_bad_byte_loses_that_object(source):
    items = b'{"name": "Cr\xe8me"}, {"name": "' + "नीम".encode() + b'"}, {"name": "' + "तुलसी".encode() + b'"}'
    assert [told for _, told in rows_of(source(b"[" + items + b"]"))] == [
        "bytes that are not UTF-8, from line 2 on", ["नीम"], ["तुलसी"],
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        '[{"name": "Tea"},',
        '[{"name": "Tea"}',
        '[{"name": "Tea"}] more',
        '[{"name": "Tea"} x {"name": "Oil"}]',
        "[" * 5000,
    ],
)
def test_json_that_breaks_off_is_refused_whole(source, text):
    with pytest.raises(BadFile, match="JSON"):
        rows_of(source(text))


def test_items_of_json_that_are_no_objects_are_counted_and_later_keys_are_columns(source):
    read = source('[{"name": "Tea"}, 12, ["x"], {"name": "Oil", "price": 5}]')
    assert [told for _, told in rows_of(read)] == [["Tea"], "not an object", "not an object", ["Oil", "5"]]
    assert read.columns == ["name", "price"]


@pytest.mark.parametrize("blank", [" ", "\t", "\u00a0", "\u200b \ufeff", "\u3000"])
def test_a_cell_of_blanks_is_empty(source, blank):
    assert rows_of(source(f"name,price\nTea,{blank}\nOil,5,{blank}\n{blank},{blank}\n")) == [
        (2, ["Tea", ""]), (3, ["Oil", "5"]), (4, "an empty row"),
    ]  # fmt: skip


def workbook(*rows, more=(), sheet="Stock"):
    book = openpyxl.Workbook()
    book.active.title = sheet
    for row in rows:
        book.active.append(row)
    for name, row in more:
        book.create_sheet(name).append(row)
    file = BytesIO()
    book.save(file)
    return file.getvalue()


def test_a_workbook_is_read_as_a_spreadsheet_shows_it(source):
    data = workbook(
        ["Name", "Price", "Barcode", "Rx", "Made"],
        ["तुलसी", 12.5, 8901234567890, True, date(2026, 11, 22)],
        [],
        ["'=Tea", 10.0, None, False, "  "],
        more=[("Notes", ["private"]), ("Empty", [])],
    )
    read = source(data)
    assert read.columns == ["name", "price", "barcode", "rx", "made"]
    assert rows_of(read) == [
        (2, ["तुलसी", "12.5", "8901234567890", "true", "2026-11-22"]), (4, ["=Tea", "10", "", "false", ""]),
    ]  # fmt: skip
    assert read.remark == "only the sheet 'Stock' was read, not 'Notes'"


def test_a_formula_that_results_in_no_text_is_an_empty_cell(source):
    changed = BytesIO()
    data = workbook(["name", "price", "brand"], ["Tea", 5, '=IF(1=1,"","z")'], ["Oil", 6, '=IF(1=1,"","z")'])
    with ZipFile(BytesIO(data)) as old, ZipFile(changed, "w") as new:
        for part in old.namelist():
            text = old.read(part)
            if part.endswith("sheet1.xml"):
                kept = b'<c r="C2" t="str"><f>IF(1=1,"","z")</f><v></v></c>'
                text, number = re.subn(rb'<c r="C2"[^>]*>.*?</c>', kept, text)
                assert number == 1
            new.writestr(part, text)
    assert rows_of(source(changed.getvalue())) == [
        (2, ["Tea", "5", ""]),
        (3, "a formula whose result is not in the file: open and save it in a spreadsheet"),
    ]


def test_a_formula_without_result_and_an_error_refuse_their_rows(source):
    found = rows_of(source(workbook(["name", "price"], ["Tea", "=5*2"], ["Oil", "#N/A"], ["Soap", 5])))
    assert [told for _, told in found] == [
        "a formula whose result is not in the file: open and save it in a spreadsheet",
        "a cell holds the error #N/A",
        ["Soap", "5"],
    ]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "old Excel workbook"),
        (b"PK\x03\x04 and no more", "damaged"),
        (b"%PDF-1.7\n", "PDF"),
        (b"\x89PNG\r\n\x1a\n", "picture"),
        (b"name,price\0\0\nTea,1\n", "not a text file"),
        (b"<html><table><tr><td>Tea</td></tr></table></html>", "web page"),
        (workbook(), "workbook is empty"),
    ],
)
def test_other_files_are_refused_in_words(source, data, words):
    with pytest.raises(BadFile, match=words):
        rows_of(source(data))


def test_a_zip_that_is_no_workbook_or_unpacks_too_far_is_refused(source, monkeypatch):
    file = BytesIO()
    with ZipFile(file, "w") as archive:
        archive.writestr("products.csv", "name,price\n")
    with pytest.raises(BadFile, match="ZIP file, not an Excel workbook"):
        source(file.getvalue())
    data = workbook(["name"], *[[f"Tea {n}"] for n in range(2000)])
    monkeypatch.setattr("shop.catalog.import_export.files.workbook.MAX_UNPACKED", 20_000)
    with pytest.raises(BadFile, match="unpacks to more than"):
        source(data)


def test_a_workbook_that_claims_a_huge_sheet_is_read_at_once(source):
    data = workbook(["name", "price"], ["Tea", 5])
    file = BytesIO(data)
    changed = BytesIO()
    with ZipFile(file) as old, ZipFile(changed, "w") as new:
        for part in old.namelist():
            text = old.read(part)
            if part.endswith("sheet1.xml"):
                text = text.replace(b'ref="A1:B2"', b'ref="A1:XFD1048576"').replace(b'r="2"', b'r="4000000000"')
            new.writestr(part, text)
    with pytest.raises(BadFile, match=r"more than 1,048,576 rows|damaged"):
        rows_of(source(changed.getvalue()))


def test_a_huge_cell_is_refused_and_reading_goes_on(source):
    records = list(source("a,b\n" + "x" * 1_100_000 + ",2\n3,4\n").records())
    assert [bool(record.problem) for record in records] == [True, False]


def test_json_longer_than_a_chunk_is_read_whole(source):
    items = [{"name": f"Tea {n}", "text": "{[" * 50} for n in range(3000)]
    assert len(cells_of(source(json.dumps(items)))) == 3000


@pytest.mark.parametrize("data", [b"", b"\x00\x01\x02", b'[{"name": "Tulsi", ', b"\x1f\x8bnot gzip"])
def test_files_that_are_nothing_are_refused_or_empty(source, data):
    try:
        assert cells_of(source(data)) == []
    except BadFile as error:
        assert error.message


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(BadFile, match="cannot be read"):
        Source(tmp_path / "nowhere.csv")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Rs. 1,125.00", "1125.00"), ("Rs.392", "392.00"), ("₹1,23,456", "123456.00"), ("42.75  ", "42.75"),
        ("12,50", "12.50"), ("1.234,50", "1234.50"), (".5", "0.50"), ("0.005", "0.01"),
    ],
)  # fmt: skip
def test_prices_as_people_write_them(written, meant):
    assert cells.PriceReader().read(written) == Decimal(meant)


@pytest.mark.parametrize("word", ["", "0", "0.00", "None", "Not For Sale", "-", "0.004"])
def test_words_and_zero_are_no_price(word):
    assert cells.PriceReader().read(word) is None


@pytest.mark.parametrize("word", ["-5", "1.2.3", "1e5", "10 - 12", "99999999999", "$21.00", "€5"])
def test_prices_that_make_no_sense_are_refused(word):
    with pytest.raises(BadRow):
        cells.PriceReader().read(word)


@pytest.mark.parametrize("cell", ["[1]", "word", '{"a": "\\u0000"}', '{"a": "\\ud800"}', "[" * 100_000])
def test_facts_must_be_a_json_object_that_can_be_stored(cell):
    with pytest.raises(BadRow):
        cells.json_object(cell, "composition")


def test_text_is_one_clean_line():
    assert cells.text(" Honey250\ufffdg\u00a0 \x00\ud800&amp;\n Co ") == "Honey250 g & Co"


@pytest.mark.parametrize(
    "dirty",
    [
        "<p>Fine</p><script>alert(1)</script>",
        '<p onclick="x()" style="color:red">Fine</p>',
        '<p>Fine<img src=x onerror="alert(1)"></p>',
        '<p><a href="javascript:x()">Fine</a></p>',
    ],
)
def test_html_keeps_only_structure(dirty):
    assert clean_html(dirty) == "<p>Fine</p>"


def test_csv_spectrum_is_read_as_expected(test_data):
    folder = test_data / "nasty" / "csv-spectrum"
    for expected in sorted((folder / "json").glob("*.json")):
        found = cells_of(Source(folder / "csvs" / f"{expected.stem}.csv"))
        # The published copy lost the carriage returns of its CRLF files; their JSON has them.
        assert found == json.loads(expected.read_text().replace("\\r\\n", "\\n")), expected.stem


@pytest.mark.parametrize(
    ("cell", "found"),
    [
        ("", []),
        (" https://a.example/1.jpg ", ["https://a.example/1.jpg"]),
        ("https://a.example/1.jpg, http://b.example/2.jpg", ["https://a.example/1.jpg", "http://b.example/2.jpg"]),
        ("https://a.example/1.jpg|https://a.example/2.jpg", ["https://a.example/1.jpg", "https://a.example/2.jpg"]),
        (
            "https://a.example/w_1,h_2/1.jpg\nHTTPS://a.example/2",
            ["https://a.example/w_1,h_2/1.jpg", "HTTPS://a.example/2"],
        ),
        (
            '["https://a.example/1.jpg", "https://a.example/2.jpg"]',
            ["https://a.example/1.jpg", "https://a.example/2.jpg"],
        ),
        ("['https://a.example/1.jpg']", ["https://a.example/1.jpg"]),
        ("//cdn.example/1.jpg", ["https://cdn.example/1.jpg"]),
        ("https://a.example/two  blanks.png", ["https://a.example/two  blanks.png"]),
        ("https://a.example/?a=1&amp;copy=2&copy=3", ["https://a.example/?a=1&copy=2&copy=3"]),
        ("https://a.example/\x00\u200b1.jpg", ["https://a.example/1.jpg"]),
        ("soap.jpg", ["soap.jpg"]),
    ],
)
def test_addresses_are_found_in_a_cell(cell, found):
    assert cells.addresses(cell) == found
