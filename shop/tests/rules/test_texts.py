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
ICONS = {"close", "dock_to_right", "inbox", "search"}  # names of glyphs in Unfold's own font
ARGUMENTS = re.compile(r'\b(?:title|label|text|action|more)="([^"]+)"')
PATH = re.compile(r"\A[/.]\w[\w./-]*")  # the rest of an address, after a variable
SAID = ("aria-label", "placeholder", "alt", "title")


def test_every_catalogue_has_every_text():
    assert {"ar", "hi"} <= {*languages()}
    assert {"en", *languages(STAFF)} == {*settings.STAFF_LANGUAGES}
    assert problems() == []


# Labels, invoices and the history are kept in English.
ENGLISH_DATES = {"catalog/batches/labels.py", "orders/invoices/pdf.py", "backoffice/history.py"}


def test_dates_name_their_month_in_the_readers_language():
    """`strftime` knows English alone; Django's `date_format` asks the catalogue."""
    named = re.compile(r"%-?[aAbB]\b")
    apart = {"tests", "bench", "migrations"}
    files = [file for file in (ROOT / "shop").rglob("*.py") if not apart & {*file.relative_to(ROOT).parts}]
    found = {file.relative_to(ROOT / "shop").as_posix() for file in files if named.search(file.read_text())}
    assert found == ENGLISH_DATES


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


# Where a module says something to a person: keywords, arguments of calls, texts of a dict, names of classes.
SAID_IN_PYTHON = {
    "label", "help_text", "description", "empty_label", "title", "explanation", "search_help_text", "verbose_name",
    "verbose_name_plural",
}  # fmt: skip
DICTS_IN_PYTHON = {"fields", "error_messages"}
ARGUMENT_OF = {
    "ValidationError": 0, "add_error": 1, "message_user": 1, "success": 1, "warning": 1, "error": 1, "info": 1,
    "require_words": 1, "_refuse": 1,
}  # fmt: skip
# What operators and programs read: settings, the API's own title, rates and PIN codes of commands, the provider's calls
# and its simulator, commands, names of apps (which are made lazy, as those of models are).
NOT_FOR_PEOPLE = re.compile(
    r"shop/(settings|api|markets/(exchange_rates|geography/pin_directory)|payments/providers/\w+|\w+/apps)\.py"
    r"|shop/payments/simulator/|shop/(\w+/)+management/"
)
# Kept in English where it is raised, and translated where it is shown.
KEPT_IN_ENGLISH = {"shop/http/outbound.py"}


def modules():
    """By their paths in the repository."""
    paths = {path.relative_to(ROOT).as_posix(): path for path in _sources(ROOT / "shop", "*.py")}
    return {name: path for name, path in paths.items() if not NOT_FOR_PEOPLE.match(name)}


def refusals(sources):
    """The names of ShopError and of its subclasses whose first argument is the message. (Providers have a NoAnswer,
    too, whose words are for the log.)"""
    classes = [node for source in sources for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ClassDef)]
    found = {"ShopError"}
    while new := {one.name for one in classes if {_last_name(base) for base in one.bases} & found} - found:
        found |= new
    return found - {one.name for one in classes if not _takes_message(one)} - {"NoAnswer"}


def _takes_message(node):
    own = [one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"]
    return all([argument.arg for argument in one.args.args][1:2] in ([], ["message"]) for one in own)


@pytest.fixture(scope="module")
def told_by():
    """Name of a call to the place of its argument that people read."""
    return ARGUMENT_OF | dict.fromkeys(refusals([path.read_text() for path in modules().values()]), 0)


@pytest.fixture(scope="module")
def constants():
    """Module and name, as an import gives them, to the value of a constant."""
    return {
        (path.stem, name): value
        for path in modules().values()
        for name, value in _constants(ast.parse(path.read_text()).body)
    }


@pytest.mark.parametrize("name", sorted(modules().keys() - KEPT_IN_ENGLISH))
def test_no_text_of_python_is_unmarked(name, told_by, constants):
    assert list(unmarked_in_python(modules()[name].read_text(), told_by, constants)) == []


def unmarked_in_python(source: str, told_by, constants=()) -> Iterator[str]:
    """Texts that people read and no gettext is around; names of models and their fields are marked by being there."""
    tree = ast.parse(source)
    values = dict(_imported(tree, dict(constants))) | dict(_constants(tree.body))
    yield from (ast.unparse(text) for text in _unmarked(tree, values, told_by))


def _unmarked(node, values, told_by):
    if _is_of_models(node):
        return
    if isinstance(node, ast.FunctionDef):
        values = values | dict(_constants(ast.walk(node)))
    yield from (text for text in _declared(node) if _is_text(values.get(ast.unparse(text), text)))
    yield from (text for text in _said(node, told_by) if _is_english(text, values))
    for child in ast.iter_child_nodes(node):
        yield from _unmarked(child, values, told_by)


def _constants(nodes):
    """Names that are given a value, one or several in a row."""
    for node in nodes:
        if isinstance(node, ast.Assign):
            parts = [getattr(part, "elts", [part]) for part in (node.targets[0], node.value)]
            yield from ((name.id, value) for name, value in zip(*parts, strict=False) if isinstance(name, ast.Name))


def _imported(tree, constants):
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            module = (node.module or "").rpartition(".")[2]
            for alias in node.names:
                if (module, alias.name) in constants:
                    yield alias.asname or alias.name, constants[module, alias.name]


def _last_name(node):
    return ast.unparse(node).rpartition(".")[2]


def _is_of_models(node):
    """A field of a model, or what its Meta calls it."""
    is_field = isinstance(node, ast.Call) and ast.unparse(node.func).startswith("models.")
    return is_field or (isinstance(node, ast.ClassDef) and node.name == "Meta")


def _declared(node):
    """Labels and the like; one may be marked alone, and translated where it is shown."""
    if isinstance(node, ast.Call):
        yield from (keyword.value for keyword in node.keywords if keyword.arg in SAID_IN_PYTHON)
    elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in SAID_IN_PYTHON:
        yield node.value
    elif isinstance(node, ast.FunctionDef) and any("display(" in ast.unparse(one) for one in node.decorator_list):
        yield from (one.value for one in ast.walk(node) if isinstance(one, ast.Return) and one.value)


def _said(node, told_by):
    """Refusals and messages, which are read as they are."""
    if not isinstance(node, ast.Call):
        return
    place = told_by.get(_last_name(node.func))
    is_log = ast.unparse(node.func).startswith(("log", "parser"))
    if place is not None and not is_log:
        yield from node.args[place : place + 1]
    for keyword in node.keywords:
        if keyword.arg in DICTS_IN_PYTHON and isinstance(keyword.value, ast.Dict):
            for value in keyword.value.values:
                yield from getattr(value, "elts", [value])


def _is_english(node, values):
    """A text, or what is given a name and is a text, or one that is marked and not translated where it is said."""
    if isinstance(node, ast.BinOp):
        parts = [node.left, node.right] if isinstance(node.op, ast.Add) else [node.left]
        return any(_is_english(part, values) for part in parts)
    if isinstance(node, ast.IfExp):
        return _is_english(node.body, values) or _is_english(node.orelse, values)
    if isinstance(node, ast.Call):
        is_filled = isinstance(node.func, ast.Attribute) and node.func.attr == "format"
        return _last_name(node.func) == "gettext_noop" or (is_filled and _is_english(node.func.value, values))
    if isinstance(node, ast.Name) and node.id in values:
        return _is_english(values[node.id], {name: value for name, value in values.items() if name != node.id})
    return _is_text(node)


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
        ("raise WrongState(f'It is {state}.')", ["f'It is {state}.'"]),
        ("raise WrongState(gettext('It is {state}.').format(state=state))", []),
        ("raise WrongState('It is {state}.'.format(state=state))", ["'It is {state}.'.format(state=state)"]),
        ("raise Invalid(gettext('No.'), fields={'amount': ['No.', gettext('No.')]})", ["'No.'"]),
        ("x = CharField(error_messages={'required': 'Enter it.'})", ["'Enter it.'"]),
        ("require_words(text, 'Enter it.', field='text')", ["'Enter it.'"]),
        ("ENDED = 'It is over.'\nraise WrongState(ENDED)", ["ENDED"]),
        ("ENDED = gettext_noop('It is over.')\ndef end(): raise WrongState(ENDED)", ["ENDED"]),
        ("ENDED = gettext_noop('It is over.')\ndef end(): raise WrongState(gettext(ENDED))", []),
        ("ENDED = gettext_lazy('It is over.')\ndef end(): raise WrongState(ENDED)", []),
        ("A, B = 'One of it.', gettext_lazy('Two.')\nraise Busy(A)\nraise Busy(B)", ["A"]),
        ("def end():\n    words = f'{name} is over.'\n    raise Invalid(words, fields={'x': [words]})",
         ["words", "words"]),
        ("from ..refunds.goodwill import ENDED\nraise WrongState(ENDED)", ["ENDED"]),
        ("def end():\n    one, two = gettext('One.'), 'Both.'\n    raise Busy(one if x else two)",
         ["one if x else two"]),
        ("raise Busy(gettext('It is over.') + ' It is late.')", ["gettext('It is over.') + ' It is late.'"]),
        ("OVER = gettext_noop('%s is over.')\nraise Busy(OVER % name)", ["OVER % name"]),
        ("form.add_error('file', 'It is too large.')", ["'It is too large.'"]),
        ("self.message_user(request, 'Sent.')", ["'Sent.'"]),
    ],
)  # fmt: skip
def test_an_unmarked_text_of_python_is_found(source, found, told_by, constants):
    assert list(unmarked_in_python(source, told_by, constants)) == found


def test_refusals_are_found_with_their_subclasses():
    sources = ["class Wrong(ShopError): pass", "class Gone(errors.Wrong): pass\nclass Other(Exception): pass"]
    assert refusals(sources) == {"ShopError", "Wrong", "Gone"}
    assert refusals(["class Form(ShopError):\n def __init__(self, name, form): pass"]) == {"ShopError"}


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
