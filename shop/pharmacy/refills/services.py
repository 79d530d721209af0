"""What customers and staff do with refills. Each owns its transaction; twice is safe."""

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from shop.accounts.models import Customer
from shop.catalog.models import Variant
from shop.errors import Invalid, NotFound, ShopError
from shop.orders.models import OrderLine

from ..models import Refill, RefillReminder
from .models import INTERVALS, LEAD_DAYS, MAX_PACK_DAYS, MIN_PACK_DAYS
from .queries import bought_lines, day_after_purchase

State = Refill.State
MAX_REFILLS = 30  # of one customer
LINK_VALID_FOR = timedelta(days=180)  # since it was sent
# Units of a pack that somebody uses a number of a day, as staff type them.
MEASURED = frozenset(("tablets", "capsules", "softgels", "pills", "sachets", "bags", "sticks", "ml", "g"))


@dataclass(frozen=True, slots=True)
class RefillRequest:
    """How many packs, and every how many days; or, with `per_day`, when they run out at so many units a day."""

    quantity: int
    interval: int | None = None
    per_day: Decimal | None = None


def is_measured(variant: Variant) -> bool:
    """Whether it can be worked out when the pack runs out."""
    return bool(variant.net_quantity) and variant.net_unit.lower() in MEASURED


def pack_days(variant: Variant, refill_request: RefillRequest) -> int:
    """How long the packs of a measured variant last, in whole days."""
    return int((variant.net_quantity or 0) * refill_request.quantity / (refill_request.per_day or Decimal(1)))


def bought_line(pk: int, *, customer: Customer) -> OrderLine:
    """An own line that may be asked for again; raises NotFound."""
    own = bought_lines().filter(pk=pk, order__customer=customer)
    line: OrderLine | None = own.select_related("order", "variant__product").first()
    if line is None:
        raise NotFound()
    return line


@transaction.atomic
def save_refill(customer: Customer, variant: Variant, refill_request: RefillRequest, *, location_id: int) -> Refill:
    """Begin to remind of a pack, or change how; what was ended or paused begins anew. The first date counts from the
    latest purchase, unless it would be over by now.

    Raises Invalid, ShopError `too_many_refills`. Locks the customer, then the refill, whose interval, date and state
    are written.
    """
    days = _days_of(variant, refill_request)
    Customer.objects.select_for_update(no_key=True).only("pk").get(pk=customer.pk)
    living = customer.refills.living()
    if not living.filter(variant=variant).exists() and living.count() >= MAX_REFILLS:
        words = gettext("You can have up to %(most)s refill reminders. Please stop one first.")
        raise ShopError(words % {"most": MAX_REFILLS}, "too_many_refills")
    now, today = timezone.now(), timezone.localdate()
    values = {
        "quantity": refill_request.quantity, "days": days, "per_day": refill_request.per_day,
        "location_id": location_id, "state": State.ACTIVE, "changed_at": now, "counted_at": now,
        "next_on": today + timedelta(days=days),
    }  # fmt: skip
    refill: Refill = customer.refills.update_or_create(variant=variant, defaults=values)[0]
    bought = Refill.objects.with_purchases().get(pk=refill.pk)
    if bought.bought_at is not None and (day := day_after_purchase(bought)) > today:
        refill.next_on = day
        refill.save(update_fields=["next_on"])
    return refill


def _days_of(variant: Variant, refill_request: RefillRequest) -> int:
    """From one reminder to the next; raises Invalid."""
    if not 1 <= refill_request.quantity <= variant.max_purchase_qty:
        words = gettext("Choose a quantity from 1 to %(most)s.") % {"most": variant.max_purchase_qty}
        raise Invalid(words, fields={"quantity": [words]})
    if refill_request.per_day is None:
        if refill_request.interval not in INTERVALS:
            raise Invalid(gettext("Choose when we should remind you."), fields={"when": [gettext("Choose one.")]})
        return refill_request.interval
    if not is_measured(variant) or refill_request.per_day <= 0:
        raise Invalid(gettext("We can't tell when this pack runs out. Choose 30, 60 or 90 days."))
    lasts = pack_days(variant, refill_request)
    if not MIN_PACK_DAYS <= lasts <= MAX_PACK_DAYS:
        words = gettext("At that rate it would last %(days)s days. Choose 30, 60 or 90 days, or change the amount.")
        words %= {"days": lasts}
        raise Invalid(words, fields={"per_day": [words]})
    return lasts - LEAD_DAYS


def move(refill: Refill, day: date) -> None:
    """Write another date, counted from now on. The refill is locked."""
    refill.next_on, refill.counted_at = day, timezone.now()
    refill.save(update_fields=["next_on", "counted_at"])


def pause_refill(customer: Customer, pk: int) -> bool:
    """Returns whether that was news; so do the next ones. Raises NotFound."""
    return _change(_own(customer, pk), State.ACTIVE, state=State.PAUSED)


def resume_refill(customer: Customer, pk: int) -> bool:
    """What became due meanwhile is reminded of tomorrow."""
    own = _own(customer, pk)
    tomorrow = timezone.localdate() + timedelta(days=1)
    with transaction.atomic():
        _change(own.filter(next_on__lt=tomorrow), State.PAUSED, next_on=tomorrow)
        return _change(own, State.PAUSED, state=State.ACTIVE)


def end_refill(customer: Customer, pk: int) -> bool:
    return end_refills(_own(customer, pk)) > 0


def end_refills(refills: QuerySet[Refill]) -> int:
    """For good, by the customer's link or by staff; returns how many still lived. Nothing is sent afterwards: the job
    that sends locks the rows that it finds active."""
    return refills.exclude(state=State.ENDED).update(state=State.ENDED, changed_at=timezone.now())


def _own(customer: Customer, pk: int) -> QuerySet[Refill]:
    own: QuerySet[Refill] = customer.refills.living().filter(pk=pk)
    if not own.exists():
        raise NotFound()
    return own


def _change(refills: QuerySet[Refill], before: str, **values: Any) -> bool:
    return bool(refills.filter(state=before).update(changed_at=timezone.now(), **values))


def delete_old_refills() -> int:
    """A scheduled job: what was ended, and messages, go once their links open nothing any more."""
    before = timezone.now() - LINK_VALID_FOR
    RefillReminder.objects.filter(sent_at__lt=before).delete()
    return Refill.objects.filter(state=State.ENDED, changed_at__lt=before).delete()[1].get("pharmacy.Refill", 0)
