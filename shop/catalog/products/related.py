"""What stands beside a product on its page. The search app, which knows words and substances, finds it."""

from dataclasses import dataclass
from typing import Protocol

from shop.markets.market import Market

from ..models import Product

MAX_RELATED = 12  # of each group


@dataclass(frozen=True)
class RelatedProducts:
    """Ids of products in stock and visible in the market; a product is in one of the groups at most."""

    similar: tuple[int, ...] = ()  # for the same purpose, of another brand or in another form
    goes_well_with: tuple[int, ...] = ()  # of another category, for the same health concern

    @property
    def ids(self) -> tuple[int, ...]:
        return self.similar + self.goes_well_with


class RelatedFinder(Protocol):
    def __call__(self, product: Product, market: Market) -> RelatedProducts: ...


_finders: list[RelatedFinder] = []


def register_related_finder(finder: RelatedFinder) -> None:
    _finders[:] = [finder]


def related_products(product: Product, market: Market) -> RelatedProducts:
    """At most MAX_RELATED of each group."""
    return _finders[0](product, market) if _finders else RelatedProducts()
