"""The shop's settings as one release after the other brings them, for a shop that a test serves. Each process
notes in RELEASES/loaded the release that it loaded; those after the first have one migration more."""

import os
from pathlib import Path

from shop.settings import *  # noqa: F403
from shop.settings import INSTALLED_APPS

_folder = Path(os.environ["RELEASES"])
_release = int((_folder / "current").read_text())  # a broken one has no number
with (_folder / "loaded").open("a") as _lines:
    _lines.write(f"{os.getpid()} {_release}\n")
if _release:
    INSTALLED_APPS = [*INSTALLED_APPS, "shop.tests.next_release"]
