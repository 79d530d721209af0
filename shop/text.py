"""Names and addresses as everybody sees them: what is invisible in them only serves to look like another."""

import re
import unicodedata
from functools import lru_cache

CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f]")
JOINERS = "\u200c\u200d"
REPEATED = re.compile("([\u200c\u200d])[\u200c\u200d]+")
PASSED_OVER = re.compile(
    "[\u0300-\u036f\u064b-\u0655\u0640\u093c]"
)  # and signs of Arabic and Devanagari that lists pass over
SORTED_AS = str.maketrans("ٱىة", "ايه")
VIRAMA = 9  # the combining class of what joins consonants in Indic scripts
# Of the category of formats, but drawn: signs that enclose the numbers after them.
DRAWN = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")
# Of other categories, but drawn as nothing: fillers, selectors of a variant, the blank of Braille.
BLANKS = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
# Scripts of the Arabic kind: their letters join, unless something between them says that they do not.
JOINED = re.compile("[\u0620-\u06ff\u0700-\u074f\u0750-\u077f\u07c0-\u07ff\u0860-\u08ff\ufb50-\ufdff\ufe70-\ufefc]")


@lru_cache(20_000)
def sort_key(text: str) -> str:
    """By which names stand in a list: by the letters of their script, whatever their case, accents and joiners.

    Arabic counts the carriers of a hamza as their letters. The blocks of Indian scripts stand in their own order.
    """
    folded = unicodedata.normalize("NFKD", text.casefold()).translate(SORTED_AS)
    return "".join(letter for letter in folded if not PASSED_OVER.match(letter) and letter not in JOINERS)


def one_line(text: str) -> str:
    """Composed, with single blanks between words and without anything invisible, controls included."""
    words = without_invisibles(unicodedata.normalize("NFC", text)).split()
    return CONTROLS.sub("", " ".join(words))


def without_invisibles(text: str) -> str:
    """Without marks of direction, blanks without width and fillers.

    The joiner and the non-joiner stay where they are seen: beside a virama, and between two letters that join.
    """
    if text.isascii() and text.isprintable():
        return text
    single = REPEATED.sub(r"\1", BLANKS.sub("", text))
    seen = [character for character in single if character in JOINERS or _is_drawn(character)]
    kept = [
        character
        for place, character in enumerate(seen)
        if character not in JOINERS
        or _is_needed(seen[place - 1] if place else "", "".join(seen[place + 1 : place + 2]))
    ]
    return "".join(kept)


def _is_drawn(character: str) -> bool:
    return character in DRAWN or unicodedata.category(character) != "Cf"


def _is_needed(before: str, after: str) -> bool:
    """Whether a joiner between two characters is seen."""
    if not before:
        return False
    if VIRAMA in (unicodedata.combining(before), unicodedata.combining(after or " ")):
        return True
    return bool(JOINED.match(before) and JOINED.match(after))
