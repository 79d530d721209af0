"""An editor at work: a banner with its times is put up, seen by a visitor, and gone once its time is over."""

import re
from datetime import timedelta
from io import BytesIO

import pytest
from django.apps import apps
from django.contrib.auth.models import Group
from django.utils import timezone
from PIL import Image
from playwright.sync_api import expect

from shop.accounts.models import Customer
from shop.accounts.staff.roles import CONTENT_EDITOR, grant_roles
from shop.content.models import HomeRow

pytestmark = pytest.mark.browser


@pytest.fixture
def editor(transactional_db, real_passwords, make_variant):
    make_variant()  # an empty shop would load the demo
    member = Customer.objects.create_user("editor@example.com", "honey and amla", name="Meera", is_staff=True)
    for label in ("content", "catalog"):
        grant_roles(apps.get_app_config(label), using="default")
    member.groups.add(Group.objects.get(name=CONTENT_EDITOR))
    return member


def test_an_editor_schedules_a_banner_and_sees_it_appear_and_vanish(editor, open_phone, barriers, tmp_path):
    HomeRow.objects.create(kind=HomeRow.Kind.BANNERS)
    visitor = open_phone(width=1280)
    visitor.goto("/en-in/")
    office = open_phone(width=1280)
    office.goto("/signin/?next=/admin/content/banner/add/")
    office.get_by_label("Email", exact=True).fill("editor@example.com")
    office.get_by_label("Password", exact=True).fill("honey and amla")
    office.get_by_role("button", name="Login", exact=True).click()
    office.locator("#id_title").fill("Monsoon edit")
    file = tmp_path / "rain.png"
    file.write_bytes(_rain())
    office.locator("input[name=upload]").set_input_files(file)
    now = timezone.localtime()
    _fill_moment(office, "starts_at", now - timedelta(minutes=1))
    _fill_moment(office, "ends_at", now + timedelta(days=1))
    office.locator("[name=_save]").click()
    expect(office.get_by_role("row", name=re.compile("Monsoon edit"))).to_contain_text("Live")

    banner = visitor.get_by_role("link", name=re.compile("Monsoon edit"))
    _until(visitor, lambda: banner.count() == 1)
    expect(banner.first).to_be_visible()
    assert barriers(visitor) == []

    office.locator("#result_list").get_by_role("link", name="Monsoon edit").click()
    _fill_moment(office, "ends_at", timezone.localtime() + timedelta(seconds=2))
    office.locator("[name=_save]").click()
    _until(visitor, lambda: banner.count() == 0)
    office.goto("/admin/content/banner/")
    expect(office.get_by_role("row", name=re.compile("Monsoon edit"))).to_contain_text("Ended")


def _fill_moment(page, name, moment):
    page.locator(f"[name={name}_0]").fill(f"{moment:%Y-%m-%d}")
    page.locator(f"[name={name}_1]").fill(f"{moment:%H:%M:%S}")


def _until(page, holds):
    """Look again, as a visitor does who comes back."""
    for _ in range(120):
        page.goto("/en-in/")
        if holds():
            return
        page.wait_for_timeout(250)
    raise AssertionError("the page stayed as it was")


def _rain() -> bytes:
    file = BytesIO()
    Image.new("RGB", (1800, 1100), "#143d2c").save(file, "PNG")
    return file.getvalue()
