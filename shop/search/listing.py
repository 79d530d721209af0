"""A listing: given where the shopper is and what they ask for, one page of cards and its total.

The page, Load More and the listing calls use the same object. A constant number of queries.
"""

from dataclasses import dataclass
from functools import cached_property

from shop.catalog.cards import Card, cards_by_id
from shop.catalog.models import Brand, Category, HealthConcern, Product
from shop.markets.market import Market

from .finding import Found, find_products

PAGE_SIZE = 12
PAGES_TOGETHER = 8
LAST_PAGE = 10_000
SORTS = {
    "popular": ("Popular", ("-in_stock", "-popularity", "id")),
    "newest": ("Newest", ("-in_stock", "-published_at", "id")),
    "price": ("Price, low to high", ("-in_stock", "price_inr", "id")),
    "-price": ("Price, high to low", ("-in_stock", "-price_inr", "-id")),
    "discount": ("Discount", ("-in_stock", "-discount", "id")),
}
RELEVANCE = ("relevance", "Relevance")


@dataclass(frozen=True)
class Asked:
    """What a listing is asked for. Tuples combine with OR inside and AND across; empty: no restriction."""

    categories: tuple[Category, ...] = ()
    concerns: tuple[HealthConcern, ...] = ()
    brands: tuple[Brand, ...] = ()
    words: str = ""
    sort: str = ""
    page: int = 1
    is_nothing: bool = False  # a name that does not exist: an empty listing


class Listing:
    def __init__(self, market: Market, asked: Asked, *, page_alone: bool = False, for_calls: bool = False) -> None:
        self.market = market
        self.asked = asked
        self._page_alone = page_alone or asked.page > PAGES_TOGETHER
        self._for_calls = for_calls

    @property
    def sort(self) -> str:
        known = {*SORTS, RELEVANCE[0]} if self.asked.words else set(SORTS)
        if self.asked.sort in known:
            return self.asked.sort
        return RELEVANCE[0] if self.asked.words else "popular"

    @property
    def sorts(self) -> list[tuple[str, str]]:
        relevance = [RELEVANCE] if self.asked.words else []
        return [*relevance, *((value, label) for value, (label, _) in SORTS.items())]

    @property
    def first_index(self) -> int:
        return (self.asked.page - 1) * PAGE_SIZE if self._page_alone else 0

    @property
    def last_index(self) -> int:
        return self.asked.page * PAGE_SIZE

    @cached_property
    def _found(self) -> Found:
        return find_products(self.asked.words)

    @property
    def _matches(self) -> list[int]:
        return self._found.ids

    @property
    def did_you_mean(self) -> str:
        """The words that the cards match, where the typed ones match nothing."""
        return self._found.meant if self.asked.words and not self.asked.is_nothing else ""

    @cached_property
    def _products(self):
        if self.asked.is_nothing:
            return Product.objects.none()
        products = Product.objects.visible_in(self.market)
        if self.asked.categories:
            products = products.in_categories(Category.objects.within(*self.asked.categories))
        if self.asked.concerns:
            products = products.with_concerns(
                HealthConcern.objects.filter(pk__in=[row.pk for row in self.asked.concerns])
            )
        if self.asked.brands:
            products = products.filter(brand__in=self.asked.brands)
        if self.asked.words:
            products = products.filter(pk__in=self._matches)
        return products

    @cached_property
    def total(self) -> int:
        return len(self._by_relevance) if self.sort == RELEVANCE[0] else self._products.count()

    @cached_property
    def _by_relevance(self) -> list[int]:
        """Matching ids, best first, sold-out ones last."""
        stock = dict(self._products.values_list("pk", "in_stock"))
        found = [pk for pk in self._matches if pk in stock]
        return [pk for pk in found if stock[pk]] + [pk for pk in found if not stock[pk]]

    @cached_property
    def cards(self) -> list[Card]:
        window = slice(self.first_index, self.last_index)
        if self.sort == RELEVANCE[0]:
            ids = self._by_relevance[window]
        else:
            ids = list(self._products.order_by(*SORTS[self.sort][1]).values_list("pk", flat=True)[window])
        return cards_by_id(ids, self.market, for_calls=self._for_calls) if ids else []

    @property
    def shown(self) -> int:
        """X of "Showing X out of N": the cards on screen, those of earlier pages included."""
        return self.first_index + len(self.cards)

    @property
    def has_more(self) -> bool:
        return self.shown < self.total and self.asked.page < LAST_PAGE
