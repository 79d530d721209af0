"""A search server that speaks OpenSearch's API, in place of the index in each process.

Words are understood here: needs, other names and the rules of medicines are the shop's own, whoever holds the index.
The server says which products hold what, and which words it has near one that it lacks.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice, product
from typing import Any, TypeVar

import numpy as np
from django.utils import timezone

from ..models import IndexSnapshot
from ..snapshots import LOADABLE, REBUILT, changed_since
from ..text.matching import MAX_GROUPS, MAX_TRIED, SHORT_LIST, Found, Step, readable_words
from ..text.needs import apt_groups, harmful, is_distinct, needs
from ..text.ordering import MAX_MATCHES, ordered
from ..text.query import words_in
from ..text.ranking import TYPED, Group, Matches
from ..text.reading import read_entries
from ..text.tables.names import Phrase, names
from ..text.tables.substances import substances
from ..text.understanding import Understanding
from ..text.vocabulary import Words, allowed_errors
from .base import Explanation
from .opensearch_client import OpenSearchClient
from .opensearch_queries import INDEX_BODY, bulk_lines, query_of, query_of_any, suggestions_for

ALIAS = "products"
STATE = "opensearch"  # the IndexSnapshot that says what the server was told
LAYOUT = 1  # of INDEX_BODY and of reading.py
AT_ONCE = 500  # documents of one call
MAX_SUGGESTED = 48

Item = TypeVar("Item")


class OpenSearchEngine:
    name = "OpenSearch"

    def __init__(self, address: str) -> None:
        self._client = OpenSearchClient(address)

    def check(self) -> None:
        self._client.search(ALIAS, {"size": 0})

    def index(self) -> None:
        """Send what changed. The whole catalogue into a new index, where there is none, a day has passed, or changes
        may be missing; searches meet the old one until the new one is complete.

        Locks no rows; writes `made_at` and `built_at` of one IndexSnapshot. Two at once send the same documents, of
        which the one that was read later stays; each change is sent again for five minutes (snapshots.MARGIN).
        """
        now = timezone.now()
        state = IndexSnapshot.objects.filter(name=STATE).first()
        behind = self._client.indexes_behind(ALIAS)
        is_usable = state and behind and state.version == LAYOUT
        if state and is_usable and now - state.built_at < REBUILT and now - state.made_at < LOADABLE:
            self._send(ALIAS, changed_since(state.made_at))
            _note(made_at=now, built_at=state.built_at)
            return
        fresh = f"{ALIAS}-{now:%Y%m%d%H%M%S%f}"
        self._client.create(fresh, INDEX_BODY)
        self._send(fresh, None)
        self._client.point(ALIAS, fresh, behind)
        for old in behind:
            self._client.delete(old)
        _note(made_at=now, built_at=now)

    def _send(self, index: str, changed: set[int] | None) -> None:
        """These products, or all. Those that are not published are deleted."""
        version = _microseconds(timezone.now())
        for entries in _chunks(read_entries(changed), AT_ONCE):
            self._client.bulk(bulk_lines(index, entries, (), version))
            if changed:
                changed = changed.difference(pk for pk, _ in entries)
        for gone in _chunks(sorted(changed or ()), AT_ONCE):
            self._client.bulk(bulk_lines(index, (), gone, version))

    def search(self, query: str) -> Found:
        return _Search(self._client, MAX_MATCHES).find(query)

    def suggest(self, query: str) -> Found:
        return _Search(self._client, MAX_SUGGESTED).find(query)

    def explain(self, query: str) -> Explanation:
        search = _Search(self._client, MAX_MATCHES)
        found = search.find(query)
        scores: dict[int, tuple[int, float]] = {}
        for matches in search.matched:
            for pk, score in zip(matches.ids.tolist(), matches.scores.tolist(), strict=True):
                scores.setdefault(pk, (TYPED, score))
        return Explanation(found, scores)


class _Search:
    """One query, from what was typed to what is nearest; `size`: at most so many products of each step."""

    def __init__(self, client: OpenSearchClient, size: int) -> None:
        self._client = client
        self._size = size
        self._understanding = _TableUnderstanding()
        self._steps: list[Step] = []
        self.matched: list[Matches] = []

    def find(self, query: str) -> Found:
        words = tuple(words_in(query))
        found = self._wider(words) if words else Found([])
        return replace(found, ids=found.ids[:MAX_MATCHES], steps=tuple(self._steps))

    def _wider(self, words: Phrase) -> Found:
        found = self._as_typed(words)
        if found.absent or found.need or self._has_substance(words):
            return found
        if found.ids:
            return self._filled(found, words)
        return self._corrected(words) or self._with_less(words) or Found([])

    def _as_typed(self, words: Phrase) -> Found:
        """A need by what is apt for it, else products that hold every word."""
        need = self._understanding.needs.find(words)
        if need is None or self._understanding.is_substance(words[need[1] : need[1] + need[2]]):
            return self._literally(words)
        plan, start, size = need
        typed = words[start : start + size]
        if not plan.kinds:
            return Found([], need=plan)
        if size < len(words):
            literal = self._literally(words)
            if literal.absent or (literal.ids and is_distinct(typed)):
                return literal
        others = self._understanding.groups((*words[:start], *words[start + size :]), is_unfinished=False)
        forms = self._understanding.forms
        for beside in (others, []) if others else ([],):
            groups = [apt_groups(plan, typed, forms), *beside]
            ids = self._ask(f"apt for {plan.name}", groups, query_of(groups, harmful(plan, forms)))
            if ids or any(map(self._must_stay, others)):
                left_out = () if beside or not others else tuple(readable_words(group.typed) for group in others)
                return Found(ids, need=plan, left_out=left_out)
        return Found([], need=plan)

    def _literally(self, words: Phrase) -> Found:
        groups = self._understanding.groups(words, is_unfinished=True)[:MAX_GROUPS]
        ids = self._ask("as typed", groups, query_of(groups))
        if not ids:
            for group in groups:
                if group.is_substance and not self._ask("substance", [group], query_of([group])):
                    return Found([], absent=readable_words(group.typed))
        return Found(ids)

    def _corrected(self, words: Phrase) -> Found | None:
        for meant in islice(self._guesses(words), MAX_TRIED):
            found = self._as_typed(meant)
            if found.ids or found.absent:
                is_final = found.absent or found.need or self._has_substance(meant)
                return replace(found if is_final else self._filled(found, meant), meant=readable_words(meant))
        return None

    def _guesses(self, words: Phrase) -> Iterator[Phrase]:
        """The words with those that no product has replaced by near ones."""
        asked = {str(at): suggestions_for(word) for at, word in enumerate(words) if word.isalpha()}
        if not asked:
            return
        answer = self._client.search(ALIAS, {"size": 0, "suggest": asked})
        options = [self._options(word, answer["suggest"].get(str(at))) for at, word in enumerate(words)]
        for guess in product(*options):
            meant = tuple(word for phrase in guess for word in phrase)
            if meant != words:
                yield meant

    def _options(self, word: str, suggested: list[dict[str, Any]] | None) -> list[Phrase]:
        """What may stand for a word, itself where some product has it. A substance only if no other is as near."""
        near = [option["text"] for part in suggested or () for option in part["options"]]
        if not near or word in substances():
            return [(word,)]
        allowed = max(allowed_errors(word), 1)
        alike = [phrase for phrase in names().sounding_like((word,)) if phrase != (word,)]
        safe = [
            phrase
            for phrase in (*alike, *((one,) for one in near))
            if all(substances().nearest_is(one, word, allowed) for one in phrase if one in substances())
        ]
        return safe[:MAX_TRIED] or [(word,)]

    def _with_less(self, words: Phrase) -> Found | None:
        """What holds as many of the words as any product does."""
        groups, others, hits = self._holding_some(words)
        if not hits or substances().is_near_name(words):
            return None
        held = max((frozenset(hit["matched_queries"]) for hit in hits), key=len)
        kept = [hit for hit in hits if held == frozenset(hit["matched_queries"])]
        left_out = tuple(readable_words(group.typed) for at, group in enumerate(others) if str(at) not in held)
        return Found(self._noted("with less", groups, kept), left_out=left_out)

    def _filled(self, found: Found, words: Phrase) -> Found:
        """A short list, and below it what holds all of the words but one."""
        if len(found.ids) >= SHORT_LIST:
            return found
        groups, others, hits = self._holding_some(words)
        near = [hit for hit in hits if len(hit["matched_queries"]) >= len(others) - 1]
        if not near:
            return found
        more = [pk for pk in self._noted("all but one", groups, near) if pk not in set(found.ids)]
        return replace(found, ids=[*found.ids, *more], close=len(found.ids)) if more else found

    def _holding_some(self, words: Phrase) -> tuple[list[Group], list[Group], list[dict[str, Any]]]:
        """What is asked for, what of it may be left out, and the products that hold some of that."""
        groups = self._understanding.groups(words, is_unfinished=True)[:MAX_GROUPS]
        required = [group for group in groups if self._must_stay(group)]
        others = [group for group in groups if group not in required]
        if len(groups) < 2 or not others:
            return groups, others, []
        answer = self._client.search(ALIAS, self._body(query_of_any(required, others)))
        return groups, others, answer["hits"]["hits"]

    def _must_stay(self, group: Group) -> bool:
        """A substance, or what is nearly one."""
        return group.is_substance or (len(group.typed) == 1 and self._understanding.may_be_substance(group.typed[0]))

    def _has_substance(self, words: Phrase) -> bool:
        groups = self._understanding.groups(words, is_unfinished=False)
        return any(group.is_substance for group in groups) or substances().is_near_name(words)

    def _ask(self, what: str, groups: Sequence[Group], query: dict[str, Any]) -> list[int]:
        answer = self._client.search(ALIAS, self._body(query))
        return self._noted(what, groups, answer["hits"]["hits"])

    def _body(self, query: dict[str, Any]) -> dict[str, Any]:
        return {"query": query, "size": self._size, "_source": False, "track_total_hits": False}

    def _noted(self, what: str, groups: Sequence[Group], hits: list[dict[str, Any]]) -> list[int]:
        ids = np.array([int(hit["_id"]) for hit in hits], np.int64)
        scores = np.array([hit["_score"] for hit in hits], np.float32)
        matches = Matches(ids, np.full(len(ids), TYPED, np.uint8), scores)
        self._steps.append(Step(what, tuple(groups), len(ids)))
        self.matched.append(matches)
        return ordered(matches)


class _TableIndex:
    """Stands for the word index: its words are those of the shop's tables."""

    words: tuple[Words, ...] = ()  # beside the tables

    def __init__(self, known: frozenset[str]) -> None:
        self._known = known

    def count(self, term: str) -> int:
        return int(term in self._known)


class _TableUnderstanding(Understanding):
    """What the tables alone say; which words products have, the server knows."""

    def __init__(self) -> None:
        known = frozenset(word for phrase in names().by_phrase for word in phrase) | needs().known
        super().__init__(_TableIndex(known), names(), substances(), needs())


def _chunks(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    left = iter(items)
    while chunk := list(islice(left, size)):
        yield chunk


def _note(*, made_at: datetime, built_at: datetime) -> None:
    values = {"version": LAYOUT, "data": b"", "made_at": made_at, "built_at": built_at}
    IndexSnapshot.objects.update_or_create(name=STATE, defaults=values)


def _microseconds(moment: datetime) -> int:
    return int(moment.timestamp() * 1_000_000)
