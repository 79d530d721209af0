from typing import Annotated

from ninja import Schema
from pydantic import BeforeValidator, Field

from shop.catalog.schemas import CardOut
from shop.http.api import Amount, Body, Money, Slug, text
from shop.markets.schemas import ListingBody, MarketBody

from .listing.services import LAST_PAGE
from .text.normalization import MAX_QUERY_LENGTH

Page = Annotated[int, Field(ge=1, le=LAST_PAGE)]
Slugs = Annotated[list[Slug], Field(max_length=50)]
OneOrMore = Annotated[
    Slugs,
    BeforeValidator(
        lambda given: [given] if isinstance(given, str) else given,
        json_schema_input_type=Slug | Slugs,
    ),
]
Query = Annotated[str, text(MAX_QUERY_LENGTH)]


Country = Annotated[str, Field(pattern="^[A-Za-z]{2}$")]
Price = Annotated[Amount, Field(ge=0)]


class PriceLimits(Body):
    """In the money of the call's market; either may be left out."""

    min: Price | None = None
    max: Price | None = None


class CategoryProducts(ListingBody):
    """Names are slugs, or exact names in any case. Values of one field combine with OR, fields with AND."""

    category: Slug = ""
    concern: Slugs = []
    sub_category: Slugs = Field([], alias="sub-category")
    child_category: Slugs = []
    brand: OneOrMore = []
    attributes: Annotated[dict[Slug, Slugs], Field(max_length=50)] = {}
    price: PriceLimits = PriceLimits()
    origin: Annotated[list[Country], Field(max_length=50)] = []
    substance: Slugs = []
    form: Slugs = []
    page: Page = 1
    query: Query = ""
    sort: Annotated[str, text(20)] = ""


class BrandProducts(ListingBody):
    brand: Slug = ""
    page: Page = 1
    query: Query = ""


class SearchBody(ListingBody):
    query: Annotated[Query, BeforeValidator(lambda given: "" if given is None else given)]


class CountBody(MarketBody):
    """A shopper looks at the results of `query`, or opens a product that it found (`is_click`); both where a suggestion
    is followed. `before` is what the same shopper searched for until just now, without opening anything."""

    query: Query
    is_search: bool = True
    is_click: bool = False
    before: Query = ""


class FoundOut(Schema):
    """`price` as it is shown, in the money of the call's market; `pack` is the content of one, such as 500 g; `lang` is
    `en` where the name has no translation yet, else empty."""

    id: int
    slug: str
    name: str
    lang: str
    first_image: str
    price: str
    pack: str
    in_stock: bool


class PlaceOut(Schema):
    """A concern, category or brand (`kind`); `path` is its address without the market's prefix; `lang` as above."""

    kind: str
    name: str
    lang: str
    path: str


class SearchOut(Schema):
    """`note` says how the words were understood, where that is not as they were typed."""

    note: str
    places: list[PlaceOut]
    products: list[FoundOut]


class PopularOut(Schema):
    searches: list[str]


class OptionOut(Schema):
    value: str
    label: str
    count: int
    is_chosen: bool


class FacetOut(Schema):
    """A group of filters; `count` is what choosing the option (too) would leave."""

    name: str
    label: str
    options: list[OptionOut]


class PriceBoundsOut(Schema):
    min: Money
    max: Money
    step: Money


class CategoryProductsOut(Schema):
    products: list[CardOut]
    total_products: int
    facets: list[FacetOut]
    price: PriceBoundsOut | None
