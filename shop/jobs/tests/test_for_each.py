"""A scheduled job goes on past a row that it cannot handle, and staff see that row until it is handled."""

import ast
from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.auth.models import Group
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from shop.accounts.models import Customer
from shop.accounts.staff.roles import ORDER_DESK
from shop.markets.models import Currency
from shop.reports.waiting import count_waiting

from ..models import FailedRow
from ..services import for_each

pytestmark = [pytest.mark.django_db, pytest.mark.database]


# Parts of what the clock or the worker calls.
PARTS = {"shop.catalog.pictures.services.complete_pending", "shop.orders.batches.recalls._send"}


def functions_that_go_over_rows():
    root = settings.BASE_DIR
    for path in (root / "shop").rglob("*.py"):
        if {"tests", "bench"} & {*path.parts}:
            continue
        for node in ast.parse(path.read_text()).body:
            calls = (call for call in ast.walk(node) if isinstance(call, ast.Call))
            if isinstance(node, ast.FunctionDef) and any(ast.unparse(call.func) == "for_each" for call in calls):
                yield ".".join((*path.relative_to(root).with_suffix("").parts, node.name))


def test_the_clock_runs_everything_that_goes_over_rows():
    found = {*functions_that_go_over_rows()}
    run = {settings.JOB_FUNCTIONS.get(name, name) for name in settings.SCHEDULED_JOBS}
    assert len(found) > 20 and found - PARTS - run == set()


def rows():
    return Currency.objects.order_by("code")[:3]


def test_the_others_are_handled_and_the_one_is_marked(caplog):
    done = []

    def act(row):
        if row == rows()[1]:
            raise RuntimeError("broken")
        done.append(row)
        return 1

    for _ in range(2):
        assert for_each("tidy", rows(), act) == 2
    assert done == [rows()[0], rows()[2]] * 2
    failed = FailedRow.objects.get()
    assert (failed.chore, failed.row_id, failed.error) == ("tidy", str(rows()[1].pk), "RuntimeError: broken")
    assert failed.times == 2 and "tidy could not handle" in caplog.text


def test_what_is_handled_at_last_is_marked_no_more():
    def fail(row):
        raise RuntimeError("broken")

    for_each("tidy", rows(), fail)
    for_each("other", rows(), fail)
    for_each("tidy", rows()[:2], lambda row: None)
    assert set(FailedRow.objects.values_list("chore", "row_id")) == {
        ("tidy", str(rows()[2].pk)),
        *(("other", str(row.pk)) for row in rows()),
    }
    FailedRow.objects.filter(chore="other").update(last_at=timezone.now() - timedelta(days=2))
    for_each("other", [], fail)
    assert not FailedRow.objects.filter(chore="other").exists()


@pytest.mark.parametrize("error", [ValueError("the provider is away"), OperationalError("the database is away")])
def test_what_would_end_every_row_ends_the_run(error):
    tried = []

    def act(row):
        tried.append(row)
        raise error

    with pytest.raises(type(error)):
        for_each("tidy", rows(), act, stop_on=(ValueError,))
    assert len(tried) == 1 and not FailedRow.objects.exists()


def test_staff_see_it():
    def fail(row):
        raise RuntimeError("no such <stock>")

    for_each("expire_holds", rows()[:1], fail)
    member = Customer.objects.create_user("desk@example.com", "pw", name="Desk", is_staff=True)
    member.groups.add(Group.objects.get(name=ORDER_DESK))
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(member)
    assert "Failed automatic tasks" in client.get("/admin/").content.decode()
    assert count_waiting()["failed"].rows == 1
    assert "no such &lt;stock&gt;" in client.get("/admin/chores/failedrow/").content.decode()
