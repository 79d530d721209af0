import sys
from datetime import datetime
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from shop.commands import ShopCommand

from ...reconciliation.jobs import JOBS, reconcile, reconcile_everything
from ...reconciliation.lost_orders import note_lost_window

WORDS = {
    "handle_events": "provider events handled",
    "expire_holds": "holds released",
    "remind_of_payment": "payment reminders sent",
    "give_back_what_is_owed": "refunds sent to the provider",
    "follow_refunds": "refunds checked",
}
# What is printed of functions that had another name when scripts began to read it.
PRINTED_NAMES = {"refund_lost_payments": "give_back_lost_payments", "issue_due_refunds": "give_back_what_is_owed"}


class Command(ShopCommand):
    help = "Bring orders, payments and refunds up to date with the provider. Safe to run at any time."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--all", action="store_true", help="Ask about every payment of the last five days now.")
        parser.add_argument(
            "--lost-since",
            metavar="TIME",
            help="After a restore: when the backup was made, such as 2026-11-21T14:00:00+00:00. Payments since then "
            "whose orders are no longer here are refunded. Never with live keys while the real shop runs "
            "elsewhere.",
        )

    def handle(self, *args: object, **options: Any) -> None:
        if options["lost_since"]:
            note_lost_window(_moment(options["lost_since"]))
        unanswered = 0
        for job in JOBS:
            job_name = PRINTED_NAMES.get(job.__name__, job.__name__)
            result = reconcile_everything() if options["all"] and job is reconcile else job()
            if isinstance(result, dict):
                unanswered += result["unanswered"]
                words = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in result.items())
            else:
                words = f"{result} {WORDS[job_name]}"
            self.stdout.write(f"{job_name}: {words}")
        if unanswered:
            self.stderr.write("The provider did not respond. Run this again later.")
            sys.exit(1)


def _moment(text: str) -> datetime:
    try:
        moment = parse_datetime(text)
    except ValueError:
        moment = None
    if moment is None or timezone.is_naive(moment) or moment > timezone.now():
        raise CommandError("--lost-since takes a past time with its offset, such as 2026-11-21T14:00:00+00:00.")
    return moment
