"""Every page and call of the shop, and who may ask for it: as a visitor, as a customer with his own things and
with another customer's, as staff of each role (RELIABILITY.md 2.5; the list is in shop/<app>/tests/access*.py).

Each test goes through all routes and reports all faults at once; what a question changed is taken back.
"""

import json
import logging
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from functools import cache
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib import admin
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client, RequestFactory
from django.utils import timezone

from shop.accounts.models import Customer
from shop.accounts.staff.roles import OWNER
from shop.api import api
from shop.catalog.models import Variant
from shop.invalidation import subscriptions
from shop.markets.middleware import DEFAULT_ONLY
from shop.orders.models import Order

from ..support.access import IS_STAFF, NOBODY, RouteAccess, Who, all_entries, all_routes
from ..support.belongings import Member, belongings_of, furnish, nothing_of, staff_of_each_role
from .walking import ELSEWHERE, LEAKS, Answer, World, ask, client_of, undone

pytestmark = pytest.mark.django_db
REFUSED = (401, 403, 404, 405, 429)
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
FOREIGN = (
    {},
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site", "origin": "https://other.testserver"},
    {"origin": "https://elsewhere.example"},
)
PREFLIGHT = ELSEWHERE | {
    "access-control-request-method": "POST",
    "access-control-request-headers": "content-type, authorization",
}
# What is answered before the routes are asked, and what no route knows.
NO_ROUTES = ["/static/icons/favicon.svg", "/healthz", "/readyz", "/metrics", "/no/such/page/"]
# What is on its way already can only break off.
STREAMED = {"feeds/merchant-<slug:country>.xml"}
# Who is asking is known although nothing else can be read.
IDENTITY = re.compile(r"SAVEPOINT|RELEASE|ROLLBACK|SELECT .* FROM \"(?:django_session|accounts_customer)\"", re.DOTALL)
SECRET = "honeycomb"
EXTRA = {
    "is_staff": True, "is_superuser": True, "is_active": True, "groups": [1], "status": "placed", "paid": True,
    "selling_price": "1", "discount": 99, "id": 1, "verified": True, "created": "2020-01-01", "placed_at": "2020-01-01",
    "customer_id": 1, "password_hash": "x",
}  # fmt: skip


@pytest.fixture
def stage(india, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    settings.GOOGLE_CLIENT_ID = "shop"
    settings.SOCIALACCOUNT_PROVIDERS = {"google": {"APPS": [{"client_id": "shop", "secret": "secret"}]}}
    shelf = furnish()
    asha = belongings_of("Asha", shelf, india, phone="+919876500001")
    bhavani = belongings_of("Bhavani", shelf, india, phone="+919876500002")
    return World(asha, bhavani, nothing_of(bhavani), staff_of_each_role())


def entries(*who: Who) -> list[tuple[RouteAccess, str]]:
    """Each route of these people with each of its methods."""
    return [(entry, method) for entry in all_entries() if entry.who in who for method in entry.methods.split()]


# --- The list is whole ------------------------------------------------------------------------------


def test_every_route_has_an_entry():
    assert all_routes() - {entry.route for entry in all_entries()} == set()


def test_no_entry_without_a_route():
    assert {entry.route for entry in all_entries()} - all_routes() == set()


def test_a_new_route_without_entry_is_found(settings):
    settings.ROOT_URLCONF = "shop.tests.walks.urls_with_holes"
    assert all_routes() - {entry.route for entry in all_entries()} == {"forgotten/<int:pk>/"}


# --- Visitors ---------------------------------------------------------------------------------------


def faults_of_strangers(stage: World, cookies: dict[str, str]) -> list[str]:
    """What somebody who is not signed in can do and should not, or should and cannot."""
    found = []
    for entry, method in entries(*Who):
        answer = ask(entry, method, stage.asha, cookies)
        match entry.who:
            case Who.CUSTOMER | Who.STAFF:
                wrong = None if answer.asks_to_sign_in() else "does not ask to sign in"
                found += answer.faults(wrong, answer.changed())
            case Who.SIGNED | Who.PROGRAM:
                found += answer.faults(None if answer.status in (303, 400, 415) else "is let in", answer.changed())
            case Who.DEMO:
                found += answer.faults("is let in" if answer.status == 200 else None)
            case Who.ANYONE if entry.of and method == "POST":
                wrong = None if answer.status == entry.foreign else f"not {entry.foreign} for a customer's {entry.of}"
                found += answer.faults(wrong, answer.changed() if entry.foreign == 404 else None)
            case Who.ANYONE:
                is_refused = answer.status in (401, 403, 405, 429) or answer.asks_to_sign_in()
                found += answer.faults("is not let in" if is_refused else None)
    return found


def test_a_visitor_reaches_what_is_for_everybody_and_nothing_else(stage):
    assert faults_of_strangers(stage, {}) == []


@pytest.mark.parametrize("spoilt", ["altered", "expired", "disabled"])
def test_a_sign_in_that_is_over_opens_no_more_than_none(stage, spoilt):
    cookies = dict(stage.asha.cookies)
    if spoilt == "altered":
        cookies[settings.SESSION_COOKIE_NAME] = cookies[settings.SESSION_COOKIE_NAME][::-1]
    elif spoilt == "expired":
        Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    else:
        Customer.objects.filter(pk=stage.asha.customer).update(is_active=False)
    assert faults_of_strangers(stage, cookies) == []


# --- Customers --------------------------------------------------------------------------------------


def test_a_customer_reaches_his_own(stage):
    found = []
    for entry, method in entries(Who.ANYONE, Who.CUSTOMER):
        answer = ask(entry, method, stage.asha, stage.asha.cookies)
        read = answer.says(stage.bhavani.words)
        found += answer.faults(
            "is refused" if answer.status in REFUSED or answer.asks_to_sign_in() else None,
            f"tells of another customer: {read}" if read else None,
            _is_kept(entry, answer),
        )
    assert found == []


def _is_kept(entry, answer):
    """What belongs to one person may be kept by nobody."""
    is_private = entry.who is Who.CUSTOMER and answer.status < 400
    return "may be kept" if is_private and "no-store" not in answer.headers.get("Cache-Control", "") else None


def faults_with_what_is_not_ones_own(stage: World, cookies: dict[str, str]) -> list[str]:
    """Another customer's thing must look like one that never was, and stay as it is."""
    found = []
    for entry, method in entries(Who.ANYONE, Who.CUSTOMER):
        names_it = entry.of and (method == "POST" or entry.path)
        if not names_it:
            continue
        theirs, missing = (ask(entry, method, own, cookies) for own in (stage.bhavani, stage.nobody))
        sent = entry.path_for(stage.bhavani) + json.dumps(entry.body_for(stage.bhavani))
        read = theirs.says(word for word in stage.bhavani.words if word not in sent)
        alike = (theirs.status, theirs.without(stage.bhavani)) == (missing.status, missing.without(stage.nobody))
        found += theirs.faults(
            None if theirs.status == entry.foreign else f"not {entry.foreign} for another's {entry.of}",
            None if alike else f"differs from a missing {entry.of} ({missing.status})",
            f"tells of the other: {read}" if read else None,
            theirs.changed() if entry.foreign == 404 else None,
        )
    return found


def test_a_customer_finds_nothing_of_another(stage):
    assert faults_with_what_is_not_ones_own(stage, stage.asha.cookies) == []


def test_staff_see_no_more_than_customers_on_the_pages_of_customers(stage):
    for member in stage.staff:
        assert faults_with_what_is_not_ones_own(stage, member.cookies) == []


def test_a_customer_does_not_learn_that_staff_have_pages(stage):
    found = []
    for entry, method in entries(Who.STAFF, Who.DEMO):
        answer = ask(entry, method, stage.asha, stage.asha.cookies)
        is_hidden = answer.status == 404 or (entry.who is Who.DEMO and answer.status != 200)
        found += answer.faults(None if is_hidden else "is seen", answer.changed())
    assert found == []


# --- Staff ------------------------------------------------------------------------------------------


def test_each_role_does_what_it_may_and_nothing_else(stage):
    """Whoever may not is asked for; of those who may, one: test_back_office.py opens each role's screens."""
    found = []
    for entry, method in entries(Who.STAFF):
        allowed = [member for member in stage.staff if may(member, entry.permission)]
        for member in allowed[:1]:
            answer = ask(entry, method, stage.asha, member.cookies)
            found += answer.faults(f"is refused to {member.role}" if answer.status in (401, 403, 405) else None)
        for member in [member for member in stage.staff if member not in allowed]:
            answer = ask(entry, method, stage.asha, member.cookies)
            is_open = answer.status != 403 and not _is_action(entry)
            found += answer.faults(f"is open to {member.role}" if is_open else None, answer.changed())
    assert found == []


def test_each_role_is_offered_the_actions_that_it_may_take(stage):
    found = []
    for entry in [entry for entry, _ in entries(Who.STAFF) if _is_action(entry)]:
        offered = {member.role for member in stage.staff if is_offered(entry, member)}
        if offered != {member.role for member in stage.staff if may(member, entry.permission)}:
            found.append((entry.route, offered))
    assert found == []


def test_staff_do_nothing_before_they_have_shown_their_second_factor(stage, settings):
    settings.STAFF_SECOND_FACTOR = True
    found = []
    for entry, method in entries(Who.STAFF, Who.DEMO):
        if entry.path_for(stage.asha).startswith(("/admin/", "/api/")):
            answer = ask(entry, method, stage.asha, owner_of(stage).cookies)
            is_sent = answer.status == 302 and answer.headers["Location"].startswith("/second-factor/")
            found += answer.faults(None if is_sent or answer.status == 403 else "is open", answer.changed())
    assert found == []


def owner_of(stage: World) -> Member:
    return next(member for member in stage.staff if member.role == OWNER)


def may(member: Member, permission: str) -> bool:
    """Several permissions with a bar between them: each of them opens it."""
    any_of = permission.split("|")
    return permission == IS_STAFF or (permission != NOBODY and any(map(member.customer.has_perm, any_of)))


def _is_action(entry: RouteAccess) -> bool:
    """An action of a list; who may not take it sees the list and finds it gone."""
    return entry.route.startswith("admin:") and " " in entry.route


def is_offered(entry: RouteAccess, member: Member) -> bool:
    page, _, action = entry.route.removeprefix("admin:").partition("_changelist ")
    request = RequestFactory().get("/admin/")
    request.user = member.customer
    return action in admin.site.get_model_admin(apps.get_model(*page.split("_"))).get_actions(request)


# --- How it is asked --------------------------------------------------------------------------------


def test_no_other_method_is_answered(stage):
    """GET comes with HEAD where pages are concerned; the staff's own site takes what its library takes."""
    found = []
    for entry in [entry for entry in one_an_address() if entry.who not in (Who.STAFF, Who.DEMO)]:
        for method in METHODS:
            if method not in methods_at(entry):
                answer = ask(entry, method, stage.asha, stage.asha.cookies)
                found += answer.faults(None if answer.status == 405 else "is answered", answer.changed())
    assert found == []


def one_an_address() -> Iterable[RouteAccess]:
    """Of a page and a call that share one, the page."""
    pages_last = sorted(all_entries(), key=lambda entry: not entry.is_api)
    return {address_of(entry): entry for entry in pages_last}.values()


def methods_at(entry: RouteAccess) -> set[str]:
    """Those of every door at this address: a page and a call may share it."""
    here = [other for other in all_entries() if address_of(other) == address_of(entry)]
    methods = {method for other in here for method in other.methods.split()}
    return methods | ({"HEAD"} if any("GET" in other.methods and not other.is_api for other in here) else set())


def address_of(entry: RouteAccess) -> str:
    return entry.route.partition(" /")[2] if entry.is_api else entry.route


def test_unsafe_requests_require_same_origin(stage):
    found = []
    for entry, cookies in [
        *[(entry, stage.asha.cookies) for entry, method in entries(Who.ANYONE, Who.CUSTOMER) if method == "POST"],
        *[(entry, owner_of(stage).cookies) for entry, method in entries(Who.STAFF) if method == "POST"],
    ]:
        for headers in FOREIGN:
            answer = ask(entry, "POST", stage.asha, cookies, headers=headers)
            found += answer.faults(None if answer.status == 403 else f"is done with {headers}", answer.changed())
    assert found == []


def test_what_programs_post_is_refused_from_another_site_and_changes_nothing(stage):
    found = []
    for entry, method in entries(Who.PROGRAM):
        for headers in FOREIGN:
            answer = ask(entry, method, stage.asha, stage.asha.cookies, headers=headers)
            is_browser_elsewhere = headers.get("sec-fetch-site") == "cross-site"
            wrong = None if answer.status == (403 if is_browser_elsewhere else 415) else f"takes {headers}"
            found += answer.faults(wrong, answer.changed())
    assert found == []


def test_calls_take_json_and_nothing_else(stage):
    found = []
    for entry in [entry for entry, method in entries(Who.ANYONE, Who.CUSTOMER) if entry.is_api and method == "POST"]:
        if any(address_of(page) == address_of(entry) for page in all_entries() if not page.is_api):
            continue  # a form goes to the page there
        other = "application/json" if entry.is_upload else "form"
        for content_type in ("text/plain", other, "application/x-www-form-urlencoded"):
            answer = ask(entry, "POST", stage.asha, stage.asha.cookies, content_type=content_type)
            found += answer.faults(None if answer.status == 415 else f"takes {content_type}", answer.changed())
    assert found == []


def test_what_is_not_asked_for_changes_nothing(stage):
    found = []
    for entry in [entry for entry, method in entries(Who.ANYONE, Who.CUSTOMER) if method == "POST"]:
        answer = ask(entry, "POST", stage.asha, stage.asha.cookies, extra=EXTRA)
        if entry.is_api and not entry.is_upload:
            named = set(json.loads(answer.body).get("fields", {})) if answer.status == 422 else set()
            taken = EXTRA.keys() - named - listed_fields(entry)
            found += answer.faults(f"takes {sorted(taken)}" if taken else None, answer.changed())
        elif what_is_left(entry, stage, EXTRA) != what_is_left(entry, stage, {}):
            found += answer.faults("takes what it does not ask for")
    assert found == []


def faults_of_preflights(stage: World) -> list[str]:
    """What the browser of a page elsewhere is told when it asks first, as it does without any cookies. What it may
    ask at once is a part of every walk (walking.ask)."""
    answers = [ask(entry, "OPTIONS", stage.asha, {}, headers=PREFLIGHT) for entry in one_an_address()]
    return [fault for answer in answers for fault in answer.faults()]


def test_another_site_is_allowed_nothing(stage):
    assert faults_of_preflights(stage) == []


@pytest.mark.parametrize("path", NO_ROUTES)
@pytest.mark.parametrize("method", ["get", "options"])
def test_another_site_is_allowed_nothing_where_no_route_answers(path, method):
    answer = getattr(Client(headers=PREFLIGHT), method)(path)
    assert [name for name in answer.headers if name.startswith("Access-Control-")] == []


@cache
def described() -> dict:
    return api.get_openapi_schema()


def listed_fields(entry: RouteAccess) -> set[str]:
    schema = described()
    told = schema["paths"][entry.path_for(None)]["post"]
    if "requestBody" not in told:
        return {*EXTRA}  # the body is not read at all
    content = told["requestBody"]["content"]["application/json"]["schema"]
    return set(schema["components"]["schemas"][content["$ref"].rpartition("/")[2]]["properties"])


def what_is_left(entry: RouteAccess, stage: World, extra: dict) -> list:
    """What nobody may set, after a form was sent."""
    with undone():
        client = client_of(stage.asha.cookies)
        client.post(entry.path_for(stage.asha), entry.body_for(stage.asha) | extra)
        orders = Order.objects.values_list("customer_id", "status", "total_inr", "payment_method")
        people = Customer.objects.values_list("email", "is_staff", "is_superuser", "is_active", "groups")
        prices = Variant.objects.values_list("sku", "selling_price", "actual_price", "on_hand")
        return [sorted(map(repr, rows)) for rows in (orders, people, prices)]


# --- What nobody foresaw ----------------------------------------------------------------------------


def faults_with_a_broken_shop(stage: World, *, is_new: bool) -> tuple[list[str], list[str]]:
    """What is wrong with the answers when no row can be read but who is asking; the paths that did not fail. A process
    that is new does not know the markets either, and fails before it has found the route."""
    found: list[str] = []
    unharmed: list[str] = []
    for entry, method in entries(*Who):
        if entry.route in STREAMED:
            continue
        cookies = owner_of(stage).cookies if entry.who in (Who.STAFF, Who.DEMO) else stage.asha.cookies
        entry = replace(entry, path=always(entry.path_for(stage.asha)), body=always(entry.body_for(stage.asha)))
        if is_new:
            subscriptions.reset()
        with nothing_can_be_read():
            answer = ask(entry, method, stage.asha, cookies)
        if answer.status >= 500:
            found += [f"{method} {entry.route}: {problem}" for problem in faults_of_error(answer)]
        else:
            unharmed.append(entry.path_for(stage.asha))
    return found, unharmed


def always(value: Any) -> Callable[[Any], Any]:
    return lambda own: value


@contextmanager
def nothing_can_be_read() -> Iterator[None]:
    def fail(execute, sql, params, many, context):
        if IDENTITY.match(sql):
            return execute(sql, params, many, context)
        raise RuntimeError(f"SELECT {SECRET} FROM inside")

    logging.disable(logging.ERROR)  # a thousand times the same traceback
    try:
        with connection.execute_wrapper(fail):
            yield
    finally:
        logging.disable(logging.NOTSET)


def faults_of_error(answer: Answer) -> Iterator[str]:
    """JSON for calls, a page for browsers; each with the request's id and without a word of what it was."""
    number = answer.headers.get("X-Request-Id", "none").encode()
    if number not in answer.body:
        yield "names no request id"
    if LEAKS.search(answer.body) or SECRET.encode() in answer.body:
        yield "tells how the shop is built"
    is_home = answer.entry.route == "GET /"  # the page answers before the root of the calls
    if answer.entry.is_api and not is_home:
        yield from [] if answer.is_json() and json.loads(answer.body)["code"] == "server_error" else ["is no JSON"]
    elif b"<h1" not in answer.body:
        yield "is no page"


@pytest.mark.parametrize("is_new", [False, True], ids=["of a view", "before the views"])
def test_an_unforeseen_error_is_json_for_calls_and_a_page_for_browsers(stage, is_new):
    found, unharmed = faults_with_a_broken_shop(stage, is_new=is_new)
    assert found == []
    if is_new:  # what is not for shoppers does not look where they are
        assert [path for path in unharmed if not path.startswith(DEFAULT_ONLY)] == []
    asked = len([entry for entry, _ in entries(*Who) if entry.route not in STREAMED])
    assert len(unharmed) < asked * 0.1


# --- The walk itself --------------------------------------------------------------------------------


def test_a_guard_taken_off_is_found(stage, settings):
    settings.ROOT_URLCONF = "shop.tests.walks.urls_with_holes"
    by_visitors = faults_of_strangers(stage, {})
    assert [fault for fault in by_visitors if "order-detail/<str:number>/ (200): does not ask to sign in" in fault]
    by_others = faults_with_what_is_not_ones_own(stage, stage.asha.cookies)
    assert [fault for fault in by_others if "tells of the other: ['Bhavani']" in fault]
    assert [
        fault for fault in by_others if "address/<int:address_id>/delete/ (404): changed ['accounts_address']" in fault
    ]
    assert [fault for fault in by_visitors if "GET faq/ (200): allows foreign origins" in fault]
    assert faults_of_preflights(stage) == ["OPTIONS faq/ (200): allows foreign origins"]
