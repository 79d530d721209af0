"""`manage.py serve`: what it starts, it ends."""

import os
import signal
import time
import urllib.request

import pytest

from ..conftest import serving, wait_for

ENDS_WITHIN = 15
COMES_BACK_WITHIN = 120


@pytest.fixture
def one_product(transactional_db, make_variant):
    """A shop that is not empty loads no demo."""
    make_variant()


@pytest.fixture
def stocked_shop(one_product, tmp_path):
    with serving(tmp_path) as shop:
        processes = shop.processes()
        assert {"granian", "worker", "clock"} <= {word for args in processes.values() for word in args.split()}
        yield shop


def test_being_told_to_stop_ends_every_process(stocked_shop):
    processes = stocked_shop.processes()
    stocked_shop.parent.send_signal(signal.SIGTERM)
    assert stocked_shop.parent.wait(ENDS_WITHIN) == 0
    _await_end_of(processes)


def test_the_death_of_one_process_ends_the_others(stocked_shop):
    processes = stocked_shop.processes()
    os.kill(next(pid for pid, args in processes.items() if args.endswith("manage.py clock")), signal.SIGKILL)
    assert stocked_shop.parent.wait(ENDS_WITHIN) != 0
    _await_end_of(processes)


def _await_end_of(processes: dict[int, str]) -> None:
    until = time.monotonic() + ENDS_WITHIN
    while left := [args for pid, args in processes.items() if _is_alive(pid)]:
        assert time.monotonic() < until, left
        time.sleep(0.1)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_web_server_that_lost_all_its_workers_at_once_is_started_anew(stocked_shop):
    """What kills them in one moment, such as a machine short of memory, may leave their parent without any."""
    wait_for("The web server is responding.", stocked_shop.data / "log", stocked_shop.parent)
    web = set(stocked_shop.web_server())
    for pid in web:  # the parent, too: nobody is left to start them again
        os.kill(pid, signal.SIGSTOP if pid == min(web) else signal.SIGKILL)
    until = time.monotonic() + COMES_BACK_WITHIN
    while web & set(stocked_shop.processes()) or not _answers(stocked_shop.url):
        assert time.monotonic() < until
        time.sleep(0.2)
    assert stocked_shop.parent.poll() is None


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/healthz", timeout=5) as answer:
            return answer.status == 200
    except OSError:
        return False
