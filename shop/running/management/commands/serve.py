import http.client
import socket
import sys
import threading
import time

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from shop.catalog.models import Product
from shop.running.processes import manage_command, run_together, web_command


class Command(BaseCommand):
    help = "Bring the database up to date, then run web, worker and clock until Ctrl-C ends all of them."

    def add_arguments(self, parser) -> None:
        parser.add_argument("--reload", action="store_true", help="For developers: take up every saved change.")

    def handle(self, *, reload: bool, **options) -> None:
        _refuse_taken_port()
        call_command("migrate", verbosity=0, interactive=False)
        if (settings.DEMO or settings.DEBUG) and not Product.objects.exists():
            call_command("demo")
        connections.close_all()
        threading.Thread(target=self._announce, daemon=True).start()
        sys.exit(run_together(_commands(reload)))

    def _announce(self) -> None:
        """Say where the shop is once it answers."""
        while not _answers():
            time.sleep(0.1)
        lines = ["", f"{settings.SHOP_NAME} is open at {settings.SHOP_URL} (Ctrl-C ends it)", ""]
        self.stdout.write("\n".join(lines))
        self.stdout.flush()


def _commands(reload: bool) -> dict[str, list[str]]:
    commands = {"worker": manage_command("db_worker"), "clock": manage_command("clock")}
    if not reload:
        return {"web": web_command(host=settings.HOST, port=settings.PORT), **commands}
    return {
        "web": manage_command("runserver", f"{settings.HOST}:{settings.PORT}"),
        "islands": ["npm", "--prefix", str(settings.BASE_DIR / "islands"), "run", "--silent", "watch"],
        **commands,
    }


def _near_address() -> str:
    """Where this machine reaches its own server."""
    return "127.0.0.1" if settings.HOST == "0.0.0.0" else settings.HOST


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
    connection = http.client.HTTPConnection(_near_address(), settings.PORT, timeout=5)
    try:
        connection.request("GET", "/", headers={"Host": f"127.0.0.1:{settings.PORT}"})
        return connection.getresponse().status < 500
    except OSError:
        return False
    finally:
        connection.close()
