"""Every screen of the back office in the pseudo language, from left to right: marked, and nothing cut off, over
something else or outside the window."""

import pytest
from django.apps import apps
from django.contrib.admin import site
from django.urls import reverse

from ..support.access import Who, all_entries
from .conftest import STAFF, WIDTHS

pytestmark = [pytest.mark.browser, pytest.mark.full]
SCREENS = sorted({model._meta.label for model, screen in site._registry.items() if screen.__module__ != "unfold.admin"})


def screens(own):
    """Of every model the list, the form and the empty form, and the pages between them."""
    for label in SCREENS:
        name = f"admin:{label.lower().replace('.', '_')}"
        yield reverse(f"{name}_changelist")
        yield reverse(f"{name}_add")
        if row := apps.get_model(label)._default_manager.order_by("pk").first():
            yield reverse(f"{name}_change", args=[row.pk])
    for entry in all_entries():
        # The preview is a page of the shop, in the language of the market that is looked at.
        if entry.who is Who.STAFF and "GET" in entry.methods and not entry.is_api and "preview" not in entry.route:
            yield entry.path_for(own)


def test_every_screen_is_marked_and_fits(reader, asha):
    page = reader("hi", STAFF)
    for path in dict.fromkeys(screens(asha)):
        page.open(path, WIDTHS)
    assert page.read > 200
    assert not page.found, "\n".join(page.found)
