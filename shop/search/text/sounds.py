"""Words by their sound: one key for the ways in which people write a word by ear, in any script.

Indian words have no fixed spelling in Latin letters (triphala, trifala; mulethi, mulathi), and English ones
are written as they are heard (shampu). Scripts that leave vowels out are compared by consonants alone.
"""

import re
from functools import lru_cache

from anyascii import anyascii

_SPELLINGS = {
    "tion": "san", "tch": "C", "chh": "C", "ch": "C", "ck": "k", "sch": "s", "sh": "s", "x": "ks",
    "ph": "f", "th": "t", "dh": "d", "bh": "b", "gh": "g", "kh": "k", "jh": "j", "rh": "r",
    "ce": "se", "ci": "si", "cy": "si", "c": "k", "q": "k", "w": "v", "z": "j", "oo": "u", "ou": "u",
    "ee": "i", "ea": "i", "ie": "i", "ei": "e", "ai": "e", "ay": "e", "au": "o", "aa": "a",
}  # fmt: skip
_SPELLING = re.compile("[ao]w(?![aeiouy])|" + "|".join(sorted(_SPELLINGS, key=len, reverse=True)))
_DOUBLE = re.compile(r"(.)\1+")
_SILENT_H = re.compile("(?<=[a-zC])h")
_LAST_VOWEL = re.compile(r"(?<=..)[ae]\Z")
_VOWELS = re.compile("[aeiou]+")
_NASAL = re.compile("n(?=[bp])")
_OTHER_CHARACTERS = re.compile("[^a-z0-9]+")
ALEFS = frozenset("اأآإ")
# Tamil writes k and g, t and d, p and b with one letter.
_ALIKE = str.maketrans("gdbjmC", "ktpcnc")


@lru_cache(20_000)
def latin(word: str) -> str:
    """`word` in Latin letters, lower case; vowels that the script does not write stay away."""
    if word.isascii():
        return word
    if word[0] in ALEFS:  # which comes out as nothing
        word = f"a{word[1:]}"
    # Of Indian scripts the letter that English writes as "ch" arrives as "c".
    return _OTHER_CHARACTERS.sub("", re.sub("c(?!h)", "ch", anyascii(word).lower()))


@lru_cache(50_000)  # all words of the tables, which are grouped anew after each change of one
def sound_key(word: str) -> str:
    """The same for spellings that sound alike; empty for what does not begin with a letter."""
    letters = latin(word)
    if not letters or not letters[0].isalpha():
        return ""
    plain = _SPELLING.sub(lambda found: _SPELLINGS.get(found[0], "o"), letters)
    plain = _NASAL.sub("m", _SILENT_H.sub("", plain.replace("y", "i")))
    return _LAST_VOWEL.sub("", _DOUBLE.sub(r"\1", plain))


def consonants(word: str) -> str:
    """The sound without vowels; a vowel at the beginning is one, whichever."""
    key = sound_key(word)
    first = "a" if key[:1] in set("aeiou") else key[:1]
    return (first + _VOWELS.sub("", key[1:])).translate(_ALIKE)
