"""What a cart costs in a market: the server's word, asked by page, call and checkout alike."""

from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from django.db.models import Exists, OuterRef, Prefetch

from shop.catalog.models import AttributeValue, Product, Variant, VariantImage
from shop.catalog.prices import Price, price_of
from shop.catalog.queries import fixed_prices_in
from shop.markets.market import Market
from shop.markets.queries import slabs_of

from .models import Cart, CartLine


@dataclass(frozen=True)
class PricedLine:
    """A cart line at today's price; `problem` says in words why it cannot be ordered as it stands."""

    line: CartLine
    price: Price
    barred: bool

    @property
    def variant(self) -> Variant:
        return self.line.variant

    @property
    def product(self) -> Product:
        return self.line.variant.product

    @property
    def quantity(self) -> int:
        return self.line.quantity

    @property
    def line_total(self) -> Decimal:
        return self.price.selling * self.quantity

    @property
    def allowed(self) -> int:
        return allowed_quantity(self.variant)

    @property
    def in_stock(self) -> bool:
        return self.variant.on_hand > 0

    @property
    def choices(self) -> range:
        return range(1, max(self.allowed, self.quantity) + 1)

    @property
    def attributes(self) -> dict[str, str]:
        return {value.attribute.name: value.label for value in self.variant.attribute_values.all()}

    @cached_property
    def picture(self):
        images = list(self.variant.variant_images.all())
        return images[0].picture if images else self.product.first_picture

    @property
    def problem(self) -> str:
        if not (self.product.is_published and self.variant.is_active):
            return "No longer sold."
        if self.product.is_prescription:
            return "Needs a prescription and is not sold online."
        if self.barred:
            return "Cannot be delivered to the chosen country."
        if not self.in_stock:
            return "Out of stock."
        if self.quantity > self.allowed:
            return f"Only {self.allowed} can be ordered."
        return ""


@dataclass(frozen=True)
class CartView:
    """A priced cart. Amounts are in the market's currency; total = sub_total + shipping."""

    cart: Cart | None
    market: Market
    lines: list[PricedLine]
    slabs: list[tuple[Decimal, Decimal]]

    @property
    def currency(self) -> str:
        return self.market.currency

    @cached_property
    def sub_total(self) -> Decimal:
        return sum((line.line_total for line in self.lines if not line.problem), Decimal(0))

    @cached_property
    def shipping(self) -> Decimal:
        return shipping_cost(self.sub_total, self.slabs) if self.sub_total else Decimal(0)

    @property
    def total(self) -> Decimal:
        return self.sub_total + self.shipping

    @property
    def count(self) -> int:
        return sum(line.quantity for line in self.lines)

    @property
    def problems(self) -> list[PricedLine]:
        return [line for line in self.lines if line.problem]

    @cached_property
    def until_next_tier(self) -> tuple[Decimal, Decimal] | None:
        """(amount still to add, shipping then) when a dearer basket ships for less, else None."""
        for tier, _ in self.slabs[:-1]:
            if tier > self.sub_total:
                then = shipping_cost(tier, self.slabs)
                return (tier - self.sub_total, then) if then < self.shipping else None
        return None

    @property
    def shipping_text(self) -> str:
        return self.market.display(self.shipping) if self.shipping else "Free"

    @property
    def next_tier_text(self) -> str:
        """What a dearer basket would save on shipping, in words; empty when nothing."""
        if self.until_next_tier is None:
            return ""
        missing, cost = self.until_next_tier
        then = self.market.display(cost) if cost else "free"
        return f"Add {self.market.display(missing)} more and shipping is {then}."


def shipping_cost(sub_total: Decimal, slabs: list[tuple[Decimal, Decimal]]) -> Decimal:
    """The first slab whose tier exceeds the subtotal; above all tiers the last one; without slabs 0.

    `slabs` are (tier amount, cost) with the lowest tier first.
    """
    for tier, cost in slabs:
        if tier > sub_total:
            return cost
    return slabs[-1][1] if slabs else Decimal(0)


def allowed_quantity(variant: Variant) -> int:
    """How many of a variant one cart may hold now: the smaller of its maximum and the stock."""
    return min(variant.max_purchase_qty, variant.on_hand)


def price_cart(cart: Cart | None, market: Market) -> CartView:
    """Price every line of a cart in a market, in a constant number of queries."""
    if cart is None:
        return CartView(None, market, [], [])
    barred = Product.barred_locations.through.objects.filter(
        product_id=OuterRef("variant__product_id"), location_id=market.location_id
    )
    lines = (
        cart.lines.annotate(barred=Exists(barred))
        .select_related(
            "variant__product__brand", "variant__product__category", "variant__product__first_picture",
            "variant__product__hsn",
        )
        .prefetch_related(
            fixed_prices_in(market, "variant__fixed_prices"),
            Prefetch("variant__attribute_values", AttributeValue.objects.select_related("attribute")),
            Prefetch("variant__variant_images", VariantImage.objects.select_related("picture")),
        )
    )  # fmt: skip
    priced = [PricedLine(line, price_of(line.variant, market), line.barred) for line in lines]
    return CartView(cart, market, priced, slabs_of(market))
