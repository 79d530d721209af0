"""The shop's settings with the catalogues that a test wrote before those that ship, for a shop that it serves."""

import os
from pathlib import Path

from shop.settings import *  # noqa: F403
from shop.settings import LOCALE_PATHS

LOCALE_PATHS = [Path(os.environ["PSEUDO_LOCALE"]), *LOCALE_PATHS]
