"""Cash on delivery: the order is placed at once, the courier collects, staff transfer refunds by hand."""

from decimal import Decimal

from django.utils.translation import gettext_noop

from shop.markets.market import Market
from shop.markets.queries import Service, market_registry

from .base import PaymentProvider


class CashOnDelivery(PaymentProvider):
    name = payment_method = recorded_as = "cash"
    label = checkout_label = gettext_noop("Cash on delivery")
    icon = "wallet"
    is_collected_on_delivery = True
    placing_note = gettext_noop("To be paid in cash on delivery.")
    refusal = gettext_noop("Cash on delivery isn't available for this order. Please pay online.")
    refusal_code = "no_cash_on_delivery"
    address_refusal = gettext_noop(
        "Cash on delivery isn't available at this address. Please keep the address, or cancel the order and pay online."
    )

    def is_offered(self, market: Market, total_inr: Decimal, service: Service) -> bool:
        limit = market_registry().locations[market.location_id].cash_on_delivery_max
        return limit is not None and 0 < total_inr <= limit and self.serves(service)

    def serves(self, service: Service) -> bool:
        return service.cash_on_delivery


cash = CashOnDelivery()
