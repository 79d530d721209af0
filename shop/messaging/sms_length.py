"""How many SMS a text is sent as, and paid for: one with a letter outside the GSM alphabet (₹, Hindi, Arabic) is
written in UCS-2, of which less than half as much fits (3GPP TS 23.038)."""

from math import ceil

_GSM = frozenset(
    "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§"
    "¿abcdefghijklmnopqrstuvwxyzäöñüà"
)
_GSM_IN_TWO = frozenset("\f^{}\\[~]|€")
# Of one SMS alone, and of each part of several.
GSM_UNITS, UCS2_UNITS = (160, 153), (70, 67)


def is_unicode(text: str) -> bool:
    return not set(text) <= _GSM | _GSM_IN_TWO


def sms_units(text: str) -> int:
    """Of the alphabet that the text needs."""
    if is_unicode(text):
        return len(text.encode("utf-16-le")) // 2
    return len(text) + sum(letter in _GSM_IN_TWO for letter in text)


def sms_parts(text: str) -> int:
    alone, each = UCS2_UNITS if is_unicode(text) else GSM_UNITS
    units = sms_units(text)
    return 1 if units <= alone else ceil(units / each)
