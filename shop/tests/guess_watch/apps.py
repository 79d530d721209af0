"""Each guess that is compared with a code becomes a line of the file GUESSES_COMPARED, whichever process
compares it. With GUESSES_MISCOUNTED they, and all that is limited, are counted as a careless shop would: read, then
written."""

import os
import time
from contextlib import nullcontext
from datetime import timedelta
from types import SimpleNamespace

from django.apps import AppConfig
from django.utils import timezone

A_MOMENT = 0.05  # seconds that make others read the same number


class GuessWatchConfig(AppConfig):
    name = "shop.tests.guess_watch"

    def ready(self) -> None:
        from shop.accounts.otp import services as codes
        from shop.limits import services as limits

        file, compare = os.environ["GUESSES_COMPARED"], codes.constant_time_compare

        def watched(*pair: str) -> bool:
            with open(file, "a") as lines:
                lines.write("compared\n")
            return compare(*pair)

        codes.constant_time_compare = watched
        if os.environ.get("GUESSES_MISCOUNTED"):
            codes._count_guess = count_carelessly
            limits._consume = take_carelessly
            limits.transaction = SimpleNamespace(atomic=lambda **_: nullcontext())


def count_carelessly(code) -> bool:
    from shop.accounts.models import Code
    from shop.accounts.otp.services import GUESSES

    tries = Code.objects.get(pk=code.pk).tries
    time.sleep(A_MOMENT)
    Code.objects.filter(pk=code.pk).update(tries=tries + 1)
    return tries < GUESSES


def take_carelessly(key: str, limit: int, period: timedelta) -> bool:
    from shop.limits.models import Counter

    counter, _ = Counter.objects.get_or_create(key=key, defaults={"count": 0, "expires_at": timezone.now() + period})
    time.sleep(A_MOMENT)
    Counter.objects.filter(pk=counter.pk).update(count=counter.count + 1)
    return counter.count < limit
