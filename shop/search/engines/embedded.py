"""The engine inside the shop: an index in the memory of each process (text/)."""

from ..text import matching, store
from ..text.matching import Found
from .base import Explanation


class EmbeddedEngine:
    name = "embedded"

    def check(self) -> None:
        """It always can, by SQL if there is no index yet."""

    def index(self) -> None:
        store.keep_snapshot()

    def search(self, query: str) -> Found:
        return matching.find_products(query)

    def suggest(self, query: str) -> Found:
        return matching.find_products(query, is_typing=True)

    def explain(self, query: str) -> Explanation:
        return Explanation(*matching.explain(query))
