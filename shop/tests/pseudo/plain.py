"""Which texts of a page are neither in the pseudo language nor a name that rows have: nobody marked them."""

import re
from calendar import month_abbr, month_name
from collections.abc import Iterable
from functools import reduce
from html.parser import HTMLParser

from django.apps import apps
from django.conf import settings
from django.db import models

from shop.care.models import ReplyTemplate
from shop.content.models import Faq, Page

from . import LEFT, RIGHT

READ_OUT = ("aria-label", "placeholder", "alt", "title", "data-busy-label", "data-failure")
MARKED = re.compile(rf"{LEFT}[^{RIGHT}]*{RIGHT}")
# Names, codes and units that are the same in every language.
NAMES = {
    "UPI", "CIN", "GSTIN", "MRP", "PDF", "SKU", "SMS", "CSV", "XLSX", "INR", "HSN", "JSON", "URL", "HTML", "IST", "GMT",
    "QR", "PIN", "OTP", "Ctrl", "esc", "English", "Shopify", "WooCommerce",
}  # fmt: skip
WORD = re.compile(r"[A-Za-z]{3,}")
# Links to read out, numbers of the company, the key of an authenticator app, Django's names of tables between two
# models and of movements of stock, and what was exported, by the history, which is kept in English.
UNSAID = re.compile(
    r"https?://\S+|\S+@\S+|\b(?=\w*\d)[A-Z0-9]{15,21}\b|\A\s*(?:[A-Z2-7]{4} ?){8}\s*\Z|\A\s*\S+ relationships?:.*|"
    r"(?:held|sold|released) \d+ of .*|\A\s*Exported \S+\s*\Z",
    re.DOTALL,
)
MONTHS = {*month_abbr, *month_name}
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
        is_icon = any(name in (given.get("class") or "") for name in ("material-symbols", "material-icons"))
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


def words_of_rows() -> set[str]:
    """Words of names and numbers that the rows of the test have, of the company's facts, and of what nobody
    translates."""
    words = {*NAMES, *WORD.findall(" ".join((*settings.COMPANY.values(), *settings.LICENCES)))}
    for model in apps.get_models():
        if model._meta.app_label in SHIPPED or model._meta.model_name in CONTENT or not model._meta.managed:
            continue
        short = [field for field in model._meta.concrete_fields if _is_name(field)]
        for row in model._default_manager.values_list(*(field.attname for field in short))[:9000] if short else ():
            words.update(word for value in row if value for word in WORD.findall(str(value)))
    return words - MONTHS  # of a text that was stored in English


def titles_of_rows() -> list[str]:
    """What the shop comes with, in English: titles of its pages and questions."""
    found: list[str] = []
    for model in (Page, Faq, ReplyTemplate):
        short = [field.attname for field in model._meta.concrete_fields if isinstance(field, models.CharField)]
        found += [value for row in model._default_manager.values_list(*short) for value in row if value]
    return sorted({value for value in found if WORD.search(value)}, key=len, reverse=True)


def _is_name(field) -> bool:
    return isinstance(field, (models.CharField, models.TextField)) and not field.choices
