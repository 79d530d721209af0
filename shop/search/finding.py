"""From what a shopper typed to products."""

from .engines import Want, matching_ids
from .text import words_of


def find_products(query: str) -> list[int]:
    """Ids of published products that match all words of `query`, best first."""
    return matching_ids([Want((word,)) for word in words_of(query)])
