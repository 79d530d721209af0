"""Files that were uploaded: how they are kept, and pictures served by the shop itself where no CDN or file store
does."""

import errno
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.core.exceptions import SuspiciousFileOperation, SuspiciousOperation
from django.core.files.base import File
from django.core.files.storage import FileSystemStorage, Storage, default_storage
from django.db.models.fields.files import FieldFile
from django.dispatch import Signal
from django.http import Http404, HttpRequest, HttpResponseBase, HttpResponsePermanentRedirect
from django.shortcuts import redirect
from django.templatetags.static import static
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe
from django.views.static import serve

YEAR_SECONDS = 365 * 24 * 3600
DAY_SECONDS = 24 * 3600
PLACEHOLDER = "icons/placeholder.svg"
# Sent with `name`, a file of the default storage that is not there. Who can make it does so and answers True, also
# where there was no time for it now.
file_missing = Signal()


class AtomicFileStorage(FileSystemStorage):
    """A file is there whole or not at all: it gets its name when it is written to the end."""

    def _save(self, name: str, content: "File[Any]") -> str:
        unfinished = str(Path(name).with_name(f".{uuid4().hex}"))
        try:
            super()._save(unfinished, content)  # type: ignore[misc]
            Path(self.path(unfinished)).rename(self.path(name))
        except BaseException:
            self.delete(unfinished)
            raise
        return name


def local_path(file: FieldFile) -> Path:
    """Where a file that is written once is on this machine: in its folder, or fetched from its bucket and kept until
    nobody asked for it for a day. Nothing is there where the storage has no such file."""
    if is_folder(file.storage):
        return Path(file.path)
    copy = settings.DATA_DIR / "fetched" / str(file.name)
    try:
        os.utime(copy)
    except FileNotFoundError:
        _fetch(file, settings.DATA_DIR / "fetched")
    return copy


def _fetch(file: FieldFile, folder: Path) -> None:
    _forget_fetched(folder)
    try:
        source = file.storage.open(str(file.name))
    except FileNotFoundError:
        return
    with source:
        AtomicFileStorage(location=folder, allow_overwrite=True).save(str(file.name), source)


def _forget_fetched(folder: Path) -> None:
    for file in list(folder.rglob("*")):
        with suppress(OSError):  # gone meanwhile; others are in the folder
            if file.is_file() and time.time() - file.stat().st_mtime > DAY_SECONDS:
                file.unlink()
                file.parent.rmdir()


def replace_file(storage: Storage, name: str, file: Path) -> None:
    """Keep a file under a name that another may have had, which is there until this one is: both our storages give a
    name at the end."""
    with file.open("rb") as content:
        storage._save(name, File(content))  # type: ignore[attr-defined]  # `save` would choose another name


@require_safe
def media_file(request: HttpRequest, name: str) -> HttpResponseBase:
    """Serve a file of MEDIA_ROOT. Its name holds a hash of its content, so it may be kept for ever; the placeholder of
    one that is still to be made may not. Where pictures are in a bucket it leads there: mails of before name it."""
    if not is_folder(default_storage):
        return _to_bucket(name)
    try:
        response = _file(request, name)
    except Http404:
        if not is_made(name):
            raise
        try:
            response = _file(request, name)
        except Http404:
            response = redirect(static(PLACEHOLDER))
            patch_cache_control(response, no_store=True)
            return response
    patch_cache_control(response, public=True, max_age=YEAR_SECONDS, immutable=True)
    return response


def is_folder(storage: object) -> bool:
    return isinstance(storage, FileSystemStorage)


def _to_bucket(name: str) -> HttpResponseBase:
    try:
        response = HttpResponsePermanentRedirect(default_storage.url(name))
    except SuspiciousOperation as error:  # a name that leads out of the bucket, or nowhere
        raise Http404 from error
    patch_cache_control(response, public=True, max_age=DAY_SECONDS)
    return response


def is_made(name: str) -> bool:
    """Have a missing file made; tells whether it is one that is made on demand."""
    return any(answer for _, answer in file_missing.send(media_file, name=name))


def _file(request: HttpRequest, name: str) -> HttpResponseBase:
    try:
        return serve(request, name, document_root=str(settings.MEDIA_ROOT))
    except SuspiciousFileOperation as error:  # a name that leads out of the folder
        raise Http404 from error
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise
        raise Http404 from error
