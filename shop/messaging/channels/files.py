"""Messages kept as files while no provider is configured, one readable file for each."""

import os
import re
from itertools import count
from pathlib import Path
from uuid import uuid4

from django.utils import timezone

_number = count(1)


def keep_file(folder: Path, *, to: str, ending: str, content: bytes) -> Path:
    """Write a file whose name sorts by time; a reader of the folder never sees half of one."""
    folder.mkdir(parents=True, exist_ok=True)
    moment = timezone.now().strftime("%Y%m%d-%H%M%S-%f")
    recipient = re.sub(r"[^\w.+-]", "_", to.replace("@", "-at-"), flags=re.ASCII)[:80]
    kept = folder / f"{moment}-{os.getpid()}-{next(_number):04}-{recipient}.{ending}"
    unfinished = folder / f".{uuid4().hex}"
    try:
        unfinished.write_bytes(content)
        return unfinished.rename(kept)
    except OSError:
        unfinished.unlink(missing_ok=True)
        raise
