"""The back office on a phone: compact rows, titles that can be read, box and Save in reach."""

import re

import pytest
from django.apps import apps
from django.urls import reverse
from playwright.sync_api import expect

from .conftest import SCREENS

pytestmark = pytest.mark.browser
MAX_ROW = 150  # px: two lines of a long title and three of facts; as cards, rows were 280 and more
# What is wrong with the list that is open: wider than the screen, tall rows, titles off it, boxes too small to hit.
MISFITS = """(most) => {
    const width = document.documentElement.clientWidth;
    const found = [];
    if (document.documentElement.scrollWidth > width) found.push(`${document.documentElement.scrollWidth} px wide`);
    for (const row of document.querySelectorAll("#result_list .data-row")) {
        const { height, right } = row.getBoundingClientRect();
        if (height > most) found.push(`a row of ${height} px`);
        if (right > width) found.push("a row that ends beyond the screen");
        for (const cell of row.querySelectorAll(":scope > *")) {
            const box = cell.getBoundingClientRect();
            if (box.width && box.right > right + 1) found.push(`${cell.className.split(" ")[0]} beyond its row`);
        }
        const title = row.querySelector(".row-title").getBoundingClientRect();
        if (title.width < 80) found.push(`a title of ${title.width} px`);
        const tick = row.querySelector(".row-box input");
        if (tick) {
            const { left, top } = tick.getBoundingClientRect();
            if (document.elementFromPoint(left - 8, top - 8) !== tick && top > 80 && top < innerHeight - 80)
                found.push("a box that is hard to hit");
        }
    }
    return [...new Set(found)];
}"""


@pytest.mark.parametrize("width", [320, 360])
def test_every_list_fits_a_phone(office, width):
    page = office(width)
    misfits = {}
    for label in SCREENS:
        page.goto(reverse(f"admin:{label.lower().replace('.', '_')}_changelist"))
        if found := page.evaluate(MISFITS, MAX_ROW):
            misfits[label] = found
    assert misfits == {}


def test_a_row_opens_by_a_tap_anywhere_and_its_box_ticks(office):
    page = office(360)
    page.goto(reverse("admin:orders_order_changelist"))
    row = page.locator("#result_list .data-row").first
    row.locator(".row-box").click(position={"x": 10, "y": 10})
    expect(row.locator(".row-box input")).to_be_checked()
    box = row.bounding_box()
    page.mouse.click(box["x"] + box["width"] - 20, box["y"] + box["height"] - 8)  # where there are no words
    expect(page).to_have_url(re.compile("/change/"))


def test_save_stays_in_reach_on_every_form(office):
    page = office(360)
    seen = 0
    for label in SCREENS:
        row = apps.get_model(label).objects.first()
        if row is None:
            continue
        page.goto(reverse(f"admin:{label.lower().replace('.', '_')}_change", args=[row.pk]))
        save = page.locator("[name=_save]")
        if save.count():
            seen += 1
            expect(save, label).to_be_in_viewport(ratio=1)
    assert seen > 10
