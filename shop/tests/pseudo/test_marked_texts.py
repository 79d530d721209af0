"""Every page that can be asked for, in the pseudo language (shop/tests/pseudo): whatever reads as plain English was
never marked. For visitors and customers from right to left, for staff from left to right."""

import re
from collections.abc import Iterable
from functools import reduce
from html.parser import HTMLParser

import pytest
from django.apps import apps
from django.conf import settings
from django.db import models

from shop.accounts.staff.roles import OWNER
from shop.care.models import ReplyTemplate
from shop.content.models import Faq, Page
from shop.markets.models import Location
from shop.messaging.models import MessageText

from ..support.access import RouteAccess, Who, all_entries
from ..support.belongings import belongings_of, furnish, staff_of_each_role
from ..walks.walking import ask
from . import LEFT, RIGHT, spoken_as

pytestmark = pytest.mark.django_db
READ_OUT = ("aria-label", "placeholder", "alt", "title", "data-busy-label", "data-failure")
MARKED = re.compile(rf"{LEFT}[^{RIGHT}]*{RIGHT}")
# Names, codes and units that are the same in every language.
NAMES = {
    "UPI", "CIN", "GSTIN", "MRP", "PDF", "SKU", "SMS", "CSV", "XLSX", "INR", "HSN", "JSON", "URL", "HTML", "IST", "GMT",
    "QR", "PIN", "OTP", "Ctrl", "esc", "English", "Shopify", "WooCommerce",
}  # fmt: skip
WORD = re.compile(r"[A-Za-z]{3,}")
# Links to read out, the key of an authenticator app, and Django's names of tables between two models
# and of movements of stock.
UNSAID = re.compile(
    r"https?://\S+|\S+@\S+|\A\s*(?:[A-Z2-7]{4} ?){8}\s*\Z|\A\s*\S+ relationships?:.*|(?:held|sold|released) \d+ of .*",
    re.DOTALL,
)
# Whose rows name nothing that a page shows.
SHIPPED = ("contenttypes", "sessions")
CONTENT = ("page", "pageversion", "post", "faq", "messagetext", "replytemplate")  # whole texts, not names


class _Texts(HTMLParser):
    """What is read or read out of a page, without what says that it is in another language."""

    def __init__(self):
        super().__init__()
        self.found, self.open = [], []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        is_silent = tag in ("script", "style", "svg", "code", "pre", "textarea", "template")
        is_foreign = tag != "html" and (given.get("lang") or given.get("translate") == "no")
        is_icon = "material-symbols" in (given.get("class") or "")
        if not self._is_silent():
            self.found += [value for name, value in attrs if name in READ_OUT and value]
        if tag not in ("img", "input", "br", "hr", "meta", "link", "source", "wbr", "col", "area", "base"):
            self.open.append((tag, bool(is_silent or is_foreign or is_icon)))

    def handle_endtag(self, tag):
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        if data.strip() and not self._is_silent():
            self.found.append(data)

    def _is_silent(self):
        return any(silent for _, silent in self.open)


def plain_in(page: str, known: set[str], titles: Iterable[str] = ()) -> list[str]:
    """Texts with a word that is neither marked nor known, nor part of one of the titles."""
    texts = _Texts()
    texts.feed(page)
    rest = [(text, UNSAID.sub("", _without(titles, MARKED.sub("", text)))) for text in texts.found]
    known = {word.lower() for word in known}
    return [text.strip() for text, plain in rest if {word.lower() for word in WORD.findall(plain)} - known]


def _without(titles: Iterable[str], text: str) -> str:
    return reduce(lambda rest, title: rest.replace(title, ""), titles, text)


def test_a_plain_text_is_found():
    page = f"<h1>{LEFT}x{RIGHT} Neem</h1><p lang='en'>Fallback</p><p aria-label='Close'>Save <b>now</b></p><br>"
    assert plain_in(page, {"Neem"}) == ["Close", "Save", "now"]


def _words_of_rows() -> set[str]:
    """Words of names and numbers that the rows of the test have, and of what nobody translates."""
    words = set(NAMES)
    for model in apps.get_models():
        if model._meta.app_label in SHIPPED or model._meta.model_name in CONTENT or not model._meta.managed:
            continue
        short = [field for field in model._meta.concrete_fields if _is_name(field)]
        for row in model._default_manager.values_list(*(field.attname for field in short))[:9000] if short else ():
            words.update(word for value in row if value for word in WORD.findall(str(value)))
    return words


def _titles() -> list[str]:
    """What the shop comes with, in English: titles of its pages and questions, and the kinds of its messages, which
    are named after their files."""
    found = [str(row) for row in MessageText.objects.all()]
    for model in (Page, Faq, ReplyTemplate):
        short = [field.attname for field in model._meta.concrete_fields if isinstance(field, models.CharField)]
        found += [value for row in model._default_manager.values_list(*short) for value in row if value]
    return sorted({value for value in found if WORD.search(value)}, key=len, reverse=True)


def _is_name(field) -> bool:
    return isinstance(field, (models.CharField, models.TextField)) and not field.choices


@pytest.fixture
def world(india, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    settings.SHOP_LANGUAGES = ("en", "hi", "ar")
    Location.objects.update(languages=["en", "hi", "ar"])
    asha = belongings_of("Asha", furnish(), india, phone="+919876500001")
    return asha, next(member for member in staff_of_each_role() if member.role == OWNER)


def pages(*who: Who) -> list[RouteAccess]:
    return [entry for entry in all_entries() if entry.who in who and "GET" in entry.methods and not entry.is_api]


def faults(entries, own, cookies, known, at_least) -> list[str]:
    found: dict[str, list[str]] = {}
    titles = _titles()
    for entry in entries:
        answer = ask(entry, "GET", own, cookies)
        if answer.headers.get("Content-Type", "").startswith("text/html"):
            found[entry.route] = sorted({*plain_in(answer.body.decode(), known, titles)} - {"(", ")"})
        if answer.status >= 500:
            found[entry.route] = [f"answers {answer.status}"]
    assert len(found) >= at_least
    return [f"{route}: {text!r}" for route, plain in found.items() for text in plain]


def test_no_page_of_visitors_and_customers_has_an_unmarked_text(world):
    asha, _ = world
    known = _words_of_rows()
    with spoken_as("ar"):
        found = faults(pages(Who.ANYONE, Who.CUSTOMER), asha, asha.cookies | {"language": "ar"}, known, at_least=80)
    assert not found, "\n".join(found)


def test_no_page_of_staff_has_an_unmarked_text(world):
    asha, owner = world
    known = _words_of_rows()
    with spoken_as("hi"):
        chosen = {settings.LANGUAGE_COOKIE_NAME: "hi", "language": "hi"}
        found = faults(pages(Who.STAFF), asha, owner.cookies | chosen, known, at_least=300)
    assert not found, "\n".join(found)
