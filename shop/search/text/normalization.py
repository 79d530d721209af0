"""How words are cut and spelled, the same for what is searched for and what is searched."""

import re
import unicodedata

MAX_QUERY_LENGTH = 100
LATIN_ACCENTS = re.compile("[\u0300-\u036f]")
JOINERS = re.compile("[\u200c\u200d]")  # they shape letters of Indian scripts and are none
# Letters, digits and the combining marks that are vowels in Indian scripts (\w leaves those out).
MARK = r"[\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0980-\u0dff]"
WORD = re.compile(rf"[^\W_]++(?:{MARK}++[^\W_]*+)*")
# Beside those, what PostgreSQL leaves out and shoppers write; alone they tell nothing.
STOP_WORDS = frozenset((
    "about", "after", "all", "any", "are", "as", "at", "be", "before", "best", "both", "but", "by", "can", "do", "from",
    "have", "how", "i", "is", "it", "me", "more", "most", "my", "no", "not", "only", "our", "out", "over", "some",
    "than", "that", "this", "too", "under", "up", "very", "what", "when", "where", "which", "who", "will", "you",
    "your",
))  # fmt: skip
SMALL_WORDS = {"a", "an", "and", "for", "in", "of", "on", "or", "the", "to", "with"}


def split_words(text: str) -> list[str]:
    """Words of any text: lower case, no Latin accents, one spelling for what looks the same."""
    folded = LATIN_ACCENTS.sub("", unicodedata.normalize("NFKD", JOINERS.sub("", text)))
    return WORD.findall(unicodedata.normalize("NFC", folded).lower())


def plain_words(text: str) -> str:
    """`text` as its words with single spaces between them."""
    return " ".join(split_words(text))


def words_of(query: str) -> list[str]:
    """Words of what somebody typed, at most MAX_QUERY_LENGTH characters; "for" and the like only if
    there is nothing else."""
    words = split_words(query[:MAX_QUERY_LENGTH])
    return [word for word in words if word not in SMALL_WORDS] or words
