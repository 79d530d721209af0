import datetime
from email import message_from_bytes, policy

import pytest
from django.db import transaction
from django.template import Engine
from django.utils import translation

from .. import services
from ..delivery import send_due
from ..models import Message
from ..services import queue_mail, queue_sms

pytestmark = pytest.mark.django_db
SOURCE = '{% translate "Cart" %} {{ day|date:"j M" }}'


def test_a_mail_becomes_one_readable_file(queue, settings):
    queue()
    assert send_due() == (1, True)
    (path,) = settings.MAIL_DIR.iterdir()
    mail = message_from_bytes(path.read_bytes(), policy=policy.default)
    assert path.name.endswith("asha-at-example.com.eml")
    assert mail["To"] == "asha@example.com"
    assert "123456" in mail.get_body(("plain",)).get_content()
    assert "123456" in mail.get_body(("html",)).get_content()


@pytest.mark.parametrize(
    ("kind", "language", "text"),
    [
        ("order_placed", "en", "Cart 24 Nov\n"),
        ("order_placed", "hi", "कार्ट 24 नव\n"),
        ("order_placed", "ta", "Cart 24 Nov\n"),  # not of this shop, or not any more
        ("order_placed", None, "कार्ट 24 नव\n"),
        ("desk_order", None, "Cart 24 Nov\n"),
        ("payment_dispute", "hi", "Cart 24 Nov\n"),
    ],
)
def test_a_message_is_in_one_language_whatever_page_tells_it(settings, monkeypatch, kind, language, text):
    """Its texts and the days and months between them: its customer's, or the page's; English for staff."""
    settings.SHOP_LANGUAGES = ("en", "hi")
    monkeypatch.setattr(services.Engine, "get_default", lambda: Engine(builtins=["django.templatetags.i18n"]))
    monkeypatch.setattr(Engine, "get_template", lambda engine, name: engine.from_string(SOURCE))
    context = {"day": datetime.date(2026, 11, 24)}
    with translation.override("hi"):
        queue_mail(kind=kind, to="a@b.example", subject="x", template="x", context=context, language=language)
        assert translation.get_language() == "hi"
    mail = Message.objects.get()
    assert (mail.text, mail.language) == (text, "hi" if "कार्ट" in text else "en")


def test_mail_files_sort_by_time(queue, settings):
    queue(to="a@example.com")
    queue(to="z@example.com")
    queue(to="m@example.com")
    send_due()
    assert [path.name.split("-")[5][0] for path in sorted(settings.MAIL_DIR.iterdir())] == ["a", "z", "m"]


def test_an_sms_becomes_a_file(settings):
    queue_sms(kind="code", to="+919876543210", template="sign_up_code", context={"code": "123456", "minutes": 10})
    send_due()
    (path,) = settings.SMS_DIR.iterdir()
    assert path.read_text().startswith("To: +919876543210\n\n123456 is your sign-up code")


def test_a_sent_mail_is_not_sent_again(queue, settings):
    queue()
    assert (send_due(), send_due()) == ((1, True), (0, True))
    assert len(list(settings.MAIL_DIR.iterdir())) == 1


def test_a_second_mail_with_the_same_key_is_not_written(queue):
    queue(key="order-1")
    queue(key="order-1", subject="Other")
    assert Message.objects.get().subject == "Your code"


@pytest.mark.django_db(transaction=True)
def test_a_rolled_back_change_sends_nothing(queue):
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        queue()
        raise ZeroDivisionError
    assert not Message.objects.exists()


def test_markup_in_the_context_is_inert_in_html_and_plain_in_text(queue):
    message = queue(context={"code": "<script>&", "minutes": 10})
    assert "&lt;script&gt;&amp;" in message.html
    assert "<script>&" in message.text


def test_line_breaks_cannot_leave_the_subject(queue, settings):
    queue(subject="Hello\r\nBcc: other@example.com")
    send_due()
    (path,) = settings.MAIL_DIR.iterdir()
    assert message_from_bytes(path.read_bytes())["Bcc"] is None


def test_line_breaks_in_the_address_are_refused_for_good(queue, settings):
    message = queue(to="asha@example.com\r\nBcc: other@example.com")
    assert send_due() == (0, True)
    message.refresh_from_db()
    assert message.last_error == "unusable header"
    assert not Message.objects.pending().exists()
