"""What was typed into any form of the back office is not lost unsaid: by a closed tab, by another form of the page, by
the part of a page that htmx replaces."""

import re

import pytest
from playwright.sync_api import Page, expect

from shop.accounts.models import Customer
from shop.accounts.staff.roles import ORDER_DESK
from shop.orders.models import OrderDraft

from .test_order_desk_in_browser import _signs_in, orders  # noqa: F401 (fixture)

pytestmark = pytest.mark.browser
NOTE = "Asks for a call before each delivery."


@pytest.fixture
def desk(orders, open_phone):  # noqa: F811
    return open_phone(width=1280, scripts=True)


@pytest.fixture
def asked():
    return []


def _open_customer(desk: Page, asked: list[str]) -> None:
    _signs_in(desk, ORDER_DESK, f"/admin/accounts/customer/{Customer.objects.get(name='Asha Rao').pk}/change/")
    desk.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))


def test_who_leaves_a_note_unsaved_is_asked_and_who_saved_it_is_not(desk, asked):
    _open_customer(desk, asked)
    note = desk.get_by_label("New note", exact=True)
    note.fill(NOTE)
    desk.evaluate("location.href = '/admin/'")
    desk.wait_for_timeout(500)
    assert asked == ["beforeunload"]
    expect(note).to_have_value(NOTE)
    desk.get_by_role("button", name="Save note").click()
    expect(desk.get_by_role("listitem").filter(has_text=NOTE).first).to_be_visible()
    desk.goto("/admin/")
    assert asked == ["beforeunload"]


def test_another_form_of_the_page_does_not_take_the_note_along_unsaid(desk, asked):
    _open_customer(desk, asked)
    desk.get_by_label("New note", exact=True).fill(NOTE)
    desk.get_by_label("New tag", exact=True).fill("calls first")
    desk.get_by_role("button", name="Add tag").click(no_wait_after=True)
    desk.wait_for_timeout(500)
    assert asked == ["beforeunload"]
    expect(desk.get_by_label("New note", exact=True)).to_have_value(NOTE)
    expect(desk.get_by_label("New tag", exact=True)).to_have_value("calls first")


def test_an_address_half_typed_stands_there_when_another_form_of_the_draft_is_sent(desk, asked):
    _signs_in(desk, ORDER_DESK, "/admin/orders/orderdraft/add/")
    desk.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    desk.get_by_label("Phone, name or email").fill("asha")
    desk.get_by_role("button", name="Search").click()
    desk.get_by_role("button", name="Open a draft for Asha Rao").click()
    desk.get_by_text("Type an address").click()
    desk.get_by_label("House, street, area", exact=True).fill("5 Lake Road")
    desk.get_by_label("SKU or product").fill("neem soap")
    desk.get_by_role("button", name="Search").click()
    desk.get_by_role("button", name=re.compile("^Add ")).first.click()
    expect(desk.get_by_text("Added.")).to_be_visible()
    expect(desk.get_by_label("House, street, area", exact=True)).to_have_value("5 Lake Road")
    expect(desk.get_by_label("House, street, area", exact=True)).to_be_visible()
    desk.evaluate("location.href = '/admin/'")
    desk.wait_for_timeout(500)
    assert asked == ["beforeunload"]  # it is not saved yet
    assert OrderDraft.objects.get().cart.lines.count() == 1
