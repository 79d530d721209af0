"""An amount of Indian rupees in Arabic words. What is counted decides the form of the number before it, and the number
the form of what is counted: a dual for two, a plural up to ten, a singular from eleven on."""

from typing import NamedTuple


class Noun(NamedTuple):
    one: str
    two: str
    two_of: str  # before what it counts
    few: str
    many: str  # after a number from 11 to 99, unless another noun follows
    is_feminine: bool = False


THOUSAND = Noun("ألف", "ألفان", "ألفا", "آلاف", "ألفًا")
MILLION = Noun("مليون", "مليونان", "مليونا", "ملايين", "مليونًا")
RUPEE = Noun("روبية", "روبيتان", "روبيتا", "روبيات", "روبية", is_feminine=True)
PAISA = Noun("بيسة", "بيستان", "بيستا", "بيسات", "بيسة", is_feminine=True)
NUMBERS = (THOUSAND, MILLION)  # which stand for one of themselves
HUNDREDS = ["", "مئة", "مئتان", "ثلاثمئة", "أربعمئة", "خمسمئة", "ستمئة", "سبعمئة", "ثمانمئة", "تسعمئة"]
TWO_HUNDRED_OF = "مئتا"
TENS = ["", "", "عشرون", "ثلاثون", "أربعون", "خمسون", "ستون", "سبعون", "ثمانون", "تسعون"]
OF_FEMININE = ["", "واحدة", "اثنتان", "ثلاث", "أربع", "خمس", "ست", "سبع", "ثماني", "تسع", "عشر"]
OF_MASCULINE = ["", "واحد", "اثنان", "ثلاثة", "أربعة", "خمسة", "ستة", "سبعة", "ثمانية", "تسعة", "عشرة"]
AND = " و"


def arabic_amount(rupees: int, paise: int) -> str:
    """Only so many rupees and paise, no more; below a thousand million rupees."""
    words = counted(rupees, RUPEE) if rupees or not paise else ""
    parts = [part for part in (words, counted(paise, PAISA) if paise else "") if part]
    return f"فقط {AND.join(parts)} لا غير"


def counted(number: int, noun: Noun, *, is_before_noun: bool = False) -> str:
    """A number with what it counts: ألف ومئتان وخمسون روبية."""
    if not number:
        return f"صفر {noun.one}"
    millions, thousands, hundreds, rest = number // 10**6, number // 1000 % 1000, number // 100 % 10, number % 100
    groups = [(count, group) for count, group in ((millions, MILLION), (thousands, THOUSAND)) if count]
    is_noun_next = rest <= 2  # the noun follows the last of the higher numbers at once
    heads = [
        counted(count, group, is_before_noun=is_noun_next and not hundreds and at == len(groups))
        for at, (count, group) in enumerate(groups, 1)
    ]
    if hundreds:
        heads.append(TWO_HUNDRED_OF if hundreds == 2 and is_noun_next else HUNDREDS[hundreds])
    if heads and is_noun_next:
        heads[-1] += f" {noun.one}"
    return AND.join([*heads, *_small(rest, noun, is_before_noun)])


def _small(number: int, noun: Noun, is_before_noun: bool) -> list[str]:
    """Of a number below a hundred; nothing for none."""
    ones = OF_FEMININE if noun.is_feminine else OF_MASCULINE
    if number == 0:
        return []
    if number == 1:
        return [noun.one if noun in NUMBERS else f"{noun.one} {ones[1]}"]
    if number == 2:
        return [noun.two_of if is_before_noun else noun.two]
    if number <= 10:
        return [f"{ones[number]} {noun.few}"]
    return [f"{_teen_or_tens(number, ones, noun.is_feminine)} {noun.one if is_before_noun else noun.many}"]


def _teen_or_tens(number: int, ones: list[str], is_feminine: bool) -> str:
    tens, rest = divmod(number, 10)
    if tens == 1:
        first = {1: "إحدى", 2: "اثنتا"} if is_feminine else {1: "أحد", 2: "اثنا"}
        return f"{first.get(rest) or ones[rest]} {'عشرة' if is_feminine else 'عشر'}"
    unit = "إحدى" if rest == 1 and is_feminine else ones[rest]
    return f"{unit}{AND}{TENS[tens]}" if rest else TENS[tens]
