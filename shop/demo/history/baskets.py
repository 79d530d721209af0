"""What was bought: carts that are priced as any cart is, in the market of their customer."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from functools import cached_property
from random import Random

from django.db.models import Prefetch
from django.utils import timezone

from shop.accounts.models import Address
from shop.cart.models import Cart, CartLine, Coupon
from shop.cart.totals import CartView, PricedLine
from shop.catalog.categories.tree import category_tree
from shop.catalog.models import AttributeValue, Variant, VariantImage, VariantPrice
from shop.catalog.pricing import price_of
from shop.markets.market import Market
from shop.markets.queries import market_registry, slabs_of
from shop.orders.models import Order, OrderLine
from shop.orders.placing.snapshot import (
    NUMBER_ALPHABET,
    copy_address,
    copy_lines,
    reductions_inr,
)

LINES, LINE_WEIGHTS = (1, 2, 3, 4, 5), (30, 32, 21, 11, 6)
UNITS, UNIT_WEIGHTS = (1, 2, 3), (72, 22, 6)
UNREAD = ("description", "ingredients", "nutritional_info_json", "composition_json")


@dataclass
class Shelf:
    """Every variant with what an order copies of it, read once for all orders."""

    random: Random

    @cached_property
    def variants(self) -> dict[int, Variant]:
        rows = Variant.objects.filter(is_active=True).defer(*UNREAD)
        rows = rows.select_related("product__brand", "product__first_picture").prefetch_related(
            Prefetch("attribute_values", AttributeValue.objects.select_related("attribute")),
            Prefetch("variant_images", VariantImage.objects.select_related("picture")),
        )
        tree = category_tree()
        for variant in rows:
            variant.product.category = tree[variant.product.category_id]
        return {variant.pk: variant for variant in rows}

    @cached_property
    def fixed_prices(self) -> dict[tuple[int, int], list[VariantPrice]]:
        found = defaultdict(list)
        for price in VariantPrice.objects.all():
            found[price.variant_id, price.location_id].append(price)
        return found

    def __post_init__(self) -> None:
        self._sold: dict[int, tuple[list[int], list[int]]] = {}

    def choose(self, market: Market) -> list[Variant]:
        """Some variants that are sold there, popular ones more often."""
        if market.location_id not in self._sold:
            rows = Variant.objects.sellable_in(market).filter(on_hand__gt=0).order_by("pk")
            found = list(rows.values_list("pk", "product__popularity"))
            self._sold[market.location_id] = ([pk for pk, _ in found], [5 + wanted for _, wanted in found])
        ids, weights = self._sold[market.location_id]
        count = self.random.choices(LINES, LINE_WEIGHTS)[0]
        return [self.variants[pk] for pk in dict.fromkeys(self.random.choices(ids, weights, k=count))]

    def price(self, cart: Cart, market: Market) -> CartView:
        lines = []
        for variant in self.choose(market):
            variant.market_prices = self.fixed_prices[variant.pk, market.location_id]  # type: ignore[attr-defined]
            most = min(variant.max_purchase_qty, variant.on_hand)
            units = min(most, self.random.choices(UNITS, UNIT_WEIGHTS)[0])
            line = CartLine(variant=variant, quantity=units)
            lines.append(PricedLine(line, price_of(variant, market), market, barred=False))
        return CartView(cart, market, lines, slabs_of(market))


def draft_order(shelf: Shelf, address: Address, at: datetime, coupon: Coupon | None) -> tuple[Order, list[OrderLine]]:
    """An order of that moment and its lines, not saved; its number is as random as the shelf."""
    registry = market_registry()
    market = registry.market(registry.locations[address.country_id])
    view = shelf.price(Cart(customer=address.customer, coupon=coupon), market)
    lines = copy_lines(view)
    shipping_inr = market.to_inr(view.shipping)
    coupon_inr, points_inr = reductions_inr(view)
    total_inr = sum((line.line_inr for line in lines), shipping_inr - coupon_inr - points_inr)
    age = timezone.localdate() - timezone.localdate(at)
    order = Order(
        number="ORD-" + "".join(shelf.random.choices(NUMBER_ALPHABET, k=9)),
        customer=address.customer, created_at=at, location_id=market.location_id, currency=market.currency,
        rate=market.rate, sub_total_amt=view.sub_total, shipping_amt=view.shipping, coupon_amt=view.coupon_amt,
        total_amount=view.total, coupon_code=view.code_taken, discount_name=view.automatic_terms,
        shipping_inr=shipping_inr, coupon_inr=coupon_inr, points_inr=points_inr, total_inr=total_inr,
        points_amt=Decimal(0),
        address_id_then=address.pk, address=copy_address(address), email=address.email,
        expected_delivery=view.arrives() - timedelta(days=age.days),
    )  # fmt: skip
    for line in lines:
        line.order = order
    return order, lines
