"""Codes by SMS cost money, and anybody may ask for one: they go to the countries that the shop delivers to, within a
budget for each country and day (settings.SMS_BUDGETS), of which strangers get a part. The owner is notified before it
ends."""

import logging
from dataclasses import dataclass
from datetime import date, timedelta
from math import ceil

import phonenumbers
from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from shop.errors import Invalid, TooMany
from shop.limits.services import consume, count_of, counts_of
from shop.markets.queries import market_registry
from shop.messaging.services import queue_mail

from ..staff.notices import owners

logger = logging.getLogger(__name__)
PURPOSE = "sms_country"
WARNED_AT = 80  # percent
STRANGERS_SHARE = 80  # percent
NOT_THERE = gettext_noop("We send SMS only to countries we deliver to. Please use your email instead.")
SPENT = gettext_noop("We can't send any more SMS today. Please use your email instead.")


@dataclass(frozen=True)
class Budget:
    """What was sent to one country today, of what may be."""

    country: str
    sent: int
    limit: int

    @property
    def percent(self) -> int:
        return 100 * self.sent // self.limit if self.limit else 100


def require_sms_country(number: str) -> None:
    """Raises Invalid for an E.164 number of a country that the shop does not deliver to."""
    if _country_of(number) not in market_registry().by_code:
        raise Invalid(gettext(NOT_THERE), fields={"mobile": [gettext(NOT_THERE)]})


def spend_sms(number: str, *, is_known: bool = False) -> None:
    """Count one SMS to an E.164 number; raises TooMany once the country's budget of today is spent.

    The last fifth is for `is_known`: browsers that the number's customer signed in with, and who is signed in. So
    strangers cannot use it up.

    Call it outside any transaction.
    """
    country, today = _country_of(number), timezone.localdate()
    limit = _limit_of(country)
    allowed = limit if is_known else ceil(limit * STRANGERS_SHARE / 100)
    try:
        consume(PURPOSE, _subject(country, today), limit=allowed, period=timedelta(days=1), message=gettext(SPENT))
    except TooMany as refusal:
        refusal.fields = {"mobile": [gettext(SPENT)]}
        raise
    budget = Budget(country, count_of(PURPOSE, _subject(country, today)), limit)
    for percent in (WARNED_AT, 100):
        if budget.percent >= percent:
            _warn(budget, percent, today)


def budgets_of_today() -> list[Budget]:
    """Of the countries to which at least 80 percent were sent."""
    today = timezone.localdate()
    countries = list(market_registry().by_code)
    sent = counts_of(PURPOSE, [_subject(country, today) for country in countries])
    budgets = [Budget(country, count, _limit_of(country)) for country, count in zip(countries, sent, strict=True)]
    return [budget for budget in budgets if budget.sent and budget.percent >= WARNED_AT]


def _limit_of(country: str) -> int:
    return int(settings.SMS_BUDGETS.get(country, settings.SMS_BUDGETS["*"]))


def _subject(country: str, today: date) -> str:
    return f"{country}|{today}"


def _country_of(number: str) -> str:
    return phonenumbers.region_code_for_number(phonenumbers.parse(number)) or ""


def _warn(budget: Budget, percent: int, today: date) -> None:
    """Tell the owners, once a country, day and step."""
    emails = {email for email in owners().values_list("email", flat=True) if email} or {settings.SHOP_EMAIL}
    logger.warning("SMS to %s: %s of %s sent today", budget.country, budget.sent, budget.limit)
    for email in emails:
        queue_mail(
            kind="sms_budget",
            to=email,
            subject=f"SMS to {budget.country}: {percent}% of today's budget is used",
            template="sms_budget",
            context={"budget": budget, "is_spent": percent == 100},
            key=f"sms_budget|{budget.country}|{today}|{percent}|{email}"[:120],
        )
