"""Photos of a return: checked like every upload, stripped to their pixels, private to customer and desk."""

import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from typing import TypeVar

from django.core.files.base import ContentFile
from django.db import models, transaction
from PIL import Image

from shop.catalog.pictures.services import Upload, decoded
from shop.jobs.files import new_files

MAX_PHOTOS = 8
MAX_SIDE = 2000
Row = TypeVar("Row", bound=models.Model)


def read_photo(upload: Upload, max_side: int = MAX_SIDE) -> ContentFile[bytes]:
    """The upload as a JPEG of at most `max_side` pixels under a name of ours; raises Invalid when it is no JPEG, PNG
    or WebP, over 5 MB or over 25 megapixels, Busy when others take too long."""
    with decoded(upload) as image:
        image.thumbnail((max_side, max_side), Image.Resampling.LANCZOS)
        if image.mode == "RGBA":
            paper = Image.new("RGB", image.size, "white")
            paper.paste(image, mask=image.getchannel("A"))
            image = paper
        target = BytesIO()
        image.save(target, "JPEG", quality=85, optimize=True)
    return ContentFile(target.getvalue(), name=f"{secrets.token_hex(16)}.jpg")


@contextmanager
def rows_with_files(model: type[Row], contents: Iterable[Mapping[str, ContentFile[bytes]]]) -> Iterator[list[Row]]:
    """New rows, to be saved in the block, a transaction, whose files (by the name of their field) are in their storage
    before it begins: a storage that hangs holds no lock. The files go when it is not committed."""
    rows: list[Row] = []
    sent = []
    for files in contents:
        rows.append(row := model())
        sent += [(getattr(row, name), str(content.name), content) for name, content in files.items()]
    with new_files(sent) as keep, transaction.atomic():
        yield rows
        keep()
