"""What a cart costs in a market: the server's word, asked by page, call and checkout alike."""

from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property

from django.db.models import Exists, OuterRef, Prefetch

from shop.accounts.points.services import MAX_OF_A_CART, balance_of
from shop.catalog.categories.tree import category_tree, trail_of
from shop.catalog.models import AttributeValue, Category, Picture, Product, Variant, VariantImage
from shop.catalog.pricing import Price, price_of
from shop.catalog.queries import fixed_prices_in
from shop.markets.market import Market
from shop.markets.queries import shipping_cost, slabs_of

from .coupons import AppliedCoupon, apply_coupon
from .models import Cart, CartLine
from .signals import OwnHold, own_hold

# Of the many columns, those that page, calls and checkout use: half of the time was spent on the others.
READ = [
    *(field.attname for field in CartLine._meta.concrete_fields),
    *(f"variant__{name}" for name in (
        "sku", "product_id", "is_active", "selling_price", "actual_price", "max_purchase_qty", "weight_actual",
        "weight_unit", "on_hand",
    )),
    *(f"variant__product__{name}" for name in (
        "name", "title", "slug", "brand_id", "category_id", "hsn_id", "first_picture_id", "is_published",
        "is_prescription", "is_returnable", "dispatch_max_day", "buffer_delivery_day",
    )),
    "variant__product__brand__name", "variant__product__brand__slug",
    *(f"variant__product__first_picture__{field.attname}" for field in Picture._meta.concrete_fields),
]  # fmt: skip


@dataclass(frozen=True)
class PricedLine:
    """A cart line at today's price; `problem` says in words why it cannot be ordered as it stands, `note`
    what else is other than it was."""

    line: CartLine
    price: Price
    market: Market
    barred: bool
    own_hold: int = 0  # units that an unpaid order of the same customer has set aside

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
        return min(self.variant.max_purchase_qty, self.available)

    @property
    def available(self) -> int:
        return self.variant.on_hand + self.own_hold

    @property
    def in_stock(self) -> bool:
        return self.available > 0

    @property
    def choices(self) -> range:
        return range(1, max(self.allowed, self.quantity) + 1)

    @property
    def attributes(self) -> dict[str, str]:
        return {value.attribute.name: value.label for value in self.variant.attribute_values.all()}

    @cached_property
    def picture(self) -> Picture | None:
        images = list(self.variant.variant_images.all())
        return images[0].picture if images else self.product.first_picture

    @property
    def problem(self) -> str:
        if not (self.product.is_published and self.variant.is_active):
            return "No longer available."
        if self.product.is_prescription:
            return "Needs a prescription and is not sold online."
        if self.barred:
            return "Cannot be delivered to your chosen country."
        if not self.in_stock:
            return "Out of stock."
        if self.quantity > self.available:
            return f"Only {self.allowed} left. Please reduce your quantity from {self.quantity}."
        if self.quantity > self.allowed:
            return f"You can order up to {self.allowed}."
        return ""

    @property
    def note(self) -> str:
        """Only a price of the same market can be compared."""
        seen = self.line.seen_price
        if seen is None or self.line.seen_market != self.market.key or seen == self.price.selling:
            return ""
        return f"The price was {self.market.display(seen)} when you added it."

    @property
    def top_category(self) -> Category:
        category = self.product.category
        while category.parent is not None:
            category = category.parent
        return category

    @property
    def categories(self) -> list[Category]:
        """Where it stands, from the top; none that is hidden."""
        return trail_of(self.product.category_id)


@dataclass(frozen=True)
class CartView:
    """A priced cart. Amounts are in the market's currency; total = sub_total + shipping - coupon - points."""

    cart: Cart | None
    market: Market
    lines: list[PricedLine]
    slabs: list[tuple[Decimal, Decimal]]
    saved: list[PricedLine] = field(default_factory=list)
    hold: OwnHold = field(default_factory=OwnHold)

    @property
    def currency(self) -> str:
        return self.market.currency

    @cached_property
    def sub_total(self) -> Decimal:
        return sum((line.line_total for line in self.lines if not line.problem), Decimal(0))

    @cached_property
    def shipping(self) -> Decimal:
        return shipping_cost(self.sub_total, self.slabs) if self.sub_total else Decimal(0)

    @cached_property
    def coupon(self) -> AppliedCoupon | None:
        """The cart's coupon, with the reason when it takes nothing off."""
        return apply_coupon(self.cart, self.market, self.sub_total)

    @property
    def coupon_code(self) -> str:
        return self.coupon.coupon.code if self.coupon else ""

    @property
    def coupon_problem(self) -> str:
        return self.coupon.refusal if self.coupon else ""

    @property
    def coupon_text(self) -> str:
        return _less(self.coupon_amt, self.market)

    @property
    def coupon_amt(self) -> Decimal:
        return self.coupon.amount if self.coupon else Decimal(0)

    @cached_property
    def points_balance(self) -> int:
        """With those that an unpaid order of the customer has redeemed."""
        customer = self.cart and self.cart.customer
        return balance_of(customer, returning=self.hold.points) if customer else 0

    @cached_property
    def points_allowed(self) -> int:
        """Points that this cart may take: of the balance, up to a tenth of the goods."""
        goods = self.sub_total - self.coupon_amt
        return min(self.points_balance, int(self.market.to_inr(goods) * MAX_OF_A_CART))

    @property
    def points_used(self) -> int:
        return self.points_allowed if self.cart and self.cart.use_points else 0

    @property
    def points_amt(self) -> Decimal:
        return self.market.from_inr(Decimal(self.points_used))

    @property
    def points_text(self) -> str:
        return _less(self.points_amt, self.market)

    @property
    def points_offer(self) -> str:
        """What the points would take off, in words; empty where they cannot take off anything."""
        if not self.points_allowed:
            return ""
        worth = _less(self.market.from_inr(Decimal(self.points_allowed)), self.market)
        return f"Use {self.points_allowed} point{'s' * (self.points_allowed != 1)} ({worth})"

    @property
    def total(self) -> Decimal:
        return self.sub_total + self.shipping - self.coupon_amt - self.points_amt

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


def _less(amount: Decimal, market: Market) -> str:
    return f"−{market.display(amount)}"


def price_cart(cart: Cart | None, market: Market, hold: OwnHold | None = None) -> CartView:
    """Price every line of a cart in a market, in a constant number of queries.

    `hold` is what the customer's unpaid order has set aside, for whoever knows it already.
    """
    if cart is None:
        return CartView(None, market, [], [])
    barred = Product.barred_locations.through.objects.filter(
        product_id=OuterRef("variant__product_id"), location_id=market.location_id
    )
    lines = (
        cart.lines.annotate(barred=Exists(barred))
        .select_related("variant__product__brand", "variant__product__first_picture")
        .only(*READ)
        .prefetch_related(
            fixed_prices_in(market, "variant__fixed_prices"),
            Prefetch("variant__attribute_values", AttributeValue.objects.select_related("attribute")),
            Prefetch("variant__variant_images", VariantImage.objects.select_related("picture")),
        )
    )
    tree = category_tree()
    for line in lines:
        product = line.variant.product
        if product.category_id in tree:  # else it is of this very second, and read when it is asked for
            product.category = tree[product.category_id]
    hold = hold or own_hold(cart.customer)
    priced = [
        PricedLine(line, price_of(line.variant, market), market, line.barred, hold.units.get(line.variant_id, 0))
        for line in lines
    ]
    return CartView(
        cart,
        market,
        [line for line in priced if not line.line.is_saved],
        slabs_of(market),
        saved=[line for line in priced if line.line.is_saved],
        hold=hold,
    )
