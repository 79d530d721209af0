"""Every screen of the back office for everyone: what axe finds on lists, forms and steps."""

import pytest
from django.apps import apps
from django.urls import reverse

from .conftest import SCREENS

pytestmark = pytest.mark.browser
WIDTHS, HEIGHT = (1280, 360), 740


def screens(page):
    """Addresses of the sidebar, and of the list, the form and the empty form of every model."""
    yield from sorted(set(page.locator("#nav-sidebar a").evaluate_all("links => links.map(link => link.pathname)")))
    for label in SCREENS:
        name = f"admin:{label.lower().replace('.', '_')}"
        yield reverse(f"{name}_changelist")
        yield reverse(f"{name}_add")
        if row := apps.get_model(label).objects.first():
            yield reverse(f"{name}_change", args=[row.pk])


def test_axe_finds_nothing_on_any_screen(office, barriers):
    check_screens(office, barriers, lambda number: WIDTHS[number % 2 :][:1])


@pytest.mark.full
def test_axe_finds_nothing_on_any_screen_at_either_width(office, barriers):
    check_screens(office, barriers, lambda number: WIDTHS)


def check_screens(office, barriers, widths_of):
    """Each screen at the widths of its number."""
    page = office(WIDTHS[0], refusals={403})
    seen, found = set(), {}
    for path in screens(page):
        if path in seen or page.goto(path).status == 403:  # what is made by a step has no empty form
            continue
        for width in widths_of(len(seen)):
            page.set_viewport_size({"width": width, "height": HEIGHT})
            if here := barriers(page):
                found[path, width] = here
        seen.add(path)
    assert len(seen) > 100
    assert found == {}
