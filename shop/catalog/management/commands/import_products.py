"""Import products from a file; see shop/catalog/importing for the formats."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from tqdm import tqdm

from shop.catalog.importing.report import Outcome, Report
from shop.catalog.importing.rows import BadFile
from shop.catalog.importing.run import FORMATS, Request, import_products, read_mapping
from shop.catalog.tasks import request_fetches
from shop.commands import ShopCommand


class Command(ShopCommand):
    help = (
        "Import products from a CSV or JSON file (.gz too). Running it again changes nothing. Rows that "
        "are refused, and products kept as drafts because they have no price, are listed in the report."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--format", choices=sorted(FORMATS), required=True)
        parser.add_argument(
            "--map",
            nargs="+",
            action="extend",
            default=[],
            metavar="name=column",
            help="table only: which column is what, such as name=product_name price=final_price; a column "
            "by its name or as #3, an empty one switches a guess off",
        )
        parser.add_argument("--currency", default="INR", help="what the prices are in; converted at today's rate")
        parser.add_argument("--stock", action="store_true", help="bring the shelf to the units in the file")
        parser.add_argument(
            "--pictures", action="store_true", help="let the worker fetch the pictures that the file names by address"
        )
        parser.add_argument("--dry-run", action="store_true", help="count and report, change nothing")
        parser.add_argument("--report", type=Path, help="CSV for refusals, drafts and remarks")

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"]
        path = options["report"] or settings.DATA_DIR / "imports" / f"{file.name}.report.csv"
        bar = tqdm(total=None, unit="B", unit_scale=True, desc=file.name, disable=options["verbosity"] == 0)

        def progress(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        try:
            request = Request(
                path=file,
                format=options["format"],
                mapping=read_mapping(options["map"]),
                currency=options["currency"].upper(),
                dry_run=options["dry_run"],
                take_stock=options["stock"],
                take_pictures=options["pictures"],
            )
            with bar, Report(path) as report:
                import_products(request, report, progress)
        except BadFile as error:
            raise CommandError(error.message) from error
        self._say(report, dry_run=request.dry_run)
        if not request.dry_run:
            request_fetches()

    def _say(self, report: Report, *, dry_run: bool) -> None:
        counts = ", ".join(f"{report.counts[outcome]} {outcome}" for outcome in Outcome)
        self.stdout.write(f"{'Would be: ' if dry_run else ''}{report.rows} rows: {counts}.")
        if report.drafts:
            self.stdout.write(f"{report.drafts} of them have nothing to sell yet and are kept as unpublished drafts.")
        if report.pictures:
            self.stdout.write(f"{report.pictures} pictures {'would be' if dry_run else 'are'} fetched by the worker.")
        if report.noted:
            self.stdout.write(f"Refusals, drafts and remarks: {report.path}")
