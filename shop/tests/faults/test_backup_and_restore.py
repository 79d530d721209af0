"""The shop is copied while customers buy, then destroyed, restored from the last copy and reconciled with
the provider: what was copied is there, and every payment of the lost time is an order or was given back
(RELIABILITY.md 2.4)."""

import json
import shutil
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from django.db import connection

from shop.orders.models import Order
from shop.payments.models import LostCapture, Payment

from ..conftest import Shop, environment_of, free_port, manage, serving
from ..support.consistency import assert_ledger_matches, drain_queues
from ..support.provider import stand_in
from .test_killed_workers import assert_the_file_is_sound, run_checkouts

pytestmark = [pytest.mark.database]
RESTORED_WITHIN = 300.0  # seconds, until the shop is open again
CANCELLED = 3  # after the last copy, of the orders in it
WINDOW_OF_LOST, MIN_LOST = 25, 5  # checkouts after the last copy, and of them those that are paid


@dataclass
class Copier:
    """Makes a copy each time it strikes, and remembers what the shop had answered before."""

    shop: Shop
    folder: Path
    paid_before: list[set[str]] = field(default_factory=list)

    def strike(self) -> int:
        placed = set(Order.objects.exclude(placed_at=None).values_list("number", flat=True))
        connection.close()
        if len(placed) < CANCELLED * (len(self.paid_before) + 1):  # nothing worth a copy yet
            return 0
        said = self.shop.manage("backup", str(self.folder), "--keep", "2")
        assert "Copied to" in said
        self.paid_before.append(placed)
        return 1


def destroy(data: Path) -> None:
    """The machine is gone: database and files."""
    if connection.vendor == "sqlite":
        connection.close()
        for file in Path(connection.settings_dict["NAME"]).parent.glob("test.sqlite3*"):
            file.unlink()
    else:
        with connection.cursor() as cursor:
            cursor.execute("DROP SCHEMA public CASCADE")
            cursor.execute("CREATE SCHEMA public")
        connection.close()
    shutil.rmtree(data)


def assert_other_roles_may_look() -> None:
    """What they may read is theirs to be granted; the schema itself is open to them, as in a new database."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT has_schema_privilege('public', 'public', 'USAGE')")
            assert cursor.fetchone() == (True,)


def cancel_some(shop: Shop, numbers: list[str]) -> None:
    """The desk cancels paid orders; their money goes back."""
    words = "from shop.payments.services import cancel\nfrom shop.orders.models import Order\n" + "".join(
        f"cancel(Order.objects.get(number={number!r}), actor='staff:1')\n" for number in numbers
    )
    shop.manage("shell", "-c", words)
    shop.manage("reconcile_payments")


@pytest.mark.parametrize(
    ("checkouts", "copies"), [(20, 1), pytest.param(1000, 20, marks=pytest.mark.full)], ids=["short", "long"]
)
def test_a_destroyed_shop_is_restored_and_owes_nobody(
    transactional_db, tmp_path, make_variant, figure, checkouts, copies
):
    variants = [make_variant(price=str(100 + number), units=checkouts * 3) for number in range(6)]
    port, data, folder = free_port(), tmp_path / "data", tmp_path / "copies"
    data.mkdir()
    picture = data / "media" / "pictures" / "ab" / "abcd" / "320.webp"
    picture.parent.mkdir(parents=True)
    picture.write_bytes(b"a picture")
    with stand_in(tmp_path, shop_port=port) as provider:
        environment = {"WEB_WORKERS": "2", **provider.settings}
        with serving(data, port=port, **environment) as shop:
            copier = Copier(shop, folder)
            answered = run_checkouts(shop, provider, variants, checkouts=checkouts, blows=copies, strike=copier.strike)
            lost = run_checkouts(shop, provider, variants, checkouts=WINDOW_OF_LOST, blows=0, strike=lambda: 0)
            # Some that the copy has are cancelled and paid back, which it does not know.
            cancelled = sorted(copier.paid_before[-1])[:CANCELLED]
            cancel_some(shop, cancelled)
        assert len(cancelled) == CANCELLED and len(lost.paid) > MIN_LOST

        destroy(data)
        start = time.monotonic()
        own = environment_of(data, port, **environment)
        said = manage(own, "restore", str(folder))
        assert "reconcile_payments --all" in said
        assert_the_file_is_sound()
        assert_other_roles_may_look()
        orders = set(Order.objects.values_list("number", flat=True))
        assert copier.paid_before[-1] <= set(Order.objects.exclude(placed_at=None).values_list("number", flat=True))
        gone = lost.paid - orders
        assert gone == lost.paid
        with pytest.raises(AssertionError):  # nothing was reconciled yet
            assert_ledger_matches(provider)
        assert picture.read_bytes() == b"a picture"

        connection.close()
        since = json.loads((max(folder.iterdir()) / "manifest.json").read_text())["started_at"]
        manage(own, "reconcile_payments", "--all", "--lost-since", since)
        with serving(data, port=port, **environment) as shop:
            seconds = time.monotonic() - start
            again = run_checkouts(shop, provider, variants, checkouts=10, blows=0, strike=lambda: 0)
            drain_queues(shop, provider)
            shop.manage("check_shop")
            assert_ledger_matches(provider)
    assert gone <= set(LostCapture.objects.values_list("order_number", flat=True))
    assert set(Order.objects.filter(status="cancelled").values_list("number", flat=True)) >= set(cancelled)
    assert again.paid and answered.paid
    copied = len(copier.paid_before[-1])
    given_back, total = LostCapture.objects.count(), Payment.objects.count()
    figure(
        f"{given_back} of {total} payments lost and given back, {copied} orders copied, open after {seconds:.1f} s",
        f"nobody owed anything, open within {RESTORED_WITHIN:.0f} s",
    )
    assert seconds < RESTORED_WITHIN
