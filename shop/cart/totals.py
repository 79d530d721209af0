"""What a cart costs in a market: the server's word, asked by page, call and checkout alike."""

from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from functools import cached_property

from django.db.models import Exists, OuterRef, Prefetch
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext

from shop.accounts.models import Customer
from shop.accounts.points.services import MAX_OF_A_CART, balance_of
from shop.catalog.categories.tree import place_in_tree, trail_of
from shop.catalog.composition.prescriptions import prescription_refusal
from shop.catalog.models import AttributeValue, Category, Picture, Product, Variant, VariantImage
from shop.catalog.pricing import Price, price_of
from shop.catalog.products.delivery_dates import days_to_deliver
from shop.catalog.queries import fixed_prices_in
from shop.markets.geography.local_time import delivery_starts
from shop.markets.market import Market
from shop.markets.queries import Service, service_for, shipping_cost, slabs_of

from .coupons import (
    AppliedCoupon,
    Basket,
    CouponOffer,
    Goods,
    apply_coupon,
    best_automatic,
    next_automatic,
    offered_coupons,
    terms_of,
)
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
        "is_prescription", "schedule", "is_returnable", "dispatch_max_day", "buffer_delivery_day",
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
    def amount_text(self) -> str:
        """What the line costs; nothing of what cannot be ordered, which the subtotal leaves out too."""
        return "" if self.problem else self.market.display(self.line_total)

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
        """As the order keeps them: in English."""
        return {value.attribute.name: value.label for value in self.variant.attribute_values.all()}

    @property
    def shown_attributes(self) -> dict[str, str]:
        """The same in the active language."""
        return {value.attribute.translated.name: value.shown_label for value in self.variant.attribute_values.all()}

    @cached_property
    def picture(self) -> Picture | None:
        images = list(self.variant.variant_images.all())
        return images[0].picture if images else self.product.first_picture

    @property
    def problem_by_name(self) -> str:
        """The problem where lines are not listed, with the product's name."""
        return gettext("%(name)s: %(problem)s") % {"name": self.product.translated.name, "problem": self.problem}

    @property
    def problem(self) -> str:
        if not (self.product.is_published and self.variant.is_active):
            return gettext("No longer available.")
        if self.product.is_prescription and (refusal := prescription_refusal(self.product, self.market)):
            return refusal
        if self.barred:
            return gettext("We can't deliver this to %(country)s.") % {"country": self.market.country}
        if not self.in_stock:
            return gettext("Out of stock.")
        if self.quantity > self.available:
            words = gettext("Only %(count)s left. Please reduce your quantity from %(quantity)s.")
            return words % {"count": self.allowed, "quantity": self.quantity}
        if self.quantity > self.allowed:
            return gettext("You can order up to %(most)s.") % {"most": self.allowed}
        return ""

    @property
    def note(self) -> str:
        """That it needs a prescription, and what it cost when it was added."""
        return " ".join(filter(None, (self._prescription_note, self._price_note)))

    @property
    def _prescription_note(self) -> str:
        needed = self.product.is_prescription and not self.problem
        return gettext("Prescription needed: you'll add it at checkout.") if needed else ""

    @property
    def _price_note(self) -> str:
        """Only a price of the same market can be compared."""
        seen = self.line.seen_price
        if seen is None or self.line.seen_market != self.market.key or seen == self.price.selling:
            return ""
        return gettext("The price was %(price)s when you added it.") % {"price": self.market.display(seen)}

    @property
    def days(self) -> int:
        """How long it takes to arrive."""
        return days_to_deliver(self.product, self.market)

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
    pincode: str = ""  # where the shopper wants it, as far as that is known
    service: Service = field(default_factory=Service)

    @property
    def currency(self) -> str:
        return self.market.currency

    @cached_property
    def sub_total(self) -> Decimal:
        return sum((line.line_total for line in self.lines if not line.problem), Decimal(0))

    @cached_property
    def basket(self) -> Basket:
        """What can be ordered, before any discount."""
        goods = tuple(
            Goods(
                line.variant.pk, line.product.pk, line.product.brand_id, line.product.category_id, line.price.selling,
                line.quantity,
            )
            for line in self.lines if not line.problem
        )  # fmt: skip
        shipping = shipping_cost(self.sub_total, self.slabs) if self.sub_total else Decimal(0)
        return Basket(self.market, goods, shipping, buyer_of(self.cart) if self.cart else None)

    @property
    def shipping(self) -> Decimal:
        """Nothing where a discount makes it free: then no amount is taken off the goods for it."""
        return Decimal(0) if self.frees_shipping else self.basket.shipping

    @property
    def frees_shipping(self) -> bool:
        return self.discount is not None and self.discount.saving.shipping > 0

    @cached_property
    def own_coupon(self) -> AppliedCoupon | None:
        """The cart's own coupon, with the reason when it does not apply."""
        return apply_coupon(self.cart, self.basket)

    @cached_property
    def automatic(self) -> AppliedCoupon | None:
        """The automatic discount that saves more than the cart's own coupon."""
        own = self.own_coupon
        return (
            best_automatic(self.basket, beyond=own.saving.total if own else Decimal(0)) if self.basket.goods else None
        )

    @property
    def discount(self) -> AppliedCoupon | None:
        """The one discount that applies: the cart's coupon, or an automatic one that saves more."""
        own = self.own_coupon
        return self.automatic or (own if own and own.saving.total else None)

    @property
    def coupon(self) -> AppliedCoupon | None:
        """The cart's own coupon, with the reason when it takes nothing off."""
        own = self.own_coupon
        if own and not own.refusal and self.automatic:
            words = gettext("You're already saving more with this discount: %(discount)s.") % {
                "discount": self.discount_label
            }
            return AppliedCoupon(own.coupon, refusal=words)
        return own

    @property
    def code_taken(self) -> str:
        """The code of the discount that makes this cart cheaper."""
        return self.discount.coupon.code if self.discount else ""

    @property
    def discount_label(self) -> str:
        """How the discount is called beside its amount."""
        return self.automatic_terms or gettext("Coupon")

    @property
    def automatic_terms(self) -> str:
        """What the discount that applies by itself gives, in words; empty where it is a coupon's."""
        return terms_of(self.automatic.coupon, self.market) if self.automatic else ""

    @property
    def shipping_note(self) -> str:
        """Why shipping is free, where a discount makes it so."""
        return self.discount_label if self.frees_shipping and self.automatic else ""

    @property
    def offer_text(self) -> str:
        """What a fuller cart would get by itself, in words; empty when nothing."""
        return "" if self.discount else next_automatic(self.basket)

    @property
    def coupon_offers(self) -> list[CouponOffer]:
        """Codes that would save more than the discount that applies."""
        if self.cart is None or not self.sub_total:
            return []
        saved = self.discount.saving.total if self.discount else Decimal(0)
        return offered_coupons(self.cart, self.basket, beyond=saved)

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
        return self.discount.amount if self.discount else Decimal(0)

    def taken_from(self, line: PricedLine) -> Decimal:
        """So much of a line its share of the discount is taken from; see coupons.Saving."""
        return self.discount.saving.of_lines.get(line.variant.pk, Decimal(0)) if self.discount else Decimal(0)

    @cached_property
    def points_balance(self) -> int:
        """With those that an unpaid order of the customer has redeemed."""
        customer = self.cart and buyer_of(self.cart)
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
        words = ngettext("Use %(points)s point (%(worth)s)", "Use %(points)s points (%(worth)s)", self.points_allowed)
        return words % {"points": self.points_allowed, "worth": worth}

    @property
    def total(self) -> Decimal:
        return self.sub_total + self.shipping - self.coupon_amt - self.points_amt

    @property
    def count(self) -> int:
        return sum(line.quantity for line in self.lines)

    def arrives(self, extra_days: int = 0) -> date:
        """The day the slowest line arrives where it takes so many days longer; of a cart that has lines."""
        return max(self.arrivals(extra_days).values())

    def arrivals(self, extra_days: int = 0) -> dict[int, date]:
        """The day each line arrives, by variant id."""
        start = delivery_starts(self.market)
        return {line.variant.pk: start + timedelta(days=line.days + extra_days) for line in self.lines}

    def differing_arrivals(self, extra_days: int = 0) -> dict[int, date]:
        """The same of what can be ordered, where not everything comes on one day; else nothing."""
        days = self.arrivals(extra_days)
        shown = {line.variant.pk: days[line.variant.pk] for line in self.lines if not line.problem}
        return shown if len(set(shown.values())) > 1 else {}

    @cached_property
    def arrival_texts(self) -> dict[str, str]:
        """When each line arrives, by variant id as JSON writes it; empty where they arrive together."""
        if not self.service.is_served:
            return {}
        days = self.differing_arrivals(self.service.extra_days)
        return {str(pk): _delivery_by(day) for pk, day in days.items()}

    @property
    def arrives_on(self) -> date | None:
        """The day the whole cart is there, as far as its PIN code is known; None where nothing of it can come."""
        can_come = self.sub_total and self.service.is_served
        return self.arrives(self.service.extra_days) if can_come else None

    @property
    def arrival_text(self) -> str:
        """The same in words; empty where nothing of it can come."""
        if not self.sub_total:
            return ""
        day = self.arrives_on
        return _delivery_by(day, self.pincode) if day else self.service.refusal(self.pincode)

    @property
    def needs_prescription(self) -> bool:
        return any(line.product.is_prescription for line in self.lines)

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
    def free_shipping_from(self) -> Decimal | None:
        """The subtotal from which shipping costs nothing; None where it always costs something, or never does."""
        for (tier, _), (_, then) in zip(self.slabs, self.slabs[1:], strict=False):
            if not then:
                return tier
        return None

    @property
    def until_free_shipping(self) -> Decimal:
        """What is still to be added; 0 when shipping is free already, or never is."""
        if self.frees_shipping:
            return Decimal(0)
        return max(Decimal(0), (self.free_shipping_from or Decimal(0)) - self.sub_total)

    @property
    def shipping_text(self) -> str:
        return self.market.display(self.shipping) if self.shipping else gettext("Free")

    @property
    def next_tier_text(self) -> str:
        """What a dearer basket would save on shipping, in words; empty when nothing."""
        if self.until_next_tier is None:
            return ""
        missing, cost = self.until_next_tier
        words = (
            gettext("Add %(missing)s more and shipping is %(cost)s.")
            if cost
            else gettext("Add %(missing)s more and shipping is free.")
        )
        return words % {"missing": self.market.display(missing), "cost": self.market.display(cost)}


def _delivery_by(day: date, place: str = "") -> str:
    words = gettext("Delivery by %(day)s to %(place)s") if place else gettext("Delivery by %(day)s")
    return words % {"day": date_format(day, "D j M"), "place": place}


def _less(amount: Decimal, market: Market) -> str:
    return f"−{market.display(amount)}"


def buyer_of(cart: Cart) -> Customer | None:
    """Who would order it; nobody knows it of a guest."""
    return cart.on_behalf_of if cart.on_behalf_of_id else cart.customer


def price_cart(cart: Cart | None, market: Market, hold: OwnHold | None = None, *, pincode: str = "") -> CartView:
    """Price every line of a cart in a market, in a constant number of queries.

    `hold` is what the customer's unpaid order has set aside, for whoever knows it already; `pincode`, of India, is
    where the shopper wants it.
    """
    pincode = pincode if market.country_code == "IN" else ""
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
    place_in_tree(line.variant.product for line in lines)
    hold = hold or own_hold(cart)
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
        pincode=pincode,
        service=service_for(market.location_id, pincode) if pincode else Service(),
    )
