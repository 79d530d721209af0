import sys

from django.core.management.base import BaseCommand

from shop.payments.chores import CHORES, reconcile, reconcile_everything


class Command(BaseCommand):
    help = "Bring orders, payments and refunds up to date with the provider. Safe to run at any time."

    def add_arguments(self, parser) -> None:
        parser.add_argument("--all", action="store_true", help="Ask about every payment of the last five days now.")

    def handle(self, *args, **options) -> None:
        unanswered = 0
        for chore in CHORES:
            result = reconcile_everything() if options["all"] and chore is reconcile else chore()
            self.stdout.write(f"{chore.__name__}: {result}")
            unanswered += result.get("unanswered", 0) if isinstance(result, dict) else 0
        if unanswered:
            sys.exit(1)
