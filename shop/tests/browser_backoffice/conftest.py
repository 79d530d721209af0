"""The back office with something in every list, as its owner sees it."""

from shutil import copytree

import pytest
from django.contrib.admin import site
from django.contrib.auth.models import Group
from playwright.sync_api import expect

from shop.accounts.models import Customer
from shop.accounts.staff.roles import OWNER, PHARMACIST

from ..support.belongings import belongings_of, furnish

EMAIL, PASSWORD = "meera@example.com", "honey and amla"
SCREENS = sorted({model._meta.label for model, screen in site._registry.items() if screen.__module__ != "unfold.admin"})


@pytest.fixture
def rows(transactional_db, real_passwords, india, picture, settings, shared_shop):
    """Something in every list, with pictures and photos that the running shop finds, and their owner, a
    pharmacist, too."""
    belongings_of("Asha", furnish(), india, phone="+919876500001")
    copytree(settings.DATA_DIR / "private", shared_shop.data / "private", dirs_exist_ok=True)
    owner = Customer.objects.create_user(EMAIL, PASSWORD, name="Meera Nair", is_staff=True)
    owner.groups.add(*Group.objects.filter(name__in=(OWNER, PHARMACIST)))


@pytest.fixture
def office(rows, open_phone):
    """office(width, refusals=(), scripts=True): the back office as its owner sees it."""

    def office(width, refusals=(), scripts=True):
        page = open_phone(width=width, refusals=refusals, scripts=scripts)
        page.goto("/signin/?next=/admin/")
        page.get_by_label("Email", exact=True).fill(EMAIL)
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_role("button", name="Login", exact=True).click()
        expect(page.locator("#nav-sidebar")).to_be_attached()
        return page

    return office
