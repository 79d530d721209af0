"""A language that nobody speaks, made of the catalogues while a test runs: each text is longer by 40 %, between marks.

It stands in the place of Hindi, from left to right, and of Arabic, from right to left. What is shown in plain letters
was never given to gettext; what is cut off or too wide would be so in a language with long words.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from babel.messages import Catalog
from babel.messages.mofile import write_mo
from django.utils.translation import trans_real

from shop.locale.catalogues import FOLDERS, ISLANDS, extract, island_texts, read

LEFT, RIGHT = "⟦", "⟧"
LONGER = 0.4
PLAIN = "aceghijklnorstuwyzACEGHIJKLNORSTUWYZbdfmpqvxBDFMPQVX"
MARKED = "åçéğħîĵķļñöŕšţûŵýžÅÇÉĞĦÎĴĶĻÑÖŔŠŢÛŴÝŽƀđƒɱþɋʋẋßĐƑṀÞɊṼẊ"
LETTERS = str.maketrans(PLAIN, MARKED)
# Placeholders, tags, entities and doubled signs stay as they are.
KEPT = re.compile(r"(%\(\w+\)[sd]|%[sd%]|\{[^{}]*\}|<[^>]*>|&#?\w+;)")
CONTEXT = "\x04"


def pseudo(text: str) -> str:
    """The text in marked letters, longer by 40 %, between brackets; white space around it stays outside them."""
    inside = text.strip()
    if not re.search(r"[^\W\d_]", KEPT.sub("", inside)):
        return text
    parts = KEPT.split(inside)
    letters = sum(len(part) for part in parts[::2])
    more = _words_of(max(1, round(letters * LONGER)))
    said = "".join(part if number % 2 else part.translate(LETTERS) for number, part in enumerate(parts))
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return f"{before}{LEFT}{said}{more}{RIGHT}{after}"


def _words_of(length: int) -> str:
    """As texts have: no word of it longer than seven letters."""
    return "".join("~" if (place + 1) % 8 else " " for place in range(length)).rstrip() or "~"


class _AnyText:
    """A catalogue that knows whatever it is asked for."""

    def get(self, key: str, missing: object = None) -> str:
        return self[key]

    def __getitem__(self, key: Any) -> str:
        text = key[0] if isinstance(key, tuple) else key
        return pseudo(text.rpartition(CONTEXT)[2])

    def __contains__(self, key: object) -> bool:
        return True

    def plural(self, text: str, number: int) -> str:
        raise KeyError  # Django takes the English forms then, which `ngettext` below marks


@contextmanager
def spoken_as(language: str) -> Iterator[None]:
    """In this process the language is the pseudo language, also for texts that no catalogue has."""
    known: Any = trans_real.translation(language)
    before = known._catalog, known.ngettext
    known._catalog = _AnyText()
    known.ngettext = lambda one, many, number: pseudo((one if number == 1 else many).rpartition(CONTEXT)[2])
    try:
        yield
    finally:
        known._catalog = before[0]
        del known.ngettext


def write_catalogues(folder: Path, language: str) -> None:
    """Write what a shop with the settings of this package speaks as `language`: all texts of the server."""
    catalog = Catalog(locale=language)
    for domain in FOLDERS:
        for message in extract(domain) if domain != ISLANDS else ():
            if message.id:
                catalog.add(message.id, _forms(message.id, catalog.num_plurals), context=message.context)
    target = folder / language / "LC_MESSAGES"
    target.mkdir(parents=True)
    with (target / "django.mo").open("wb") as file:
        write_mo(file, catalog)


def _forms(text: str | tuple[str, str], number: int) -> str | tuple[str, ...]:
    return pseudo(text) if isinstance(text, str) else tuple(pseudo(text[1]) for _ in range(number))


def texts_of_islands(language: str) -> dict[str, Any]:
    """What islands read in place of static/texts/hi.json."""
    assert read(language, ISLANDS)
    return {
        english: pseudo(english) if isinstance(found, str) else {form: pseudo(text) for form, text in found.items()}
        for english, found in _english_of(language)
    }


def _english_of(language: str) -> Iterator[tuple[str, Any]]:
    many = {message.id[0]: message.id[1] for message in read(language, ISLANDS) if isinstance(message.id, tuple)}
    for english, found in island_texts(language).items():
        yield english, found if isinstance(found, str) else dict.fromkeys(found, many[english])
