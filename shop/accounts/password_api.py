"""Calls that change a password."""

from ninja import Router

router = Router(tags=["accounts"])
