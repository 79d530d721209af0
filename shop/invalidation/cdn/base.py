"""What every kind of CDN does: which headers it reads, and how copies are purged by the keys of their pages."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import requests
from django.conf import settings

TIMEOUT = (1, 3)  # seconds for the connection, and for the answer


class PurgeError(Exception):
    """The CDN did not purge; another try may help."""


class NoAnswerYet(PurgeError):
    """The call is still on its way; it may have to be made again."""


class Cdn(ABC):
    keys_header: ClassVar[str]  # of a page, which the CDN takes off
    keys_separator: ClassVar[str] = " "
    control_header: ClassVar[str]  # Cache-Control for the CDN alone, which it takes off
    age_header: ClassVar[str] = ""  # how old is what the shop knew when it answered, in seconds
    max_keys: ClassVar[int]  # of one call
    needs: ClassVar[tuple[str, ...]]  # names of variables without which it cannot purge
    api: ClassVar[str] = ""  # its address, unless CDN_PURGE_URLS names another

    @abstractmethod
    def purge(self, keys: Sequence[str]) -> None:
        """Remove every copy that has one of at most `max_keys` keys, so that it is not shown even while it is
        revalidated. Safe to repeat. Raises PurgeError."""

    def addresses(self) -> list[str]:
        return [url.rstrip("/") for url in settings.CDN_PURGE_URLS or filter(None, [self.api])]

    def missing_settings(self) -> Iterator[str]:
        return (name for name in self.needs if not getattr(settings, name))


def call(method: str, address: str, headers: dict[str, str], json: Any = None) -> Any:
    """The answer's JSON, None where it is no JSON.

    Nothing of the call is in what this raises: its address and its headers hold keys.
    """
    try:
        answer = requests.request(method, address, headers=headers, json=json, timeout=TIMEOUT, allow_redirects=False)
    except requests.RequestException as error:
        raise PurgeError(type(error).__name__) from None
    if answer.status_code != 200:
        raise PurgeError(f"the CDN answered {answer.status_code}")
    try:
        return answer.json()
    except ValueError:
        return None
