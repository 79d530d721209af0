"""Import products from a file; see shop/catalog/import_export/formats for the formats."""

from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from tqdm import tqdm

from shop.commands import ShopCommand

from ...import_export.formats.base import formats
from ...import_export.lookups import NewName
from ...import_export.near_names import described
from ...import_export.new_names import read_choices
from ...import_export.report import Outcome, Report
from ...import_export.rows import BadFile
from ...import_export.run import Request, import_products, read_mapping
from ...import_export.services import end_run, note_heartbeat, record_run
from ...tasks import request_fetches


class Command(ShopCommand):
    help = (
        "Import products from a CSV, JSON (.gz too) or XLSX file. Running it again changes nothing. Rows that "
        "are refused, and products kept as drafts because they have no price, are listed in the report."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--format", choices=sorted(formats()), required=True)
        parser.add_argument(
            "--map",
            nargs="+",
            action="extend",
            default=[],
            metavar="name=column",
            help="table only: which column holds what, such as name=product_name price=final_price; a column "
            "by its name or as #3; leave it empty to turn a guess off",
        )
        parser.add_argument("--currency", default="INR", help="the currency of the prices; converted at today's rate")
        parser.add_argument("--stock", action="store_true", help="set stock to the units in the file")
        parser.add_argument(
            "--pictures", action="store_true", help="have the worker download the pictures that the file links to"
        )
        drafts = parser.add_mutually_exclusive_group()
        drafts.add_argument(
            "--drafts", action="store_true", default=None, help="do not publish new products (the default for tables)"
        )
        drafts.add_argument(
            "--publish",
            action="store_false",
            dest="drafts",
            help="publish new products (the default for other formats)",
        )
        parser.add_argument(
            "--use",
            nargs="+",
            action="extend",
            default=[],
            metavar="kind:new=known",
            help="use an existing category, brand or concern for a new one, by name: "
            "'category:Ayurvda > Powdr=Ayurveda > Powders' 'brand:Vanamitr=Vanamitra'",
        )
        parser.add_argument(
            "--no-new-names",
            action="store_true",
            help="refuse the file if it would create a category, brand or concern",
        )
        parser.add_argument("--dry-run", action="store_true", help="count and report, change nothing")
        parser.add_argument("--report", type=Path, help="CSV file for refusals, drafts and remarks")

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"]
        path = options["report"] or settings.DATA_DIR / "imports" / f"{file.name}.report.csv"
        bar = tqdm(total=None, unit="B", unit_scale=True, desc=file.name, disable=options["verbosity"] == 0)

        def progress(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        format, drafts = options["format"], options["drafts"]
        try:
            request = Request(
                path=file,
                format=format,
                mapping=read_mapping(options["map"]),
                currency=options["currency"].upper(),
                dry_run=options["dry_run"],
                take_stock=options["stock"],
                take_pictures=options["pictures"],
                as_drafts=formats()[format].new_are_drafts if drafts is None else drafts,
                choices=read_choices(options["use"]),
            )
            if options["no_new_names"] and not request.dry_run:
                self._refuse_new_names(request, path)
            with bar, Report(path) as report:
                number, new_names = self._run(request, report, progress)
        except BadFile as error:
            raise CommandError(error.message) from error
        self._say(report, request)
        self._list_new_names(new_names, known=request.dry_run)
        if number:
            self.stdout.write(f"To undo it: manage.py undo_import {number}")
            request_fetches()

    def _run(self, request: Request, report: Report, progress: Callable[[int, int], None]) -> tuple[int, list[NewName]]:
        """Its number (0 for a dry run), and what it made, or would make."""
        if request.dry_run:
            return 0, import_products(request, report, progress)
        kept = record_run(request.path, request)

        def heartbeat_progress(done: int, total: int) -> None:
            note_heartbeat(kept)
            progress(done, total)

        try:
            names = import_products(replace(request, named_by=kept.pk), report, heartbeat_progress)
        except BaseException as error:
            reason = error.message if isinstance(error, BadFile) else f"It stopped: {type(error).__name__}."
            end_run(kept, report, reason)
            raise
        end_run(kept, report)
        return kept.pk, names

    def _refuse_new_names(self, request: Request, path: Path) -> None:
        with Report(path) as report:
            names = import_products(replace(request, dry_run=True), report)
        if names:
            self._list_new_names(names, known=True)
            raise CommandError(f"The file has {len(names)} names that the shop does not have. Nothing was imported.")

    def _list_new_names(self, names: list[NewName], *, known: bool) -> None:
        """With what is like them, unless they are made: then they would be like themselves."""
        for row in described(names, with_near=known):
            near = f", like {' or '.join(name for _, name in row['near'])}" if row["near"] else ""
            plural = "" if row["products"] == 1 else "s"
            self.stdout.write(f"New {row['kind']}: {row['name']} ({row['products']} product{plural}{near})")

    def _say(self, report: Report, request: Request) -> None:
        dry_run = request.dry_run
        counts = ", ".join(f"{report.counts[outcome]} {outcome}" for outcome in Outcome)
        self.stdout.write(f"{'Would be: ' if dry_run else ''}{report.rows} rows: {counts}.")
        if report.drafts:
            self.stdout.write(f"{report.drafts} of them have nothing to sell yet and are kept as unpublished drafts.")
        if report.unpublished:
            self.stdout.write(f"{report.unpublished} new products are drafts until they are published (or --publish).")
        if report.pictures:
            self.stdout.write(f"{report.pictures} pictures {'would be' if dry_run else 'are'} fetched by the worker.")
        for remark in report.remarks:
            self.stdout.write(f"{remark[:1].upper()}{remark[1:]}.")
        if report.noted:
            self.stdout.write(f"Refusals, drafts and remarks: {report.path}")
