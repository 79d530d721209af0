"""Times are shown in the time zone of the market, and say which."""

import re
from datetime import UTC, date, datetime, timedelta
from importlib import import_module
from pathlib import Path

import pytest
import time_machine
from django.apps import apps
from django.core.exceptions import ValidationError
from django.utils import timezone

from shop.catalog.products.delivery_dates import delivery_for

from ..geography.local_time import (
    clock_words,
    delivery_starts,
    in_zone_of,
    moment_words,
    next_midnight,
    time_left_words,
    today_in,
)
from ..models import Location
from ..queries import market_registry

pytestmark = pytest.mark.django_db
TEMPLATES = Path(__file__).resolve().parents[3] / "templates"
STAFF = (
    "backoffice/",
    "import_export/",
    "bulk_edit/",
    "catalog/pictures/",
    "payments/drafts/caller.html",
    "payments/drafts/draft.html",
    "catalog/editing/",
    "care/inbox/",
    "reviews/inbox/",
    "accounts/customers/",
    "admin/",
    "emails/desk_",
    "emails/payment_dispute",
    "reports/",
    "unfold/",
)


def market(code):
    return market_registry().market(market_registry().by_code[code])


@pytest.mark.parametrize(
    ("code", "month", "words"),
    [
        *[("GB", 11, "22 Nov 2026, 14:05 GMT"), ("GB", 7, "22 Jul 2026, 15:05 BST")],
        *[("IN", 11, "22 Nov 2026, 19:35 IST"), ("US", 11, "22 Nov 2026, 09:05 EST")],
        *[("AU", 11, "23 Nov 2026, 01:05 AEDT"), ("AE", 11, "22 Nov 2026, 18:05 GMT+4")],
        *[("NP", 11, "22 Nov 2026, 19:50 GMT+5:45"), ("BR", 11, "22 Nov 2026, 11:05 GMT-3")],
        # Their short names are those of other zones, too: IST, CST, PST.
        *[("IE", 7, "22 Jul 2026, 15:05 GMT+1"), ("IL", 11, "22 Nov 2026, 16:05 GMT+2")],
        *[("CN", 11, "22 Nov 2026, 22:05 GMT+8"), ("PH", 11, "22 Nov 2026, 22:05 GMT+8")],
        *[("MX", 11, "22 Nov 2026, 08:05 GMT-6"), ("LK", 11, "22 Nov 2026, 19:35 GMT+5:30")],
    ],
)
def test_a_moment_is_told_in_the_time_of_the_market_by_name(code, month, words):
    at = datetime(2026, month, 22, 14, 5, tzinfo=UTC)
    assert moment_words(at, market(code)) == words
    assert moment_words(at, market_registry().by_code[code].pk) == words


def test_staff_read_indian_time_and_so_does_who_is_nowhere():
    at = datetime(2026, 11, 22, 14, 5, tzinfo=UTC)
    assert moment_words(at) == moment_words(at, 9999) == moment_words(at, None) == "22 Nov 2026, 19:35 IST"
    assert moment_words(None, market("GB")) == clock_words(None) == time_left_words(None) == ""


@time_machine.travel(datetime(2026, 11, 22, 23, 50, tzinfo=UTC), tick=False)
def test_the_clock_tells_the_day_unless_it_is_today():
    soon = timezone.now() + timedelta(minutes=5)
    assert clock_words(soon, market("GB")) == "23:55 GMT"
    assert clock_words(soon + timedelta(minutes=10), market("GB")) == "23 Nov, 00:05 GMT"


@time_machine.travel(datetime(2026, 11, 22, 14, 5, tzinfo=UTC), tick=False)
@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        *[(1500, "25 minutes"), (1499, "25 minutes"), (1441, "25 minutes"), (60, "1 minute"), (1, "1 minute")],
        *[(3600, "1 hour"), (3900, "1 hour 5 minutes"), (7260, "2 hours 1 minute"), (0, ""), (-1, ""), (-9000, "")],
    ],
)
def test_what_is_left_is_rounded_up_to_minutes(seconds, words):
    assert time_left_words(timezone.now() + timedelta(seconds=seconds)) == words


def test_every_location_has_a_time_zone_of_its_own_country():
    for location in Location.objects.all():
        location.clean_fields()
        assert location.time_zone != "UTC", location
    odd = Location.objects.get(code="GB")
    odd.time_zone = "Europe/Manchester"
    with pytest.raises(ValidationError, match="IANA"):
        odd.clean_fields()


def test_a_zone_written_past_the_form_breaks_no_page():
    Location.objects.filter(code="GB").update(time_zone="../etc/passwd")
    assert moment_words(datetime(2026, 11, 22, 14, 5, tzinfo=UTC), market("GB")).endswith(("GMT", "UTC"))


def test_the_migration_fills_what_is_empty_and_keeps_what_staff_set():
    Location.objects.update(time_zone="UTC")
    Location.objects.filter(code="US").update(time_zone="America/Chicago")
    import_module("shop.markets.migrations.0004_location_time_zone").load(apps, None)
    zones = dict(Location.objects.values_list("code", "time_zone"))
    assert (zones["US"], zones["GB"], zones["IN"]) == ("America/Chicago", "Europe/London", "Asia/Kolkata")


@pytest.mark.parametrize(
    ("now", "code", "today", "starts"),
    [
        ((18, 29), "IN", 22, 22),
        ((18, 31), "IN", 23, 23),
        ((18, 31), "US", 22, 23),  # it is tomorrow in India already: the promise counts from there
        ((12, 0), "US", 22, 22),
        ((13, 0), "NZ", 23, 23),  # and in Auckland before
        ((10, 0), "NZ", 22, 22),
    ],
)
def test_days_of_delivery_count_from_the_later_today(now, code, today, starts, make_product):
    with time_machine.travel(datetime(2026, 11, 22, *now, tzinfo=UTC), tick=False):
        there = market(code)
        assert (today_in(there), delivery_starts(there)) == (date(2026, 11, today), date(2026, 11, starts))
        delivery = delivery_for(make_product("Oil"), there)
        assert delivery.order_on == today_in(there)
        assert delivery.dispatch_by == date(2026, 11, starts + 2)
        assert next_midnight(there) > timezone.now()
        assert in_zone_of(there, next_midnight(there)).date() == date(2026, 11, today + 1)


def test_no_page_or_mail_of_a_shopper_shows_a_moment_without_its_zone():
    """A moment's date is taken |local:…, its time by |moment or |clock; <time datetime> holds the ISO form."""
    moment = re.compile(r"\{\{ ?[\w.]*(?:_at|\bat|\bsince|_until|_by)\|date:(?!['\"]c['\"])")
    dates = ("deliver_by", "dispatch_by")  # and days, which have no time
    for path in TEMPLATES.rglob("*.*"):
        name, text = path.relative_to(TEMPLATES).as_posix(), path.read_text()
        if any(part in name for part in STAFF):
            continue
        assert "H:i" not in text, f"{name}: say it by |moment or |clock"
        found = [one for one in moment.findall(text) if not any(day in one for day in dates)]
        assert not found, f"{name}: {found}"
