from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError
from django.db import DatabaseError

from shop.commands import ShopCommand

from ...backup import copies_in, make_copy
from ...database_copies import CopyFailed


class Command(ShopCommand):
    help = "Copy the database and all files into a new folder, while the shop runs."

    def add_arguments(self, parser) -> None:
        parser.add_argument(
            "folder", nargs="?", default=settings.BACKUP_DIR, help="Where copies are kept; BACKUP_DIR by itself."
        )
        parser.add_argument("--keep", type=int, default=settings.BACKUP_KEEP, help="How many of the newest stay.")

    def handle(self, *, folder: str, keep: int, **options) -> None:
        if not folder:
            raise CommandError("Name a folder for the copies, or set BACKUP_DIR.")
        if keep < 1:
            raise CommandError("--keep takes a number from 1.")
        try:
            copy = make_copy(Path(folder).resolve(), keep=keep)
        except (CopyFailed, OSError, DatabaseError) as error:
            raise CommandError(f"No copy was made. {error}") from error
        self.stdout.write(f"Copied to {copy}; {len(copies_in(copy.parent))} copies are kept.")
