"""The order of results: what the words mean first, then stock, then what people buy (SEARCH.md, rule 6)."""

import numpy as np

from ..facets.store import current_index
from .ranking import Matches

MAX_MATCHES = 2000
BAND = 0.8  # scores that differ by less are equal: then stock and what people buy decide


def ordered(matches: Matches) -> list[int]:
    """Ids by tier, then by bands of nearly equal scores, in these what is in stock and sells most; one more than
    MAX_MATCHES at most, so that a caller sees that there are others."""
    if not len(matches):
        return []
    top = np.zeros(256, np.float32)
    np.maximum.at(top, matches.tiers, matches.scores)
    ratio = np.maximum(matches.scores, 1e-6) / np.maximum(top[matches.tiers], 1e-6)
    bands = np.floor(np.log(ratio) / np.log(BAND) + 1e-6)
    in_stock, popularity = _sales(matches.ids)
    order = np.lexsort((matches.ids, -matches.scores, -popularity, ~in_stock, bands, matches.tiers))
    return list(matches.ids[order[: MAX_MATCHES + 1]].tolist())


def _sales(ids: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What is in stock, and how often it sells, of each product; the same for all while there is no index."""
    facets = current_index()
    if facets is None:
        return np.ones(len(ids), bool), np.zeros(len(ids), np.int64)
    return facets.column_of("in_stock", ids), facets.column_of("popularity", ids).astype(np.int64)
