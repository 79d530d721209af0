"""Renders the pages of one PDF, in a process of its own that has little time and memory.

    python pdf.py < upload.pdf > pictures

Each picture is written as its length and a JPEG. Nothing of the PDF but its pixels comes out: no script in it runs, and
what it links to is not fetched. Ends with 2 for a file that is no PDF, 3 for one with a password, 4 for too many pages.
"""

import resource
import struct
import sys
from io import BytesIO

MAX_PAGES = 5
MAX_SIDE = 2000  # pixels
MAX_SCALE = 4.0
MAX_ADDRESS_SPACE = 1024**3
MAX_SECONDS = 10  # of the processor
LENGTH = struct.Struct("!I")
NOT_A_PDF, HAS_PASSWORD, TOO_MANY_PAGES = 2, 3, 4
FPDF_ERR_PASSWORD = 4


def limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MAX_ADDRESS_SPACE, MAX_ADDRESS_SPACE))
    resource.setrlimit(resource.RLIMIT_CPU, (MAX_SECONDS, MAX_SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def render(data: bytes) -> list[bytes]:
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        sys.exit(HAS_PASSWORD if getattr(error, "err_code", None) == FPDF_ERR_PASSWORD else NOT_A_PDF)
    if not 1 <= len(document) <= MAX_PAGES:
        sys.exit(TOO_MANY_PAGES if len(document) else NOT_A_PDF)
    pictures = []
    for page in document:
        width, height = page.get_size()
        if not (0 < width < 100_000 and 0 < height < 100_000):
            sys.exit(NOT_A_PDF)
        scale = min(MAX_SCALE, MAX_SIDE / max(width, height))
        if min(width, height) * scale < 1:
            sys.exit(NOT_A_PDF)
        target = BytesIO()
        page.render(scale=scale, may_draw_forms=True).to_pil().convert("RGB").save(target, "JPEG", quality=90)
        pictures.append(target.getvalue())
    return pictures


def unpack(data: bytes) -> list[bytes]:
    pictures, at = [], 0
    while at < len(data):
        (length,) = LENGTH.unpack_from(data, at)
        at += LENGTH.size
        pictures.append(data[at : at + length])
        at += length
    return pictures


def main() -> None:
    data = sys.stdin.buffer.read()
    limit()
    try:
        pictures = render(data)
    except (MemoryError, OSError, ValueError, RuntimeError):
        sys.exit(NOT_A_PDF)
    for picture in pictures:
        sys.stdout.buffer.write(LENGTH.pack(len(picture)) + picture)


if __name__ == "__main__":
    main()
