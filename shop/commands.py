"""What every command of the shop shares."""

from django.core.management.base import BaseCommand


class ShopCommand(BaseCommand):
    """Starts without Django's checks of the code: they load every view and screen, which takes longer than
    everything else of a start, and `make check` asks them."""

    requires_system_checks = []
