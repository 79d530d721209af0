"""`manage.py serve`: what it starts, it ends."""

import os
import signal
import time

import pytest

ENDS_WITHIN = 15


@pytest.fixture
def one_product(transactional_db, make_variant):
    """A shop that is not empty loads no demo."""
    make_variant()


@pytest.fixture
def stocked_shop(one_product, running_shop):
    processes = running_shop.processes()
    assert {"granian", "worker", "clock"} <= {word for args in processes.values() for word in args.split()}
    return running_shop


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
