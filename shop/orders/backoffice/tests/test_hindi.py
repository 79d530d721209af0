"""The screens of the back office that are complete in Hindi show no English beside names and data."""

import re
from html.parser import HTMLParser

import pytest
from django.conf import settings
from django.urls import reverse

from shop.accounts.staff.roles import OWNER
from shop.markets.models import Location

from ...placing.services import confirm_order
from ...shipping.services import ship
from .test_order_admin import staff

pytestmark = pytest.mark.django_db
WORD = re.compile(r"[A-Za-z]{3,}")
READ_OUT = ("aria-label", "placeholder", "alt", "title")
# Names, numbers and addresses, and the names of what has no other one.
DATA = re.compile(r"ORD-\w+|[\w.+-]+@[\w.-]+|INR|SKU|English|esc|PDF|CSV|XLSX|SMS|Ctrl K|https?://\S+")


class _Read(HTMLParser):
    """What a page shows or says; the names of icons and what scripts hold are left out."""

    VOID = ("input", "img", "br", "meta", "link", "hr", "source", "col", "path", "rect")

    def __init__(self):
        super().__init__()
        self.texts, self.silent = set(), []

    def handle_starttag(self, tag, attrs):
        said = dict(attrs)
        self.texts |= {said[name].strip() for name in READ_OUT if said.get(name)}
        if tag == "input" and said.get("type") in ("submit", "button"):
            self.texts.add((said.get("value") or "").strip())
        is_silent = tag in ("script", "style", "template") or "material-symbols" in (said.get("class") or "")
        if tag not in self.VOID and (self.silent or is_silent):
            self.silent.append(tag)

    def handle_endtag(self, tag):
        if self.silent and self.silent[-1] == tag:
            self.silent.pop()

    def handle_data(self, data):
        if not self.silent and data.strip():
            self.texts.add(" ".join(data.split()))


def texts_of(answer):
    assert answer.status_code == 200
    reader = _Read()
    reader.feed(answer.content.decode())
    return reader.texts


def english(office, address, *data):
    """What stands in English on the page in Hindi: what is the same on both, and is no data."""
    office.cookies.pop(settings.LANGUAGE_COOKIE_NAME, None)
    before = texts_of(office.get(address))
    office.cookies[settings.LANGUAGE_COOKIE_NAME] = "hi"
    known = {*data, settings.SHOP_NAME, settings.SHOP_HOST}

    def is_data(text):
        for name in known:
            text = text.replace(name, "")
        return not WORD.search(DATA.sub("", text))

    return sorted(text for text in before & texts_of(office.get(address)) if not is_data(text))


@pytest.fixture
def office():
    return staff(OWNER)


@pytest.fixture
def order(make_variant, new_buyer, order_of):
    """Placed, one of its two units shipped."""
    order = order_of(new_buyer({make_variant(units=9): 2}))
    confirm_order(order, actor="provider")
    ship(order, {order.lines.get().pk: 1}, actor="staff:1")
    return order


def data_of(order):
    line = order.lines.get()
    return {
        "Staff 0", *order.events.values_list("note", flat=True),
        str(order.customer), line.product_name, line.sku, *Location.objects.values_list("name", flat=True),
        *(str(value) for value in order.address.values() if value), *line.attributes.values(), *line.attributes,
    }  # fmt: skip


@pytest.mark.parametrize(
    "page",
    ["admin:index", "admin:orders_order_changelist", "admin:orders_order_board", "admin:orders_order_export",
     "admin:reports_report"],
)  # fmt: skip
def test_no_english_on_pages(office, order, page):
    left = english(office, reverse(page), *data_of(order))
    assert not left, " | ".join(left)


@pytest.mark.parametrize("page", ["change", "parcels"])
def test_no_english_on_pages_of_an_order(office, order, page):
    left = english(office, reverse(f"admin:orders_order_{page}", args=[order.pk]), *data_of(order))
    assert not left, " | ".join(left)


def test_an_english_text_is_found(office, order):
    """A message of a part that is not translated yet stands for any."""
    address = reverse("admin:orders_order_change", args=[order.pk])
    assert order.lines.get().product_name in " ".join(english(office, address))
