"""As in English."""

from ..en.formats import *  # noqa: F403
