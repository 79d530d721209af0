"""Reads of payments. Imported by models.py and therefore knows no model by name."""

from datetime import timedelta
from typing import Self

from django.conf import settings
from django.db import models

WATCHED_FOR = timedelta(days=5)  # late money comes up to three days later
UNPAID = ("created", "open", "failed")  # a later try may still bring money


class PaymentQuerySet(models.QuerySet):
    def of_this_gateway(self) -> Self:
        """Those of the provider that is configured now. A simulated payment counts for nothing once
        real keys are set, and the other way round."""
        return self.filter(method="provider", simulated=settings.SIMULATED_GATEWAY)

    def of_the_other_gateway(self) -> Self:
        return self.filter(method="provider", simulated=not settings.SIMULATED_GATEWAY)

    def unpaid(self) -> Self:
        return self.filter(status__in=UNPAID)


class ProviderEventQuerySet(models.QuerySet):
    def waiting(self) -> Self:
        """Not handled yet, and not given up."""
        return self.filter(handled_at=None, failed_at=None)

    def failed(self) -> Self:
        """Given up after too many tries: somebody has to look."""
        return self.filter(handled_at=None).exclude(failed_at=None)
