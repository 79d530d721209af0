"""Lets the SDK's client talk to the simulator inside this process, through its HTTP session."""

import json
from io import BytesIO
from urllib.parse import parse_qsl, urlsplit

import requests
from requests.adapters import BaseAdapter

from ..keys import simulated_keys
from .api import Answer, Call, answer
from .faults import Fault, next_fault

BUSY = Answer(429, {"error": {"code": "BAD_REQUEST_ERROR", "description": "Too many requests"}})
BROKEN = Answer(500, {"error": {"code": "SERVER_ERROR", "description": "We are facing some trouble"}})


class SimulatorAdapter(BaseAdapter):
    """Answers every request from the simulator's records, planned faults included."""

    def send(self, request, stream=False, timeout=None, verify=True, cert=None, proxies=None) -> requests.Response:
        if timeout is None:
            raise ValueError("A call to the provider needs a time limit.")
        call = _read(request)
        fault = next_fault(call.method, call.path)
        if fault is None or fault.work_is_done:
            keys = simulated_keys()
            found = answer(call, {keys.key_id: keys.key_secret})
        return _respond(request, found) if fault is None else _fail(request, fault)

    def close(self) -> None:
        """Nothing is open."""


def in_process_session() -> requests.Session:
    session = requests.Session()
    session.trust_env = False
    session.mount("https://", SimulatorAdapter())
    session.mount("http://", SimulatorAdapter())
    return session


def _read(request: requests.PreparedRequest) -> Call:
    url = urlsplit(str(request.url))
    body = request.body or b""
    return Call(
        method=str(request.method),
        path=url.path,
        query=dict(parse_qsl(url.query)),
        headers={name.lower(): str(value) for name, value in request.headers.items()},
        body=body.encode() if isinstance(body, str) else body,
    )


def _fail(request: requests.PreparedRequest, fault: Fault) -> requests.Response:
    if fault.name == "lost_answer":
        raise requests.ReadTimeout("Read timed out.")
    if fault.name in ("refused", "cut_off"):
        raise requests.ConnectionError("Connection broken.")
    if fault.name == "html":
        return _response(request, 502, b"<html><body>Bad Gateway</body></html>")
    if fault.name == "nonsense":
        return _respond(request, Answer(200, {"id": "order_nonsense000001", "amount": "12.00", "currency": "INR"}))
    return _respond(request, BUSY if fault.name == "busy" else BROKEN)


def _respond(request: requests.PreparedRequest, found: Answer) -> requests.Response:
    return _response(request, found.status, json.dumps(found.body).encode())


def _response(request: requests.PreparedRequest, status: int, body: bytes) -> requests.Response:
    response = requests.Response()
    response.status_code = status
    response.headers["Content-Type"] = "application/json"
    response.raw = BytesIO(body)
    response.url = str(request.url)
    response.request = request
    return response
