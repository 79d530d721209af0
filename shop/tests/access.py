"""Who may come in by which door: one entry for every route, written beside the tests of its room
(`shop/<room>/tests/doors*.py`, a list DOORS)."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any


class Who(Enum):
    ANYONE = auto()
    CUSTOMER = auto()  # signed in
    STAFF = auto()  # with a permission
    SIGNED = auto()  # the provider, by its signature
    DEMO = auto()  # only where the shop is a demo


@dataclass(frozen=True)
class Door:
    """A route, how it is asked, and by whom.

    `route` is as the resolver holds it: "order-detail/<str:number>/"; a call's is "POST /add-address/",
    a staff screen's "admin:orders_order_change". `path` and `body` are made from one person's belongings.
    """

    route: str
    methods: str  # "GET", "POST", "GET POST"; every other one is answered with 405
    who: Who
    of: str = ""  # whose thing it opens: "order", "address", "token"
    path: Callable[[Any], str] | None = None
    body: Callable[[Any], dict[str, Any]] | None = None
    foreign: int = 404  # what somebody else's thing is answered with; where nothing happens, 200
    permission: str = ""  # of staff
    why: str = ""  # anyone may change something here

    def __post_init__(self) -> None:
        assert self.who is not Who.ANYONE or "POST" not in self.methods.split() or self.why, f"why? {self.route}"
        assert self.who is not Who.STAFF or self.permission, f"with which permission? {self.route}"
