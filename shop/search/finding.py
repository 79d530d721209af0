"""From what a shopper typed to products."""

from dataclasses import dataclass

from .engines import matching_ids
from .spelling import correct
from .synonyms import expand
from .text import words_of


@dataclass(frozen=True)
class Found:
    """Ids of published products, best first; `meant` are the words they match where the typed ones
    match nothing."""

    ids: list[int]
    meant: str = ""


def find_products(query: str) -> Found:
    """Products that match all words of `query`; where none does, those for what was probably meant.

    Two queries, six where typing errors are looked for.
    """
    words = words_of(query)
    if not words:
        return Found([])
    ids = matching_ids(expand(words))
    if ids:
        return Found(ids)
    meant = correct(words)
    ids = matching_ids(expand(meant)) if meant != words else []
    return Found(ids, " ".join(meant) if ids else "")
