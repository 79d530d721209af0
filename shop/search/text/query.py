"""What a shopper typed, taken apart: words, sizes, and what says nothing about products."""

import re
from dataclasses import dataclass
from decimal import Decimal

from .measures import MEASURE, measure_token
from .normalization import MAX_QUERY_LENGTH, SMALL_WORDS, STOP_WORDS, split_words

# What people write around what they look for, in English and in Hindi.
_AROUND_TEXT = """
a an and for in of on or the to with from by at is are my me i please want need needed show find get give buy order
online shop store near price prices cost rate rates offer offers deal deals discount cheap cheapest lowest best good
better top original genuine pure effective quality brand brands branded product products item items type types kind
medicine medicines medicin medication meds drug drugs remedy remedies treatment cure use uses used using benefits
review reviews home natural ayurvedic ayurveda india indian
ki ka ke ko se me mein hai ho hota hoti wala wali wale liye liya chahiye chaiye dawa dawai dava davai dwai aushadhi
ilaj ilaaj upay upaay upchar gharelu nuskha nuskhe accha acchi achi sasta sasti kya kaise karne karna karo kare karein
rokne rokna badhane badhana badhaye lagane lagana lagna lagne par pe hone hona hue jaye dur door thik theek jaldi ghar
turant aur ya bhi hatane hatana mitane mitana
की का के को से में है हो वाला वाली लिए चाहिए दवा दवाई औषधि इलाज उपाय उपचार घरेलू नुस्खा अच्छी अच्छा सबसे और करने करना
रोकने बढ़ाने लगाने पर होने दूर ठीक या भी
کا کی کے کو سے میں ہے لیے ਦਾ ਦੀ ਦੇ ਲਈ નો ની નું ના માટે चा ची चे साठी এর জন্য
"""
_AROUND = frozenset(_AROUND_TEXT.split()) | SMALL_WORDS | STOP_WORDS
# Of those, words that a product may well have in its name: left out only where they find nothing.
_MAY_MATTER = frozenset(["ayurvedic", "ayurveda", "natural", "pure", "indian", "original", "home"])
_CURRENCY = r"(?:rs\.?|inr|₹|rupees?|usd|\$|eur|€|gbp|£|aed)"
_AMOUNT = rf"{_CURRENCY}? ?(\d{{1,3}}(?:,\d{{2,3}})+(?:\.\d{{1,2}})?|\d{{1,7}}(?:\.\d{{1,2}})?) ?(?:{_CURRENCY}|/-)?"
_END = r"(?![\w%]|,\d| ?(?:years?|yrs?|months?|weeks?|days?)\b)"
_WHOSE_AGE = re.compile(
    r"\b(?:kids?|child(?:ren)?|bab(?:y|ies)|toddlers?|infants?|boys?|girls?|(?:wo)?m[ae]n|adults?|seniors?|people"
    r"|aged?|for) \Z",
    re.IGNORECASE,
)
_UPPER_LIMIT = re.compile(
    rf"\b(?:under|below|less than|up ?to|within|max(?:imum)?|cheaper than) {_AMOUNT}{_END}", re.IGNORECASE
)
_LOWER_LIMIT = re.compile(
    rf"\b(?:above|over|more than|min(?:imum)?|starting (?:at|from)) {_AMOUNT}{_END}", re.IGNORECASE
)
_RANGE = re.compile(rf"\b(?:between|from) {_AMOUNT} (?:and|to|-) {_AMOUNT}{_END}", re.IGNORECASE)


@dataclass(frozen=True)
class PriceWords:
    """A query without its words about prices, and the limits that they set."""

    rest: str
    min: Decimal | None = None
    max: Decimal | None = None

    def __bool__(self) -> bool:
        return self.min is not None or self.max is not None


def split_prices(text: str) -> PriceWords:
    """ "honey under 500" is honey, up to 500. A size ("under 5 kg") is no price."""
    text = text[:MAX_QUERY_LENGTH]
    if MEASURE.search(text) and not any(
        one.search(MEASURE.sub(" ", text)) for one in (_RANGE, _UPPER_LIMIT, _LOWER_LIMIT)
    ):
        return PriceWords(text)
    typed, low, high = text, None, None
    if found := _RANGE.search(text):
        low, high = _amount(found[1]), _amount(found[2])
        text = _without(text, found)
    if high is None and (found := _limit(_UPPER_LIMIT, text)):
        high = _amount(found[1])
        text = _without(text, found)
    if low is None and (found := _limit(_LOWER_LIMIT, text)):
        low = _amount(found[1])
        text = _without(text, found)
    if not split_words(text):
        return PriceWords(typed)
    return PriceWords(" ".join(text.split()), low, high)


def _amount(written: str) -> Decimal:
    return Decimal(written.replace(",", ""))


def _limit(one: re.Pattern[str], text: str) -> re.Match[str] | None:
    """ "for kids under 5" is an age, "for kids under 500" and "under ₹5" are prices."""
    found = one.search(text)
    is_bare = found and found[0].split()[-1] == found[1]
    return None if found and is_bare and _amount(found[1]) < 100 and _WHOSE_AGE.search(text[: found.start()]) else found


def _without(text: str, found: re.Match[str]) -> str:
    return f"{text[: found.start()]} {text[found.end() :]}"


def words_in(query: str) -> list[str]:
    """Words of what somebody typed, a size as one; those around it only if there is nothing else."""
    words: list[str] = []
    text, start = query[:MAX_QUERY_LENGTH], 0
    for found in MEASURE.finditer(text):
        words += [*split_words(text[start : found.start()]), measure_token(found[1], found[2])]
        start = found.end()
    words += split_words(text[start:])
    return _significant(words)


def _significant(words: list[str]) -> list[str]:
    for left_out in (_AROUND - _MAY_MATTER, SMALL_WORDS):
        kept = [word for word in words if word not in left_out]
        if kept:
            return kept
    return words


def may_be_left_out(word: str) -> bool:
    return word in _MAY_MATTER
