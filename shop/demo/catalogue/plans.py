"""What is read from the lists, ready to become rows."""

from dataclasses import dataclass, field
from decimal import Decimal

from ..drawing.label import Print
from ..drawing.scene import Packshot
from .medicines import Medicine


@dataclass(frozen=True, slots=True)
class BrandPlan:
    name: str
    slug: str
    city: str
    style: str
    mark: str
    main: str
    accent: str
    paper: str
    glass: str
    story: str

    def print(self, name: str, *, detail: str, size: str, motif: str, tint: str) -> Print:
        """A label in the brand's hand."""
        return Print(
            self.name, name, detail, size, self.style, self.mark, motif, self.main, self.accent, self.paper, tint
        )


@dataclass(frozen=True, slots=True)
class CategoryPlan:
    path: str
    name: str
    tint: str
    tagline: str


@dataclass(frozen=True, slots=True)
class ConcernPlan:
    name: str
    slug: str
    sign: str
    tint: str


@dataclass(frozen=True, slots=True)
class VariantPlan:
    """`attributes` are (attribute, value, unit); money is INR; `look` picks the product's first picture."""

    sku: str
    attributes: tuple[tuple[str, str, str], ...]
    selling: Decimal
    mrp: Decimal
    net_quantity: Decimal
    net_unit: str
    units: int
    look: str


@dataclass(frozen=True, slots=True)
class ProductPlan:
    slug: str
    name: str
    title: str
    brand: BrandPlan
    category: str
    concerns: tuple[str, ...]
    about: str
    highlight: str
    description: str
    suited_for: str
    dosage: str
    cautions: str
    storage: str
    ingredients: str
    nutrition: dict[str, str]
    composition: dict[str, str]
    hsn: str
    licence: str
    months: int | None
    origin: str
    is_returnable: bool
    is_prescription: bool
    schedule: str  # of the Drugs Rules: H, H1 or none
    medicine: Medicine
    barred: tuple[str, ...]
    popularity: int
    is_pinned: bool
    days_old: int
    has_fixed_prices: bool
    variants: tuple[VariantPlan, ...]
    shows_label: bool  # a close look at the label says more than a card with the facts
    looks: dict[str, Packshot] = field(repr=False)
