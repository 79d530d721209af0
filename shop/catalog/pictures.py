"""Pictures: what an upload must be, and the renditions that pages and calls show.

The source and its renditions lie in one folder named by the hash of what was uploaded, so an
address never changes its bytes and may be cached for ever:

    pictures/ab/<sha256>/source.jpg   320.webp  320.jpg  640.webp  640.jpg      at once
                                      1200.webp …        320.avif …  1200.avif  by the worker
"""

import hashlib
from dataclasses import dataclass
from io import BytesIO

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from PIL import Image, ImageOps

from shop.changes.models import Change
from shop.changes.services import announce
from shop.errors import Invalid

from .models import Picture

MAX_BYTES = 5 * 1024 * 1024
MAX_PIXELS = 25_000_000
FORMATS = ("JPEG", "PNG", "WEBP")
WIDTHS = (320, 640, 1200, 1800)
FIRST_WIDTHS = (320, 640)
ENCODERS: dict[str, tuple[str, dict]] = {
    "jpg": ("JPEG", {"quality": 82, "optimize": True, "progressive": True}),
    "webp": ("WEBP", {"quality": 80, "method": 2}),
    "avif": ("AVIF", {"quality": 62, "speed": 8, "max_threads": 1}),
}


@dataclass(frozen=True, slots=True)
class StoredPicture:
    """A picture whose files are in place and whose row is still to be written."""

    name: str
    sha256: str
    width: int
    height: int
    is_complete: bool = False


def add_picture(data: bytes, *, alt: str = "") -> Picture:
    """Keep an uploaded JPEG, PNG or WebP; the same bytes again give the same row.

    Raises Invalid when it is no such picture, over 5 MB or over 25 megapixels.
    """
    known = Picture.objects.filter(sha256=sha256_of(data)).first()
    if known:
        return known
    stored = store_picture(data)
    fields = {"file": stored.name, "width": stored.width, "height": stored.height, "alt": alt[:200]}
    return Picture.objects.get_or_create(sha256=stored.sha256, defaults=fields)[0]


def store_picture(data: bytes) -> StoredPicture:
    """Check an upload and write its files, without touching the database."""
    return store_image(decode_upload(data), sha256=sha256_of(data))


def store_image(image: Image.Image, *, sha256: str, complete: bool = False) -> StoredPicture:
    """Write first (or all) renditions, then the source: where a source is, the rest is too."""
    folder = f"pictures/{sha256[:2]}/{sha256}"
    make_first_renditions(image, folder)
    if complete:
        _make_other_renditions(image, folder)
    source = f"{folder}/source.{'png' if image.mode == 'RGBA' else 'jpg'}"
    _put(source, _encode_source(image))
    return StoredPicture(source, sha256, image.width, image.height, complete)


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
    with default_storage.open(str(picture.file)) as source:
        image = Image.open(source)
        image.load()
    make_first_renditions(image, _folder(picture))
    _make_other_renditions(image, _folder(picture))
    Picture.objects.filter(pk=picture_id).update(is_complete=True)


def complete_owed(limit: int) -> bool:
    """Complete the next few pictures that are owed renditions; tells whether more are left."""
    owed = list(Picture.objects.filter(is_complete=False).order_by("pk").values_list("pk", flat=True)[: limit + 1])
    for picture_id in owed[:limit]:
        complete_renditions(picture_id)
    if owed:
        announce(Change.Kind.SHOP)
    return len(owed) > limit


def widths_of(picture: Picture) -> list[int]:
    """The widths that are ready, smallest first."""
    return all_widths(picture.width) if picture.is_complete else _first_widths(picture.width)


def rendition_url(picture: Picture, width: int, extension: str) -> str:
    """The address of one rendition on this site; reads neither database nor disk."""
    return default_storage.url(f"{_folder(picture)}/{width}.{extension}")


def picture_url(picture: Picture | None, width: int = 640) -> str | None:
    """The whole address, under IMAGE_HOST, of a JPEG about that wide: for calls, feeds and previews."""
    if picture is None:
        return None
    ready = widths_of(picture)
    fitting = [w for w in ready if w >= width]
    return f"{settings.IMAGE_HOST}{rendition_url(picture, fitting[0] if fitting else ready[-1], 'jpg')}"


def sha256_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def all_widths(width: int) -> list[int]:
    """Every rendition of a picture this wide: a picture is never blown up."""
    return [w for w in WIDTHS if w <= width] or [width]


def _first_widths(width: int) -> list[int]:
    return [w for w in FIRST_WIDTHS if w <= width] or [width]


def _folder(picture: Picture) -> str:
    return str(picture.file).rpartition("/")[0]


def decode_upload(data: bytes) -> Image.Image:
    """Pixels only, upright, RGB or RGBA: what was hidden in the file (place, comments) stays behind.

    Raises Invalid when it is no JPEG, PNG or WebP, over 5 MB or over 25 megapixels."""
    if len(data) > MAX_BYTES:
        raise Invalid("The picture is larger than 5 MB.", "picture_too_large")
    try:
        with Image.open(BytesIO(data), formats=FORMATS) as opened:
            if opened.width * opened.height > MAX_PIXELS:
                raise Invalid("The picture has more than 25 megapixels.", "picture_too_large")
            upright = ImageOps.exif_transpose(opened)
            has_alpha = "A" in upright.getbands() or "transparency" in upright.info
            return upright.convert("RGBA" if has_alpha else "RGB")
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise Invalid("Use a JPEG, PNG or WebP picture.", "not_a_picture") from error


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
    """Write a file whole: one that an interrupted run left short is written again."""
    if default_storage.exists(name):
        if default_storage.size(name) == len(data):
            return
        default_storage.delete(name)
    default_storage.save(name, ContentFile(data))
