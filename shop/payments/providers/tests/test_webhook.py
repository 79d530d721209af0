import itertools
import json
from datetime import timedelta
from unittest.mock import patch

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from shop.messaging.models import Message
from shop.orders.models import Order

from ...models import Payment, ProviderEvent, Refund, SimulatedRecord, StrayCapture
from ...reconciliation import jobs
from ...reconciliation.jobs import handle_events
from ...reconciliation.settlement import settle
from ...refunds.services import issue_due_refunds
from ...services import cancel
from ...simulator.events import deliver, undelivered
from ...simulator.faults import plan
from ...simulator.payer import pay
from ...tasks import handle_provider_event
from ..keys import current_keys, sign
from ..razorpay import razorpay
from ..webhooks import MAX_ATTEMPTS, UNANSWERED_FOR, handle_event, retry_event

PATH = "/payments/webhook/"
provider = Client(enforce_csrf_checks=True)


def post(delivery, **changes):
    headers = delivery.headers | changes
    return provider.post(PATH, delivery.body, content_type="application/json", headers=headers).status_code


def work():
    for event in ProviderEvent.objects.filter(handled_at=None):
        handle_provider_event.func(event.event_id)


@pytest.fixture
def paid(paying):
    order, payment = paying()
    pay(payment.razorpay_order_id)
    return order


def test_the_webhook_stores_the_event_and_the_worker_pays(paid):
    assert deliver(post) == 3
    assert ProviderEvent.objects.count() == 3
    assert Order.objects.get(pk=paid.pk).status == "pending"
    work()
    assert Order.objects.get(pk=paid.pk).status == "placed"
    assert not ProviderEvent.objects.filter(handled_at=None).exists()


def test_events_in_any_order_and_number_pay_once(paying):
    for events in itertools.permutations(range(3)):
        order, payment = paying()
        pay(payment.razorpay_order_id)
        sent = list(undelivered())
        for number in (*events, *events):
            assert post(sent[number]) == 200
            work()
        deliver(post)
        assert Order.objects.get(pk=order.pk).status == "placed"
        assert Message.objects.filter(key=f"order_placed:{order.number}").count() == 1
    assert not StrayCapture.objects.exists()


@pytest.mark.parametrize("signature", ["", "0" * 64, "é"])
def test_a_wrong_signature_writes_nothing(paid, signature):
    [first, *_] = undelivered()
    assert post(first, **{"X-Razorpay-Signature": signature.encode().decode("latin-1")}) == 400
    assert not ProviderEvent.objects.exists()


def test_an_event_without_id_or_signed_over_other_bytes_writes_nothing(paid):
    [first, *_] = undelivered()
    assert post(first, **{"x-razorpay-event-id": ""}) == 400
    other = provider.post(PATH, first.body + b" ", content_type="application/json", headers=first.headers)
    assert other.status_code == 400
    assert not ProviderEvent.objects.exists()


def test_two_secrets_are_good_while_one_is_changed(paid, settings):
    settings.SIMULATED_GATEWAY = False
    settings.RAZORPAY_WEBHOOK_SECRETS = ["new", "old"]
    [first, *_] = undelivered()
    for secret, status in (("old", 200), ("new", 200), ("older", 400)):
        assert post(first, **{"X-Razorpay-Signature": sign(first.body, secret)}) == status


def test_unknown_events_and_orders_are_stored_and_done_with(paid):
    [first, *_] = undelivered()
    Payment.objects.update(razorpay_order_id="order_another00000")
    assert post(first) == 200
    work()
    assert ProviderEvent.objects.get().handled_at
    assert Order.objects.get(pk=paid.pk).status == "pending"


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b"\xff", b'{"payload": 3}', b'{"payload": {"payment": []}}'])
def test_odd_bodies_with_a_good_signature_are_no_error(db, body):
    headers = {
        "X-Razorpay-Signature": sign(body, current_keys().webhook_secrets[0]),
        "x-razorpay-event-id": "event_1",
    }
    status = provider.post(PATH, body, content_type="application/json", headers=headers).status_code
    assert status in (200, 400)
    work()


def post_signed(body, event_id="event_1"):
    headers = {"X-Razorpay-Signature": sign(body, current_keys().webhook_secrets[0]), "x-razorpay-event-id": event_id}
    return provider.post(PATH, body, content_type="application/json", headers=headers).status_code


EVENT = '{"event": "payment.captured", "payload": {"payment": {"entity": {"order_id": "%s"}}}}'


@pytest.mark.database
@pytest.mark.parametrize(
    "body",
    [
        b"\xef\xbb\xbf" + EVENT.encode(),
        *[EVENT.encode(encoding) for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-32")],
        *[(EVENT % odd).encode("utf-8", "surrogatepass") for odd in ("\x00", "\\u0000", "\ud800", "\\udc00")],
        b'{"event": "payment.captured", "\\u0000": 1}',
        b'{"event": "payment.captured", "payload": [["\\ud83d"]]}',
        b'{"payload": ' + b"[" * 5_000 + b"]" * 5_000 + b"}",
        (EVENT % "order").encode("latin-1").replace(b'order"', b'\xe9"'),
    ],
    ids=lambda body: repr(body[:60]),
)
def test_a_body_that_is_no_plain_utf8_json_is_refused_and_writes_nothing(db, body):
    assert post_signed(body) == 400
    assert not ProviderEvent.objects.exists()


def test_text_of_any_language_and_an_escaped_pair_are_plain_json(db):
    assert post_signed((EVENT % "आदेश \\ud83d\\ude00").encode()) == 200
    assert ProviderEvent.objects.get().razorpay_order_id == "आदेश 😀"


def test_an_event_id_that_comes_again_with_another_body_is_logged_and_the_first_stays(db, caplog):
    first = (EVENT % "order_another00000").encode()
    assert post_signed(first) == post_signed(first) == 200
    assert "another body" not in caplog.text
    assert post_signed((EVENT % "order_another00001").encode()) == 200
    assert "event event_1 came again with another body" in caplog.text
    assert ProviderEvent.objects.get().body.encode() == first


def test_events_of_the_other_provider_are_left_to_its_own_processes(paid, settings):
    deliver(post)
    settings.SIMULATED_GATEWAY = False  # as in a process that was started with keys
    work()
    ProviderEvent.objects.update(received_at=paid.created_at.replace(year=2020))
    assert handle_events() == 0
    settings.SIMULATED_GATEWAY = True
    work()
    assert not ProviderEvent.objects.filter(handled_at=None).exists()
    assert Order.objects.get(pk=paid.pk).status == "placed"


@pytest.fixture
def unanswerable(paid):
    """An old event about a payment that the provider does not know."""
    return ProviderEvent.objects.create(
        event_id="odd", event="payment.captured", razorpay_payment_id="pay_unknown", body="{}",
        razorpay_order_id=Payment.objects.get().razorpay_order_id,
        received_at=timezone.now() - timedelta(minutes=5),
    )  # fmt: skip


def test_an_event_that_fails_too_often_is_left_to_the_staff_who_can_try_it_again(unanswerable):
    for _ in range(MAX_ATTEMPTS):
        assert list(ProviderEvent.objects.waiting()) == [unanswerable]
        handle_events()
    [failed] = ProviderEvent.objects.failed()
    assert failed.tries == MAX_ATTEMPTS and "responding" in failed.last_error
    assert not ProviderEvent.objects.waiting().exists() and handle_events() == 0
    retry_event(failed)
    assert list(ProviderEvent.objects.waiting()) == [unanswerable]


def test_whatever_an_event_raises_does_not_keep_the_others_waiting(unanswerable, paid, monkeypatch):
    deliver(post)
    ProviderEvent.objects.update(received_at=paid.created_at.replace(year=2020))

    def handle(event):
        if event.pk == unanswerable.pk:
            raise KeyError("a fault of ours")
        return handle_event(event)

    monkeypatch.setattr(jobs, "handle_event", handle)
    for _ in range(2):
        handle_events()
    assert Order.objects.get(pk=paid.pk).status == "placed"


def test_a_silent_provider_gives_up_no_event_before_a_day(unanswerable):
    plan("GET", "/v1/payments/.*", "error", times=3 * MAX_ATTEMPTS)
    for _ in range(MAX_ATTEMPTS + 1):
        handle_events()
    unanswerable.refresh_from_db()
    assert unanswerable.failed_at is None and unanswerable.tries == MAX_ATTEMPTS + 1
    ProviderEvent.objects.update(received_at=timezone.now() - UNANSWERED_FOR)
    handle_events()
    assert ProviderEvent.objects.failed().exists()


def test_a_failed_event_does_not_answer_for_a_new_one_of_the_same_payment(paid):
    first, *others = undelivered()
    post(first)
    ProviderEvent.objects.update(failed_at=timezone.now())
    with patch("shop.payments.views.handle_provider_event") as task:
        post(others[0])
    assert task.using.called


def test_staff_see_failed_events_and_try_them_again(unanswerable, admin_client):
    ProviderEvent.objects.update(failed_at=timezone.now(), tries=MAX_ATTEMPTS, last_error="Refused: unknown")
    assert "Failed provider events" in admin_client.get("/admin/").content.decode()
    listed = admin_client.get("/admin/payments/providerevent/?failed_at__isempty=0&handled_at__isempty=1")
    assert "Refused: unknown" in listed.content.decode()
    admin_client.post(f"/admin/payments/providerevent/{unanswerable.pk}/step/try_again/")
    assert ProviderEvent.objects.waiting().exists()
    cache.clear()
    assert "Failed provider events" not in admin_client.get("/admin/").content.decode()


def test_what_the_buyers_page_told_is_not_asked_again(paid, monkeypatch):
    deliver(post)
    payment = Payment.objects.get()
    settle(payment.razorpay_order_id, ProviderEvent.objects.exclude(razorpay_payment_id="").first().razorpay_payment_id)
    monkeypatch.setattr(razorpay, "fetch", None)
    work()
    assert not ProviderEvent.objects.filter(handled_at=None).exists()
    assert Order.objects.get(pk=paid.pk).status == "placed"


def test_the_task_leaves_the_buyers_page_a_moment(paid, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        deliver(post)
    told = DBTaskResult.objects.filter(task_path__endswith="handle_provider_event").latest("enqueued_at")
    assert timedelta(seconds=1) < told.run_after - told.enqueued_at < timedelta(seconds=5)


def test_an_event_is_taken_though_its_task_cannot_be_queued(paid, django_capture_on_commit_callbacks):
    refusing = patch("django_tasks_db.backend.DatabaseBackend.enqueue", side_effect=OSError)
    with refusing, django_capture_on_commit_callbacks(execute=True):
        deliver(post)
    assert not undelivered()
    work()
    assert Order.objects.get(pk=paid.pk).status == "placed"


def test_what_the_worker_could_not_ask_the_clock_comes_back_to(paid):
    plan("GET", "/v1/payments/.*", "error", times=3)
    deliver(post)
    for event in ProviderEvent.objects.all():
        with pytest.raises(Exception, match="isn't responding"):
            handle_provider_event.func(event.event_id)
    ProviderEvent.objects.update(received_at=paid.created_at.replace(year=2020))
    assert handle_events() == 1  # one question settles all that was told of the payment
    assert not ProviderEvent.objects.filter(handled_at=None).exists()
    assert Order.objects.get(pk=paid.pk).status == "placed"


def test_an_event_that_cannot_be_worked_on_does_not_keep_the_others_waiting(paid):
    deliver(post)
    payment = Payment.objects.get()
    ProviderEvent.objects.create(
        event_id="odd", event="payment.captured", razorpay_order_id=payment.razorpay_order_id,
        razorpay_payment_id="pay_unknown", body="{}",
    )  # fmt: skip
    first = ProviderEvent.objects.get(event_id="odd")
    ProviderEvent.objects.filter(pk=first.pk).delete()
    first.pk = 0  # before all others
    first.save()
    ProviderEvent.objects.update(received_at=paid.created_at.replace(year=2020), handled_at=None)
    for _ in range(30):  # each has its turn by chance
        handle_events()
    assert Order.objects.get(pk=paid.pk).status == "placed"
    assert list(ProviderEvent.objects.filter(handled_at=None)) == [first]


def test_a_refund_is_followed_from_pending_to_processed(paid):
    deliver(post)
    work()
    order = Order.objects.get(pk=paid.pk)
    cancel(order, actor="customer")
    issue_due_refunds()
    Refund.objects.update(status="pending")
    refund = Refund.objects.get()
    assert SimulatedRecord.objects.get(kind="refund").body["status"] == "processed"
    ProviderEvent.objects.create(
        event_id="event_refund",
        event="refund.processed",
        body=json.dumps({"payload": {"refund": {"entity": {"id": refund.razorpay_refund_id}}}}),
    )
    work()
    refund.refresh_from_db()
    assert refund.status == "processed"


@pytest.mark.parametrize(
    "dispute",
    [
        {},
        {"amount": "much", "respond_by": "soon", "reason_code": 7},
        {"amount": -5, "respond_by": -1},
        {"amount": True},
    ],
)
def test_an_odd_dispute_still_reaches_the_desk_once(paid, dispute):
    payment = Payment.objects.get()
    told = {
        "payment": {"entity": {"id": "pay_1", "order_id": payment.razorpay_order_id}},
        "dispute": {"entity": dispute},
    }
    body = json.dumps({"event": "payment.dispute.created", "payload": told}).encode()
    headers = {
        "X-Razorpay-Signature": sign(body, current_keys().webhook_secrets[0]),
        "x-razorpay-event-id": "event_1",
    }
    for _ in range(2):
        assert provider.post(PATH, body, content_type="application/json", headers=headers).status_code == 200
        work()
    mail = Message.objects.get(kind="payment_dispute")
    assert mail.subject == f"Dispute about the payment of {paid.number}"


def test_a_dispute_about_the_order_of_somebody_else_is_stored_only(db):
    body = b'{"event": "payment.dispute.won", "payload": {"payment": {"entity": {"order_id": "order_another00000"}}}}'
    headers = {
        "X-Razorpay-Signature": sign(body, current_keys().webhook_secrets[0]),
        "x-razorpay-event-id": "event_1",
    }
    assert provider.post(PATH, body, content_type="application/json", headers=headers).status_code == 200
    work()
    assert ProviderEvent.objects.get(event="payment.dispute.won").handled_at
    assert not Message.objects.exists()
