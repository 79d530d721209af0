"""Everything a product page shows, read in a constant number of queries."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from django.db.models import Prefetch
from django.urls import get_script_prefix, reverse
from django.utils.translation import get_language, gettext

from shop.invalidation.subscriptions import ProductMemory
from shop.markets.geography.names import country_names
from shop.markets.market import Market
from shop.translated import ENGLISH

from ..cards import Card, cards_of
from ..categories.tree import place_in_tree, trail_of
from ..composition.alternatives import same_composition
from ..composition.dosage import DosageForm
from ..composition.prescriptions import WARNINGS, is_sold_in, prescription_refusal, sells_prescriptions
from ..models import (
    AttributeValue,
    Category,
    Component,
    HealthConcern,
    Picture,
    Product,
    ReturnReason,
    Variant,
    VariantImage,
)
from ..pricing import Price, price_of, unit_price_of
from ..queries import fixed_prices_in
from .attributes import group_attributes
from .delivery_dates import Delivery, delivery_for
from .related import RelatedProducts, related_products
from .return_windows import windows_of

FIRST_INGREDIENTS = 10
MAX_VIEWED = 12


def read_product(slug: str, market: Market) -> Product | None:
    """A published product with all that its page and its call show, or None."""
    variants = (
        Variant.objects.filter(is_active=True)
        .order_by("position", "id")
        .prefetch_related(
            fixed_prices_in(market, "fixed_prices"),
            Prefetch("attribute_values", AttributeValue.objects.select_related("attribute")),
            Prefetch("variant_images", VariantImage.objects.select_related("picture")),
        )
    )
    concerns = Prefetch("health_concerns", HealthConcern.objects.select_related("img_icon"))
    found = list(
        Product.objects.published()
        .filter(slug=slug)
        .order_by()
        .select_related("brand__brand_image", "first_picture", "hsn")
        .prefetch_related(Prefetch("variants", variants), concerns, "barred_locations")
    )
    place_in_tree(found)
    return found[0] if found else None


@dataclass(frozen=True)
class Choice:
    """A variant as the page offers it."""

    variant: Variant
    price: Price
    market: Market

    @property
    def allowed(self) -> int:
        return max(0, min(self.variant.max_purchase_qty, self.variant.on_hand))

    @property
    def quantities(self) -> range:
        return range(1, self.allowed + 1)

    @cached_property
    def attributes(self) -> dict[str, str]:
        return {value.attribute.translated.name: value.shown_label for value in self.variant.attribute_values.all()}

    @property
    def label(self) -> str:
        return ", ".join(self.attributes.values()) or self.net

    @property
    def net(self) -> str:
        return self.variant.net_content

    @property
    def pictures(self) -> list[Picture]:
        return [image.picture for image in self.variant.variant_images.all()]

    @property
    def unit_price(self) -> str:
        return unit_price_of(self.variant, self.price)

    @property
    def ingredients(self) -> list[str]:
        return [name.strip() for name in self.variant.translated.ingredients.split(",") if name.strip()]

    @property
    def nutrition(self) -> dict[str, str]:
        return _table(self.variant.nutritional_info_json, "NutritionalFacts")

    @property
    def composition(self) -> dict[str, str]:
        return _table(self.variant.composition_json, "Composition")


def _table(data: dict[str, Any], name: str) -> dict[str, str]:
    rows = data.get(name, {}) if isinstance(data, dict) else {}
    return rows if isinstance(rows, dict) else {"": str(rows)}


@dataclass(frozen=True)
class Option:
    """One value of an attribute, and the variant that it leads to from the chosen one."""

    label: str
    choice: Choice
    is_chosen: bool
    is_exact: bool  # the rest of what is chosen stays as it is

    @property
    def is_available(self) -> bool:
        return self.is_exact and self.choice.allowed > 0

    @property
    def note(self) -> str:
        """Why it looks unavailable, for those who do not see how it looks."""
        if not self.is_exact:
            return gettext("switches to %(option)s") % {"option": self.choice.label}
        return "" if self.choice.allowed else gettext("sold out")


class ProductPage:
    def __init__(self, product: Product, market: Market, *, sku: str = "") -> None:
        self.product = product
        self.market = market
        self.choices = [Choice(variant, price_of(variant, market), market) for variant in product.variants.all()]
        # By default the first variant: cards show its price, and its values are the first combination.
        self.chosen = next((choice for choice in self.choices if choice.variant.sku == sku), self.choices[0])

    @cached_property
    def attributes(self) -> dict[str, list[str]]:
        """Attribute name to the labels that its variants have."""
        return group_attributes(value for choice in self.choices for value in choice.variant.attribute_values.all())

    @cached_property
    def groups(self) -> dict[str, list[Option]]:
        """Attribute name to its options, from the point of view of the chosen variant."""
        return {name: [self._option(name, label) for label in labels] for name, labels in self.attributes.items()}

    def _option(self, name: str, label: str) -> Option:
        attributes = {**self.chosen.attributes, name: label}
        exact = next((choice for choice in self.choices if choice.attributes == attributes), None)
        first = next(choice for choice in self.choices if choice.attributes.get(name) == label)
        return Option(label, exact or first, self.chosen.attributes.get(name) == label, exact is not None)

    @property
    def pictures(self) -> list[Picture]:
        """The chosen variant's own; those of the others, each once, where it has none."""
        others = (picture for choice in self.choices for picture in choice.pictures)
        own = self.chosen.pictures or list(dict.fromkeys(others))
        return own or ([self.product.first_picture] if self.product.first_picture else [])

    @cached_property
    def is_deliverable(self) -> bool:
        return all(barred.pk != self.market.location_id for barred in self.product.barred_locations.all())

    @property
    def is_sellable(self) -> bool:
        return not self.problem

    @property
    def problem(self) -> str:
        return self.problem_with(self.chosen)

    @property
    def is_offered(self) -> bool:
        """Whether one of its variants can be bought here."""
        return any(not self.problem_with(choice) for choice in self.choices)

    @property
    def is_sold_on_prescription(self) -> bool:
        return self.product.is_prescription and sells_prescriptions(self.market)

    @property
    def warning(self) -> tuple[str, ...]:
        """The lines of the box that the medicine's schedule asks for."""
        return WARNINGS.get(self.product.schedule, ())

    @property
    def is_awaited(self) -> bool:
        """Whether the chosen variant is merely sold out here, so that somebody may wait for it."""
        return not self.chosen.allowed and self.is_deliverable and is_sold_in(self.product, self.market)

    def problem_with(self, choice: Choice) -> str:
        """Why a variant cannot be bought here, in words; empty when it can."""
        if self.product.is_prescription and (refusal := prescription_refusal(self.product, self.market)):
            return refusal
        if not self.is_deliverable:
            return gettext("We can't deliver this product to %(country)s.") % {"country": self.market.country}
        if choice.allowed:
            return ""
        if self._another_is_left(choice):
            return gettext("Out of stock. Choose another option above.")
        return gettext("Out of stock.")

    def _another_is_left(self, choice: Choice) -> bool:
        return any(other.allowed for other in self.choices if other is not choice)

    @cached_property
    def returns(self) -> list[tuple[ReturnReason, int]]:
        """(reason, days from delivery): what can be sent back until when; empty for what never comes back."""
        return windows_of(self.product)

    @property
    def delivery(self) -> Delivery:
        return delivery_for(self.product, self.market)

    @property
    def breadcrumb(self) -> list[tuple[str, str]]:
        trail = [(category.translated.name, reverse("category", args=[category.path])) for category in self.categories]
        return [*trail, (self.product.translated.name, reverse("product", args=[self.product.slug]))]

    @cached_property
    def title(self) -> str:
        return self.product.shown_title

    @cached_property
    def name(self) -> str:
        return self.product.translated.name

    @cached_property
    def meta_title(self) -> str:
        return self.product.shown_meta_title

    @cached_property
    def meta_desc(self) -> str:
        return self.product.shown_meta_desc or self.name

    @property
    def tint(self) -> int:
        """Of the category at the top, also where that is hidden."""
        category = self.product.category
        while category.parent is not None:
            category = category.parent
        return category.pk

    @cached_property
    def categories(self) -> list[Category]:
        """Where it stands, from the top; none that is hidden."""
        return trail_of(self.product.category_id)

    @property
    def made_in(self) -> str:
        """The country of origin by name; its code where the name is unknown, empty where none is stated."""
        code = self.product.country_of_origin
        return country_names(get_language() or ENGLISH).get(code, code)

    @property
    def first_ingredients(self) -> list[str]:
        return self.chosen.ingredients[:FIRST_INGREDIENTS]

    @property
    def more_ingredients(self) -> list[str]:
        return self.chosen.ingredients[FIRST_INGREDIENTS:]

    @cached_property
    def related(self) -> RelatedProducts:
        """Without those that stand under the same composition."""
        found = related_products(self.product, self.market)
        same = {card.product.pk for card in self.same_composition}
        return replace(found, similar=tuple(pk for pk in found.similar if pk not in same))

    @cached_property
    def components(self) -> list[Component]:
        """Of a medicine; no query for what states none."""
        has_any = bool(self.product.active_ingredients)
        return list(self.product.components.select_related("substance")) if has_any else []

    @property
    def dosage_form(self) -> str:
        return str(DosageForm(self.product.dosage_form).label) if self.product.dosage_form else ""

    @cached_property
    def same_composition(self) -> list[Card]:
        return same_composition(self.product, self.market, self.choices[0].variant.net_unit)

    @property
    def key(self) -> tuple[str, str, Delivery]:
        """Tells what its market does not tell: the chosen variant, and the days of delivery."""
        return self.product.slug, self.chosen.variant.sku, self.delivery

    @cached_property
    def shows(self) -> list[int]:
        """Ids of the products on it."""
        return [self.product.pk, *self.related.ids, *(card.product.pk for card in self.same_composition)]


_pages: ProductMemory[ProductPage] = ProductMemory(500, stock=True)


def product_page(slug: str, market: Market, *, sku: str = "") -> ProductPage | None:
    """The page of a published product, or None; remembered until something on it changes.

    It is shared by requests: nobody changes what hangs on it.
    """
    key, version = (slug, market, sku, get_script_prefix()), _pages.version
    page = _pages.get(key)
    if page is None and (product := read_product(slug, market)):
        page = ProductPage(product, market, sku=sku)
        _pages.keep(key, page, shows=page.shows, version=version)
    return page


def viewed_cards(ids: list[int], market: Market) -> list[Card]:
    """Cards of what a browser remembers to have looked at, in its order; what left the shop or the market is absent."""
    ids = ids[:MAX_VIEWED]
    found = Product.objects.visible_in(market).with_cards(market).in_bulk(ids)
    return cards_of([found[pk] for pk in ids if pk in found], market)
