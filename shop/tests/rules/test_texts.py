"""Texts are marked for translation in what is declared done, and every catalogue has all of them."""

import ast
import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from babel.messages.pofile import read_po
from django.conf import settings
from django.template.base import Lexer, TokenType

from shop.locale.catalogues import (
    ISLANDS,
    LOCALE,
    ROOT,
    STAFF,
    Catalog,
    Locale,
    _faults,
    _plurals,
    _sources,
    extract,
    is_for_staff,
    languages,
    problems,
    template_texts,
)
from shop.messaging.languages import IN_ENGLISH

TEMPLATES = settings.BASE_DIR / "templates"
# Folders and files of visitors whose texts are all marked; those of staff are all of is_for_staff().
DONE = [
    "403.html", "404.html", "500.html", "accounts/_nav.html", "accounts/addresses", "accounts/auth",
    "accounts/passkeys", "accounts/passwords", "accounts/points", "accounts/privacy", "accounts/profile",
    "accounts/second_factor", "accounts/sessions", "accounts/staff", "accounts/wishlist", "base.html",
    "care/_details.html", "care/_message_fields.html",
    "care/complaints", "care/enquiries", "care/newsletter", "cart", "checkout.html", "catalog/products",
    "catalog/stock", "confirm_submission.html", "content/blog", "content/faq", "content/home/home.html",
    "content/home/_banner.html", "content/pages", "markets", "orders", "partials", "payments/checkout",
    "payments/drafts/closed.html", "payments/drafts/link.html", "payments/drafts/ordered.html", "payments/simulator",
    "reviews/_head.html", "reviews/_helpful.html", "reviews/_order_section.html", "reviews/_own.html",
    "reviews/_own_head.html", "reviews/_product_section.html", "reviews/_review.html", "reviews/_spread.html",
    "reviews/helpful.html", "reviews/link_over.html", "reviews/my_reviews.html", "reviews/reviews.html",
    "reviews/stop_invitations.html", "reviews/write.html", "reviews/questions",
    "pharmacy/_checkout.html", "pharmacy/_order_section.html", "pharmacy/refills", "private.html", "search/facets",
    "search/listing",
]  # fmt: skip
# Names, units and what is the same in every language.
NAMES = {"UPI", "CIN", "GSTIN", "MRP", "PDF", "DB-IP", "SKU", "SMS", "Rx"}
ICONS = {"dock_to_right", "inbox", "search"}  # names of glyphs in Unfold's own font
ARGUMENTS = re.compile(r'\b(?:title|label|text|action|more)="([^"]+)"')
PATH = re.compile(r"\A[/.]\w[\w./-]*")  # the rest of an address, after a variable
SAID = ("aria-label", "placeholder", "alt", "title")


def test_every_catalogue_has_every_text():
    assert {"ar", "hi"} <= {*languages()}
    assert {"en", *languages(STAFF)} == {*settings.STAFF_LANGUAGES}
    assert problems() == []


def test_every_text_of_the_islands_is_found():
    """Babel loses some that stand inside a template of JavaScript."""
    said = re.compile(r'\btn?\(\s*"((?:[^"\\]|\\.)*)"')
    sources = [file for kind in ("*.ts", "*.tsx") for file in _sources(ROOT / "islands", kind)]
    written = {text for file in sources if ".test." not in file.name for text in said.findall(file.read_text())}
    found = {message.id[0] if isinstance(message.id, tuple) else message.id for message in extract(ISLANDS)}
    assert len(written) > 50 and written - found == set()


def done_templates():
    places = [TEMPLATES / name for name in DONE]
    files = [file for place in places for file in (place.rglob("*.html") if place.is_dir() else [place])]
    mails = [*(TEMPLATES / "emails").glob("*.html"), *(TEMPLATES / "emails").glob("*.txt")]
    files += [mail for mail in mails if not mail.name.startswith(IN_ENGLISH)]
    return [file for file in files if not is_for_staff(file)]


def staff_templates():
    return [file for file in sorted(TEMPLATES.rglob("*.html")) if is_for_staff(file)]


@pytest.mark.parametrize(
    "path", [*done_templates(), *staff_templates()], ids=lambda path: path.relative_to(TEMPLATES).as_posix()
)
def test_no_text_is_unmarked(path):
    assert [text for text in unmarked(path.read_text()) if text not in ICONS] == []


class _Texts(HTMLParser):
    """Words between tags and in what is read out of attributes."""

    def __init__(self):
        super().__init__()
        self.found, self.silent = [], 0

    def handle_starttag(self, tag, attrs):
        self.silent += tag in ("script", "style")
        self.found += [value for name, value in attrs if name in SAID and value]

    def handle_endtag(self, tag):
        self.silent -= tag in ("script", "style")

    def handle_data(self, data):
        if not self.silent:
            self.found.append(data)


def unmarked(source):
    """Texts of a template that stand outside {% translate %}, {% blocktranslate %} and _()."""
    parser, inside, words = _Texts(), False, []
    for token in Lexer(source).tokenize():
        if token.token_type == TokenType.BLOCK:
            inside = bool(re.match(r"blocktrans", token.contents)) or (
                inside and not re.match(r"endblocktrans", token.contents)
            )
            if token.contents.startswith("include"):
                words += ARGUMENTS.findall(token.contents)
        elif token.token_type == TokenType.TEXT and not inside:
            parser.feed(PATH.sub("", token.contents))
    texts = [*parser.found, *words]
    return [text.strip() for text in texts if set(re.findall(r"[A-Za-z][\w-]+", text)) - NAMES and "@" not in text]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("<p>Hello</p>", ["Hello"]),
        ('<p>{% translate "Hello" %} {{ name }}</p>', []),
        ('<a aria-label="Close {{ name }}">{% icon "x" %}</a>', ["Close"]),
        ('<a aria-label="{% translate "Close" %}" href="/x/" class="y">×</a>', []),
        ("{% blocktranslate %}<b>Hello</b>{% endblocktranslate %} there", ["there"]),
        ('{% include "x.html" with title="Hello" id="y" %}', ["Hello"]),
        ('{% include "x.html" with title=_("Hello") %}', []),
        ("{# Hello #}<script>var x = 1</script>", []),
        ("{{ shop_url }}/cart/", []),
        ("{{ shop_url }}/cart/ is there", ["is there"]),
    ],
)
def test_an_unmarked_text_is_found(source, found):
    assert unmarked(source) == found


# Where a module of the back office says something to a person: keywords, arguments of calls, names of classes.
SAID_IN_PYTHON = {
    "label", "help_text", "description", "empty_label", "title", "explanation", "search_help_text", "verbose_name",
    "verbose_name_plural",
}  # fmt: skip
ARGUMENT_OF = {
    "ValidationError": 0, "Invalid": 0, "ShopError": 0, "Changed": 0, "add_error": 1, "message_user": 1, "success": 1,
    "warning": 1, "error": 1,
}  # fmt: skip


def staff_modules():
    """What an import says of its file is kept with it, in English, as settings are."""
    files = [path for path in _sources(ROOT / "shop", "*.py") if is_for_staff(path)]
    return [path for path in files if path.name != "settings.py" and "formats" not in path.parts]


@pytest.mark.parametrize("path", staff_modules(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_staff_text_of_python_is_unmarked(path):
    assert list(unmarked_in_python(path.read_text())) == []


def unmarked_in_python(source: str) -> Iterator[str]:
    """Texts that people read and no gettext is around; names of models and their fields are marked by being there."""
    tree = ast.parse(source)
    of_models = {id(word) for call in ast.walk(tree) if _is_of_models(call) for word in ast.walk(call)}
    for node in ast.walk(tree):
        if id(node) not in of_models:
            yield from (ast.unparse(said) for said in _said(node) if _is_text(said))


def _is_of_models(node):
    """A field of a model, or what its Meta calls it."""
    is_field = isinstance(node, ast.Call) and ast.unparse(node.func).startswith("models.")
    return is_field or (isinstance(node, ast.ClassDef) and node.name == "Meta")


def _said(node):
    if isinstance(node, ast.Call):
        yield from (keyword.value for keyword in node.keywords if keyword.arg in SAID_IN_PYTHON)
        place = ARGUMENT_OF.get(ast.unparse(node.func).rpartition(".")[2])
        is_log = ast.unparse(node.func).startswith(("log", "parser"))
        if place is not None and not is_log:
            yield from node.args[place : place + 1]
    elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in SAID_IN_PYTHON:
        yield node.value
    elif isinstance(node, ast.FunctionDef) and any("display(" in ast.unparse(one) for one in node.decorator_list):
        yield from (one.value for one in ast.walk(node) if isinstance(one, ast.Return) and one.value)


def _is_text(node):
    parts = node.values if isinstance(node, (ast.JoinedStr, ast.BoolOp)) else [node]
    if isinstance(node, ast.IfExp):
        return _is_text(node.body) or _is_text(node.orelse)
    words = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return any(set(re.findall(r"[A-Za-z][\w-]+", text)) - NAMES for text in words)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("x = CharField(label='Name', help_text=gettext_lazy('Yours'))", ["'Name'"]),
        ("x = models.CharField(help_text='Yours')", []),
        ("raise ValidationError('No.')", ["'No.'"]),
        ("raise ValidationError(gettext('No.'))", []),
        ("messages.success(request, f'{count} sent.')", ["f'{count} sent.'"]),
        ("messages.success(request, f'{name}: {words}')", []),
        ("log.warning('It failed', 'twice')", []),
        ("@admin.display(description=gettext_lazy('state'))\ndef state(self, row): return 'Open' if row else ''",
         ["'Open' if row else ''"]),
        ("class Names(ListFilter):\n    title = 'state'", ["'state'"]),
    ],
)  # fmt: skip
def test_an_unmarked_text_of_python_is_found(source, found):
    assert list(unmarked_in_python(source)) == found


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ('{% translate "Hello" %}', [("Hello", None)]),
        ('{% translate "Open" context "a shop" %}', [("Open", "a shop")]),
        ("{% blocktranslate %}{{ n }}% off, don't{% endblocktranslate %}", [("%(n)s%% off, don't", None)]),
        (
            "{% blocktranslate count n=n %}{{ n }} day{% plural %}{{ n }} days{% endblocktranslate %}",
            [(("%(n)s day", "%(n)s days"), None)],
        ),
        ('{% include "x" with title=_("Hello") %}', [("Hello", None)]),
    ],
)
def test_texts_of_templates_are_extracted(source, texts):
    assert list(template_texts(source)) == texts


def test_texts_of_python_and_islands_are_extracted():
    assert "Out of stock." in extract("django")
    assert extract("djangojs") is not None


@pytest.mark.parametrize(
    ("text", "translation"),
    [("Hello", ""), ("Hello %(name)s", "नमस्ते"), ("Hello", "नमस्ते %(name)s"), ("up to {high}", "{low} तक")],
)
def test_a_translation_that_lacks_something_is_found(text, translation):
    catalog = Catalog(locale="hi")
    assert list(_faults(catalog.add(text, translation)))


@pytest.mark.parametrize(
    ("language", "strings", "forms"),
    [
        ("hi", ("1", "5"), {"one": "1", "other": "5"}),
        (
            "ar",
            ("0", "1", "2", "3", "100", "11"),
            {"zero": "0", "one": "1", "two": "2", "few": "3", "other": "100", "many": "11"},
        ),
    ],
)
def test_plural_forms_have_the_names_that_browsers_give_them(language, strings, forms):
    assert _plurals(Catalog(locale=language), Locale(language), strings) == forms


def test_arabic_counts_in_the_order_that_its_catalogues_use():
    """Babel's form 5 is of 11 to 99, which ask for the accusative (15 يومًا), form 4 of 100 to 102 (100 يوم)."""
    for name in ("django", "djangojs"):
        with (LOCALE / "ar" / "LC_MESSAGES" / f"{name}.po").open("rb") as file:
            plurals = [message for message in read_po(file, locale="ar") if message.id and message.pluralizable]
        assert plurals
        assert [message.id for message in plurals if "ًا" in message.string[4] and "ًا" not in message.string[5]] == []
