from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from shop.payments.keys import simulated_keys
from shop.payments.simulator.server import serve


class Command(BaseCommand):
    help = (
        "Serve the simulated payment provider on this machine. Point RAZORPAY_API_URL at it, with the same "
        "rzp_test_ key; give it a database of its own (DATABASE_URL, migrated) to keep its records apart."
    )

    def add_arguments(self, parser) -> None:
        parser.add_argument("--port", type=int, default=9100)
        parser.add_argument(
            "--key", action="append", default=[], metavar="ID:SECRET", help="A key it accepts; may be repeated."
        )

    def handle(self, *args, **options) -> None:
        keys = dict(key.split(":", 1) for key in options["key"] if ":" in key)
        if settings.RAZORPAY_KEY_ID:
            keys[settings.RAZORPAY_KEY_ID] = settings.RAZORPAY_KEY_SECRET
        own = simulated_keys()
        keys.setdefault(own.key_id, own.key_secret)
        if any(not key_id.startswith("rzp_test_") for key_id in keys):
            raise CommandError("The simulator takes keys that start with rzp_test_ only.")
        self.stdout.write(f"Simulated provider at http://127.0.0.1:{options['port']}")
        serve(options["port"], keys)
