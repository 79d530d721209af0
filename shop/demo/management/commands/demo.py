from django.conf import settings
from django.core.management.base import CommandError

from shop.commands import ShopCommand

from ...services import load_demo


class Command(ShopCommand):
    help = "Fill an empty shop with the demo: catalogue and pictures, a customer with orders, and staff."

    def handle(self, *args: object, **options: object) -> None:
        if not (settings.DEMO or settings.DEBUG):
            raise CommandError("The demo loads in demo mode only. Set SHOP_DEMO=1.")
        loaded = load_demo(self.timed)
        self.stdout.write(f"Loaded {loaded} products." if loaded else "The shop already has products; nothing to do.")
