from django.core.management.base import CommandError, CommandParser

from shop.commands import ShopCommand
from shop.errors import Invalid

from ...exchange_rates import read_rates, refresh_rates
from ...queries import stale_currencies


class Command(ShopCommand):
    help = 'Save new rates (INR for one unit) from JSON {"USD": "88.5"} or CSV currency,inr.'

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("source", metavar="FILE|URL")
        parser.add_argument("--force", action="store_true", help="Allow changes over 20%%.")

    def handle(self, *, source: str, force: bool, **options: object) -> None:
        try:
            outcome = refresh_rates(read_rates(source), source=source, force=force)
        except Invalid as refusal:
            raise CommandError(refusal.message) from refusal
        self.stdout.write(f"{len(outcome.written)} rates written")
        if old := stale_currencies():
            self.stderr.write(f"Still older than 7 days: {', '.join(old)}")
        if outcome.refused:
            raise CommandError(
                "\n".join(f"{currency} refused: {reason}" for currency, reason in outcome.refused.items())
            )
