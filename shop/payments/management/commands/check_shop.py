import sys

from shop.commands import ShopCommand

from ...reconciliation.invariants import broken_invariants


class Command(ShopCommand):
    help = "Check that stock, orders, payments and carts are consistent. Exits with 1 if any row is not."

    def handle(self, *args: object, **options: object) -> None:
        broken = 0
        for invariant, rows in broken_invariants():
            broken += len(rows)
            verdict = self.style.ERROR(f"{len(rows)} broken") if rows else self.style.SUCCESS("ok")
            self.stdout.write(f"{invariant.name:4}{invariant.what}: {verdict}")
            for row in rows:
                self.stdout.write(f"      {row}")
        if broken:
            sys.exit(1)
