from django.core.management import call_command
from django.core.management.base import CommandError, CommandParser
from django.db import DatabaseError

from shop.commands import ShopCommand

from ...backup import is_empty, read_copy, restore_copy
from ...database.copies import CopyFailed


class Command(ShopCommand):
    help = "Restore this shop from a backup. The shop must not be running."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "folder", help="A backup, or the folder or s3://bucket/prefix of backups (the newest is used)."
        )
        parser.add_argument("--force", action="store_true", help="Replace what is there now.")
        parser.add_argument(
            "--reconcile",
            action="store_true",
            help="Then compare with the payment provider, refund what was paid for lost orders, and run check_shop. "
            "Not for a drill with live keys, where the orders are not lost.",
        )

    def handle(self, *, folder: str, force: bool, reconcile: bool, **options: object) -> None:
        try:
            copy, manifest = read_copy(folder)
            if not (force or is_empty()):
                raise CommandError("There is already a shop here. Use --force to replace its database and files.")
            restore_copy(copy, manifest)
        except (CopyFailed, OSError, DatabaseError) as error:
            raise CommandError(f"The shop was not restored. {error}") from error
        since = manifest["started_at"]
        rows = sum(manifest["database"]["rows"].values())
        files = sum(facts["count"] for facts in manifest["files"].values())
        self.stdout.write(f"Restored {rows} rows and {files} files from {copy}: the shop as it was at {since}.")
        if reconcile:
            call_command("reconcile_payments", all=True, lost_since=since)
            call_command("check_shop")
        else:
            self.stdout.write(
                "Before you open it: manage.py reconcile_payments --all, with --lost-since "
                f"{since} if payments since then should be refunded; then manage.py check_shop."
            )
