"""The facets of the shop, in the order of the page. Everything that deals with facets reads them from here."""

from django.utils.translation import get_language

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
from .labels import FacetNames, facet_names

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
    """All of them, those of attributes named in the active language; made once for the names that there are now."""
    names, language = facet_names(), get_language()
    kept = _facets.get(language)
    if kept is None or kept[0] is not names:
        kept = _facets[language] = names, [facet for kind in FACETS for facet in kind.each()]
    return kept[1]


_facets: dict[str | None, tuple[FacetNames, list[Facet]]] = {}
