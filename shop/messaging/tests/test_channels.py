"""The setting that names a class for each channel decides who carries a message."""

import pytest

from ..channels.base import Channel, UndeliverableError
from ..delivery import Outcome, deliver, send_due
from ..models import Message
from ..services import queue_sms

pytestmark = pytest.mark.django_db
CODE = {"code": "123456", "minutes": 10}


@pytest.fixture
def printing(settings):
    settings.MESSAGE_CHANNELS = dict.fromkeys(("mail", "sms"), settings.CONSOLE_CHANNEL)


def test_a_printed_mail_shows_address_subject_and_text(printing, queue, settings, capsys):
    assert deliver(queue().pk) == Outcome.SENT
    printed = capsys.readouterr().out
    for said in ("mail to asha@example.com (sign_up_code)", "Your code", "123456"):
        assert said in printed
    assert "<html" not in printed and not settings.MAIL_DIR.exists()


def test_a_printed_sms_is_written_to_no_file(printing, settings, capsys):
    queue_sms(kind="sign_up_code", to="+919876543210", template="sign_up_code", context=CODE)
    assert send_due() == (1, True)
    assert "sms to +919876543210 (sign_up_code)\n\n123456 is your sign-up code" in capsys.readouterr().out
    assert not settings.SMS_DIR.exists()


class Messenger(Channel):
    """A channel that another module brings."""

    carried = []

    def send(self, message):
        if not message.to.startswith("+91"):
            raise UndeliverableError("not known here")
        self.carried.append(message.pk)


@pytest.mark.parametrize(("to", "outcome"), [("+919876543210", Outcome.SENT), ("+447700900000", Outcome.REFUSED)])
def test_another_channel_needs_no_more_than_its_class(settings, monkeypatch, to, outcome):
    monkeypatch.setattr(Messenger, "carried", [])
    settings.MESSAGE_CHANNELS = settings.MESSAGE_CHANNELS | {"sms": f"{__name__}.Messenger"}
    queue_sms(kind="sign_up_code", to=to, template="sign_up_code", context=CODE)
    message = Message.objects.get()
    assert deliver(message.pk) == outcome
    assert Messenger.carried == ([message.pk] if outcome == Outcome.SENT else [])


def test_a_channel_that_the_settings_do_not_name_leaves_its_message_owed(settings):
    settings.MESSAGE_CHANNELS = {}
    queue_sms(kind="sign_up_code", to="+919876543210", template="sign_up_code", context=CODE)
    assert deliver(Message.objects.get().pk) == Outcome.FAILED
    assert Message.objects.pending().exists()
