import random
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from shop.commands import ShopCommand

from ...simulator.provider import Provider, Webhook
from ...simulator.server import Server


class Command(ShopCommand):
    help = (
        "Serve the simulated payment provider on this machine, with its records in memory. Point RAZORPAY_API_URL "
        "at it and RAZORPAY_CHECKOUT_URL at its /v1/checkout.js, with the same rzp_test_ key and webhook secret. "
        "shop/payments/simulator/control.py says how to steer it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=9100)
        parser.add_argument(
            "--key", action="append", default=[], metavar="ID:SECRET", help="A key it accepts; may be repeated."
        )
        parser.add_argument("--webhook", default="", metavar="URL", help="Where the first key's events are posted.")
        parser.add_argument(
            "--webhook-secret", action="append", default=[], help="Signs the events; a second one is the old secret."
        )
        parser.add_argument("--seed", type=int, help="Makes the same ids in the same order each time.")
        parser.add_argument("--inr-only", action="store_true", help="An account without international payments.")

    def handle(self, *args: object, **options: Any) -> None:
        secrets = [*(options["webhook_secret"] or settings.RAZORPAY_WEBHOOK_SECRETS), "", ""]
        provider = Provider(
            self._keys(options["key"]),
            webhook=Webhook(options["webhook"], secrets[0], secrets[1]),
            international=not options["inr_only"],
        )
        if options["seed"] is not None:
            provider.random = random.Random(options["seed"])
        with Server(options["port"], provider) as server:
            self.stdout.write(f"Simulated provider at http://127.0.0.1:{server.server_port}")
            self.stdout.flush()
            with suppress(KeyboardInterrupt):
                server.serve_forever()

    def _keys(self, given: list[str]) -> dict[str, str]:
        if any(":" not in key for key in given):
            raise CommandError("A key is written ID:SECRET.")
        keys = dict(key.split(":", 1) for key in given)
        if not keys and settings.RAZORPAY_KEY_ID:
            keys[settings.RAZORPAY_KEY_ID] = settings.RAZORPAY_KEY_SECRET
        if not keys or any(not key_id.startswith("rzp_test_") for key_id in keys):
            raise CommandError("The simulator needs a key, and takes only those that start with rzp_test_.")
        return keys
