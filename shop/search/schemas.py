from typing import Annotated

from ninja import Schema
from pydantic import Field

from shop.calls import Body, Slug, text
from shop.catalog.schemas import CardOut
from shop.markets.schemas import MarketBody

from .listing import LAST_PAGE
from .text import LONGEST_QUERY

Page = Annotated[int, Field(ge=1, le=LAST_PAGE)]
Slugs = Annotated[list[Slug], Field(max_length=50)]
Query = Annotated[str, text(LONGEST_QUERY)]


class CategoryProducts(MarketBody):
    """Names are slugs, or exact names in any case."""

    category: Slug
    concern: Slugs = []
    sub_category: Slugs = Field([], alias="sub-category")
    child_category: Slugs = []
    brand: Slug | Slugs | None = None
    page: Page = 1
    query: Query = ""
    sort: Annotated[str, text(20)] = ""


class BrandProducts(MarketBody):
    brand: Slug
    page: Page = 1
    query: Query = ""


class SearchBody(MarketBody):
    query: Query


class CountBody(Body):
    query: Query


class FoundOut(Schema):
    id: int
    slug: str
    name: str
    first_image: str


class SearchOut(Schema):
    products: list[FoundOut]


class CategoryProductsOut(Schema):
    products: list[CardOut]
    total_products: int
