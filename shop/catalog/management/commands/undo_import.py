"""Undo an import as a whole: what it made goes, what it changed is as before."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from shop.commands import ShopCommand

from ...import_export.undo import begin_undo, left_of, undo
from ...models import ProductImport


class Command(ShopCommand):
    help = (
        "Undo an import by its number. Anything changed since is kept and listed. If anything it created has been "
        "ordered, nothing is undone."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("number", type=int)

    def handle(self, *args: Any, **options: Any) -> None:
        kept = ProductImport.objects.filter(pk=options["number"]).first()
        if kept is None or not begin_undo(kept):
            raise CommandError(f"Import {options['number']} has nothing to undo.")
        undo(kept)
        kept.refresh_from_db()
        if kept.problem:
            raise CommandError(kept.problem)
        left = list(left_of(kept))
        for row in left:
            self.stdout.write(f"Left: {row.kind} {row.name}: {row.left}")
        self.stdout.write(f"Undone, {len(left)} left." if left else "Undone.")
