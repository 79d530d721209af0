"""What every command of the shop shares."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management.base import BaseCommand


class ShopCommand(BaseCommand):
    """Starts without Django's checks of the code: they load every view and screen, which takes longer than
    everything else of a start, and `make check` asks them."""

    requires_system_checks = []

    @contextmanager
    def timed(self, phase: str) -> Iterator[None]:
        """Print a phase and its seconds once it is over."""
        began = time.monotonic()
        yield
        self.stdout.write(f"{phase}: {time.monotonic() - began:.0f} s")
        self.stdout.flush()
