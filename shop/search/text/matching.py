"""From what a shopper typed to products, one step wider at a time (SEARCH.md, rules 1 to 3).

1. What was typed: whole words and their inflections, other names, one word as two and two as one, words that begin so.
   A need ("hair fall") is answered by what is apt for it.
2. The nearest words that products have, in place of those that none has.
3. One word less at a time.

A list shorter than a page is filled up from the next step. Beyond its own names a substance is never widened.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, product
from operator import itemgetter

from shop.invalidation.subscriptions import ProductMemory

from ..facets.store import current_index
from .index import WordIndex
from .measures import readable
from .needs import NeedPlan, apt_groups, harmful, is_distinct, needs
from .normalization import MAX_QUERY_LENGTH, split_words
from .ordering import MAX_MATCHES, ordered
from .query import words_in
from .ranking import IN_ORDER, TYPED, WHILE_TYPING, Alternative, Group, Matcher, Matches
from .sql_fallback import find_by_sql
from .store import current_words
from .tables.names import names
from .tables.substances import substances
from .understanding import Guess, Understanding

MAX_REMEMBERED = 500  # a common word's answer is up to 2,000 numbers
MAX_GROUPS = 8
SHORT_LIST = 12  # below this, what the next step finds is added
MAX_TRIED = 6  # combinations of guesses
LAST_LESS = 1.6


@dataclass(frozen=True)
class Step:
    """One step on the way, for `explain_search`."""

    what: str
    groups: tuple[Group, ...]
    found: int


@dataclass(frozen=True)
class Found:
    """Ids of published products, best first, at most MAX_MATCHES.

    meant: the words that they match, where the typed ones match nothing; left_out: typed words that they do not hold;
    close: how many match as well as asked for, where others follow; need: what was understood; absent: the substance
    that the shop does not have.
    """

    ids: list[int]
    meant: str = ""
    left_out: tuple[str, ...] = ()
    close: int | None = None
    need: NeedPlan | None = None
    absent: str = ""
    is_named: bool = False  # some hold everything in what their cards show
    is_makeshift: bool = False
    steps: tuple[Step, ...] = field(default=(), compare=False)


# What was searched for lately, until any product or the shop changes: shoppers type the same few words.
_kept: ProductMemory[Found] = ProductMemory(MAX_REMEMBERED)


def find_products(query: str, *, is_typing: bool = False) -> Found:
    """Products for `query`, whose last word may go on while somebody `is_typing`. No query to the database while this
    process has its index and its tables."""
    words = tuple(words_in(query))
    if not words:
        return Found([])
    spoken = tuple(split_words(query[:MAX_QUERY_LENGTH]))
    version, key = _kept.version, (words, spoken, is_typing)
    found = _kept.get(key)
    if found is None:
        index = current_words()
        if index is None:
            return Found(find_by_sql(words), is_makeshift=True)
        found = _Search(index, is_typing=is_typing).find(words, spoken)
        if current_index() is not None:  # else the order knows nothing of sales
            _kept.keep(key, found, shows=None, version=version)
    return found


def explain(query: str) -> tuple[Found, dict[int, tuple[int, float]]]:
    """How `query` is understood, with its steps, and tier and score of each product in the first step that found it."""
    words, index = tuple(words_in(query)), current_words()
    if index is None or not words:
        return Found([], is_makeshift=index is None), {}
    search = _Search(index)
    found = search.find(words, tuple(split_words(query[:MAX_QUERY_LENGTH])))
    scored: dict[int, tuple[int, float]] = {}
    for matches in search.matched:
        for pk, tier, score in zip(matches.ids.tolist(), matches.tiers.tolist(), matches.scores.tolist(), strict=True):
            scored.setdefault(pk, (tier, score))
    return found, scored


def find_for_need(plan: NeedPlan) -> list[int]:
    """Products that are apt for a need, best first; empty while there is no index."""
    index = current_words()
    return _Search(index).for_need(plan) if index is not None and plan.kinds else []


class _Search:
    def __init__(self, index: WordIndex, *, is_typing: bool = False) -> None:
        self.index = index
        self._is_typing = is_typing
        self._matcher = Matcher(index)
        self.understanding = Understanding(index, names(), substances(), needs())
        self.steps: list[Step] = []
        self.matched: list[Matches] = []

    def find(self, words: tuple[str, ...], spoken: tuple[str, ...]) -> Found:
        """What `words` mean; `spoken` are the same with the small ones between them."""
        found = self._said(words, spoken) or self._as_typed(words)
        is_final = found.absent or (found.need and not found.ids)  # no other medicine, nothing for want of apt goods
        if is_final:
            return self._with_steps(found)
        if not found.ids or found.left_out:
            found = self._corrected(words) or self._best_of(found, self._with_less(words))
        else:
            found = self._filled_if_short(found, words)
        return self._with_steps(found)

    def _with_steps(self, found: Found) -> Found:
        return replace(found, ids=found.ids[:MAX_MATCHES], steps=tuple(self.steps))

    def for_need(self, plan: NeedPlan) -> list[int]:
        return self._for_need(plan, plan.phrases[0] if plan.phrases else (plan.name,), []).ids[:MAX_MATCHES]

    # Step 1

    def _said(self, words: tuple[str, ...], spoken: tuple[str, ...]) -> Found | None:
        """A need that is named by a saying: a danger anywhere in the words, anything else if little is beside it."""
        plan, saying = self.understanding.needs.said(spoken) or (None, ())
        if plan is None or (plan.kinds and not set(words) <= set(saying)):
            return None
        return self._for_whole_need(plan, words)

    def _as_typed(self, words: tuple[str, ...]) -> Found:
        need = self.understanding.needs.find(words)
        if need is None or self.understanding.is_substance(words[need[1] : need[1] + need[2]]):
            return self._literally(words)
        plan, start, size = need
        if size == len(words):
            return self._for_whole_need(plan, words)
        typed = words[start : start + size]
        literal = self._literally(words)
        if literal.absent or (literal.is_named and is_distinct(typed)):
            return literal
        if not plan.kinds:
            return Found([], need=plan)
        others = self.understanding.groups((*words[:start], *words[start + size :]), is_unfinished=False)
        found = self._for_need(plan, typed, others)
        if found.ids or literal.ids:
            return found if found.ids else literal
        if any(map(self._must_stay, others)):
            return Found([])
        alone = self._for_need(plan, typed, [])
        return replace(alone, left_out=tuple(readable_words(group.typed) for group in others))

    def _for_whole_need(self, plan: NeedPlan, words: tuple[str, ...]) -> Found:
        """What is apt; before it what is called exactly so ("sugar free chyawanprash")."""
        if not plan.kinds:
            return Found([], need=plan)
        apt = self._for_need(plan, words, [])
        if len(words) < 2:
            return apt
        named = self._matches("by name", self.understanding.groups(words, is_unfinished=False))
        first = ordered(named.only(named.tiers == IN_ORDER))
        return replace(apt, ids=list(dict.fromkeys([*first, *apt.ids])))

    def _literally(self, words: tuple[str, ...]) -> Found:
        """Products that say all that was typed."""
        groups = self.understanding.groups(words, is_unfinished=True)[:MAX_GROUPS]
        for group in groups:
            if group.is_substance and not len(self._matches("substance", [group])):
                return Found([], absent=readable_words(group.typed))
        matches = self._matches("as typed", groups)
        is_named = bool(len(matches)) and int(matches.tiers.min()) <= TYPED
        return Found(ordered(matches), is_named=is_named)

    def _for_need(self, plan: NeedPlan, typed: tuple[str, ...], others: Sequence[Group]) -> Found:
        """What is apt for the need, narrowed by what was typed beside it."""
        forms = self.understanding.forms
        groups = [apt_groups(plan, typed, forms), *others]
        matches = self._matches(f"apt for {plan.name}", groups, harmful(plan, forms))
        return Found(ordered(matches), need=plan)

    # Step 2

    def _corrected(self, words: tuple[str, ...]) -> Found | None:
        for meant in islice(self._guesses(words), MAX_TRIED):
            found = self._as_typed(meant)
            if found.absent or (found.ids and not found.left_out):
                return replace(self._filled_if_short(found, meant), meant=readable_words(meant))
        return None

    def _guesses(self, words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        """The words with unknown ones replaced, the most probable first."""
        options = []
        for at in self._unknown(words)[:3]:
            guesses = self.understanding.guesses(words[at], is_last=at == len(words) - 1)
            if guesses:
                options.append([(at, guess) for guess in guesses])
        last = len(words) - 1
        if options and last and all(at != last for (at, _), *_ in options) and self._is_only_begun(words[last]):
            itself = Guess((words[last],), 0.0)
            options.append([(last, guess) for guess in (itself, *self.understanding.guesses(words[last]))])
        if not options:
            return
        combinations = sorted(product(*options), key=lambda some: sum(guess.cost for _, guess in some))
        for combination in combinations:
            replaced = {at: guess.words for at, guess in combination}
            yield tuple(word for at, typed in enumerate(words) for word in replaced.get(at, (typed,)))

    def _is_only_begun(self, word: str) -> bool:
        """Whether products have words that begin so, and none has the word: it may be finished and misspelled."""
        return word.isalpha() and not self.understanding.is_substance((word,)) and not self.index.count(word)

    def _unknown(self, words: tuple[str, ...]) -> list[int]:
        """Places of the words that stand alone and that no product has."""
        at, places = 0, []
        for group in self.understanding.groups(words, is_unfinished=True):
            is_word = len(group.typed) == 1 and not group.is_substance and words[at][0].isalpha()
            if is_word and not self._matcher.has(group):
                places.append(at)
            at += len(group.typed)
        return places

    # Step 3

    def _with_less(self, words: tuple[str, ...], *, is_guessed: bool = False) -> Found | None:
        """The best of what is left without the words that nothing has, and then without one more."""
        if substances().is_near_name(words):
            return None
        groups = self.understanding.groups(words, is_unfinished=True)[:MAX_GROUPS]
        known, left_out = [], []
        for group in groups:
            if self._must_stay(group) or self._matcher.has(group):
                known.append(group)
            else:
                left_out.append(readable_words(group.typed))
        if left_out and known:
            typed = _typed_of(known)
            found = self._as_typed(typed)
            if found.ids:
                return replace(self._filled_if_short(found, typed), left_out=(*left_out, *found.left_out))
        if len(known) < 2:
            return None if is_guessed else self._guessed_with_less(words)
        for at, matches in self._without_one(known)[:1]:
            found = Found(ordered(matches), left_out=(*left_out, readable_words(known[at].typed)))
            return self._filled_if_short(found, _typed_of([*known[:at], *known[at + 1 :]]))
        place = self.understanding.least_significant(known)
        if place is None or len(known) < 3:
            return None if is_guessed else self._guessed_with_less(words)
        fewer = [*known[:place], *known[place + 1 :]]
        found_less = self._with_less(_typed_of(fewer), is_guessed=is_guessed)
        if found_less is None:
            return None
        return replace(found_less, left_out=(*left_out, readable_words(known[place].typed), *found_less.left_out))

    def _without_one(self, groups: Sequence[Group]) -> list[tuple[int, Matches]]:
        """What is found without one of the groups, by the place of that group, the best first."""
        tries = []
        for at, group in enumerate(groups):
            rest = [*groups[:at], *groups[at + 1 :]]
            if self._must_stay(group) or not len(
                matches := self._matches(f"without {readable_words(group.typed)}", rest)
            ):
                continue
            # What stands last says least: "isabgol husk" without isabgol is anything.
            is_likely = at == len(groups) - 1 and matches.tiers.min() <= TYPED
            tries.append((float(matches.scores.max()) * (LAST_LESS if is_likely else 1.0), at, matches))
        return [(at, matches) for _, at, matches in sorted(tries, key=itemgetter(0), reverse=True)]

    def _guessed_with_less(self, words: tuple[str, ...]) -> Found | None:
        """The same with the nearest words in place of the unknown ones. Some of what was typed must be left: a guess
        alone may be anything, a medicine too."""
        meant = next(self._guesses(words), None)
        found = self._with_less(meant, is_guessed=True) if meant and len(meant) > 1 else None
        if not found or not meant:
            return None
        left_out = {word for phrase in found.left_out for word in phrase.split()}
        is_cut_otherwise = "".join(meant) == "".join(words)
        is_grounded = is_cut_otherwise or any(word in words and word not in left_out for word in meant)
        return replace(found, meant=readable_words(meant)) if is_grounded else None

    def _best_of(self, found: Found, less: Found | None) -> Found:
        """Of two that leave words out the one that leaves out fewer; of equals the need."""
        if less is None or (found.ids and len(found.left_out) <= len(less.left_out)):
            return found
        return less

    def _must_stay(self, group: Group) -> bool:
        """A substance, or a word that no product has and that is nearly one."""
        if group.is_substance:
            return True
        is_unknown = len(group.typed) == 1 and not self.index.count(group.typed[0])
        return is_unknown and self.understanding.may_be_substance(group.typed[0])

    # Short lists

    def _filled_if_short(self, found: Found, words: tuple[str, ...]) -> Found:
        is_short = len(found.ids) < SHORT_LIST and not found.absent and not self._has_substance(words)
        return self._filled(found, words) if is_short else found

    def _filled(self, found: Found, words: tuple[str, ...]) -> Found:
        further: list[int] = []
        for meant in islice(self._rare_guesses(words), 2):
            further += self._as_typed(meant).ids
        need = self.understanding.needs.find(words)
        if need:
            plan, start, size = need
            further += self._for_need(plan, words[start : start + size], []).ids if plan.kinds else []
        groups = self.understanding.groups(words, is_unfinished=True)[:MAX_GROUPS]
        if len(groups) > 1 and len({*found.ids, *further}) < SHORT_LIST:
            further += [pk for _, matches in self._without_one(groups) for pk in ordered(matches)]
        more = [pk for pk in dict.fromkeys(further) if pk not in set(found.ids)]
        return replace(found, ids=[*found.ids, *more], close=len(found.ids)) if more else found

    def _rare_guesses(self, words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        """A word that few products have may be an error in them: "tabelt" beside hundreds of tablets."""
        for at, word in enumerate(words):
            if word.isalpha() and self.index.count(word) < 3:
                for guess in self.understanding.guesses(word)[:1]:
                    if self.index.count(guess.words[0]) > 20 * self.index.count(word):
                        yield (*words[:at], *guess.words, *words[at + 1 :])

    def _has_substance(self, words: tuple[str, ...]) -> bool:
        groups = self.understanding.groups(words, is_unfinished=False)
        return any(group.is_substance for group in groups) or substances().is_near_name(words)

    # Matches

    def _matches(self, what: str, groups: Sequence[Group], excluded: Sequence[Alternative] = ()) -> Matches:
        matches = self._matcher.matches(groups, excluded)
        if self._is_typing:
            matches = replace(matches, tiers=WHILE_TYPING[matches.tiers])
        self.steps.append(Step(what, tuple(groups), len(matches)))
        self.matched.append(matches)
        return matches


def _typed_of(groups: Sequence[Group]) -> tuple[str, ...]:
    return tuple(word for group in groups for word in group.typed)


def readable_words(words: Sequence[str]) -> str:
    """The words as shoppers read them: a size as "500 g"."""
    return " ".join(map(readable, words))
