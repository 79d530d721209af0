"""Photos of a return: checked like every upload, stripped to their pixels, private to customer and desk."""

import secrets
from io import BytesIO

from django.core.files.base import ContentFile
from PIL import Image

from shop.catalog.pictures import decode_upload

MOST_PHOTOS = 8
LONGEST_SIDE = 2000


def read_photo(data: bytes) -> ContentFile:
    """The upload as a JPEG of at most 2000 pixels under a name of ours; raises Invalid when it is no JPEG, PNG
    or WebP, over 5 MB or over 25 megapixels."""
    image = decode_upload(data)
    image.thumbnail((LONGEST_SIDE, LONGEST_SIDE), Image.Resampling.LANCZOS)
    if image.mode == "RGBA":
        paper = Image.new("RGB", image.size, "white")
        paper.paste(image, mask=image.getchannel("A"))
        image = paper
    target = BytesIO()
    image.save(target, "JPEG", quality=85, optimize=True)
    return ContentFile(target.getvalue(), name=f"{secrets.token_hex(16)}.jpg")
