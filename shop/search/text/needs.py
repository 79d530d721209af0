"""What people need, and what is apt for it: symptoms and aims to kinds of products (models.Need)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from shop.invalidation.models import Change
from shop.invalidation.subscriptions import remembered
from shop.translated import translate

from ..models import Need
from .index import BIT, IN_NAME
from .normalization import split_words
from .query import words_in
from .ranking import ELSEWHERE, SAME_MEANING, TYPED, Alternative, Group
from .sounds import sound_key
from .tables.names import Phrase
from .vocabulary import Words

MAX_WORDS = 6
MIN_SOUND = 5
MIN_LITERAL = 5  # letters: "bp" in a name is the British Pharmacopoeia
Forms = Callable[[str], tuple[str, ...]]  # a word, and its inflections
# Where the name or the kind of a product is said; what harms may stand in the composition too.
KINDS_IN = IN_NAME | BIT["tags"]
HARM_IN = KINDS_IN | BIT["ingredients"]
NAMED_AS_TYPED = 1.1  # "gripe water" before all else that helps against gas
MIN_SPECIFIC = 8
LEAST = 0.6  # what the last of the kinds counts, beside the first


@dataclass(frozen=True)
class NeedPlan:
    """A need, ready to be looked for."""

    pk: int
    name: str
    concern: str  # slug, or empty
    phrases: tuple[Phrase, ...]
    kinds: tuple[Phrase, ...]
    also: tuple[Phrase, ...]
    exclusions: tuple[Phrase, ...]
    sayings: tuple[Phrase, ...] = ()  # phrases that mean this as a whole alone: "want to die", "vajan badhana"
    names: tuple[tuple[str, str], ...] = ()  # in other languages: (code, name)

    @property
    def shown_name(self) -> str:
        """In the active language, a Fallback where nobody translated it."""
        return translate(self.name, {code: {"name": name} for code, name in self.names}, "name")

    @cached_property
    def specific(self) -> tuple[Phrase, ...]:
        """Phrases that name nothing else where they stand in a name: several words, or a long one."""
        return tuple(one for one in self.phrases if len(one) > 1 or len(one[0]) >= MIN_SPECIFIC)

    @cached_property
    def keys(self) -> tuple[tuple[str, ...], ...]:
        return tuple(key for phrase in self.phrases for key in _keys(phrase))


@dataclass(frozen=True)
class NeedPlans:
    plans: tuple[NeedPlan, ...]

    @cached_property
    def _by_key(self) -> dict[tuple[str, ...], NeedPlan]:
        found: dict[tuple[str, ...], NeedPlan] = {}
        for plan in self.plans:
            for key in plan.keys:
                found.setdefault(key, plan)
        return found

    @cached_property
    def _by_saying(self) -> dict[tuple[str, ...], NeedPlan]:
        return {key: plan for plan in reversed(self.plans) for phrase in plan.sayings for key in _keys(phrase)}

    def said(self, spoken: Phrase) -> tuple[NeedPlan, Phrase] | None:
        """The need that some words name together, with the small ones that a search leaves out, and these words."""
        for size in range(min(len(spoken), MAX_WORDS), 1, -1):
            for start in range(len(spoken) - size + 1):
                phrase = spoken[start : start + size]
                for key in _keys(phrase):
                    if key in self._by_saying:
                        return self._by_saying[key], phrase
        return None

    @cached_property
    def words(self) -> Words:
        return Words({word for plan in self.plans for phrase in plan.phrases for word in phrase})

    @cached_property
    def known(self) -> frozenset[str]:
        return frozenset(word for plan in self.plans for phrase in plan.phrases for word in phrase)

    def find(self, words: Phrase) -> tuple[NeedPlan, int, int] | None:
        """The need that most of `words` name, from where and how many; one that nothing is apt for, a danger, before
        any other."""
        found = None
        for size in range(min(len(words), MAX_WORDS), 0, -1):
            for start in range(len(words) - size + 1):
                plan = self._named(words[start : start + size])
                if plan and not plan.kinds:
                    return plan, start, size
                if plan and found is None:
                    found = plan, start, size
        return found

    def _named(self, phrase: Phrase) -> NeedPlan | None:
        return next((self._by_key[key] for key in _keys(phrase) if key in self._by_key), None)


def _keys(phrase: Phrase) -> Iterator[tuple[str, ...]]:
    """The words in any order, one or many of each, and by their sound, in one word or several."""
    yield ("words", *sorted(map(_singular, phrase)))
    sound = "".join(map(sound_key, phrase))
    if len(sound) >= MIN_SOUND:
        yield ("sound", sound)


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


@remembered(Change.Kind.SHOP)
def needs() -> NeedPlans:
    """The active needs; one query, remembered until the shop changes."""
    return _plans(tuple(map(plan_of, Need.objects.filter(is_active=True).order_by("pk"))))


# The shop changes more often than its needs do, and then one of them: reading all anew takes a third of a second.
@lru_cache(maxsize=1)
def _plans(plans: tuple[NeedPlan, ...]) -> NeedPlans:
    return NeedPlans(plans)


def plan_of(need: Need) -> NeedPlan:
    names = tuple((code, texts["name"]) for code, texts in need.translations.items() if "name" in texts)
    return _plan(need.pk, need.name, need.concern, need.phrases, need.kinds, need.also, need.exclusions, names)


@lru_cache(maxsize=2000)
def _plan(
    pk: int,
    name: str,
    concern: str,
    phrases: str,
    kinds: str,
    also: str,
    exclusions: str,
    names: tuple[tuple[str, str], ...],
) -> NeedPlan:
    return NeedPlan(
        pk,
        name,
        concern,
        phrases=_phrases(phrases),
        kinds=_phrases(kinds),
        also=_phrases(also),
        exclusions=_phrases(exclusions),
        sayings=tuple(tuple(split_words(line)) for line in phrases.splitlines() if not _is_read_whole(line)),
        names=names,
    )


def _phrases(lines: str) -> tuple[Phrase, ...]:
    """The lines as a search reads them, but for sayings."""
    return tuple(dict.fromkeys(tuple(words_in(line)) for line in lines.splitlines() if _is_read_whole(line)))


def _is_read_whole(line: str) -> bool:
    """Whether a search keeps what the line means: of "no urine" only "urine" is left, which is another thing."""
    return len(words_in(line)) > 1 or len(split_words(line)) == 1


def apt_groups(plan: NeedPlan, typed: Phrase, forms: Forms) -> Group:
    """What is apt: first what is called as it was typed, then what names the need otherwise and the best kinds."""
    alternatives = [
        Alternative(tuple(map(forms, phrase)), factor, TYPED, IN_NAME, is_flat=True)
        for phrase, factor in {**dict.fromkeys(plan.specific, 1.0), typed: NAMED_AS_TYPED}.items()
        if is_distinct(phrase)
    ]
    for tier, phrases in ((TYPED, plan.kinds), (SAME_MEANING, plan.also)):
        for place, phrase in enumerate(phrases):
            factor = 1 - (1 - LEAST) * place / len(phrases)
            alternatives.append(Alternative(tuple(map(forms, phrase)), factor, tier, KINDS_IN, is_flat=True))
            if len(phrase) == 1:
                alternatives.append(
                    Alternative((forms(phrase[0]),), factor, ELSEWHERE, BIT["ingredients"], is_flat=True)
                )
    return Group(typed, tuple(alternatives))


def is_distinct(typed: Phrase) -> bool:
    """Whether a product with these words in its name is meant."""
    return len("".join(typed)) >= MIN_LITERAL


def harmful(plan: NeedPlan, forms: Forms) -> list[Alternative]:
    return [Alternative(tuple(map(forms, phrase)), fields=HARM_IN) for phrase in plan.exclusions]
