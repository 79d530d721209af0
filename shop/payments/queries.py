"""Reads of payments. Imported by models.py and therefore knows no model by name."""

from datetime import timedelta
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Q

from shop.orders.payment_methods import payment_methods

WATCHED_FOR = timedelta(days=5)  # late money comes up to three days later
UNPAID = ("created", "open", "failed")  # a later try may still bring money


def methods_that(capability: str) -> list[str]:
    """Payment.method of the providers with a capability (shop/orders/payment_methods.py)."""
    return [method.recorded_as for method in payment_methods() if getattr(method, capability)]


class PaymentQuerySet(models.QuerySet[Any]):
    def of_this_gateway(self) -> Self:
        """Those that a provider is asked for as it is configured now. A simulated payment counts for nothing once
        real keys are set, and the other way round."""
        return self.able("has_provider_orders").filter(simulated=settings.SIMULATED_GATEWAY)

    def of_the_other_gateway(self) -> Self:
        return self.able("has_provider_orders").filter(simulated=not settings.SIMULATED_GATEWAY)

    def that_count(self) -> Self:
        """Those of this gateway, and those that no provider keeps (cash)."""
        asked = Q(method__in=methods_that("has_provider_orders"))
        return self.filter(~asked | Q(simulated=settings.SIMULATED_GATEWAY))

    def able(self, capability: str) -> Self:
        """Those whose provider has a capability; see methods_that."""
        return self.filter(method__in=methods_that(capability))

    def unpaid(self) -> Self:
        return self.filter(status__in=UNPAID)


class ProviderEventQuerySet(models.QuerySet[Any]):
    def waiting(self) -> Self:
        """Not handled yet, and not given up."""
        return self.filter(handled_at=None, failed_at=None)

    def failed(self) -> Self:
        """Given up after too many tries: somebody has to look."""
        return self.filter(handled_at=None).exclude(failed_at=None)
