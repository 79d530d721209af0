"""Compositions as files and labels write them: "Paracetamol 500mg + Caffeine (65 mg)".

What cannot be read stays as it was written, and says so; nothing is guessed.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .strengths import Strength, is_not_stated, read_strength

MAX_COMPONENTS = 60
MAX_NAME = 120
MAX_TEXT = 10_000  # of a cell
MAX_STRENGTH = 80
_PHARMACOPOEIA = re.compile(r" (?:I\.?P\.?|B\.?P\.?|U\.?S\.?P\.?|Ph\.? ?Eur\.?)\Z")
_BEFORE_NUMBER = re.compile(r"[\s:=](?=[\d.])")
_HAS_AMOUNT = re.compile(r"\d ?(?:%|m?c?g\b|mg\b|gm\b|ml\b|iu\b|units?\b)", re.IGNORECASE)
_SEPARATORS = re.compile(r" ?[;|\n] ?|, (?=\S)| (?:and|&) ")


@dataclass(frozen=True, slots=True)
class Part:
    """One substance of a composition: its name as the label writes it, and its strength."""

    name: str
    strength: Strength | None = None
    unread: str = ""  # what stands in place of a strength and is none

    @property
    def words(self) -> str:
        """Its strength as the shop keeps it; empty where none is stated."""
        return str(self.strength) if self.strength else self.unread

    @property
    def is_read(self) -> bool:
        return bool(self.name) and not self.unread and len(self.name) <= MAX_NAME and not _HAS_AMOUNT.search(self.name)


def read_composition(text: str) -> list[Part]:
    """The parts of a composition in their order, at most MAX_COMPONENTS; those without a name are left out."""
    lines = [" ".join(line.split()) for line in text[:MAX_TEXT].splitlines()]
    parts = [_part(words) for words in _split("\n".join(lines))]
    return [part for part in parts if part.name][:MAX_COMPONENTS]


def part_of(name: str, strength: str) -> Part:
    """A part whose name and strength stand apart."""
    words = " ".join(strength.split())
    found = read_strength(words)
    return Part(" ".join(name.split()), found, "" if found or not words or is_not_stated(words) else words)


def _split(text: str) -> Iterator[str]:
    """Between plus signs; between commas and the like where every part has an amount. Not within brackets."""
    for words in _outside_brackets(text, re.compile(r" ?\+ ?")):
        pieces = list(_outside_brackets(words, _SEPARATORS))
        has_amounts = len(pieces) > 1 and all(_has_strength(piece) for piece in pieces)
        yield from pieces if has_amounts else [words]


def _outside_brackets(text: str, separator: "re.Pattern[str]") -> Iterator[str]:
    start = depth = at = 0
    while at < len(text):
        depth = max(0, depth + (text[at] in "([") - (text[at] in ")]"))
        found = separator.match(text, at) if not depth else None
        if found and found.end() > at:
            yield text[start:at]
            start = at = found.end()
        else:
            at += 1
    yield text[start:]


def _has_strength(words: str) -> bool:
    part = _part(words)
    return bool(part.name and part.strength)


def _part(words: str) -> Part:
    text = " ".join(words.split()).strip(" ,;.")
    name, bracket, inner = text.removesuffix(")").rpartition("(")
    if bracket and text.endswith(")") and ")" not in inner:
        if is_not_stated(inner) or read_strength(inner):
            return part_of(_plain_name(name), inner)
        if inner[:1].isdigit() and name.strip():
            return Part(_plain_name(name), unread=inner)
    for space in _BEFORE_NUMBER.finditer(text):
        rest = text[space.end() : space.end() + MAX_STRENGTH + 1]
        if len(rest) <= MAX_STRENGTH and (strength := read_strength(rest)):
            return Part(_plain_name(text[: space.start()]), strength)
    return Part(_plain_name(text))


def _plain_name(name: str) -> str:
    """Without the pharmacopoeia that it follows."""
    return _PHARMACOPOEIA.sub("", name.strip(" ,:=-"))
