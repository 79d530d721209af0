"""Lets the SDK's client talk to the simulator inside this process, through its HTTP session."""

from io import BytesIO
from typing import Any
from urllib.parse import urlsplit

import requests
from requests.adapters import BaseAdapter

from .endpoints import Answer, Call, read_query
from .faults import respond
from .in_process import shop_provider


class SimulatorAdapter(BaseAdapter):
    """Answers every request from the simulator's records, planned faults included."""

    def send(
        self,
        request: requests.PreparedRequest,
        stream: bool = False,
        timeout: Any = None,
        verify: bool | str = True,
        cert: Any = None,
        proxies: Any = None,
    ) -> requests.Response:
        if timeout is None:
            raise ValueError("A call to the provider needs a time limit.")
        found = respond(shop_provider(), _read(request))
        if found.trouble == "silence":
            raise requests.ReadTimeout("Read timed out.")
        if found.trouble:
            raise requests.ConnectionError("Connection broken.")
        return _response(request, found)

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
        query=read_query(url.query),
        headers={name.lower(): str(value) for name, value in request.headers.items()},
        body=body.encode() if isinstance(body, str) else body,
    )


def _response(request: requests.PreparedRequest, found: Answer) -> requests.Response:
    response = requests.Response()
    response.status_code = found.status
    response.headers["Content-Type"] = found.content_type
    response.raw = BytesIO(found.payload)
    response.url = str(request.url)
    response.request = request
    return response
