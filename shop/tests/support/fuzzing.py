"""Values that have broken other shops, and what must be true of whatever comes back."""

import csv
import json
import re
from collections.abc import Callable, Iterable
from html.parser import HTMLParser
from io import BytesIO, StringIO
from typing import Any
from xml.etree import ElementTree
from zlib import crc32

import hypothesis
from django.db import connection
from hypothesis import HealthCheck, Phase
from hypothesis import strategies as st
from openpyxl import load_workbook

from shop.backoffice.spreadsheets import XLSX
from shop.tests.support.needs import named_data_folder

MAX_ANSWER_LENGTH = 2.0  # seconds of the processor: a busy machine is no fault of the answer
FORMULA = ("=", "+", "-", "@", "\t", "\r")
ACTIVE_PDF = (b"/JavaScript", b"/JS", b"/Launch", b"/URI")
# Markup of ours: wherever it stands as it is, a browser would take it for a part of the page.
PROBE = "i-probe7"
MARKUP = f"'\"></textarea></title></script><!--<script><{PROBE} {PROBE}=1 onload=alert(7)>"
OURS = [
    "", " ", "\x00", "a\x00b", "\ud800", "\udfff\ud800", "\u202eabc", "\u2028\u2029", "\ufeff", "\u200b\u200d", "\r\n",
    "a\r\nBcc: second@example.com", "0", "-1", "+1", "00", "1.0", "1e3", "1e309", "-0", "NaN", "Infinity", "true",
    "9" * 18, str(2**31), str(2**63 - 1), str(2**63), "9" * 30, "9" * 5000, "٣", "²", "½", "१२३", "1_000", "x" * 300,
    "x" * 10_000, "ß" * 101, "👩‍👩‍👧‍👦" * 40, "a" + "\u0301" * 500, "%", "_", "%00", "%ff", "\\", "'", '"', "`", "(",
    '"soap', "soap*", "NEAR(", "AND OR NOT", "{{7*7}}", "{% debug %}", "${7*7}", "%(name)s", "{0.__class__}",
    "=1+1", "@SUM(1)", "../../etc/passwd", "//example.com", "/\\example.com", "javascript:alert(7)", "2026-02-30",
    "0000-00-00", "9999-12-31", "10000-01-01", "a,b,,c", "[]", "{}", "null", "<", "&lt;", "&#x3c;", "]]>", "<![CDATA[",
    MARKUP, "<svg/onload=alert(7)>", "<img src=x onerror=alert(7)>", "</script><script>alert(7)</script>",
]  # fmt: skip


def listed_strings() -> list[str]:
    """The list of naughty strings among the real files, where SHOP_TEST_DATA names these."""
    folder = named_data_folder()
    return json.loads((folder / "nasty" / "blns.json").read_text()) if folder else []


def values(listed: list[str]) -> st.SearchStrategy[str]:
    """Naughty strings, as they are and with markup behind them, and whatever hypothesis makes."""
    naughty = st.sampled_from([*OURS, *listed])
    made = st.text(max_size=40) | st.integers().map(str) | st.floats().map(str) | st.dates().map(str)
    return naughty | naughty.map(lambda text: text + MARKUP) | made


def always_the_same(count: int) -> Callable[..., Any]:
    """So many examples, the same each time, and others on another database; the first that fails is told of as it
    is."""
    settings = hypothesis.settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    return lambda test: hypothesis.seed(crc32(connection.vendor.encode()))(settings(test))


# --- What comes back --------------------------------------------------------------------------------


def faults_of_content(content_type: str, body: bytes) -> list[str]:
    """Where an answer holds something of ours that is more than text."""
    text = body.decode(errors="replace")
    if content_type.startswith("text/html"):
        return faults_of_html(text)
    if content_type.startswith(("application/xml", "text/xml", "application/rss+xml", "application/atom+xml")):
        return _faults_of_xml(body)
    if "json" in content_type:
        json.loads(body)
    if content_type.startswith("text/csv"):
        return _formulas(cell for row in csv.reader(StringIO(text.lstrip("\ufeff"), newline="")) for cell in row)
    if content_type == XLSX:
        sheets = load_workbook(BytesIO(body))
        return [f"formula {cell.value!r}" for row in sheets.active for cell in row if cell.data_type == "f"]
    if content_type == "application/pdf":
        return [f"active PDF: {word}" for word in ACTIVE_PDF if word in body]
    return []


def _formulas(cells: Iterable[str]) -> list[str]:
    return [
        f"formula {cell!r}" for cell in cells if PROBE in cell and cell.startswith(("=", "+", "-", "@", "\t", "\r"))
    ]


def faults_of_html(html: str) -> list[str]:
    found = [f"markup as it was sent: …{html[at - 80 : at + 20]!r}" for at in _places(f"<{PROBE}", html)]
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return found + reader.faults


def _faults_of_xml(body: bytes) -> list[str]:
    try:
        tree = ElementTree.fromstring(body)
    except ElementTree.ParseError as error:
        return [f"no XML: {error}"]
    return [f"markup as it was sent: {part.tag}" for part in tree.iter() if PROBE in part.tag]


def _places(words: str, text: str) -> list[int]:
    return [found.start() for found in re.finditer(re.escape(words), text)]


class _Reader(HTMLParser):
    """Looks for what can only come from outside: event attributes, scripts in addresses, inline scripts."""

    LEADS = {"href", "src", "action", "formaction", "xlink:href", "data", "srcdoc"}
    DATA = ("application/json", "application/ld+json", "importmap", "speculationrules")

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.faults: list[str] = []
        self.script: dict[str, str | None] | None = None
        self.inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            said = re.sub(r"[\x00-\x20]", "", value or "").lower()
            if PROBE in name or (name.startswith("on") and "alert" in said):
                self.faults.append(f"attribute {name} of {tag}: {value!r}")
            if name in self.LEADS and said.startswith(("javascript:", "vbscript:", "data:text")):
                self.faults.append(f"address of a script in {name} of {tag}: {value!r}")
        if tag == "script":
            self.script, self.inside = dict(attrs), ""

    def handle_data(self, data: str) -> None:
        if self.script is not None:
            self.inside += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "script" and self.script is not None:
            self._judge(self.script, self.inside)
            self.script = None

    def _judge(self, attributes: dict[str, str | None], inside: str) -> None:
        if (attributes.get("type") or "").lower() in self.DATA:
            if set("<>&\u2028\u2029") & set(inside) and attributes.get("type") != "importmap":
                self.faults.append(f"unescaped data: {inside[:200]!r}")
            json.loads(inside)
        elif PROBE in inside or "alert(" in inside:
            self.faults.append(f"inline script: {inside[:200]!r}")
