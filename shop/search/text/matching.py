"""From what a shopper typed to products."""

from dataclasses import dataclass, replace

from shop.invalidation.memory import ProductMemory

from .engines import Want, matching_ids, nearly_matching_ids
from .normalization import STOP_WORDS, words_of
from .spelling import completions, correct
from .synonyms import expand

FORGIVING = range(3, 9)  # so many words, of which one may be missing
MAX_REMEMBERED = 500  # a common word's answer is up to 2,000 numbers


@dataclass(frozen=True)
class Found:
    """Ids of published products, best first; `meant` are the words they match where the typed ones
    match nothing."""

    ids: list[int]
    meant: str = ""


# What was searched for lately, until any product or the shop changes: shoppers type the same few words.
_kept: ProductMemory[Found] = ProductMemory(MAX_REMEMBERED)


def find_products(query: str) -> Found:
    """Products that match all words of `query`; where none does, those for what was probably meant, and
    of three words or more those that match all but one.

    Three queries, at most nine where nothing matches; none while this process remembers the answer.
    """
    words = words_of(query)
    if not words:
        return Found([])
    version, key = _kept.version, tuple(words)
    found = _kept.get(key)
    if found is None:
        found = _find(words)
        _kept.keep(key, found, shows=None, version=version)
    return found


def _find(words: list[str]) -> Found:
    wants = _wants(words)
    ids = matching_ids(wants)
    if ids:
        return Found(ids)
    meant = correct(words)
    ids = matching_ids(_wants(meant)) if meant != words else []
    if ids:
        return Found(ids, " ".join(meant))
    telling = [want for want in wants if not STOP_WORDS.issuperset(want.words)]
    return Found(nearly_matching_ids(telling) if len(telling) in FORGIVING else [])


def _wants(words: list[str]) -> list[Want]:
    """The last word may still be typed."""
    *before, last = expand(words)
    return [*before, replace(last, completions=tuple(completions(last.words[-1])))]
