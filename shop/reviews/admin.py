"""Collects the admins of this app (Django looks for this module)."""

from .moderation import admin as moderation  # noqa: F401
