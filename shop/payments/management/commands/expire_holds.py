from shop.commands import ShopCommand

from ...reconciliation.jobs import expire_holds


class Command(ShopCommand):
    help = "Release the stock of unpaid orders that have expired, after asking the provider about each."

    def handle(self, *args: object, **options: object) -> None:
        self.stdout.write(f"{expire_holds()} holds released")
