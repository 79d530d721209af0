from argparse import ArgumentParser

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError

from shop.commands import ShopCommand

from ...services import load_demo


class Command(ShopCommand):
    help = "Fill an empty shop with the demo: catalogue and pictures, a year of orders, a customer, and staff."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--migrate", action="store_true", help="Bring the database up to date before.")

    def handle(self, *args: object, migrate: bool = False, **options: object) -> None:
        if not (settings.DEMO or settings.DEBUG):
            raise CommandError("The demo loads in demo mode only. Set SHOP_DEMO=1.")
        if migrate:
            with self.timed("Database"):
                call_command("migrate", verbosity=0, interactive=False)
        loaded = load_demo(self.timed)
        self.stdout.write(f"Loaded {loaded} products." if loaded else "The shop already has products; nothing to do.")
