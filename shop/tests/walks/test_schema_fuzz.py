"""What the API's own description allows and forbids is sent to every call, as a visitor and as two customers: no
answer of 500 or above, none of a status or shape that is not described, each within two seconds (RELIABILITY.md
31, 33, 35).

Now and then a field names what really is there: the caller's own things, another customer's, or what nobody has. The
seeds are fixed, what a question changed is taken back, and a test tells of all faults at once.
"""

import time
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
import schemathesis
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import given
from hypothesis import strategies as st
from ninja import Schema
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from shop.api import api

from ..support.belongings import Belongings, belongings_of, furnish, nothing_of
from ..support.fuzzing import MAX_ANSWER_LENGTH, always_the_same
from .walking import undone

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
CALLERS = ["visitor", "Asha", "Bhavani"]
HEADERS = {"Sec-Fetch-Site": "same-origin", "Accept-Encoding": "identity"}

description = schemathesis.openapi.from_dict(api.get_openapi_schema())
description.app = WSGIHandler()
CALLS = [result.ok() for result in description.get_all_operations()]


def known(own: Belongings) -> dict[str, list[Any]]:
    """What the fields of the calls can name; a name that several calls use has a value for each."""
    shelf = own.shelf
    return {
        "product": [shelf.variant, shelf.product],
        "product_id": [own.variant],
        "product_ids": [[own.variant]],
        "product_variant_id": [own.variant],
        "quantity": [1, 2],
        "user": [own.customer],
        "user_id": [own.customer, own.address],
        "customer": [own.customer],
        "cart_id": [own.cart],
        "address_id": [own.address],
        "order": [own.order, own.unpaid],
        "category": [shelf.category],
        "brand": [shelf.brand],
        "concern": [[shelf.concern]],
        "sub-category": [[shelf.below]],
        "query": ["soap", "%", "neem soap"],
        "coupon_code": [shelf.coupon],
        "email_id": [own.email],
        "mobile": [own.phone],
        "password": [own.password],
        "current_password": [own.password],
        "deliver_to": [1, 2],
        "currency": ["INR", "USD"],
        "page": [1, 2],
        **{name: [value] for name, value in own.paid_result.items()},
    }


@pytest.fixture
def people(india, settings, tmp_path):
    """Two customers with their belongings, and nobody. From then on a request does not close the connection
    whose transaction the test rolls back (the test client, which signs them in, connects what does that)."""
    settings.MEDIA_ROOT = tmp_path
    shelf = furnish()
    asha = belongings_of("Asha", shelf, india, phone="+919876500001")
    bhavani = belongings_of("Bhavani", shelf, india, phone="+919876500002")
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield [asha, bhavani, nothing_of(bhavani)]
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.mark.django_db
@pytest.mark.parametrize("caller", CALLERS)
def test_calls_answer_as_described(people, caller):
    assert not (found := faults_of(CALLS, people, caller, count=6)), "\n".join(found)


@pytest.mark.full
@pytest.mark.database
@pytest.mark.django_db
@pytest.mark.parametrize("caller", CALLERS)
def test_calls_answer_as_described_at_length(people, caller, figure):
    """10,000 questions on each database."""
    count = 10_000 // (len(CALLS) * len(CALLERS)) + 1
    found = faults_of(CALLS, people, caller, count=count)
    figure(
        f"{count * len(CALLS):,} questions as {caller}: {len(found)} calls with faults",
        "10,000 on each database: 0 of 5xx, 0 not described",
    )
    assert not found, "\n".join(found)


def test_every_schema_has_a_name_of_its_own():
    """Of two with one name the description would tell of the later one only."""
    ours = {schema for schema in _all_below(Schema) if schema.__module__.startswith("shop.")}
    names = Counter(schema.__name__ for schema in ours)
    assert [name for name, count in names.items() if count > 1] == []


def _all_below(schema: type) -> Iterator[type]:
    for below in schema.__subclasses__():
        yield below
        yield from _all_below(below)


@pytest.mark.django_db
def test_a_call_that_breaks_is_found(people, monkeypatch):
    monkeypatch.setattr("shop.cart.api.price_cart", lambda *args: 1 / 0)
    broken = [call for call in CALLS if call.path == "/get-cart/"]
    (found,) = faults_of(broken, people, "visitor", count=6)
    assert "POST /get-cart/" in found
    assert "Server error" in found


def faults_of(calls: list[APIOperation], people: list[Belongings], caller: str, *, count: int) -> list[str]:
    """What is wrong with the answers to so many questions of each call."""
    cookies = next((own.cookies for own in people if own.mark == caller), {"deliver_to": "IN"})
    found = []
    for call in calls:
        try:
            _ask_often(call, people, cookies, count)
        except (Exception, FailureGroup) as fault:
            found.append(f"{call.method.upper()} {call.path} as {caller}: {_words(fault)}")
    return found


def _ask_often(call: APIOperation, people: list[Belongings], cookies: dict[str, str], count: int) -> None:
    @always_the_same(count)
    @given(case=_questions(call), luck=st.randoms(use_true_random=False))
    def ask(case: Case, luck: Random) -> None:
        case.body = _with_known(case.body, known(luck.choice(people)), luck)
        began = time.process_time()
        with undone():
            answer = case.call(headers=HEADERS, cookies=cookies, base_url=settings.SHOP_URL)
        assert time.process_time() - began < MAX_ANSWER_LENGTH, "takes too long"
        case.validate_response(answer, checks=CHECKS)

    ask()


def _questions(call: APIOperation) -> st.SearchStrategy[Case]:
    """Those that the description allows; of calls that take something also those that it forbids."""
    allowed = call.as_strategy(GenerationMode.POSITIVE)
    takes_something = call.body or call.query or call.path_parameters
    return allowed | call.as_strategy(GenerationMode.NEGATIVE) if takes_something else allowed


def _with_known(body: Any, values: dict[str, list[Any]], luck: Random) -> Any:
    """The body, in which two of three fields that can name something do so, if luck wants that at all."""
    if isinstance(body, list):
        return [_with_known(part, values, luck) for part in body]
    if not isinstance(body, dict):
        return body
    wants = luck.random() < 0.6
    return {
        name: luck.choice(values[name])
        if wants and name in values and luck.random() < 0.66
        else _with_known(part, values, luck)
        for name, part in body.items()
    }


def _words(fault: BaseException) -> str:
    """A group's own words say only how many there are."""
    parts = getattr(fault, "exceptions", None)
    return "; ".join(_words(part) for part in parts) if parts else f"{type(fault).__name__} {fault}"
