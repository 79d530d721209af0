"""The provider's stand-in as a process of its own, and what a proof asks of it."""

import json
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shop.ops.supervisor import manage_command

from ..conftest import WAIT_SECONDS, free_port, wait_for

KEY, SECRET, WEBHOOK_SECRET = "rzp_test_proof", "the secret of the proof", "the webhook secret of the proof"


@dataclass(frozen=True)
class StandIn:
    url: str

    def control(self, name: str, /, **given: Any) -> dict[str, Any]:
        """Steer it (shop/payments/simulator/control.py)."""
        body = json.dumps(given).encode() if given else None
        request = urllib.request.Request(f"{self.url}/control/{name}", data=body)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    @property
    def settings(self) -> dict[str, str]:
        """The shop's environment that makes it its provider."""
        return {
            "RAZORPAY_KEY_ID": KEY,
            "RAZORPAY_KEY_SECRET": SECRET,
            "RAZORPAY_WEBHOOK_SECRETS": WEBHOOK_SECRET,
            "RAZORPAY_API_URL": self.url,
            "RAZORPAY_CHECKOUT_URL": f"{self.url}/v1/checkout.js",
        }


@contextmanager
def stand_in(data: Path, *, shop_port: int) -> Iterator[StandIn]:
    """Serve it until the block ends; its webhooks go to the shop on `shop_port`."""
    port = free_port()
    words = ("--port", str(port), "--key", f"{KEY}:{SECRET}", "--webhook-secret", WEBHOOK_SECRET)
    words += ("--webhook", f"http://127.0.0.1:{shop_port}/payments/webhook/")
    with (data / "provider.log").open("wb") as log:
        process = subprocess.Popen(
            manage_command("razorpay_simulator", *words), stdout=log, stderr=subprocess.STDOUT, start_new_session=True
        )
    try:
        wait_for("Simulated provider at", data / "provider.log", process)
        yield StandIn(f"http://127.0.0.1:{port}")
    finally:
        process.terminate()  # an interrupt is ignored by what a shell started in the background
        process.wait(WAIT_SECONDS)
