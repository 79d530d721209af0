"""Catalogues of texts: taken from templates, Python and islands, kept as .po for each language, compiled at build.

What only staff read has a catalogue of its own, in fewer languages (shop/backoffice/locale): the back office speaks
English and Hindi. Which texts these are is said by the file they stand in (STAFF_FILES).

Babel does it, which the shop has anyway: no gettext of the system is needed, neither to build nor to check. Django's
own makemessages needs it, and knows no TypeScript.
"""

import ast
import json
import os
import re
from collections.abc import Iterator
from gettext import c2py, translation
from pathlib import Path
from typing import Any

import django
from babel import Locale
from babel.messages import Catalog
from babel.messages.extract import extract_javascript, extract_python
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.apps import apps
from django.utils.translation.template import templatize

LOCALE = Path(__file__).parent
ROOT = LOCALE.parent.parent
TEXTS = ROOT / "static" / "texts"  # what islands read, a file for each language
SERVER, ISLANDS = "django", "djangojs"  # the domains, by Django's names
STAFF = "staff"  # of the domain django, too, in a folder of its own
FOLDERS = {SERVER: LOCALE, ISLANDS: LOCALE, STAFF: ROOT / "shop" / "backoffice" / "locale"}
# Templates and modules of the back office, by their paths in the repository; and every module named admin.
STAFF_FILES = re.compile(
    r"""
    templates/(admin|backoffice|reports|unfold|\w+/backoffice|care/inbox|content/translations|reviews/inbox)/
    | templates/accounts/customers/
    | templates/content/home/preview\.html
    | templates/pharmacy/(inbox/|review\.html)
    | templates/catalog/(batches|bulk_edit|editing|import_export)/
    | templates/payments/drafts/(_do|caller|draft)\.html
    | shop/(backoffice|reports|\w+/backoffice|accounts/customers|care/inbox|content/translations)/
    | shop/catalog/(batches|bulk_edit|editing|import_export)/
    | shop/catalog/(composition/(rows|services)|pictures/fetching|products/(certificates|forms))\.py
    | shop/content/(home/(preview_views|schedule)|pages/editor)\.py
    | shop/(company|messaging|search)/models\.py
    | shop/http/outbound\.py
    | shop/messaging/(names|safe_templates)\.py
    | shop/(cart|payments/drafts)/forms\.py
    | shop/(care|payments)/timeline\.py
    | shop/orders/batches/(forms|models|recalls|services)\.py
    | shop/orders/drafts/(queries|services)\.py
    | shop/orders/shipping/carriers/
    | shop/pharmacy/(register/|review/(?!guard\.py))
    | shop/payments/(backoffice|drafts/services|refunds/(forms|goodwill))\.py
    | shop/reviews/moderation/(inbox|services)\.py
    | shop/settings\.py
    """,
    re.VERBOSE,
)
IN_PYTHON: dict[str, Any] = {
    "gettext": None, "gettext_lazy": None, "gettext_noop": None, "_": None, "ngettext": (1, 2), "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2), "pgettext_lazy": ((1, "c"), 2), "npgettext": ((1, "c"), 2, 3),
}  # fmt: skip
IN_ISLANDS: dict[str, Any] = {"t": None, "tn": (1, 2)}
# What templatize() makes of a template's tags: gettext(u'…'), ngettext(u'…', u'…',count), texts as Python writes them.
TEXT = r"""u?("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')"""
IN_TEMPLATES = re.compile(rf"\b(n?p?gettext|_)\({TEXT}(?:, {TEXT})?(?:, {TEXT})?")
APART = ("tests", "migrations", "demo", "bench", "node_modules")
Message = tuple[str | tuple[str, str], str | None]  # text or (one, many), and its context


def languages(domain: str = SERVER) -> list[str]:
    """Those that have catalogues."""
    return sorted(folder.parent.name for folder in FOLDERS[domain].glob("*/LC_MESSAGES"))


def extract(domain: str) -> Catalog:
    """Every text that is marked, in the order of files, without translations. What visitors read, too, is not among
    the texts of staff."""
    catalog = Catalog(charset="utf-8")
    known = {message.id for message in extract(SERVER)} if domain == STAFF else set()
    for text, context in _texts_of(domain):
        if text in known and not context:
            continue
        python = "%(" in (text if isinstance(text, str) else text[0])
        catalog.add(text, context=context, flags=["python-format"] if python else [])
    return catalog


def template_texts(source: str) -> Iterator[Message]:
    for kind, *quoted in IN_TEMPLATES.findall(templatize(source)):
        texts = [ast.literal_eval(text) for text in quoted if text]
        context = texts.pop(0) if "p" in kind.removesuffix("gettext") else None
        yield ((texts[0], texts[1]) if kind.startswith("n") else texts[0]), context


def is_for_staff(path: Path) -> bool:
    is_admin = path.suffix == ".py" and "admin" in path.stem
    return is_admin or STAFF_FILES.match(path.relative_to(ROOT).as_posix()) is not None


def _texts_of(domain: str) -> Iterator[Message]:
    if domain == ISLANDS:
        yield from _island_texts()
    else:
        yield from _server_texts(for_staff=domain == STAFF)
    if domain == STAFF:
        yield from ((text, None) for text in _model_texts())


def _server_texts(*, for_staff: bool) -> Iterator[Message]:
    for path in sorted((ROOT / "templates").rglob("*.*")):
        if is_for_staff(path) == for_staff:
            yield from template_texts(path.read_text())
    for path in _sources(ROOT / "shop", "*.py"):
        if is_for_staff(path) == for_staff:
            with path.open("rb") as file:
                yield from _by_keyword(extract_python(file, IN_PYTHON, [], {}), IN_PYTHON)


def _model_texts() -> list[str]:
    """Names of models and fields, helps and choices, which are marked by being there."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "shop.settings")
    if not apps.ready:
        django.setup()
    from shop.backoffice.model_texts import texts_of_models

    return texts_of_models()


def _island_texts() -> Iterator[Message]:
    for path in [*_sources(ROOT / "islands", "*.ts"), *_sources(ROOT / "islands", "*.tsx")]:
        if ".test." not in path.name:
            with path.open("rb") as file:
                yield from _by_keyword(
                    extract_javascript(file, IN_ISLANDS, [], {"jsx": True, "parse_template_string": True}), IN_ISLANDS
                )


def _sources(folder: Path, pattern: str) -> list[Path]:
    return [path for path in sorted(folder.rglob(pattern)) if not {*APART} & {*path.relative_to(ROOT).parts}]


def _by_keyword(found: Any, keywords: dict[str, Any]) -> Iterator[Message]:
    for _, function, texts, _ in found:
        texts = [texts] if isinstance(texts, str) else list(texts or [None])
        places = keywords[function] or (1,)
        context = texts[0] if isinstance(places[0], tuple) else None
        named = [texts[place - 1] for place in places if isinstance(place, int)]
        if all(isinstance(text, str) for text in named):
            yield (named[0] if len(named) == 1 else (named[0], named[1])), context


def file_of(language: str, domain: str) -> Path:
    return FOLDERS[domain] / language / "LC_MESSAGES" / f"{ISLANDS if domain == ISLANDS else SERVER}.po"


def read(language: str, domain: str) -> Catalog:
    path = file_of(language, domain)
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def update() -> None:
    """Write what is marked now into every catalogue; texts that are gone leave it, new ones wait for a translation."""
    for domain in FOLDERS:
        template = extract(domain)
        for language in languages(domain):
            catalog = read(language, domain)
            catalog.update(template, no_fuzzy_matching=True, update_header_comment=False)
            catalog.fuzzy = False
            with file_of(language, domain).open("wb") as file:
                write_po(
                    file, catalog, width=120, no_location=True, omit_header=True, sort_output=True, ignore_obsolete=True
                )


def compile_all() -> None:
    """Write the .mo files that Django reads, and the texts that islands read."""
    TEXTS.mkdir(exist_ok=True)
    for domain in FOLDERS:
        for language in languages(domain):
            catalog = read(language, domain)
            if domain == SERVER:
                _add_calendar(language, catalog)
            with file_of(language, domain).with_suffix(".mo").open("wb") as file:
                write_mo(file, catalog)
    for language in languages():
        texts = json.dumps(island_texts(language), ensure_ascii=False, separators=(",", ":"))
        (TEXTS / f"{language}.json").write_text(texts)


def _add_calendar(language: str, catalog: Catalog) -> None:
    """Names of days and months that Django's own catalogue lacks, as CLDR has them: Tamil has no "Mon" there."""
    of_django = translation("django", Path(django.__file__).parent / "conf" / "locale", [language], fallback=True)
    english, own = Locale("en"), Locale(language)
    for kind in ("days", "months"):
        for width in ("wide", "abbreviated"):
            for place, name in getattr(english, kind)["format"][width].items():
                text = name.lower() if (kind, width) == ("months", "abbreviated") else name  # as Django writes them
                if of_django.gettext(text) == text:
                    catalog.add(text, getattr(own, kind)["format"][width][place])


def island_texts(language: str) -> dict[str, Any]:
    """English text to its translation, or to those of each plural category (Intl.PluralRules)."""
    catalog, locale = read(language, ISLANDS), Locale(language)
    texts: dict[str, Any] = {}
    for message in catalog:
        if not message.id or not message.string or not any(message.string):
            continue
        if isinstance(message.id, str):
            texts[message.id] = message.string
        else:
            texts[message.id[0]] = _plurals(catalog, locale, message.string)
    return texts


def _plurals(catalog: Catalog, locale: Locale, strings: Any) -> dict[str, str]:
    """The last count speaks for its category: 1 where 0 has the same."""
    form_of = c2py(catalog.plural_expr)
    return {locale.plural_form(count): strings[form_of(count)] for count in (*range(200, 1, -1), 0, 1)}


def problems() -> list[str]:
    """What a catalogue lacks: texts that are new, gone, not translated or unsure, and placeholders that differ."""
    found = []
    for domain in FOLDERS:
        marked = {(message.id, message.context) for message in extract(domain) if message.id}
        for language in languages(domain):
            kept = {(message.id, message.context): message for message in read(language, domain) if message.id}
            name = f"{language}/{domain}"
            found += [f"{name}: run make messages for {key[0]!r}" for key in sorted(marked ^ kept.keys(), key=str)]
            found += [f"{name}: {fault}" for message in kept.values() for fault in _faults(message)]
    return found


def _faults(message: Any) -> Iterator[str]:
    strings = message.string if isinstance(message.string, tuple) else (message.string,)
    if not all(strings) or message.fuzzy:
        yield f"{message.id!r} is not translated"
    ids = message.id if isinstance(message.id, tuple) else (message.id,)
    known = {name for text in ids for name in placeholders(text)}
    for string in filter(None, strings):
        missing = set() if len(ids) > 1 else known - placeholders(string)
        if missing or placeholders(string) - known:
            yield f"{message.id!r}: other placeholders in {string!r}"


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"%\(\w+\)[sd]|\{\w*\}|%s", text))
