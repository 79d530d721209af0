"""What a draft costs now, where it goes, and what was said of it."""

from decimal import Decimal
from typing import Any

import phonenumbers
from django.utils.translation import gettext

from shop.accounts.addresses.fields import FIELD_NAMES
from shop.accounts.models import Address, Customer
from shop.cart.models import Cart
from shop.cart.totals import CartView, price_cart
from shop.catalog.composition.prescriptions import prescription_refusal
from shop.catalog.models import Variant
from shop.catalog.pricing import price_of
from shop.catalog.queries import fixed_prices_in
from shop.markets.market import Market
from shop.markets.models import Location
from shop.markets.queries import market_registry
from shop.search.engines.services import search

from ..models import OrderDraft
from ..placing.values import SubmittedTotals

HOME = "IN"
MAX_FOUND = 12
MAX_WORDS = 100


def market_of(draft: OrderDraft) -> Market:
    """Prices of the country that it goes to, in its own currency."""
    return market_registry().market(draft.location)


def cart_of(draft: OrderDraft) -> Cart:
    """Its cart, which knows its buyer and so asks for no row again."""
    cart = draft.cart
    cart.on_behalf_of = draft.customer
    return cart


def priced(draft: OrderDraft) -> CartView:
    return price_cart(cart_of(draft), market_of(draft))


def address_of(draft: OrderDraft) -> Address | None:
    """Where it goes, as an address that is never saved; None where none was chosen yet."""
    if not draft.address:
        return None
    fields = {name: draft.address.get(name, "") for name in FIELD_NAMES}
    return Address(customer_id=draft.customer_id, country=draft.location, **fields)


def phone_of(draft: OrderDraft) -> str:
    """Where an SMS goes: the account's mobile, else the one of the address; empty where there is none."""
    if draft.customer.phone:
        return draft.customer.phone
    typed = f"{draft.address.get('phone_code', '')}{draft.address.get('phone_number', '')}"
    try:
        number = phonenumbers.parse(typed)
    except phonenumbers.NumberParseException:
        return ""
    is_one = phonenumbers.is_valid_number(number)
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164) if is_one else ""


def home_of(customer: Customer) -> Location:
    """Where the customer most likely wants things: the default address, the last order, the mobile's country."""
    markets = market_registry()
    last = customer.orders.values_list("location_id", flat=True).first()
    default = customer.addresses.default_first().values_list("country_id", flat=True).first()
    for location_id in (default, last):
        if location_id in markets.locations:
            return markets.locations[location_id]
    code = phonenumbers.region_code_for_number(phonenumbers.parse(customer.phone)) if customer.phone else HOME
    return markets.by_code.get(code or HOME) or markets.by_code.get(HOME) or markets.default


def snapshot_of(view: CartView) -> dict[str, Any]:
    """What a message or a page says of a draft, to be compared later; `submitted_of` reads it."""
    return {
        "market": view.market.key,
        "lines": {
            str(line.variant.pk): [line.quantity, str(line.price.selling)] for line in view.lines if not line.problem
        },
        "amounts": {
            "shipping_amt": str(view.shipping),
            "coupon_amt": str(view.coupon_amt),
            "total_amount": str(view.total),
        },
    }


def submitted_of(seen: dict[str, Any]) -> SubmittedTotals:
    lines = {int(pk): (quantity, Decimal(price)) for pk, (quantity, price) in seen["lines"].items()}
    return SubmittedTotals(
        amounts={name: Decimal(amount) for name, amount in seen["amounts"].items()},
        quantities={pk: quantity for pk, (quantity, _) in lines.items()},
        unit_amounts={pk: price for pk, (_, price) in lines.items()},
        market=seen["market"],
    )


def found_variants(words: str, draft: OrderDraft) -> list[dict[str, Any]]:
    """What the desk may add: the variant of this SKU, else those of the products that the shop's search finds, with
    price and stock where the draft goes, in a constant number of queries."""
    words, market = words.strip()[:MAX_WORDS], market_of(draft)
    if not words:
        return []
    sellable = Variant.objects.filter(is_active=True, product__is_published=True).select_related("product__brand")
    sellable = sellable.prefetch_related(
        fixed_prices_in(market, "fixed_prices"), "attribute_values__attribute", "product__barred_locations"
    )
    variants = list(sellable.filter(sku__in=(words, words.upper())))
    if not variants:
        ids = search(words).ids[:MAX_FOUND]
        place = {pk: at for at, pk in enumerate(ids)}
        found = sellable.filter(product__in=ids).order_by("product_id", "pk")
        variants = sorted(found, key=lambda one: place[one.product_id])[:MAX_FOUND]
    return [_offer(variant, market) for variant in variants]


def _offer(variant: Variant, market: Market) -> dict[str, Any]:
    product = variant.product
    refusal = ""
    if product.is_prescription and prescription_refusal(product, market):
        refusal = gettext("Prescription medicine, not sold online")
    elif any(location.pk == market.location_id for location in product.barred_locations.all()):
        refusal = gettext("Not delivered to {country}").format(country=market.country_name)
    elif variant.on_hand < 1:
        refusal = gettext("Out of stock")
    return {
        "variant": variant,
        "facts": ", ".join(value.label for value in variant.attribute_values.all()),
        "price": market.display(price_of(variant, market).selling),
        "most": min(variant.max_purchase_qty, variant.on_hand),
        "refusal": refusal,
    }
