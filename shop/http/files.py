"""Long answers, written to a file before they are sent.

The web server ends an answer whose making fails half-way as if it were whole. A file's length is known before its first
byte leaves, and an error while it is written is an error page.
"""

from collections.abc import Callable
from tempfile import TemporaryFile
from typing import IO

from django.http import FileResponse


def file_answer(write: Callable[[IO[bytes]], object], *, content_type: str, filename: str = "") -> FileResponse:
    """What `write` writes, as a download if it has a file name; whatever `write` raises is raised."""
    file = TemporaryFile()  # noqa: SIM115 (the answer closes it)
    try:
        write(file)
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return FileResponse(file, as_attachment=bool(filename), filename=filename, content_type=content_type)
