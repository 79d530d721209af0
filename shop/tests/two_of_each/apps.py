import os
from datetime import timedelta

from django.apps import AppConfig


class TwoOfEachConfig(AppConfig):
    name = "shop.tests.two_of_each"

    def ready(self) -> None:
        from shop.messaging import delivery
        from shop.ops import scheduler
        from shop.ops.management.commands import clock

        clock.LOOK_SECONDS = 0.2
        if os.environ.get("QUICK"):
            scheduler.LEASE, scheduler.RENEW_SECONDS = timedelta(seconds=2), 0.5
            delivery.MAX_PAUSE = timedelta(seconds=2)
