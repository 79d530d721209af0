"""SMS through a provider's HTTP call, against a real server on loopback."""

import json
import logging
import socket
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.utils import timezone

from ..channels import sms
from ..delivery import Outcome, deliver, send_due
from ..models import Message
from ..services import queue_sms

pytestmark = pytest.mark.django_db
KEY = "k3y-of-the-shop"
ODD = 'Asha\'s "code"\n{sender} & <b>=1</b> ₹'


class Provider(ThreadingHTTPServer):
    """What a provider on loopback was asked; `status` is what it answers."""

    status = 200
    location = ""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked = []


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        self.server.asked.append((self.command, self.path, self.headers, body))
        self.send_response(self.server.status)
        if self.server.location:
            self.send_header("Location", self.server.location)
        self.end_headers()
        self.wfile.write(KEY.encode())

    do_GET = do_POST  # noqa: N815

    def log_message(self, *words):
        pass


@contextmanager
def serving():
    server = Provider()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def provider(settings):
    with serving() as server:
        settings.SMS_URL = f"http://127.0.0.1:{server.server_port}/send?key={KEY}"
        settings.SMS_HEADERS = {"Content-Type": "application/json", "Authorization": f"Bearer {KEY}"}
        settings.SMS_SENDER = "AUSHDH"
        settings.SMS_DLT_ENTITY_ID = "1101"
        settings.SMS_DLT_TEMPLATES = {"sign_up_code": "1107", "order_placed": "1108"}
        yield server


def queued_sms(text="123456 is your code", **fields):
    return Message.objects.create(channel="sms", kind="sign_up_code", to="+919876543210", text=text, **fields)


def form(settings, template, method="POST"):
    settings.SMS_METHOD = method
    settings.SMS_HEADERS = {"content-type": "application/x-www-form-urlencoded"}
    settings.SMS_BODY = template


def test_a_code_leaves_as_the_json_of_the_default_template(provider, settings):
    context = {"code": "123456", "minutes": 10}
    queue_sms(kind="sign_up_code", to="+919876543210", template="sign_up_code", context=context)
    assert send_due() == (1, True)
    ((method, path, headers, body),) = provider.asked
    said = json.loads(body)
    assert (method, path, headers["Authorization"]) == ("POST", f"/send?key={KEY}", f"Bearer {KEY}")
    assert (said["to"], said["sender"]) == ("+919876543210", "AUSHDH")
    assert said["text"].startswith("123456 is your sign-up code")
    assert not settings.SMS_DIR.exists()


@pytest.mark.parametrize(("kind", "template"), [("sign_up_code", "1107"), ("order_placed", "1108"), ("other", "")])
def test_each_kind_of_message_names_its_own_template_of_the_registry(provider, settings, kind, template):
    settings.SMS_BODY = '{"route": 4, "to": ["{digits}"], "dlt": {"entity": "{dlt_entity}", "id": "{dlt_template}"}}'
    message = queued_sms()
    Message.objects.update(kind=kind)
    assert deliver(message.pk) == Outcome.SENT
    assert json.loads(provider.asked[0][3]) == {
        "route": 4,
        "to": ["919876543210"],
        "dlt": {"entity": "1101", "id": template},
    }


@pytest.mark.parametrize("text", [ODD, "{to} {dlt_template}", "\\u0022}", "a" * 2000])
def test_no_text_leaves_its_place_in_json(provider, text):
    deliver(queued_sms(text).pk)
    assert json.loads(provider.asked[0][3])["text"] == text


def test_no_text_leaves_its_place_in_a_form(provider, settings):
    form(settings, "to={to}&text={text}&from={sender}&flash=")
    assert deliver(queued_sms(ODD).pk) == Outcome.SENT
    ((_, _, headers, body),) = provider.asked
    assert headers["Content-Type"] == "application/x-www-form-urlencoded"
    assert dict(parse_qsl(body, keep_blank_values=True)) == {
        "to": "+919876543210",
        "text": ODD,
        "from": "AUSHDH",
        "flash": "",
    }


def test_a_get_carries_the_form_in_its_query(provider, settings):
    form(settings, "to={digits}&text={text}", method="GET")
    assert deliver(queued_sms(ODD).pk) == Outcome.SENT
    ((method, path, _, body),) = provider.asked
    assert (method, body) == ("GET", "")
    assert dict(parse_qsl(urlsplit(path).query)) == {"key": KEY, "to": "919876543210", "text": ODD}


@pytest.mark.parametrize("status", [400, 404, 410, 422])
def test_a_number_that_the_provider_refuses_is_given_up(provider, status):
    provider.status = status
    message = queued_sms()
    assert deliver(message.pk) == Outcome.REFUSED
    message.refresh_from_db()
    assert message.last_error == f"the SMS provider answered {status}"
    assert not Message.objects.pending().exists()


@pytest.mark.parametrize("status", [401, 403, 408, 429, 500, 503])
def test_a_provider_in_trouble_is_asked_again(provider, status):
    provider.status = status
    message = queued_sms()
    assert deliver(message.pk) == Outcome.FAILED
    provider.status = 202
    Message.objects.update(next_try_at=timezone.now())
    assert deliver(message.pk) == Outcome.SENT
    assert len(provider.asked) == 2


def test_a_redirect_is_not_followed(provider):
    with serving() as elsewhere:
        provider.status, provider.location = 302, f"http://127.0.0.1:{elsewhere.server_port}/"
        assert deliver(queued_sms().pk) == Outcome.FAILED
        assert elsewhere.asked == []


def secrets_told(message, caplog):
    message.refresh_from_db()
    told = message.last_error + caplog.text
    return [secret for secret in (KEY, "123456", "9876543210", "/send") if secret in told]


def test_a_provider_that_is_down_is_asked_again_and_no_secret_is_told(provider, settings, caplog):
    caplog.set_level(logging.DEBUG)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        settings.SMS_URL = f"http://127.0.0.1:{taken.getsockname()[1]}/send?key={KEY}"
        message = queued_sms()
        assert deliver(message.pk) == Outcome.FAILED
    assert secrets_told(message, caplog) == []
    assert message.last_error == "SmsError: ConnectionError"
    assert Message.objects.pending().get() == message


def test_a_provider_that_hangs_is_asked_again(provider, settings, monkeypatch, caplog):
    monkeypatch.setattr(sms, "TIMEOUT", (1, 1))
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings.SMS_URL = f"http://127.0.0.1:{silent.getsockname()[1]}/send?key={KEY}"
        message = queued_sms()
        assert deliver(message.pk) == Outcome.FAILED
    assert secrets_told(message, caplog) == []
    assert message.last_error == "SmsError: ReadTimeout"


@pytest.mark.parametrize("status", [200, 400, 500])
def test_an_answer_tells_no_secret(provider, caplog, status):
    caplog.set_level(logging.DEBUG)
    provider.status = status
    message = queued_sms()
    deliver(message.pk)
    assert secrets_told(message, caplog) == []
