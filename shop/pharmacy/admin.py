"""Collects the admins of this app (Django looks for this module)."""

from .register import admin as register  # noqa: F401
from .review import admin as review  # noqa: F401
