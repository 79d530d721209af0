"""What stands beside a product on its page: similar products, and what goes well with it.

Ids come from the facet index and the word index; two queries read what is known of them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from django.db.models import QuerySet
from pyroaring import BitMap

from shop.catalog.models import Product
from shop.catalog.products.related import MAX_RELATED, RelatedProducts
from shop.markets.market import Market

from .facets.index import FacetIndex, bitmap_of, rows_in
from .facets.labels import facet_names
from .facets.store import current_index
from .text.index import WordIndex
from .text.needs import needs
from .text.normalization import split_words
from .text.query import words_in
from .text.ranking import SAME_MEANING, Group, Matcher, Matches, rarity
from .text.store import current_words
from .text.tables.names import herbs, names
from .text.tables.substances import substances
from .text.understanding import Understanding

MAX_CANDIDATES = 48  # of each group that are read; some of them may not stand there


@dataclass(frozen=True)
class Facts:
    """What decides whether a product may stand beside another."""

    is_among_medicines: bool
    pk: int
    name: str
    brand_id: int
    category_id: int
    is_prescription: bool
    unit: str  # of the net quantity: ml is another form than tablets
    ingredients: str
    composition: Any

    @cached_property
    def substances(self) -> dict[str, tuple[str, ...]]:
        """Active substances, herbs left out, with the words that name them: of the name, and of the composition; of the
        ingredients where those begin with one. Among medicines whatever else the composition names is active too."""
        stated = _names_in(self.composition)
        listed = self.ingredients.split(",")
        if not stated and _substances_in(listed[0]):
            stated = listed
        found = _substances_in(self.name)
        for text in stated:
            words = tuple(split_words(text))
            is_active = self.is_among_medicines and words and not herbs().is_in(words)
            found |= _substances_in(text) or ({" ".join(words): words} if is_active else {})
        return found

    @property
    def is_medicine(self) -> bool:
        return self.is_prescription or (self.is_among_medicines and bool(self.substances))

    @cached_property
    def has_herbs(self) -> bool:
        """Whether it may act as a remedy itself."""
        return herbs().is_in(split_words(f"{self.name} ; {self.ingredients}"))

    def is_safe_beside(self, other: "Facts") -> bool:
        """Never another active substance, nor a prescription medicine of unknown substance."""
        is_known = bool(self.substances) or not self.is_prescription
        is_alike = self.is_prescription == other.is_prescription
        return is_known and is_alike and self.substances.keys() == other.substances.keys()

    def is_similar(self, other: "Facts") -> bool:
        """Of another brand or in another form, and safe."""
        kinds = [(one.brand_id, one.category_id, one.unit.lower()) for one in (self, other)]
        return kinds[0] != kinds[1] and self.is_safe_beside(other)

    def goes_well_with(self, other: "Facts") -> bool:
        """Of another category and no medicine; beside a medicine no herbs either, which may not agree with it."""
        is_remedy = other.is_prescription or bool(other.substances) or (self.is_medicine and other.has_herbs)
        return self.category_id != other.category_id and not is_remedy


def find_related(product: Product, market: Market) -> RelatedProducts:
    """Staff's own choice first: of the same category beside similar products, others beside what goes well with it.

    Reads `product.variants` and `product.health_concerns`, which a product page has prefetched.
    """
    index = current_index()
    medicines = _medicine_categories(index) if index else None
    own = _own_facts(product, medicines)
    candidates = _IndexCandidates(index, own, product, market) if index else _SqlCandidates(own, product, market)
    chosen = list(product.related_products.exclude(pk=product.pk).values_list("pk", flat=True)[:MAX_CANDIDATES])
    alike, beside = candidates.similar(), candidates.complements()
    facts = _read_facts({*chosen, *alike, *beside}, market, medicines)
    picked = [facts[pk] for pk in chosen if pk in facts]
    same_category = (one for one in picked if one.category_id == own.category_id and own.is_safe_beside(one))
    others = (facts[pk] for pk in alike if pk in facts and own.is_similar(facts[pk]))
    similar = _first(chain(same_category, others))
    beside_it = (facts[pk] for pk in beside if pk in facts)
    complements = _first(one for one in chain(picked, beside_it) if one.pk not in similar and own.goes_well_with(one))
    return RelatedProducts(similar, complements)


def _first(found: Iterable[Facts]) -> tuple[int, ...]:
    """Ids of at most MAX_RELATED, each once; what comes after them is not looked at."""
    ids: dict[int, None] = {}
    for one in found:
        ids[one.pk] = None
        if len(ids) == MAX_RELATED:
            break
    return tuple(ids)


class _IndexCandidates:
    """Ids of products in stock, the nearest first, out of the indexes."""

    def __init__(self, index: FacetIndex, own: Facts, product: Product, market: Market) -> None:
        self.index = index
        self.own = own
        self.brand = product.brand.name
        self.concerns = [concern.pk for concern in product.health_concerns.all()]
        barred = index.having("barred", [market.location_id])
        self.available = index.in_stock - barred - bitmap_of(index.rows_of([own.pk]))
        self.of_category = index.having("category", [own.category_id])
        self.of_main_category = index.having("category", facet_names().below([_main_category(own.category_id)]))

    def similar(self) -> list[int]:
        words = current_words()
        scores = self._scores([("category", self.own.category_id)])
        if words is None:
            return self._best(self.of_category, scores)
        understanding = Understanding(words, names(), substances(), needs())
        if self.own.substances:
            typed = self.own.substances.values()
            groups = [group for phrase in typed for group in understanding.groups(phrase, is_unfinished=False)]
            return self._best(self._rows(Matcher(words).matches(groups)), scores)
        same_use = self.index.having("concern", self.concerns)
        same_herb = self._named_alike(words, understanding, scores)
        near = (self.of_main_category & (same_use | same_herb)) | (same_use & same_herb)
        return self._best(self.of_category | near, scores)

    def complements(self) -> list[int]:
        return self._best(self.index.having("concern", self.concerns) - self.of_main_category, self._scores())

    def _named_alike(self, words: WordIndex, understanding: Understanding, scores: np.ndarray) -> BitMap:
        """Add to `scores` for each thing that the name shares; rows that name the same herb."""
        brand = words_in(self.brand)
        typed = [word for word in words_in(self.own.name) if word not in brand and word[0].isalpha()]
        found = BitMap()
        matcher = Matcher(words, by_words_alone=True)
        for group in understanding.groups(typed, is_unfinished=False):
            matches = matcher.matches([group])
            matches = matches.only(matches.tiers <= SAME_MEANING)
            known = np.isin(matches.ids, self.index.ids)
            scores[self.index.rows_of(matches.ids[known])] += matches.scores[known]
            found |= self._rows(matches) if _is_herb(group) else BitMap()
        return found

    def _rows(self, matches: Matches) -> BitMap:
        return bitmap_of(self.index.rows_of(matches.ids))

    def _scores(self, values: Iterable[tuple[str, int]] = ()) -> np.ndarray:
        """Of each row of the index: what it shares counts the more, the rarer it is."""
        scores = np.zeros(len(self.index.ids), np.float32)
        for kind, value in [*values, *(("concern", pk) for pk in self.concerns)]:
            rows = self.index.having(kind, [value])
            scores[rows_in(rows)] += rarity(len(self.index.everything), len(rows))
        return scores

    def _best(self, rows: BitMap, scores: np.ndarray) -> list[int]:
        near = rows_in(rows & self.available)
        order = np.lexsort((near, -self.index.columns["popularity"][near].astype(np.int64), -scores[near]))
        return list(self.index.ids[near[order[:MAX_CANDIDATES]]].tolist())


class _SqlCandidates:
    """The same by SQL, by category and concern alone, while there is no index."""

    def __init__(self, own: Facts, product: Product, market: Market) -> None:
        self.own = own
        self.concerns = product.health_concerns.all()
        self.available = Product.objects.visible_in(market).filter(in_stock=True).exclude(pk=own.pk)

    def similar(self) -> list[int]:
        return self._best(self.available.filter(category_id=self.own.category_id))

    def complements(self) -> list[int]:
        main = facet_names().below([_main_category(self.own.category_id)])
        same_use = self.available.filter(health_concerns__in=[concern.pk for concern in self.concerns])
        return self._best(same_use.exclude(category_id__in=main).distinct())

    def _best(self, products: QuerySet[Product]) -> list[int]:
        return list(products.order_by("-popularity", "pk").values_list("pk", flat=True)[:MAX_CANDIDATES])


def _own_facts(product: Product, medicines: set[int] | None) -> Facts:
    first = next(iter(product.variants.all()), None)
    stated = (first.net_unit, first.ingredients, first.composition_json) if first else ("", "", {})
    return _facts(
        (product.pk, product.name, product.brand_id, product.category_id, product.is_prescription, *stated), medicines
    )


def _read_facts(ids: Iterable[int], market: Market, medicines: set[int] | None) -> dict[int, Facts]:
    """Of those that are for sale in the market and in stock."""
    rows = Product.objects.visible_in(market).filter(pk__in=ids, in_stock=True)
    columns = ("pk", "name", "brand_id", "category_id", "is_prescription")
    stated = (f"first_variant__{name}" for name in ("net_unit", "ingredients", "composition_json"))
    return {row[0]: _facts(row, medicines) for row in rows.values_list(*columns, *stated)}


def _facts(row: Sequence[Any], medicines: set[int] | None) -> Facts:
    """`medicines`: main categories that hold them; unknown (None) any may."""
    return Facts(medicines is None or _main_category(row[3]) in medicines, *row)


def _medicine_categories(index: FacetIndex) -> set[int]:
    """Main categories that hold prescription products."""
    return {_main_category(pk) for pk in index.prescription_categories}


def _main_category(category_id: int) -> int:
    categories = facet_names().categories
    while category_id in categories and (parent := categories[category_id].parent_id):
        category_id = parent
    return category_id


def _names_in(composition: Any) -> list[str]:
    parts = composition.get("Composition", {}) if isinstance(composition, dict) else composition
    return list(parts) if isinstance(parts, dict) else [str(parts)]


def _substances_in(text: str) -> dict[str, tuple[str, ...]]:
    found = substances().found_in(split_words(text))
    return {name: words for name, words in found.items() if words not in herbs().by_phrase}


def _is_herb(group: Group) -> bool:
    return group.typed in herbs().by_phrase
