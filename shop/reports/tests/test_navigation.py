"""The sidebar: every screen that a role may see stands in it once, with what waits there."""

import pytest
from django.contrib.admin import site
from django.contrib.auth.models import Group
from django.core.cache import cache
from django.test import RequestFactory
from django.urls import reverse

from shop.accounts.models import Customer
from shop.accounts.staff.roles import CATALOGUE_MANAGER, CONTENT_EDITOR, ORDER_DESK, OWNER, PHARMACIST

from ..navigation import GROUPS, environment, groups

pytestmark = pytest.mark.django_db


def sidebar(role):
    member = Customer.objects.create_user(f"{role[:3]}@example.com", "pw", name=role, is_staff=True)
    member.groups.add(Group.objects.get(name=role))
    request = RequestFactory().get("/admin/")
    request.user = member
    return {group.get("title", ""): group["items"] for group in groups(request)}, request


@pytest.mark.parametrize("role", [CONTENT_EDITOR, CATALOGUE_MANAGER, ORDER_DESK, OWNER])
def test_every_screen_that_a_role_may_see_stands_in_it_once(role):
    shown, request = sidebar(role)
    links = [item["link"] for items in shown.values() for item in items]
    lists = [
        reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        for model, screen in site._registry.items()
        if screen.has_view_permission(request)
    ]
    own = [reverse("admin:orders_order_board")] if role in (ORDER_DESK, OWNER) else []
    own += [reverse("admin:care_inbox")] if role != CATALOGUE_MANAGER else []
    reports = [reverse("admin:reports_report")] if role == OWNER else []
    grid = [reverse("admin:catalog_variant_grid")] if role in (CATALOGUE_MANAGER, OWNER) else []
    texts = [reverse("admin:content_translations")] if role != ORDER_DESK else []
    assert sorted(links) == sorted([reverse("admin:index"), reverse("home"), *own, *reports, *grid, *texts, *lists])


def test_the_groups_are_what_people_do():
    shown, _ = sidebar(OWNER)
    assert list(shown) == ["", *(group for group in GROUPS if group != "Pharmacy")]
    assert [item["title"] for item in shown["Orders"]][:3] == ["Order board", "Inbox", "Orders"]
    editor, _ = sidebar(CONTENT_EDITOR)
    assert not {"Orders", "Customers", "Markets"} & editor.keys()
    pharmacist, _ = sidebar(PHARMACIST)
    assert [item["title"] for item in pharmacist["Pharmacy"]] == [
        "Inbox",
        "Prescriptions to check",
        "Schedule H1 register",
    ]


def test_entries_tell_how_much_waits_there(order_waiting):
    shown, request = sidebar(ORDER_DESK)
    badges = {item["title"]: item.get("badge") for item in shown["Orders"]}
    assert (badges["Orders"], badges["Return requests"]) == (1, None)
    order_waiting.status = "shipped"
    order_waiting.save()
    cache.clear()
    assert "badge" not in groups(request)[1]["items"][2]


@pytest.mark.parametrize(
    ("path", "marked"),
    [("/admin/", "Dashboard"), ("/admin/orders/order/", "Orders"), ("/admin/orders/order/board/", "Order board")],
)
def test_one_entry_is_marked_as_where_one_is(client, path, marked):
    _, request = sidebar(OWNER)
    client.force_login(request.user)
    shown = site.each_context(_at(path, request))["sidebar_navigation"]
    assert [item["title"] for group in shown for item in group["items"] if item["active"]] == [marked]


def _at(path, request):
    request.path = path
    return request


@pytest.fixture
def order_waiting(customer, make_order):
    make_order(customer, status="pending", placed_at=None)  # the customer's to do
    return make_order(customer)


def test_a_demo_is_called_one(settings, rf):
    settings.DEMO = True
    assert environment(rf.get("/admin/")) == ("Demo", "warning")
    settings.DEMO = False
    assert environment(rf.get("/admin/")) is None
