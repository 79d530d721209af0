"""Files whose rows go, or never come. Each is noted in the transaction that decides so and removed after it; what could
not be removed then, a scheduled job removes later, until it is gone.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from typing import Any

from django.core.files.base import File
from django.core.files.storage import Storage, default_storage, storages
from django.db import transaction
from django.db.models.fields.files import FieldFile
from django.utils import timezone

from shop.errors import FilesUnavailable, is_passing
from shop.rows import each_row

from .models import FileToRemove

logger = logging.getLogger(__name__)
ARRIVING = timedelta(hours=1)  # in which new files and their rows are saved
AGAIN = timedelta(minutes=5)


def remove_after_commit(files: Iterable[FieldFile]) -> None:
    """Have files of rows that go removed once that is committed. Raises nothing after the commit."""
    files = list(files)
    for file, noted in zip(files, _note(files, timezone.now() + AGAIN), strict=True):
        _remove_on_commit(noted, file.storage)


@contextmanager
def new_files(contents: Sequence[tuple[FieldFile, str, "File[Any]"]]) -> Iterator[Callable[[], None]]:
    """Save files (field, name, content) of rows that the block saves in a transaction, in which it calls what it is
    given. They go again when that is not committed: each is noted before it is sent, as it may arrive unheard.

    Raises what the storage raises; the call FilesUnavailable where a job, an hour later, took the files for lost.
    """
    files = [_named(file, name) for file, name, _ in contents]
    until = timezone.now() + ARRIVING
    noted = _note(files, until)
    own = FileToRemove.objects.filter(pk__in=[one.pk for one in noted])

    def keep() -> None:
        if noted and own.filter(due_at=until).delete()[0] != len(noted):
            raise FilesUnavailable()

    try:
        for file, (_, _, content) in zip(files, contents, strict=True):
            file.storage.save(str(file.name), content, max_length=file.field.max_length)
        yield keep
    except BaseException:
        with suppress(Exception):  # the job's then; what refused them is what is told
            own.update(due_at=timezone.now())
            left = set(own.values_list("pk", flat=True))  # none where it was committed all the same
            for file, one in zip(files, noted, strict=True):
                if one.pk in left:
                    with suppress(Exception):
                        _remove(one, file.storage)
        raise


def remove_left_files() -> int:
    """Scheduled job: remove what could not be removed in its time."""
    removed = 0
    for one in each_row(FileToRemove.objects.filter(due_at__lte=timezone.now())):
        claim = FileToRemove.objects.filter(pk=one.pk, due_at=one.due_at)
        if not claim.update(due_at=timezone.now() + AGAIN):
            continue
        try:
            _remove(one, storages[one.storage])
            removed += 1
        except Exception as error:
            if is_passing(error):
                continue  # it is said where it failed
            logger.exception("%s could not be removed; it is tried again", one.name)
    return removed


def _named(file: FieldFile, name: str) -> FieldFile:
    """The field's file under the name that it will have."""
    row, field = file.instance, file.field
    setattr(row, field.attname, field.generate_filename(row, name))
    named: FieldFile = getattr(row, field.attname)
    return named


def _note(files: Iterable[FieldFile], due_at: datetime) -> list[FileToRemove]:
    rows = [FileToRemove(storage=_alias(file.storage), name=str(file.name), due_at=due_at) for file in files]
    return FileToRemove.objects.bulk_create(rows)


def _alias(storage: Storage) -> str:
    return "default" if storage == default_storage else "private"


def _remove_on_commit(noted: FileToRemove, storage: Storage) -> None:
    def remove() -> None:  # a partial has no name, of which Django tells when it fails
        _remove(noted, storage)

    transaction.on_commit(remove, robust=True)


def _remove(noted: FileToRemove, storage: Storage) -> None:
    storage.delete(noted.name)
    FileToRemove.objects.filter(pk=noted.pk).delete()
