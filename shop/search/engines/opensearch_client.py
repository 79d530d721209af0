"""OpenSearch's REST API, as much of it as the shop uses."""

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import urllib3

from .base import SearchEngineError

SEARCH_SECONDS = urllib3.Timeout(connect=0.5, read=1.5)
INDEXING_SECONDS = urllib3.Timeout(connect=2, read=60)
MISSING = 404


class OpenSearchClient:
    """Calls of one server. `address` may hold a name and a password; they are sent as basic authorisation.

    Every call raises SearchEngineError where the server is away, slow, or answers what it should not.
    """

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self._base = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl().rstrip("/")
        secret = f"{parts.username}:{parts.password or ''}" if parts.username else None
        self._headers = urllib3.make_headers(basic_auth=secret, keep_alive=True)
        self._pool = urllib3.PoolManager(maxsize=8, retries=False)

    def search(self, index: str, body: dict[str, Any]) -> dict[str, Any]:
        return self._call("POST", f"/{index}/_search", body, timeout=SEARCH_SECONDS)

    def create(self, index: str, body: dict[str, Any]) -> None:
        self._call("PUT", f"/{index}", body)

    def delete(self, index: str) -> None:
        self._call("DELETE", f"/{index}", is_missing_fine=True)

    def indexes_behind(self, alias: str) -> list[str]:
        """Names of the indexes that an alias stands for; none where there is no such alias."""
        return sorted(self._call("GET", f"/_alias/{alias}", is_missing_fine=True))

    def point(self, alias: str, index: str, before: Sequence[str]) -> None:
        """Let an alias stand for `index` alone, in one step."""
        removed = [{"remove": {"index": one, "alias": alias}} for one in before]
        self._call("POST", "/_aliases", {"actions": [*removed, {"add": {"index": index, "alias": alias}}]})

    def bulk(self, lines: Sequence[dict[str, Any]]) -> None:
        """Write and delete documents; found by searches when this returns. A newer version is left as it is."""
        if not lines:
            return
        text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
        answer = self._send("POST", "/_bulk?refresh=true", text, "application/x-ndjson", INDEXING_SECONDS)
        results = [result for item in answer.get("items", ()) for result in item.values()]
        bad = [one for one in results if one.get("status", 500) not in (200, 201, 404, 409)]
        if bad or not results:
            raise SearchEngineError(f"the search server refused {len(bad)} documents of {len(results)}")

    def _call(
        self,
        method: str,
        path: str,
        body: dict[str, Any] | None = None,
        *,
        timeout: urllib3.Timeout = INDEXING_SECONDS,
        is_missing_fine: bool = False,
    ) -> dict[str, Any]:
        text = None if body is None else json.dumps(body, ensure_ascii=False)
        return self._send(method, path, text, "application/json", timeout, is_missing_fine=is_missing_fine)

    def _send(
        self,
        method: str,
        path: str,
        text: str | None,
        content_type: str,
        timeout: urllib3.Timeout,
        *,
        is_missing_fine: bool = False,
    ) -> dict[str, Any]:
        headers = {**self._headers, **({"Content-Type": content_type} if text is not None else {})}
        try:
            answer = self._pool.request(
                method,
                self._base + path,
                body=text.encode() if text is not None else None,
                headers=headers,
                timeout=timeout,
                redirect=False,
            )
            found = json.loads(answer.data or b"{}")
        except (urllib3.exceptions.HTTPError, ValueError) as error:
            raise SearchEngineError(f"the search server did not answer ({type(error).__name__})") from None
        if answer.status == MISSING and is_missing_fine:
            return {}
        if not 200 <= answer.status < 300 or not isinstance(found, dict):
            raise SearchEngineError(f"the search server answered {answer.status}")
        return found
