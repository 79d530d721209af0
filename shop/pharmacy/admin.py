"""Collects the admins of this app (Django looks for this module)."""

from .refills import admin as refills  # noqa: F401
from .register import admin as register  # noqa: F401
from .review import admin as review  # noqa: F401
