"""A provider that hangs holds a few threads of a web worker at most."""

import threading
import time

import pytest
import requests

from ..base import NoAnswer
from ..razorpay import _ask


@pytest.fixture(autouse=True)
def real_provider(settings):
    settings.SIMULATED_GATEWAY = False
    settings.RAZORPAY_KEY_ID, settings.RAZORPAY_KEY_SECRET = "rzp_test_shop", "very secret"


def test_a_provider_that_hangs_holds_two_lines_and_the_rest_is_told_at_once(monkeypatch):
    monkeypatch.setattr("shop.payments.providers.razorpay.WAIT_FOR_A_LINE", 0.05)
    hangs = threading.Event()

    def ask():
        try:
            return _ask(lambda client: hangs.wait(10) and {})
        except NoAnswer as refusal:
            return refusal

    answers = []
    threads = [threading.Thread(target=lambda: answers.append(ask())) for _ in range(6)]
    for thread in threads:
        thread.start()
    until = time.monotonic() + 5
    while len(answers) < 4 and time.monotonic() < until:
        time.sleep(0.01)
    assert [type(answer) for answer in answers] == [NoAnswer] * 4
    hangs.set()
    for thread in threads:
        thread.join()
    assert answers[4:] == [{}, {}]


def test_a_line_is_free_again_after_a_failure():
    for _ in range(10):
        try:
            _ask(lambda client: {}["missing"])
        except NoAnswer:
            continue
    assert _ask(lambda client: {"id": "one"}) == {"id": "one"}


@pytest.fixture
def hung(monkeypatch):
    monkeypatch.setattr("shop.payments.providers.razorpay._hung_at", [float("-inf")])
    with pytest.raises(NoAnswer):
        _ask(_hang)


def _hang(client):
    raise requests.ReadTimeout


def test_after_a_call_without_answer_one_tries_and_nobody_waits(hung):
    def ask_beside(client):
        start = time.monotonic()
        with pytest.raises(NoAnswer, match="Others wait"):
            _ask(lambda client: {})
        assert time.monotonic() - start < 1
        raise requests.ReadTimeout

    with pytest.raises(NoAnswer, match="ReadTimeout"):
        _ask(ask_beside)


def test_the_first_answer_opens_the_lines_again(hung):
    assert _ask(lambda client: {}) == {}
    assert _ask(lambda client: _ask(lambda client: {})) == {}
