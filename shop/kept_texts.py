"""Texts that are kept in English and read in the language of the page.

Whoever keeps one fills in a template that is marked for translation; whoever shows it reads back what it was filled
with.
"""

import re
from collections.abc import Iterable

from django.utils.translation import gettext

PLACEHOLDER = re.compile(r"%\((\w+)\)s")


def read_back(template: str, kept: str) -> tuple[dict[str, str], str] | None:
    """What fills a template in a text, and the text that follows the full stop; None where the text has another."""
    first, *pairs = PLACEHOLDER.split(f"{template} " if template.endswith(".") else template)
    kept = f"{kept} " if template.endswith(".") else kept
    if not kept.startswith(first):
        return None
    values, at = {}, len(first)
    for name, between in zip(pairs[::2], pairs[1::2], strict=True):
        end = kept.find(between, at + 1) if between else len(kept)
        if end <= at:
            return None
        values[name], at = kept[at:end], end + len(between)
    return values, kept[at:].strip()


def own_text(kept: str) -> str:
    """A text that is kept in English, in the reader's language where it is one of the shop's own."""
    return gettext(kept) if kept else ""


def translated_text(kept: str, templates: Iterable[str]) -> str:
    """A kept text as it is read; one that neither a template nor the shop has is left as it was written. What fills
    `labels` in a template are texts of the shop between commas, all else is data."""
    for template in templates:
        read = read_back(template, kept)
        if read and not read[1]:
            values = read[0]
            if "labels" in values:
                values["labels"] = ", ".join(map(own_text, values["labels"].split(", ")))
            return gettext(template) % values
    return own_text(kept)
