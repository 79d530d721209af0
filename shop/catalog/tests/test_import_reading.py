import codecs
import gzip
import json
from decimal import Decimal

import pytest

from shop.catalog.html import clean_html
from shop.catalog.importing import cells, reading
from shop.catalog.importing.reading import Source
from shop.catalog.importing.rows import BadFile, BadRow


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
        (2, ""), (3, "3 cells under 2 columns"), (4, "an empty row"), (5, ""),
    ]  # fmt: skip


def test_repeated_and_missing_header_names_keep_their_cells(source):
    assert cells_of(source("url,url,,\nx,y,z,\n")) == [{"url": "x", "url (2)": "y", "column 3": "z", "column 4": ""}]


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
