"""Each role in a browser: its sidebar leads to its own screens, and the others' are refused in words."""

import pytest
from django.apps import apps
from django.contrib.auth.models import Group
from django.urls import reverse
from playwright.sync_api import expect

from shop.accounts.models import Customer
from shop.accounts.staff.roles import CATALOGUE_MANAGER, CONTENT_EDITOR, ORDER_DESK, grant_roles

from ..backoffice.test_back_office import SCREENS, SEES

pytestmark = pytest.mark.browser
LISTS = {name: reverse(f"admin:{app}_{name}_changelist") for app, name in SCREENS}
# Of each role, pages of the others: a list, a form, a step.
CLOSED = {
    CONTENT_EDITOR: ("/admin/orders/order/", "/admin/catalog/product/add/", "/admin/orders/order/board/"),
    CATALOGUE_MANAGER: ("/admin/payments/refund/", "/admin/content/banner/add/", "/admin/orders/order/export/"),
    ORDER_DESK: ("/admin/content/page/", "/admin/catalog/product/add/", "/admin/catalog/productimport/add/"),
}


@pytest.fixture
def members(transactional_db, real_passwords, make_variant):
    make_variant()  # an empty shop would load the demo
    for label in ("content", "catalog", "cart", "search", "markets", "orders", "payments", "care", "accounts"):
        grant_roles(apps.get_app_config(label), using="default")
    for number, role in enumerate(CLOSED):
        member = Customer.objects.create_user(f"staff{number}@example.com", "honey and amla", name=role, is_staff=True)
        member.groups.add(Group.objects.get(name=role))


def test_each_role_is_refused_the_others_screens(members, open_phone):
    for number, (role, closed) in enumerate(CLOSED.items()):
        page = open_phone(width=1280, refusals={403})
        page.goto("/signin/?next=/admin/")
        page.get_by_label("Email", exact=True).fill(f"staff{number}@example.com")
        page.get_by_label("Password", exact=True).fill("honey and amla")
        page.get_by_role("button", name="Login", exact=True).click()
        expect(page.get_by_role("link", name="Dashboard")).to_be_visible()
        links = page.locator("#nav-sidebar a").evaluate_all("links => links.map(link => link.pathname)")
        assert {name for name, path in LISTS.items() if path in links} == SEES[role] & set(LISTS), role
        for path in closed:
            answer = page.goto(path)
            assert (path, answer.status) == (path, 403)
            expect(page.get_by_role("heading", level=1)).to_have_text("You don't have access to this page")
