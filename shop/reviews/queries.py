"""Reads of reviews and questions, and of what may be reviewed."""

from typing import Any, Self

from django.db import models
from django.db.models import Exists, F, OuterRef, Q

PUBLISHED, WAITING = "published", "waiting"


class ModeratedQuerySet(models.QuerySet[Any]):
    def published(self) -> Self:
        return self.filter(state=PUBLISHED)

    def waiting(self) -> Self:
        """What staff have to look at."""
        return self.filter(state=WAITING)


def delivered_lines() -> models.QuerySet[Any]:
    """Lines of orders of which a unit was delivered, with their product; who returned it afterwards had it."""
    from shop.orders.models import OrderLine, ShipmentLine

    sent = ShipmentLine.objects.filter(order_line=OuterRef("pk"), shipment__is_replacement=False)
    arrived = sent.filter(shipment__delivered_at__isnull=False)
    # Orders from before parcels were kept know only their own day.
    is_old = Q(order__delivered_at__isnull=False) & ~Exists(sent) & Q(quantity__gt=F("cancelled"))
    return OrderLine.objects.filter(Exists(arrived) | is_old).select_related("order__customer", "variant__product")


def is_buyer(customer: Any, product_id: int) -> bool:
    """Whether a unit of the product was delivered to the customer."""
    return delivered_lines().filter(order__customer=customer, variant__product=product_id).exists()
