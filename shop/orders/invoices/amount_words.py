"""An amount of rupees in words, as an Indian invoice says it: in lakhs and crores, in English and in Hindi; in
Arabic in thousands and millions (arabic_words.py)."""

from collections.abc import Callable
from decimal import Decimal

from shop.money import to_paise

from .arabic_words import arabic_amount

CRORE, LAKH, THOUSAND, HUNDRED = 10_000_000, 100_000, 1_000, 100
STEPS = (CRORE, LAKH, THOUSAND, HUNDRED)
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "zero ten twenty thirty forty fifty sixty seventy eighty ninety"
ONES, TENS = _ONES.split(), _TENS.split()
NAMES = ("crore", "lakh", "thousand", "hundred")
# Hindi has a word of its own for each number below a hundred.
_HINDI = (
    "शून्य एक दो तीन चार पाँच छह सात आठ नौ दस ग्यारह बारह तेरह चौदह पंद्रह सोलह सत्रह अठारह उन्नीस "
    "बीस इक्कीस बाईस तेईस चौबीस पच्चीस छब्बीस सत्ताईस अट्ठाईस उनतीस तीस इकतीस बत्तीस तैंतीस चौंतीस पैंतीस छत्तीस सैंतीस अड़तीस "
    "उनतालीस चालीस इकतालीस बयालीस तैंतालीस चौवालीस पैंतालीस छियालीस सैंतालीस अड़तालीस उनचास पचास इक्यावन बावन तिरपन चौवन पचपन "
    "छप्पन सत्तावन अट्ठावन उनसठ साठ इकसठ बासठ तिरसठ चौंसठ पैंसठ छियासठ सड़सठ अड़सठ उनहत्तर सत्तर इकहत्तर बहत्तर तिहत्तर चौहत्तर "
    "पचहत्तर छिहत्तर सतहत्तर अठहत्तर उनासी अस्सी इक्यासी बयासी तिरासी चौरासी पचासी छियासी सत्तासी अट्ठासी नवासी नब्बे इक्यानवे "
    "बानवे तिरानवे चौरानवे पंचानवे छियानवे सत्तानवे अट्ठानवे निन्यानवे"
)
HINDI = _HINDI.split()
HINDI_NAMES = ("करोड़", "लाख", "हज़ार", "सौ")


def amount_words(amount_inr: Decimal, language: str = "en") -> str:
    """One thousand two hundred and fifty rupees and five paise only; empty in a language without such words."""
    rupees, paise = divmod(abs(to_paise(amount_inr)), 100)
    if language == "hi":
        words = f"{_hindi(rupees)} {'रुपया' if rupees == 1 else 'रुपये'}"
        return f"{words} {_hindi(paise)} पैसे मात्र" if paise else f"{words} मात्र"
    if language == "ar":
        return arabic_amount(rupees, paise)
    if language != "en":
        return ""
    words = f"{_english(rupees)} rupee{'s' * (rupees != 1)}"
    return (f"{words} and {_english(paise)} paise only" if paise else f"{words} only").capitalize()


def _english(number: int) -> str:
    head, rest = _steps(number, NAMES, _english)
    if not rest and head:
        return " ".join(head)
    small = ONES[rest] if rest < 20 else TENS[rest // 10] + (f"-{ONES[rest % 10]}" if rest % 10 else "")
    return " ".join([*head, "and", small]) if head else small


def _hindi(number: int) -> str:
    head, rest = _steps(number, HINDI_NAMES, _hindi)
    return " ".join([*head, HINDI[rest]] if rest or not head else head)


def _steps(number: int, names: tuple[str, ...], words: Callable[[int], str]) -> tuple[list[str], int]:
    """What of a number is crores, lakhs, thousands and hundreds, in words, and the rest below a hundred."""
    head = []
    for step, name in zip(STEPS, names, strict=True):
        count, number = divmod(number, step)
        if count:
            head.append(f"{words(count)} {name}")
    return head, number
