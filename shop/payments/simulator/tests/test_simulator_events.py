"""Webhooks of the simulated provider: what is posted, how often, and when it stops."""

import hmac
import json
from hashlib import sha256

import pytest

from ..control import control
from ..endpoints import Call
from ..events import deliver, delivery_log, replay, undelivered
from ..payer import move_payment, pay, pay_and_tell
from ..provider import Provider, Webhook

KEY = "rzp_test_one"
HOUR = 3600


@pytest.fixture
def provider():
    return Provider({KEY: "first", "rzp_test_two": "second"}, webhook=Webhook(secret="hush"))


@pytest.fixture
def order(provider):
    return provider.create_order(KEY, {"amount": 10050, "currency": "INR"})


def give(provider, order, fault, **more):
    steer(provider, "faults", {"name": fault, "order": order.id, **more})


def steer(provider, what, body):
    found = control(provider, Call("POST", f"/control/{what}", body=json.dumps(body).encode()))
    assert found.status == 200, found.body
    return found.body


def told(provider):
    return [delivery.event for delivery in undelivered(provider)]


SUCCESS = ["payment.authorized", "payment.captured", "order.paid"]


def test_one_success_tells_three_events_signed_over_their_bytes(provider, order):
    pay(order.id, provider=provider)
    found = undelivered(provider)
    assert [delivery.event for delivery in found] == SUCCESS
    assert len({delivery.event_id for delivery in found}) == 3
    for delivery in found:
        assert delivery.headers == {
            "X-Razorpay-Signature": hmac.new(b"hush", delivery.body, sha256).hexdigest(),
            "x-razorpay-event-id": delivery.event_id,
        }
    body = json.loads(found[2].body)
    assert (body["entity"], body["event"], body["contains"]) == ("event", "order.paid", ["payment", "order"])
    assert body["payload"]["order"]["entity"]["status"] == "paid"
    assert body["payload"]["payment"]["entity"]["order_id"] == order.id
    assert not any(name.startswith("_") for name in body["payload"]["order"]["entity"])


def test_an_event_is_a_snapshot_of_its_moment(provider, order):
    payment_id = pay(order.id, until="failed", provider=provider).razorpay_payment_id
    move_payment(payment_id, "captured", provider)
    states = [json.loads(one.body)["payload"]["payment"]["entity"]["status"] for one in undelivered(provider)]
    assert states == ["failed", "authorized", "captured", "captured"]


def test_the_other_account_has_no_webhook(provider):
    order = provider.create_order("rzp_test_two", {"amount": 10050, "currency": "INR"})
    pay(order.id, provider=provider)
    assert told(provider) == []


def test_what_is_answered_2xx_is_done_and_the_rest_comes_again_with_growing_delays(provider, order):
    pay(order.id, provider=provider)
    start = provider.clock.now()
    assert deliver(lambda delivery: 200 if delivery.event == "order.paid" else 500, provider) == 1
    tries = []
    for _ in range(60):
        provider.clock.advance(60)
        for delivery in undelivered(provider):
            if delivery.event == "payment.captured":
                tries.append(round((provider.clock.now() - start) / 60))
        deliver(lambda delivery: 0, provider)
    assert tries == [1, 3, 7, 15, 31]
    assert {delivery.event_id for delivery in undelivered(provider)} <= {entry["event_id"] for entry in delivery_log(provider)}  # fmt: skip  # noqa: E501
    assert [entry["status"] for entry in delivery_log(provider)].count(200) == 1


def test_after_a_day_of_failures_the_webhook_is_off_until_it_is_enabled_again(provider, order):
    pay(order.id, provider=provider)
    for _ in range(25):
        deliver(lambda delivery: 503, provider)
        provider.clock.advance(HOUR)
    deliver(lambda delivery: 503, provider)
    while provider.webhook.enabled:
        provider.clock.advance(HOUR)
        deliver(lambda delivery: 503, provider)
    other = provider.create_order(KEY, {"amount": 10050, "currency": "INR"})
    pay(other.id, provider=provider)
    assert deliver(lambda delivery: 200, provider) == 0
    steer(provider, "webhook", {"enabled": True})
    assert deliver(lambda delivery: 200, provider) == 0  # what was missed comes only by replay
    assert steer(provider, "replay", {}) == {"replayed": 6}
    assert deliver(lambda delivery: 200, provider) == 6
    third = provider.create_order(KEY, {"amount": 10050, "currency": "INR"})
    pay(third.id, provider=provider)
    assert deliver(lambda delivery: 200, provider) == 3


def test_a_day_of_failures_means_a_whole_day(provider, order):
    pay(order.id, provider=provider)
    deliver(lambda delivery: 503, provider)
    provider.clock.advance(23.5 * HOUR)
    deliver(lambda delivery: 503, provider)
    assert provider.webhook.enabled


def test_a_replay_has_the_same_id_and_the_old_secret(provider, order):
    pay(order.id, provider=provider)
    first = undelivered(provider)[0]
    deliver(lambda delivery: 200, provider)
    steer(provider, "webhook", {"secret": "new"})
    replay(provider, [first.event_id])
    assert undelivered(provider) == [first]
    other = provider.create_order(KEY, {"amount": 10050, "currency": "INR"})
    pay(other.id, provider=provider)
    fresh = undelivered(provider)[-1]
    assert fresh.signature == hmac.new(b"new", fresh.body, sha256).hexdigest()


@pytest.mark.parametrize(
    ("fault", "seconds", "events"),
    [
        ("callback_only", 0, []),
        ("no_news", 0, []),
        ("webhook_only", 0, SUCCESS),
        ("events_reversed", 5, SUCCESS[::-1]),
        ("failed_then_captured", 31, ["payment.failed", *SUCCESS]),
        ("late_authorization", 21 * 60, ["payment.failed", *SUCCESS]),
        ("two_captures", 0, SUCCESS * 2),
        ("dispute", 61, [*SUCCESS, "payment.dispute.created"]),
    ],
)
def test_a_fault_of_the_order_decides_what_is_told(provider, order, fault, seconds, events):
    give(provider, order, fault)
    pay_and_tell(provider, KEY, order.id, {})
    provider.clock.advance(seconds)
    provider.run_due()
    provider.clock.advance(5)
    assert told(provider) == events


def test_every_event_twice_and_signatures_that_do_not_fit(provider, order):
    give(provider, order, "events_twice")
    pay(order.id, provider=provider)
    posted = []
    deliver(lambda delivery: posted.append(delivery.event_id) or 200, provider)
    assert len(posted) == 6 and len({*posted}) == 3
    for fault, signed_with in (("bad_webhook_signature", None), ("old_secret", b"older")):
        provider.webhook.old_secret = "older"
        other = provider.create_order(KEY, {"amount": 10050, "currency": "INR"})
        give(provider, other, fault)
        pay(other.id, provider=provider)
        for delivery in undelivered(provider):
            proper = signed_with and hmac.new(signed_with, delivery.body, sha256).hexdigest()
            assert delivery.signature == (proper or "0" * 64)
        deliver(lambda delivery: 200, provider)


def test_the_webhook_may_come_before_the_windows_result(provider, order):
    give(provider, order, "webhook_first")
    provider.post = lambda delivery: 200
    assert "result" in pay_and_tell(provider, KEY, order.id, {})
    assert [entry["event"] for entry in delivery_log(provider)] == SUCCESS[::-1]
    assert told(provider) == []


@pytest.mark.parametrize(
    ("fault", "ending", "told_of"), [("refund_pending", "processed", 10050), ("refund_fails", "failed", 0)]
)
def test_a_refund_is_told_of_as_it_goes_on(provider, order, fault, ending, told_of):
    give(provider, order, fault)
    payment_id = pay(order.id, provider=provider).razorpay_payment_id
    deliver(lambda delivery: 200, provider)
    provider.refund(provider.store.get("payment", payment_id), {"amount": 10050}, "")
    assert told(provider) == ["refund.created"]
    provider.clock.advance(121)
    provider.run_due()
    last = json.loads(undelivered(provider)[-1].body)
    assert (last["event"], last["contains"]) == (f"refund.{ending}", ["payment", "refund"])
    assert last["payload"]["payment"]["entity"]["amount_refunded"] == told_of
