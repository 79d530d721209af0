"""SMS through a provider's HTTP call, as settings describe it: address, method, headers, and a template of its body;
into files while no provider is configured."""

import json
import re
from typing import Any
from urllib.parse import parse_qsl

import requests
from django.conf import settings
from requests.structures import CaseInsensitiveDict

from ..languages import dlt_template
from ..models import Message
from ..sms_length import is_unicode
from .base import Channel, UndeliverableError
from .files import keep_file

TIMEOUT = (3, 10)  # seconds for the connection, and for the answer
REFUSED = {400, 404, 410, 422}  # the provider understood the call: another try changes nothing
PLACEHOLDER = re.compile(r"\{(to|digits|text|sender|unicode|dlt_entity|dlt_template)\}")


class SmsError(Exception):
    """The provider did not take a message; another try may help."""


class SmsChannel(Channel):
    def send(self, message: Message) -> None:
        if settings.SMS_URL:
            _send_over_http(message)
        else:
            content = f"To: {message.to}\n\n{message.text}\n".encode()
            keep_file(settings.SMS_DIR, to=message.to, ending="txt", content=content)


def _send_over_http(message: Message) -> None:
    """Hand an SMS to the provider.

    Nothing of the call is in what this raises: its address and its headers hold keys, its body codes.
    """
    try:
        with requests.request(
            settings.SMS_METHOD,
            settings.SMS_URL,
            headers=settings.SMS_HEADERS,
            timeout=TIMEOUT,
            allow_redirects=False,
            stream=True,  # what the answer says is not read
            **_filled_in(message),
        ) as answer:
            status = answer.status_code
    except requests.RequestException as error:
        raise SmsError(type(error).__name__) from None
    if status in REFUSED:
        raise UndeliverableError(f"the SMS provider answered {status}")
    if not 200 <= status < 300:
        raise SmsError(f"the SMS provider answered {status}")


def _filled_in(message: Message) -> dict[str, Any]:
    """The body, as requests takes it: JSON or a form as the content type says; of a GET, the query.

    A template is taken apart before anything is filled in, so that no text can leave its place.
    """
    values = {
        "to": message.to,
        "digits": message.to.removeprefix("+"),
        "text": message.text.strip(),
        "sender": settings.SMS_SENDER,
        "dlt_entity": settings.SMS_DLT_ENTITY_ID,
        "dlt_template": dlt_template(message.kind, message.language),
        "unicode": "1" if is_unicode(message.text.strip()) else "0",
    }
    if "json" in CaseInsensitiveDict(settings.SMS_HEADERS).get("Content-Type", ""):
        return {"data": json.dumps(_fill(json.loads(settings.SMS_BODY), values))}
    pairs = _fill(parse_qsl(settings.SMS_BODY, keep_blank_values=True), values)
    return {"params" if settings.SMS_METHOD.upper() == "GET" else "data": pairs}


def _fill(template: Any, values: dict[str, str]) -> Any:
    if isinstance(template, str):
        return PLACEHOLDER.sub(lambda place: values[place[1]], template)
    if isinstance(template, dict):
        return {name: _fill(part, values) for name, part in template.items()}
    if isinstance(template, list | tuple):
        return type(template)(_fill(part, values) for part in template)
    return template
