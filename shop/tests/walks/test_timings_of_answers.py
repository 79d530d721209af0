"""Whether an address is known cannot be told from how long an answer takes (RELIABILITY.md 27, C21): over HTTP,
known and unknown in turn, also while no mail leaves.

Of a few samples the processor's time is compared, pair by pair, which a busy machine disturbs least; in `make prove`
the medians of 200 times that a visitor waited.
"""

import os
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from operator import sub
from pathlib import Path

import pytest
import requests

from shop.accounts.models import Customer
from shop.limits.models import Counter

from ..conftest import Shop, free_port, serving
from ..served.visitors import Visitor

KNOWN, UNKNOWN = ("asha@example.com", "+919876543210"), ("nobody@example.com", "+919812345678")
PASSWORD, WRONG = "correct horse battery", "honey and amla"
CLOSEST = 0.05  # seconds
FEWEST, MOST = 5, 40  # samples of the processor's time

# What is asked, with an e-mail and a mobile number.
WAYS: dict[str, Callable[[Visitor, str, str], requests.Response]] = {
    "sign-up, call": lambda visitor, email, _: visitor.ask(
        "/user-register/", user_name="Asha Rao", email_id=email, password=PASSWORD
    ),
    "sign-up, page": lambda visitor, email, _: visitor.submit(
        "/signup/", by="email", name="Asha Rao", email=email, password=PASSWORD, password_again=PASSWORD
    ),
    "sign-in, call": lambda visitor, email, _: visitor.ask("/user-login/", email_id=email, password=WRONG),
    "sign-in, page": lambda visitor, email, _: visitor.submit("/signin/", by="email", email=email, password=WRONG),
    "sign-in by code, page": lambda visitor, email, _: visitor.submit("/signin/code/", by="email", email=email),
    "forgotten password, call": lambda visitor, email, _: visitor.ask("/forgot-password/", email_id=email),
    "forgotten password, page": lambda visitor, email, _: visitor.submit("/forgot-password/", by="email", email=email),
    "forgotten password by mobile": lambda visitor, _, mobile: visitor.submit(
        "/forgot-password/", by="mobile", mobile=mobile
    ),
}


@dataclass
class Timings:
    """Seconds of each way for a known and for an unknown address, in pairs, by a clock of one's choice."""

    shop: Shop
    known: dict[str, list[float]] = field(default_factory=lambda: {way: [] for way in WAYS})
    unknown: dict[str, list[float]] = field(default_factory=lambda: {way: [] for way in WAYS})

    def take(self, way: str, clock: Callable[[], float]) -> None:
        """Once known, once unknown, in an order that changes; both get the same status."""
        slots = [(self.known, KNOWN), (self.unknown, UNKNOWN)]
        statuses = set()
        for kept, (email, mobile) in slots if len(self.known[way]) % 2 else reversed(slots):
            Counter.objects.all().delete()
            visitor = Visitor(self.shop.url)
            began = clock()
            answer = WAYS[way](visitor, email, mobile)
            kept[way].append(clock() - began)
            statuses.add(answer.status_code)
        assert len(statuses) == 1 and statuses <= {200, 302, 400}, (way, statuses)

    def apart(self, way: str, measure: Callable[[list[float]], float]) -> float:
        return abs(measure(self.known[way]) - measure(self.unknown[way]))

    def apart_in_pairs(self, way: str) -> float:
        return abs(statistics.median(map(sub, self.known[way], self.unknown[way])))

    def of_web_servers(self) -> float:
        """Seconds that the web server has had of the processors, to a hundredth."""
        servers = [pid for pid, words in self.shop.processes().items() if "granian" in words]
        used = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13] for pid in servers]
        return sum(int(ticks) for both in used for ticks in both) / os.sysconf("SC_CLK_TCK")


@pytest.fixture
def timings(transactional_db, real_passwords, make_variant, tmp_path, request):
    make_variant()  # an empty shop would fetch the demo catalogue first
    Customer.objects.create_user(KNOWN[0], PASSWORD, name="Asha Rao", phone=KNOWN[1])
    environment = {"WEB_WORKERS": "1"}
    if request.param == "no mail leaves":
        environment["EMAIL_URL"] = f"smtp://127.0.0.1:{free_port()}"  # nobody listens there
    with serving(tmp_path, **environment) as shop:
        warm = Timings(shop)
        for way in WAYS:  # whatever is loaded or prepared the first time
            warm.take(way, time.perf_counter)
        yield Timings(shop)


@pytest.mark.parametrize("timings", ["no mail leaves"], indirect=True)
def test_known_and_unknown_addresses_cost_the_same_time(timings):
    """A busy machine makes all samples longer, by more or less: those that were taken one after the other are
    compared, and more are taken until half of the differences are small, or there are too many."""
    apart = {}
    for way in WAYS:
        for taken in range(1, MOST + 1):
            timings.take(way, timings.of_web_servers)
            apart[way] = timings.apart_in_pairs(way)
            if taken >= FEWEST and apart[way] < CLOSEST:
                break
    assert max(apart.values()) < CLOSEST, apart
    hashing, sending = (min(timings.unknown[f"{what}, call"]) for what in ("sign-in", "forgotten password"))
    assert hashing > sending + CLOSEST  # what is left out would be seen


@pytest.mark.full
@pytest.mark.parametrize("timings", ["mail leaves", "no mail leaves"], indirect=True)
def test_the_medians_of_two_hundred_times_are_within_fifty_milliseconds(timings, figure):
    for _ in range(200):
        for way in WAYS:
            timings.take(way, time.perf_counter)
    apart = {way: timings.apart(way, statistics.median) for way in WAYS}
    for way, seconds in apart.items():
        figure(f"{way}: medians {seconds * 1000:.1f} ms apart", f"{CLOSEST * 1000:.0f} ms")
    assert max(apart.values()) < CLOSEST, apart
