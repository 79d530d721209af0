"""Which tax is contained in what an order costs. Totals, invoices and credit notes ask the rule and decide nothing
by themselves."""

from collections.abc import Callable
from datetime import date
from decimal import Decimal

from shop.cart.totals import CartView
from shop.company.facts import CompanyFacts, company_facts
from shop.markets.geography.pincodes import look_up_one
from shop.markets.queries import market_registry

from ..models import Order
from ..placing.snapshot import charged_inr
from .export import export
from .gst import gst, state_code
from .no_tax import no_tax
from .rule import ABROAD, HOME, Destination, TaxRule
from .uk_vat import uk_vat

# What India asks of the seller: the first rule that applies.
AT_HOME = (export, gst, no_tax)
# What a destination asks besides: given the rule at home, the rule that applies.
BY_DESTINATION: dict[str, Callable[[TaxRule], TaxRule]] = {"GB": uk_vat}


def rule_for(seller: CompanyFacts, destination: Destination, day: date) -> TaxRule:
    """The rule for a consignment, at the rates of a day."""
    at_home = next(rule for offer in AT_HOME if (rule := offer(seller, destination, day)))
    besides = BY_DESTINATION.get(destination.country_code)
    return besides(at_home) if besides else at_home


def rule_of_order(order: Order, day: date) -> TaxRule:
    return rule_for(company_facts(), _destination_of(order), day)


def rule_of_cart(view: CartView, day: date) -> TaxRule:
    """The rule for a priced cart, before an address is known."""
    market = view.market
    destination = Destination(
        country_code=market.country_code,
        country=market.country_name,
        state="",
        state_code="",
        goods_inr=charged_inr(view) - market.to_inr(view.shipping),
        rates={market.home_currency: market.home_rate, market.currency: market.rate},
    )
    return rule_for(company_facts(), destination, day)


def _destination_of(order: Order) -> Destination:
    """The address as it was copied; an Indian one without a usable state has that of its PIN."""
    address = order.address
    state = address.get("state", "")
    is_home = address["country_code"] == HOME
    if is_home and not state_code(state):
        state = look_up_one(address.get("pincode", "")).state or state
    return Destination(
        country_code=address["country_code"],
        country=address["country"],
        state=state,
        state_code=state_code(state) if is_home else ABROAD,
        goods_inr=order.goods_inr,
        rates=_rates_of(order),
    )


def _rates_of(order: Order) -> dict[str, Decimal]:
    """The rates that an order fixed: of its country's own currency, and of the one that was shown."""
    rates = {order.currency: order.rate}
    location = market_registry().locations.get(order.location_id)
    if location and location.currency_id not in rates:
        rates[location.currency_id] = order.lines.all()[0].home_rate
    return rates
