from shop.commands import ShopCommand

from ...reconciliation.jobs import expire_holds


class Command(ShopCommand):
    help = "Put back on sale what unpaid orders hold past their time, after asking the provider about each."

    def handle(self, *args, **options) -> None:
        self.stdout.write(f"{expire_holds()} holds given up")
