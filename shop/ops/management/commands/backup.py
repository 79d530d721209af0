from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.db import DatabaseError

from shop.commands import ShopCommand

from ...backup import OldCopiesStay, copies_in, make_copy
from ...database.copies import CopyFailed


class Command(ShopCommand):
    help = "Back up the database and all files to a new folder or bucket while the shop runs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "folder",
            nargs="?",
            default=settings.BACKUP_DIR,
            help="Where backups are kept: a folder, or s3://bucket/prefix (default: BACKUP_DIR).",
        )
        parser.add_argument(
            "--keep", type=int, default=settings.BACKUP_KEEP, help="How many of the newest backups to keep."
        )

    def handle(self, *, folder: str, keep: int, **options: object) -> None:
        if not folder:
            raise CommandError("Name a folder for the backups, or set BACKUP_DIR.")
        if keep < 1:
            raise CommandError("--keep takes a number of 1 or more.")
        try:
            copy = make_copy(folder, keep=keep)
        except OldCopiesStay as error:
            raise CommandError(str(error)) from error
        except (CopyFailed, OSError, DatabaseError) as error:
            raise CommandError(f"No backup was made. {error}") from error
        try:
            kept = len(copies_in(folder))
        except (CopyFailed, OSError) as error:
            raise CommandError(f"Copied to {copy}, but the copies there could not be counted. {error}") from error
        self.stdout.write(f"Copied to {copy}; {kept} copies are kept.")
