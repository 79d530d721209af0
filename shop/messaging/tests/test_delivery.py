import socket
import threading
import time
from datetime import timedelta
from unittest.mock import Mock

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from .. import delivery
from ..delivery import Outcome, deliver, send_due, tidy_outbox
from ..models import Message
from ..worker_thread import LOOK_SECONDS, sending_thread

pytestmark = pytest.mark.django_db


@pytest.fixture
def closed_port(settings):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    settings.EMAIL_BACKEND = "shop.messaging.channels.mail.SmtpBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
    return settings


@pytest.fixture
def hanging_server(settings):
    """Accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        settings.EMAIL_BACKEND = "shop.messaging.channels.mail.SmtpBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.getsockname()
        settings.EMAIL_TIMEOUT = 1
        yield


def make_due():
    Message.objects.update(next_try_at=timezone.now())


def test_a_mail_leaves_through_smtp(queue, smtp_server):
    message = queue()
    assert deliver(message.pk) == Outcome.SENT
    (mail,) = smtp_server.mails
    assert mail.rcpt_tos == ["asha@example.com"]
    assert b"123456" in mail.content


def test_mail_down_keeps_the_mail_owed_and_pauses(queue, closed_port):
    message = queue()
    assert deliver(message.pk) == Outcome.FAILED
    message.refresh_from_db()
    assert message.last_error.startswith("ConnectionRefusedError")
    assert timedelta(seconds=15) < message.next_try_at - timezone.now() < timedelta(seconds=21)
    assert deliver(message.pk) == Outcome.NOT_DUE


def test_pauses_double_up_to_three_minutes(queue, closed_port):
    message = queue()
    pauses = []
    for _ in range(8):
        make_due()
        began = timezone.now()
        deliver(message.pk)
        message.refresh_from_db()
        pauses.append(message.next_try_at - began)
    assert message.attempts == 8
    for pause, seconds in zip(pauses, (20, 40, 80, 160, 180, 180, 180, 180), strict=True):
        assert timedelta(seconds=seconds) <= pause < timedelta(seconds=seconds + 15)


def test_mail_leaves_once_after_recovery(queue, closed_port, request):
    queue()
    assert send_due() == (0, False)
    inbox = request.getfixturevalue("smtp_server")
    make_due()
    assert (send_due(), send_due()) == ((1, True), (0, True))
    assert len(inbox.mails) == 1


def test_a_hanging_server_fails_after_the_timeout(queue, hanging_server):
    assert deliver(queue().pk) == Outcome.FAILED


def test_one_failure_is_enough_for_a_round(queue, closed_port):
    queue(), queue()
    assert send_due() == (0, False)
    assert sorted(Message.objects.values_list("attempts", flat=True)) == [0, 1]


def test_a_refused_address_is_given_up(queue, smtp_server):
    smtp_server.answer = "550 no such mailbox"
    message = queue()
    assert deliver(message.pk) == Outcome.REFUSED
    message.refresh_from_db()
    assert message.last_error == "550 no such mailbox"
    assert not Message.objects.pending().exists()


def test_a_busy_address_is_tried_again(queue, smtp_server):
    smtp_server.answer = "450 later"
    queue()
    send_due()
    assert Message.objects.pending().count() == 1


def test_a_stale_mail_is_not_sent_and_its_text_is_forgotten(queue, settings):
    queue(stale_after=timezone.now() - timedelta(seconds=1))
    tidy_outbox()
    assert Message.objects.get().text == ""
    assert not settings.MAIL_DIR.exists()


def test_the_text_of_a_mail_that_could_go_stale_is_forgotten_once_sent(queue):
    queue(stale_after=timezone.now() + timedelta(minutes=10))
    assert send_due() == (1, True)
    message = Message.objects.get()
    assert (message.text, message.html) == ("", "")


def _race(monkeypatch, message):
    """Six workers deliver one message, each let past the look at the row before any sends."""
    sends, barrier = [], threading.Barrier(6)
    monkeypatch.setattr(delivery, "send", sends.append)

    def work():
        barrier.wait()
        deliver(message.pk)
        connection.close()

    workers = [threading.Thread(target=work) for _ in range(6)]
    [worker.start() for worker in workers]
    [worker.join() for worker in workers]
    return len(sends)


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_six_workers_send_a_message_once(queue, monkeypatch):
    assert _race(monkeypatch, queue()) == 1


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_without_the_claim_six_workers_send_it_more_than_once(queue, monkeypatch):
    looked = threading.Barrier(6)

    def look_only(message_id):
        message = Message.objects.due().get(pk=message_id)
        looked.wait()
        return message

    monkeypatch.setattr(delivery, "_claim", look_only)
    assert _race(monkeypatch, queue()) == 6


def test_what_can_go_stale_leaves_before_what_waited_longer(queue, smtp_server):
    queue(to="desk@example.com")
    queue(stale_after=timezone.now() + timedelta(minutes=10))
    send_due()
    assert [mail.rcpt_tos for mail in smtp_server.mails] == [["asha@example.com"], ["desk@example.com"]]


def test_a_round_ends_when_it_is_told_to(queue):
    queue()
    told = threading.Event()
    told.set()
    assert send_due(told) == (0, True)


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_the_sending_thread_sends_after_the_commit_only(queue, monkeypatch):
    sent = threading.Event()
    monkeypatch.setattr(delivery, "send", lambda message: sent.set())
    with sending_thread():
        with transaction.atomic():
            message = queue()
            assert not sent.wait(3 * LOOK_SECONDS)
        assert sent.wait(10)
    message.refresh_from_db()
    assert message.sent_at


@pytest.mark.django_db(transaction=True)
def test_the_sending_thread_rests_after_a_failure_and_goes_on(queue, closed_port, monkeypatch):
    monkeypatch.setattr("shop.messaging.worker_thread.PAUSE_SECONDS", 0.01)
    rounds = Mock(side_effect=[DatabaseError("away"), (0, False), (1, True), *[(0, True)] * 1000])
    monkeypatch.setattr("shop.messaging.worker_thread.send_due", rounds)
    with sending_thread():
        _until(lambda: rounds.call_count > 3)


def _until(is_so):
    for _ in range(1000):
        if is_so():
            return
        time.sleep(0.01)
    raise AssertionError("it never was so")
