"""Pictures: what an upload must be, and the renditions that pages and calls show.

The source and its renditions lie in one folder named by the hash of what was uploaded, so an
address never changes its bytes and may be cached for ever:

    pictures/ab/<digest>/source.jpg   320.webp  320.jpg  640.webp  640.jpg      at once
                                      1200.webp …        320.avif …  1200.avif  by the worker

A page names a hundred pictures, and hashes cannot be compressed: whole ones were a third of the home page's bytes.
"""

import hashlib
import re
import subprocess  # nosec B404
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import BytesIO
from typing import Any, TypeAlias

from django.conf import settings
from django.core.files.base import ContentFile, File
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import UploadedFile
from django.db.models import CharField, Exists, OuterRef
from django.db.models.functions import Cast
from django.utils.translation import gettext, gettext_noop
from PIL import Image

from shop.errors import Busy, Invalid
from shop.http.media import is_made
from shop.invalidation.models import Change
from shop.invalidation.services import invalidate
from shop.jobs.models import FailedRow
from shop.jobs.services import for_each

from ..models import Picture
from . import decoder
from .decoder import FORMATS, MAX_PIXELS, UNREADABLE

MAX_BYTES = 5 * 1024 * 1024
MAX_PIXELS_HERE = 4_000_000  # what a decoder takes for more belongs into a process of its own
MAX_QUEUE = 3  # of the few places of a web process (shop/ops/request_buffering.py) one is left to everybody else
MAX_WAIT = 15  # seconds
NOT_A_PICTURE = gettext_noop("Use a JPEG, PNG or WebP picture.")
TRY_AGAIN = gettext_noop("We're busy with other pictures right now. Please try again in a moment.")
WIDTHS = (320, 640, 1200, 1800)
FIRST_WIDTHS = (320, 640)
ENCODERS: dict[str, tuple[str, dict[str, Any]]] = {
    "jpg": ("JPEG", {"quality": 82, "optimize": True, "progressive": True}),
    "webp": ("WEBP", {"quality": 78, "method": 2}),
    "avif": ("AVIF", {"quality": 62, "speed": 8, "max_threads": 1}),
}
DIGITS = 16  # of a SHA-256: two of a million pictures share them once in 40 million shops
DIGEST = rf"[0-9a-f]{{{DIGITS},64}}"  # until November 2026 folders and exports had all 64
_SOURCE = re.compile(rf"/pictures/[0-9a-f]{{2}}/({DIGEST})/source\.(?:jpg|png)(?:#({DIGEST}))?\Z")


Upload: TypeAlias = "bytes | UploadedFile[Any]"
_queue = threading.BoundedSemaphore(MAX_QUEUE)
_decoding = threading.Lock()


@dataclass(frozen=True, slots=True)
class StoredPicture:
    """A picture whose files are in place and whose row is still to be written."""

    name: str
    digest: str
    width: int
    height: int
    is_complete: bool = False


def add_picture(data: bytes, *, alt: str = "") -> Picture:
    """Keep an uploaded JPEG, PNG or WebP; the same bytes again give the same row.

    Raises Invalid when it is no such picture, over 5 MB or over 25 megapixels.
    """
    known = Picture.objects.filter(digest=digest_of(data)).first()
    if known:
        return known
    stored = store_picture(data)
    fields = {"file": stored.name, "width": stored.width, "height": stored.height, "alt": alt[:200]}
    return Picture.objects.get_or_create(digest=stored.digest, defaults=fields)[0]


def store_picture(data: bytes) -> StoredPicture:
    """Check an upload and write its files, without touching the database."""
    with decoded(data) as image:
        return store_image(image, digest=digest_of(data))


def store_image(image: Image.Image, *, digest: str, folder: str = "", complete: bool = False) -> StoredPicture:
    """Write first (or all) renditions, then the source: where a source is, the rest is too."""
    folder = folder or folder_of(digest)
    make_first_renditions(image, folder)
    if complete:
        _make_other_renditions(image, folder)
    source = f"{folder}/source.{'png' if image.mode == 'RGBA' else 'jpg'}"
    _put(source, _encode_source(image))
    return StoredPicture(source, digest, image.width, image.height, complete)


def make_first_renditions(image: Image.Image, folder: str) -> None:
    """What a page needs at once: WebP and JPEG at 320 and 640 pixels."""
    for width in sorted(_first_widths(image.width), reverse=True):
        image = _scaled(image, width)
        for extension in ("webp", "jpg"):
            _put(f"{folder}/{width}.{extension}", _encode(image, extension))


def complete_renditions(picture_id: int) -> None:
    """Make the wide renditions and AVIF; doing it twice, or two at once, ends the same."""
    picture = Picture.objects.filter(pk=picture_id, is_complete=False).first()
    if picture is None:
        return
    with _open_source(picture) as source:
        image = Image.open(source)
        image.load()
    make_first_renditions(image, _folder(picture))
    _make_other_renditions(image, _folder(picture))
    Picture.objects.filter(pk=picture_id).update(is_complete=True)


def _open_source(picture: Picture) -> File[bytes]:
    try:
        return default_storage.open(str(picture.file))
    except FileNotFoundError:
        if not is_made(str(picture.file)):
            raise
        return default_storage.open(str(picture.file))


def complete_pending(limit: int) -> bool:
    """Complete the next few pictures that lack renditions; tells whether more are left."""
    failed = FailedRow.objects.filter(chore="complete_pictures", row_id=Cast(OuterRef("pk"), CharField()))
    incomplete = Picture.objects.filter(is_complete=False)
    pending = list(incomplete.order_by(Exists(failed), "pk")[: limit + 1])  # those that never succeed come last
    for_each("complete_pictures", pending[:limit], lambda picture: complete_renditions(picture.pk))
    if pending:
        invalidate(Change.Kind.SHOP)
    return len(pending) > limit


def widths_of(picture: Picture) -> list[int]:
    """The widths that are ready, smallest first."""
    return all_widths(picture.width) if picture.is_complete else _first_widths(picture.width)


def rendition_url(picture: Picture, width: int, extension: str) -> str:
    """The address of one rendition, on this site or in its bucket; reads neither database, disk nor bucket."""
    return default_storage.url(f"{_folder(picture)}/{width}.{extension}")


def picture_url(picture: Picture | None, width: int = 640) -> str | None:
    """The whole address of a JPEG about that wide, in the bucket or under IMAGE_HOST: for calls, feeds and previews."""
    if picture is None:
        return None
    ready = widths_of(picture)
    fitting = [w for w in ready if w >= width]
    return _whole(rendition_url(picture, fitting[0] if fitting else ready[-1], "jpg"))


def source_address(picture: Picture, origin: str = "") -> str:
    """The whole address of what the renditions are made of. It names the picture (`identities_in`), with `origin`
    also by the hash it has in the shop that it came from."""
    return f"{_whole(default_storage.url(str(picture.file)))}{origin and f'#{origin}'}"


def _whole(url: str) -> str:
    return url if "://" in url else f"{settings.IMAGE_HOST}{url}"


def identities_in(address: str) -> tuple[str, ...]:
    """The hashes that the address of a shop's own picture names; none in any other address."""
    found = _SOURCE.search(address)
    return tuple(digest[:DIGITS] for digest in found.groups() if digest) if found else ()


def known_here(hashes: Iterable[str], *, alt: str = "") -> Picture | None:
    """The picture with one of these hashes, or the one whose files lie in this shop's store already."""
    requested = list(hashes)
    return Picture.objects.filter(digest__in=requested).order_by("pk").first() or next(
        (picture for digest in requested if (picture := _stored_before(digest, alt))), None
    )


def _stored_before(digest: str, alt: str) -> Picture | None:
    folder = folder_of(digest)
    name = next((name for name in (f"{folder}/source.jpg", f"{folder}/source.png") if default_storage.exists(name)), "")
    if not name:
        return None
    with default_storage.open(name) as source:
        data = source.read()
    check_upload(data, max_bytes=None)
    with Image.open(BytesIO(data), formats=FORMATS) as header:
        width, height = header.size
    first = [f"{folder}/{step}.{extension}" for step in _first_widths(width) for extension in ("webp", "jpg")]
    if not all(map(default_storage.exists, first)):
        with decoded(data, max_bytes=None) as image:
            make_first_renditions(image, folder)
    fields = {"file": name, "width": width, "height": height, "alt": alt[:200]}
    return Picture.objects.get_or_create(digest=digest, defaults=fields)[0]


def digest_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:DIGITS]


def folder_of(digest: str) -> str:
    return f"pictures/{digest[:2]}/{digest}"


def all_widths(width: int) -> list[int]:
    """Every rendition of a picture this wide: a picture is never blown up."""
    return [w for w in WIDTHS if w <= width] or [width]


def _first_widths(width: int) -> list[int]:
    return [w for w in FIRST_WIDTHS if w <= width] or [width]


def _folder(picture: Picture) -> str:
    return str(picture.file).rpartition("/")[0]


def check_upload(upload: Upload, *, max_bytes: int | None = MAX_BYTES) -> None:
    """Read size, type and megapixels from the header alone.

    Raises Invalid when it is no JPEG, PNG or WebP, over 5 MB or over 25 megapixels."""
    size = len(upload) if isinstance(upload, bytes) else upload.size or 0
    if max_bytes is not None and size > max_bytes:
        raise Invalid(gettext("The picture is larger than 5 MB."), "picture_too_large")
    _pixels_of(upload)


def _pixels_of(upload: Upload) -> int:
    file = BytesIO(upload) if isinstance(upload, bytes) else upload
    try:
        with Image.open(file, formats=FORMATS) as opened:
            pixels = opened.width * opened.height
    except UNREADABLE as error:
        raise Invalid(gettext(NOT_A_PICTURE), "not_a_picture") from error
    finally:
        file.seek(0)
    if pixels > MAX_PIXELS:
        raise Invalid(gettext("The picture has more than 25 megapixels."), "picture_too_large")
    return pixels


@contextmanager
def decoded(upload: Upload, *, max_bytes: int | None = MAX_BYTES) -> Iterator[Image.Image]:
    """The pixels of an upload, upright, RGB or RGBA, no side over MAX_SIDE: what was hidden in the file (place,
    comments) stays behind. In a process one picture is in memory at a time, until the block ends.

    Raises Invalid as check_upload does, Busy when others take too long.
    """
    check_upload(upload, max_bytes=max_bytes)
    with _one_at_a_time():
        data = upload if isinstance(upload, bytes) else upload.read()
        yield _decode_apart(data) if _pixels_of(data) > MAX_PIXELS_HERE else _decode_here(data)


@contextmanager
def in_queue() -> Iterator[None]:
    """One of the few places of this process where a request waits for an upload to be worked on; raises Busy at once
    where none is free."""
    if not _queue.acquire(blocking=False):
        raise Busy(gettext(TRY_AGAIN))
    try:
        yield
    finally:
        _queue.release()


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    with in_queue():
        if not _decoding.acquire(timeout=MAX_WAIT):
            raise Busy(gettext(TRY_AGAIN))
        try:
            yield
        finally:
            _decoding.release()


def _decode_here(data: bytes) -> Image.Image:
    try:
        return decoder.decode(data)
    except UNREADABLE as error:
        raise Invalid(gettext(NOT_A_PICTURE), "not_a_picture") from error


def _decode_apart(data: bytes) -> Image.Image:
    """In a process of its own, whose memory goes with it."""
    command = [sys.executable, "-I", decoder.__file__]
    try:
        done = subprocess.run(command, input=data, stdout=subprocess.PIPE, timeout=MAX_WAIT, check=True)  # nosec B603
    except subprocess.SubprocessError as error:
        raise Invalid(gettext(NOT_A_PICTURE), "not_a_picture") from error
    return decoder.unpack(done.stdout)


def _encode_source(image: Image.Image) -> bytes:
    target = BytesIO()
    if image.mode == "RGBA":
        image.save(target, "PNG")
    else:
        image.save(target, "JPEG", quality=92, subsampling=0)
    return target.getvalue()


def _make_other_renditions(image: Image.Image, folder: str) -> None:
    first = _first_widths(image.width)
    for width in sorted(all_widths(image.width), reverse=True):
        image = _scaled(image, width)
        for extension in ("avif",) if width in first else ("avif", "webp", "jpg"):
            _put(f"{folder}/{width}.{extension}", _encode(image, extension))


def _scaled(image: Image.Image, width: int) -> Image.Image:
    height = max(1, round(image.height * width / image.width))
    return image if image.width == width else image.resize((width, height), Image.Resampling.LANCZOS)


def _encode(image: Image.Image, extension: str) -> bytes:
    encoder, options = ENCODERS[extension]
    if image.mode == "RGBA" and extension == "jpg":
        paper = Image.new("RGB", image.size, "white")
        paper.paste(image, mask=image.getchannel("A"))
        image = paper
    target = BytesIO()
    image.save(target, encoder, **options)
    return target.getvalue()


def _put(name: str, data: bytes) -> None:
    """Write a file whole: one that an interrupted run left short is written again, over it."""
    with suppress(FileNotFoundError):
        if default_storage.size(name) == len(data):
            return
    default_storage.save(name, ContentFile(data))
