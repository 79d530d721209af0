"""What answers searches: one protocol for the engine inside the shop and for a search server."""

from dataclasses import dataclass, field
from typing import Protocol

from ..text.matching import Found


class SearchEngineError(Exception):
    """The engine cannot answer now; another one may."""


@dataclass(frozen=True)
class Explanation:
    """How words were understood (`found.steps`), with tier and score of each product in the first step that found it;
    smaller tiers come first, within one the larger score."""

    found: Found
    scores: dict[int, tuple[int, float]] = field(default_factory=dict)


class SearchEngine(Protocol):
    """Each raises SearchEngineError where the engine is away. None answers a medicine with another one."""

    name: str

    def check(self) -> None:
        """Nothing, where it can answer searches."""

    def index(self) -> None:
        """Take in what changed since the last time, or the whole catalogue. Safe to repeat, and beside another one."""

    def search(self, query: str) -> Found:
        """Products for a query, one step wider at a time (SEARCH.md, rules 1 to 3)."""

    def suggest(self, query: str) -> Found:
        """The first products for words that may be unfinished."""

    def explain(self, query: str) -> Explanation:
        """The same as `search`, with its steps and scores."""
