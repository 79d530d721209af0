"""The facets of the shop, in the order of the page. Everything that deals with facets reads them from here."""

from .base import Facet
from .kinds.attribute import AttributeFacet
from .kinds.brand import BrandFacet
from .kinds.category import CategoryFacet
from .kinds.concern import ConcernFacet
from .kinds.discount import DiscountFacet
from .kinds.form import FormFacet
from .kinds.origin import OriginFacet
from .kinds.price import PriceFacet
from .kinds.rating import RatingFacet
from .kinds.substance import SubstanceFacet

FACETS: tuple[type[Facet], ...] = (
    ConcernFacet,
    CategoryFacet,
    BrandFacet,
    PriceFacet,
    DiscountFacet,
    RatingFacet,
    SubstanceFacet,
    FormFacet,
    AttributeFacet,
    OriginFacet,
)


def facets() -> list[Facet]:
    return [facet for kind in FACETS for facet in kind.each()]
