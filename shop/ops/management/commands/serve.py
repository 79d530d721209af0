import http.client
import socket
import sys
import threading
import time

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError, CommandParser
from django.db import connections

from shop.accounts.models import Customer
from shop.catalog.models import Product
from shop.demo.logins import CUSTOMER, STAFF

from ...configuration import ServingCommand
from ...supervisor import kept_web_command, manage_command, near_address, run_together


class Command(ServingCommand):
    help = "Bring the database up to date, then run web, worker and clock until Ctrl-C."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--reload", action="store_true", help="For developers: reload on every saved change.")

    def handle(self, *, reload: bool, **options: object) -> None:
        _refuse_taken_port()
        call_command("migrate", verbosity=0, interactive=False)
        if (settings.DEMO or settings.DEBUG) and not Product.objects.exists():
            call_command("demo")
        logins = _demo_logins()
        connections.close_all()
        threading.Thread(target=self._announce, args=[logins], daemon=True).start()
        sys.exit(run_together(_commands(reload)))

    def _announce(self, logins: list[str]) -> None:
        """Say where the shop is once it answers."""
        while not _answers():
            time.sleep(0.1)
        title = f"{settings.SHOP_NAME} is open at {settings.SHOP_URL} (Ctrl-C to stop)"
        self.stdout.write("\n".join(["", title, *logins, ""]))
        self.stdout.flush()


def _commands(reload: bool) -> dict[str, list[str]]:
    commands = {"worker": manage_command("worker"), "clock": manage_command("clock")}
    if not reload:
        return {"web": kept_web_command(), **commands}
    return {
        "web": manage_command("runserver", f"{settings.HOST}:{settings.PORT}"),
        "islands": ["npm", "--prefix", str(settings.BASE_DIR / "islands"), "run", "--silent", "watch"],
        **commands,
    }


def _demo_logins() -> list[str]:
    """A line for each demo login that this shop has; none outside the demo."""
    if not settings.DEMO:
        return []
    everyone = (CUSTOMER, *STAFF)
    there = set(Customer.objects.filter(email__in=[login.email for login in everyone]).values_list("email", flat=True))
    return [f"  {login.role:<18} {login.email:<24} {login.password}" for login in everyone if login.email in there]


def _refuse_taken_port() -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.HOST, settings.PORT))
        except OSError as error:
            raise CommandError(
                f"Cannot serve on {settings.HOST}:{settings.PORT} ({error.strerror}). Try `make serve PORT=8001`."
            ) from error


def _answers() -> bool:
    connection = http.client.HTTPConnection(near_address(), settings.PORT, timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()
