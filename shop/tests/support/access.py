"""Who may come in by which door: one entry for every route, written beside the tests of its room
(`shop/<app>/tests/access*.py`, a list ENTRIES). shop/tests/walks/test_who_may_call_what.py asks each of them."""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from django.apps import apps
from django.contrib import admin
from django.urls import URLPattern, URLResolver, get_resolver, reverse

SHOP = Path(__file__).resolve().parents[2]
# What stands in the place of a staff permission:
IS_STAFF = "staff"  # every member of staff may
NOBODY = "nobody"  # the page exists, and is closed


class Who(Enum):
    ANYONE = auto()
    CUSTOMER = auto()  # signed in
    STAFF = auto()  # with a permission
    SIGNED = auto()  # the provider, by its signature
    PROGRAM = auto()  # a browser by itself, without a proof of its page; it changes no row
    DEMO = auto()  # only where the shop is a demo


@dataclass(frozen=True)
class RouteAccess:
    """A route, how it is asked, and by whom.

    `route` is as the resolver holds it: "order-detail/<str:number>/"; a call's is "POST /add-address/",
    a staff screen's "admin:orders_order_change", an action's "admin:orders_order_changelist cancel".
    `path` and `body` are made from one person's belongings (belongings.py); without them the route
    itself is the path, and the body is empty. A route may have several entries: one for each thing
    that its body can name.
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
    is_upload: bool = False  # a call that takes files, and so a form

    def __post_init__(self) -> None:
        assert self.who is not Who.ANYONE or "POST" not in self.methods.split() or self.why, f"why? {self.route}"
        assert self.who is not Who.STAFF or self.permission, f"with which permission? {self.route}"

    @property
    def is_api(self) -> bool:
        return " /" in self.route

    def path_for(self, own: Any) -> str:
        if self.path:
            return self.path(own)
        return self.route.partition(" ")[2] if self.is_api else f"/{self.route}"

    def body_for(self, own: Any) -> dict[str, Any]:
        return self.body(own) if self.body else {}


# --- What is written down ---------------------------------------------------------------------


@cache
def all_entries() -> list[RouteAccess]:
    files = sorted(SHOP.rglob("tests/access*.py"))
    modules = [".".join(file.relative_to(SHOP.parent).with_suffix("").parts) for file in files]
    return [entry for module in modules for entry in import_module(module).ENTRIES]


def admin_entries(
    label: str, *, add: bool = False, change: bool = False, delete: bool = False, actions: dict[str, str] | None = None
) -> list[RouteAccess]:
    """The routes of a staff screen, `label` being "orders.order". What the screen does not offer is
    closed to everybody; `actions` of its list with the permission that each needs."""
    app, model = label.split(".")
    name = f"admin:{app}_{model}"
    listed = {"delete_selected": f"{app}.delete_{model}" if delete else NOBODY} | (actions or {})

    def entry(page: str, methods: str, verb: str, is_offered: bool = True) -> RouteAccess:
        path = _path_of(label, f"{name}_{page}")
        permission = f"{app}.{verb}_{model}" if is_offered else NOBODY
        return RouteAccess(f"{name}_{page}", methods, Who.STAFF, path=path, permission=permission)

    return [
        entry("changelist", "GET", "view"),
        entry("history", "GET", "view"),
        entry("change", "GET", "view"),
        entry("change", "POST", "change", change),
        entry("add", "GET POST", "add", add),
        entry("delete", "GET POST", "delete", delete),
        *[_action(label, f"{name}_changelist", what, permission) for what, permission in listed.items()],
        RouteAccess(
            f"admin/{app}/{model}/<path:object_id>/",
            "GET",
            Who.STAFF,
            path=lambda own: f"/admin/{app}/{model}/1/",
            permission=IS_STAFF,
        ),
    ]


def _path_of(label: str, name: str) -> Callable[[Any], str]:
    of_one = not name.endswith(("_changelist", "_add"))
    return lambda own: reverse(name, args=[some_pk(label)] if of_one else [])


def _action(label: str, page: str, what: str, permission: str) -> RouteAccess:
    return RouteAccess(
        f"{page} {what}",
        "POST",
        Who.STAFF,
        path=lambda own: reverse(page),
        body=lambda own: {"action": what, "_selected_action": some_pk(label), "index": "0", "select_across": "0"},
        permission=permission,
    )


def some_pk(label: str) -> Any:
    """The oldest row of a model; there is one of each that has a screen (belongings.py)."""
    return apps.get_model(label)._default_manager.order_by("pk").values_list("pk", flat=True).first()


# --- What there is ----------------------------------------------------------------------------


def all_routes() -> set[str]:
    """Every route that can be reached, as Door.route names it."""
    return {*_routes(get_resolver().url_patterns), *_staff_actions()}


def _routes(patterns: list[URLPattern | URLResolver], before: str = "", namespace: str = "") -> Iterator[str]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern.url_patterns, route, pattern.namespace or namespace)
        elif namespace == "api":
            yield from _calls(pattern, route)
        elif namespace == "admin" and pattern.name:
            yield f"admin:{pattern.name}"
        else:
            yield route


def _calls(pattern: URLPattern, route: str) -> Iterator[str]:
    """A call's view is a function around what knows its methods; the API's own pages have none."""
    view = pattern.callback
    asked = inspect.getclosurevars(view).nonlocals.get("self") if inspect.isfunction(view) else None
    methods = {method for operation in getattr(asked, "operations", []) for method in operation.methods}
    yield from (f"{method} /{route}" for method in methods or {"GET"})


def _staff_actions() -> Iterator[str]:
    for model, screen_of_it in admin.site._registry.items():
        for _, name, _ in screen_of_it._get_base_actions():
            yield f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist {name}"
