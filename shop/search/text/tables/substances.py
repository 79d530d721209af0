"""Active substances of medicines, so that search never answers one with another (PRODUCT.md, SEARCH.md rule 3).

The names stand in data/substances.txt, from ChEMBL, under CC BY-SA 3.0; ours are in OWN.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from rapidfuzz import process
from rapidfuzz.distance import OSA

from ..normalization import SMALL_WORDS, STOP_WORDS, split_words

FILE = Path(__file__).parents[2] / "data" / "substances.txt"
# Names that the file lacks: other names of substances in it, and what is used in India.
OWN = """
acetaminophen|paracetamol|apap
albuterol|salbutamol
furosemide|frusemide
lidocaine|lignocaine
rifampin|rifampicin
cyclosporine|ciclosporin|cyclosporin
glyburide|glibenclamide
acyclovir|aciclovir
amoxicillin|amoxycillin
cetirizine|cetrizine
chlorpheniramine|chlorphenamine|chlorpheniramine maleate
dextroamphetamine|dexamfetamine
diclofenac|diclophenac
levothyroxine|thyroxine
phenobarbital|phenobarbitone
clomiphene|clomifene
sulfasalazine|sulphasalazine
cephalexin|cefalexin
norepinephrine|noradrenaline
isoproterenol|isoprenaline
cromolyn sodium|sodium cromoglycate
estradiol|oestradiol
aspirin|acetylsalicylic acid
ergocalciferol|vitamin d2
cholecalciferol|colecalciferol|vitamin d3
thiamine|vitamin b1|thiamin
riboflavin|vitamin b2
niacin|vitamin b3|nicotinic acid
pyridoxine|vitamin b6
cyanocobalamin|vitamin b12
methylcobalamin|mecobalamin
folic acid|vitamin b9|folate
biotin|vitamin b7
ascorbic acid|vitamin c
tocopherol|vitamin e
retinol|vitamin a
aceclofenac
acebrophylline
ambroxol
azelnidipine
benidipine
bilastine
cilnidipine
citicoline
dapagliflozin
deflazacort
dexketoprofen
diacerein
domperidone
doxofylline
drotaverine
ebastine
efonidipine
etizolam
etoricoxib
evogliptin
fexofenadine
flunarizine
flupirtine
gliclazide
hydroxychloroquine
itopride
levocetirizine
levosulpiride
lornoxicam
mebeverine
metamizole
nicorandil
nimesulide
ofloxacin
ornidazole
piracetam
pirfenidone
racecadotril
rebamipide
remogliflozin
rupatadine
satranidazole
secnidazole
serratiopeptidase
teneligliptin
thiocolchicoside
tolperisone
torsemide|torasemide
trimetazidine
trypsin
vildagliptin
voglibose
zaltoprofen
"""
# Ends of international non-proprietary names: what ends so is a medicine, known here or not.
STEMS = (
    "axaban", "azepam", "azolam", "azoline", "barbital", "bactam", "caine", "cillin", "conazole", "coxib",
    "cycline", "dipine", "dronate", "dronic", "fenac", "fibrate", "floxacin", "gatran", "gliflozin", "gliptin",
    "glitazone", "grel", "kinra", "lukast", "micin", "mustine", "mycin", "nidazole", "olol", "onidine",
    "oxicam", "parin", "prazole", "pril", "profen", "sartan", "setron", "statin", "sulfan", "meterol",
    "buterol", "tidine", "tinib", "triptan", "triptyline", "umab", "zumab", "ximab", "vudine", "ciclovir",
    "tadine", "tropium", "quidone", "glinide", "lamide",
)  # fmt: skip
MIN_LENGTH_BY_STEM = 8
MIN_SALT_LENGTH = 5
COMMON = 4  # a word that stands behind the first of so many names is a salt or the like
NO_SALTS = {"acid"}
MAX_NAME_WORDS = 5
NO_MEDICINES = {("oxygen",), ("water",), ("air",)}  # of the file, and too common to be looked for as such


@dataclass(frozen=True)
class Substances:
    """`lines`: names of each substance, as words."""

    lines: tuple[tuple[tuple[str, ...], ...], ...]

    @cached_property
    def phrases(self) -> dict[tuple[str, ...], frozenset[int]]:
        """Lines by each of their names."""
        found: dict[tuple[str, ...], set[int]] = {}
        for number, names in enumerate(self.lines):
            for name in names:
                found.setdefault(name, set()).add(number)
        return {name: frozenset(numbers) for name, numbers in found.items()}

    @cached_property
    def _salts(self) -> frozenset[str]:
        later = Counter(word for names in self.lines for name in names for word in set(name[1:]))
        common = {word for word, times in later.items() if times >= COMMON and len(word) >= MIN_SALT_LENGTH}
        return frozenset(common - NO_SALTS)

    @cached_property
    def families(self) -> dict[str, int]:
        """A word that stands for one substance, and its salts, to a number of both."""
        found: dict[str, int] = {}
        for number, names in enumerate(self.lines):
            words = [name[0] for name in names if name[0] not in self._salts and self._salts.issuperset(name[1:])]
            known = next((found[word] for word in words if word in found), number)
            for word in words:
                found.setdefault(word, known)
        return found

    def __contains__(self, word: str) -> bool:
        """Whether the word stands for one substance: by the list, or by its end."""
        return word in self.families or (len(word) >= MIN_LENGTH_BY_STEM and word.endswith(STEMS))

    def same(self, one: str, other: str) -> bool:
        """Whether two words stand for the same substance."""
        return one == other or (one in self.families and self.families[one] == self.families.get(other))

    def base_of(self, name: tuple[str, ...]) -> str:
        """ "amlodipine" of its besylate; empty where the further words are more than a salt."""
        is_salt = len(name) > 1 and self._salts.issuperset(name[1:]) and (name[0],) in self.phrases
        return name[0] if is_salt else ""

    def other_names(self, name: tuple[str, ...]) -> list[tuple[str, ...]]:
        """Names of the same substance, this one first."""
        others = [other for number in sorted(self.phrases.get(name, ())) for other in self.lines[number]]
        base = self.base_of(name)
        return list(dict.fromkeys([name, *others, *([(base,)] if base else [])]))

    def found_in(self, words: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Substances that a text names, by a name that all their names share: to the words that name them."""
        found: dict[str, tuple[str, ...]] = {}
        at = 0
        while at < len(words):
            phrase = self._phrase_at(words, at)
            if phrase:
                found[self._shared_name(phrase)] = phrase
            at += len(phrase) or 1
        return found

    def _phrase_at(self, words: Sequence[str], at: int) -> tuple[str, ...]:
        """The longest name of a substance that begins there, or nothing."""
        for size in range(min(MAX_NAME_WORDS, len(words) - at), 0, -1):
            phrase = tuple(words[at : at + size])
            if phrase in self.phrases or (size == 1 and phrase[0] in self):
                return phrase
        return ()

    def _shared_name(self, phrase: tuple[str, ...]) -> str:
        """One for all names and salts of a substance: "paracetamol" and "acetaminophen" have the same."""
        others = self.other_names(phrase)
        families = [self.families[name[0]] for name in others if len(name) == 1 and name[0] in self.families]
        numbers = families or list(self.phrases.get(phrase, ()))
        return str(min(numbers)) if numbers else " ".join(phrase)

    def near(self, word: str, allowed: int, *, is_beginning: bool = False) -> dict[str, int]:
        """Words of substances at most `allowed` letters away, and how far."""
        near = process.extract(word, self._words, scorer=OSA.distance, score_cutoff=allowed, limit=None)
        found = {one: int(errors) for one, errors, _ in near}
        if is_beginning:
            cut = [one[: len(word)] for one in self._words]
            for _, errors, number in process.extract(word, cut, scorer=OSA.distance, score_cutoff=allowed, limit=None):
                one = self._words[number]
                found[one] = min(int(errors), found.get(one, allowed))
        return found

    def is_near_name(self, words: Sequence[str]) -> bool:
        """Whether some of the words are nearly a name of several words: "sodium nitrit"."""
        windows = {
            " ".join(words[start : start + size])
            for size in range(2, MAX_NAME_WORDS + 1)
            for start in range(len(words) - size + 1)
        }
        unknown = [one for one in windows if tuple(one.split()) not in self.phrases]
        return any(process.extractOne(one, self._long_names, scorer=OSA.distance, score_cutoff=2) for one in unknown)

    @cached_property
    def _long_names(self) -> list[str]:
        return [" ".join(name) for name in self.phrases if len(name) > 1]

    @cached_property
    def _words(self) -> list[str]:
        return list(self.families)

    def nearest_is(self, candidate: str, word: str, allowed: int, *, is_beginning: bool = False) -> bool:
        """Whether of all substances only `candidate`, or another name of it, is nearest to `word`."""
        near = self.near(word, allowed, is_beginning=is_beginning)
        nearest = min(near.values(), default=-1)
        return all(self.same(one, candidate) for one, errors in near.items() if errors == nearest)


@cache
def substances() -> Substances:
    own = [line.split("|") for line in OWN.split("\n") if line]
    known = {line[0]: line for line in own}
    lines = []
    for text in FILE.read_text(encoding="utf-8").splitlines():
        if not text.startswith("#"):
            names = text.split("|")
            lines.append([*names, *known.pop(names[0], [])])
    named = [[tuple(split_words(name)) for name in names] for names in [*lines, *known.values()]]
    return Substances(tuple(tuple(dict.fromkeys(_searched(names))) for names in named))


def shared_name(name: str) -> str:
    """One name for all names of a substance, salts apart; empty for what the list does not have, or has as names of
    several."""
    found = substances().phrases.get(tuple(split_words(name)), frozenset())
    return " ".join(substances().lines[min(found)][0]) if len(found) == 1 else ""


def _searched(names: list[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """The names, and as a search reads them: "iobenguane i 131" without the "i"."""
    for name in names:
        for one in (name, tuple(word for word in name if word not in STOP_WORDS | SMALL_WORDS)):
            if one and one not in NO_MEDICINES:
                yield one
