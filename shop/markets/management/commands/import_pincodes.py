"""Load a directory of Indian PIN codes; see shop/markets/geography/pin_directory.py for the columns."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from tqdm import tqdm

from shop.commands import ShopCommand
from shop.errors import Invalid

from ...geography.pin_directory import SHIPPED, load_directory

REFUSALS_SHOWN = 20


class Command(ShopCommand):
    help = (
        "Import PIN codes with their places and states from a CSV file (.gz too), so that an address form "
        "fills the city; without a file those that the shop comes with. Running it again changes nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, nargs="?", default=SHIPPED)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        with tqdm(unit=" lines", disable=None) as bar:
            try:
                loaded = load_directory(file, progress=lambda lines: bar.update(lines - bar.n))
            except Invalid as refusal:
                raise CommandError(refusal.message) from refusal
        for line, reason in loaded.refused[:REFUSALS_SHOWN]:
            self.stderr.write(f"line {line}: {reason}")
        if len(loaded.refused) > REFUSALS_SHOWN:
            self.stderr.write(f"and {len(loaded.refused) - REFUSALS_SHOWN} more lines")
        self.stdout.write(
            f"{loaded.added} added, {loaded.changed} changed, {loaded.same} unchanged, {len(loaded.refused)} refused; "
            f"{loaded.moved} are in a state that has been renamed"
        )
