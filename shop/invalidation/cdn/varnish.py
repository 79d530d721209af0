"""Varnish with shop/ops/varnish.vcl: PURGE with the keys in a header, at each of its addresses."""

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait

from .base import Cdn, NoAnswerYet, PurgeError, call

WAIT_SECONDS = 0.1  # for all answers: one that is away delays no other


class Varnish(Cdn):
    keys_header = "Surrogate-Key"
    control_header = "Surrogate-Control"
    age_header = "Surrogate-Age"
    needs = ("CDN_PURGE_URLS",)
    max_keys = 200  # a header of Varnish has at most 8 kB

    def __init__(self) -> None:
        self._addresses: dict[str, _Address] = {}

    def purge(self, keys: Sequence[str]) -> None:
        """An address that has not answered yet is not asked again meanwhile, nor waited for: the keys are kept for it
        by whoever tries again what raised PurgeError."""
        asked = [self._addresses.setdefault(url, _Address(url)).ask(keys) for url in self.addresses()]
        calls = [one for one in asked if one]
        unfinished = wait(calls, WAIT_SECONDS).not_done
        errors = [str(error) for error in (one.exception() for one in calls if one not in unfinished) if error]
        if errors:
            raise PurgeError(", ".join(errors))
        if unfinished or None in asked:
            raise NoAnswerYet("no answer yet")


class _Address:
    """With a thread of its own."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._executor = ThreadPoolExecutor(1, "purge")
        self._last: Future[object] | None = None

    def ask(self, keys: Sequence[str]) -> Future[object] | None:
        """The call, begun; None while the one before has no answer."""
        if self._last and not self._last.done():
            return None
        self._last = self._executor.submit(call, "PURGE", f"{self._url}/", {"Purge-Keys": " ".join(keys)})
        return self._last
