"""Batches of the demo's medicines and of what its customer buys: two of each, and one that is recalled."""

from datetime import date, timedelta
from itertools import chain

from django.db.models import QuerySet
from django.utils import timezone

from shop.accounts.models import Customer
from shop.backoffice.actors import staff_actor
from shop.catalog.batches.services import correct_batch, receive_batch, track_by_batch
from shop.catalog.models import Batch, Variant
from shop.markets.queries import market_registry
from shop.orders.batches.models import Recall, ShippedBatch
from shop.orders.batches.recalls import recall_batch, send_recall_notices

from .logins import CUSTOMER, STAFF
from .purchases import bestsellers

UNITS, FEW = 24, 6
# Days since manufacture and until expiry: of what is here first, and of what comes in then, in turn.
LIVES = ((300, 430), (270, 460), (240, 490), (330, 400), (200, 165), (210, 520))
FRESH = (40, 690)
REASON = "The seal of some jars of this batch may not be tight."
ADVICE = "Please stop using it. We'll collect it and refund you."


def load_batches() -> None:
    """What is tracked already stays as it is. Of what the demo's customer buys first, a few units expire before all
    others, so that they are sent."""
    actor = staff_actor(Customer.objects.get(email=STAFF[-1].email))
    [first, *bought] = bestsellers(market_registry().market(market_registry().by_code["IN"]))[:8]
    for number, variant in enumerate(chain([first], bought, _prescribed())):
        if variant.is_batched:
            continue
        code = f"{variant.pk:04}"
        track_by_batch(variant.pk)
        for opening in Batch.objects.filter(variant=variant, number=""):
            made, expires = _days(LIVES[number % len(LIVES)])
            correct_batch(opening, number=f"A{code}", manufactured=made, expires=expires)
        _receive(variant, f"B{code}", FRESH, UNITS, actor)
        if variant == first:
            _receive(variant, f"C{code}", (320, 380), FEW, actor)


def recall_one() -> None:
    """Some of it was sent to the demo's customer, who gets the notice."""
    if Recall.objects.exists():
        return
    sent = ShippedBatch.objects.filter(
        shipment_line__shipment__order__customer__email=CUSTOMER.email, batch__received=FEW
    )
    actor = staff_actor(Customer.objects.get(email=STAFF[-1].email))
    for row in sent.select_related("batch").order_by("pk")[:1]:
        recall_batch(row.batch, reason=REASON, advice=ADVICE, actor=actor)
    send_recall_notices()


def _prescribed() -> QuerySet[Variant]:
    """Twenty medicines on prescription."""
    rows: QuerySet[Variant] = Variant.objects.filter(product__is_prescription=True, on_hand__gt=0)
    return rows.order_by("-product__schedule", "pk")[:20]


def _receive(variant: Variant, number: str, life: tuple[int, int], units: int, actor: str) -> None:
    made, expires = _days(life)
    receive_batch(variant.pk, number=number, manufactured=made, expires=expires, units=units, actor=actor, key=number)


def _days(life: tuple[int, int]) -> tuple[date, date]:
    today = timezone.localdate()
    return today - timedelta(days=life[0]), today + timedelta(days=life[1])
