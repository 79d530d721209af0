"""Calls about passkeys."""

from ninja import Router

router = Router(tags=["accounts"])
