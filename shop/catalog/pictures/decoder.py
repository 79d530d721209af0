"""Decodes one upload: imported for small pictures, and run as a process of its own for large ones.

    python picture_decoder.py < upload > pixels

A decoder takes up to twenty bytes a pixel, and gives little of it back; a process of its own gives back all.
"""

import resource
import struct
import sys
from io import BytesIO

from PIL import Image, ImageOps

FORMATS = ("JPEG", "PNG", "WEBP")
MAX_PIXELS = 25_000_000
MAX_SIDE = 2400  # a third more than the widest rendition
MAX_ADDRESS_SPACE = 1024**3
UNREADABLE = (OSError, SyntaxError, ValueError, MemoryError, Image.DecompressionBombError)
HEADER = struct.Struct("!4sII")  # mode, width, height


def decode(data: bytes) -> Image.Image:
    """Upright RGB or RGBA pixels without what was hidden in the file, no side over MAX_SIDE. Raises UNREADABLE."""
    with Image.open(BytesIO(data), formats=FORMATS) as opened:
        opened.draft(None, (MAX_SIDE, MAX_SIDE))  # a JPEG is read at a half, a quarter or an eighth
        opened.load()
        orientation = opened.getexif().get(0x0112)
        has_alpha = "A" in opened.getbands() or "transparency" in opened.info
        mode = "RGBA" if has_alpha else "RGB"
        image = opened if opened.mode == mode else opened.convert(mode)
        image.thumbnail((MAX_SIDE, MAX_SIDE), Image.Resampling.LANCZOS)
        pixels = Image.new(mode, image.size)
        pixels.paste(image)  # and nothing of what else the file said
    if orientation:
        pixels.getexif()[0x0112] = orientation
        ImageOps.exif_transpose(pixels, in_place=True)
    return pixels


def pack(image: Image.Image) -> bytes:
    return HEADER.pack(image.mode.encode(), *image.size) + image.tobytes()


def unpack(data: bytes) -> Image.Image:
    mode, width, height = HEADER.unpack_from(data)
    return Image.frombytes(mode.rstrip(b"\0").decode(), (width, height), memoryview(data)[HEADER.size :])


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MAX_ADDRESS_SPACE, MAX_ADDRESS_SPACE))
    Image.MAX_IMAGE_PIXELS = MAX_PIXELS
    try:
        pixels = pack(decode(sys.stdin.buffer.read()))
    except UNREADABLE:
        sys.exit(1)
    sys.stdout.buffer.write(pixels)


if __name__ == "__main__":
    main()
