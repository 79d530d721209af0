"""The message that a pack is due: one for each customer and day, however often the job runs."""

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import translation
from django.utils.translation import gettext, ngettext

from shop.accounts.models import Customer
from shop.jobs.services import for_each
from shop.markets.canonical import address_in
from shop.markets.models import Location
from shop.markets.queries import market_registry
from shop.messaging.languages import spoken
from shop.messaging.services import queue_mail, queue_sms

from ..models import Refill, RefillReminder
from .links import end_path, refill_path
from .present import RefillOffer, offers_of
from .queries import day_of_reminders, days_until_next, next_day
from .services import end_refills, move

BATCH = 200
KIND = "refill_reminder"


def send_refill_reminders() -> int:
    """A scheduled job; returns how many messages were queued."""
    due = Refill.objects.due().filter(customer=OuterRef("pk"))
    customers = Customer.objects.filter(Exists(due), is_active=True, deleted_at=None)
    return for_each("send_refill_reminders", customers.order_by("pk")[:BATCH], _remind)


@transaction.atomic
def _remind(customer: Customer) -> bool:
    """Queue one message for what is due, read anew under the lock of its rows: of two at once the second finds none.
    Writes the next dates; what was bought meanwhile only moves, what is not sold any more ends."""
    due = [refill for refill in _locked(customer) if not _moved(refill)]
    if not due:
        return False
    reminder = RefillReminder.objects.create(customer=customer)
    reminder.refills.set(due)
    for refill in due:
        move(refill, day_of_reminders(refill.location_id) + timedelta(days=days_until_next(refill)))
    offers = _notify(customer, reminder, due)
    end_refills(reminder.refills.filter(pk__in=[offer.refill.pk for offer in offers if offer.is_gone]))
    return True


def _locked(customer: Customer) -> QuerySet[Refill]:
    rows = Refill.objects.due().filter(customer=customer).with_purchases()
    return rows.select_for_update(of=("self",)).select_related("variant").order_by("pk")


def _moved(refill: Any) -> bool:
    """Whether a purchase since moved it to a later day, which is written then."""
    day = next_day(refill)
    if day <= day_of_reminders(refill.location_id):
        return False
    move(refill, day)
    return True


def _notify(customer: Customer, reminder: RefillReminder, due: list[Refill]) -> list[RefillOffer]:
    location, language = _location_of(due), spoken(customer.language)
    with translation.override(language):
        offers = offers_of(due, market_registry().market(location))
        context = {
            "name": customer.name,
            "rows": [_facts(offer) for offer in offers],
            "refill_url": address_in(location, language, refill_path(reminder.pk)),
            "end_url": address_in(location, language, end_path(reminder.pk)),
        }
        subject = _subject(offers)
    about: dict[str, Any] = {"kind": KIND, "template": KIND, "context": context, "language": language}
    about["key"] = f"{KIND}:{reminder.pk}"
    if customer.email:
        one_click = {
            "List-Unsubscribe": f"<{context['end_url']}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"
        }  # fmt: skip
        queue_mail(to=customer.email, subject=subject, headers=one_click, **about)
    elif customer.phone:
        queue_sms(to=customer.phone, **about)
    return offers


def _location_of(due: list[Refill]) -> Location:
    """Where the newest of them was asked for: prices and address are of that country."""
    return market_registry().locations[max(due, key=lambda refill: refill.changed_at).location_id]


def _facts(offer: RefillOffer) -> dict[str, Any]:
    return {
        "name": offer.name,
        "pack": offer.pack,
        "quantity": offer.refill.quantity,
        "price": offer.price,
        "status": offer.status.rstrip("."),
        "note": gettext("This is the last reminder.") if offer.is_gone else offer.note,
    }


def _subject(offers: list[RefillOffer]) -> str:
    name, more = offers[0].name, len(offers) - 1
    if not more:
        return gettext("Running low on %(name)s?") % {"name": name}
    words = ngettext(
        "Running low? %(name)s and %(more)s other product", "Running low? %(name)s and %(more)s other products", more
    )
    return words % {"name": name, "more": more}
