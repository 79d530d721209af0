"""A catalogue manager imports a file with bad rows, mends them, drops a picture, changes prices, and a shopper
sees the new price."""

import base64
from io import BytesIO
from pathlib import Path

import pytest
from django.contrib.auth.models import Group
from PIL import Image
from playwright.sync_api import Page, expect

from shop.accounts.models import Customer
from shop.accounts.staff.roles import CATALOGUE_MANAGER

pytestmark = pytest.mark.browser
EMAIL, PASSWORD = "meera@example.com", "honey and amla"
FILE = """handle,sku,name,category,selling_price,actual_price,stock
neem-soap,NS-1,Neem Soap,Ayurveda,200,250,7
tulsi-tea,TT-1,Tulsi Tea,Ayurveda,320,300,7
"""
DROP = """(zone, [name, data]) => {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes], name, { type: "image/png" }));
    zone.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
}"""


@pytest.fixture
def manager(transactional_db, real_passwords, make_variant):
    make_variant()  # an empty shop would load the demo
    member = Customer.objects.create_user(EMAIL, PASSWORD, name="Meera Nair", is_staff=True)
    member.groups.add(Group.objects.get_or_create(name=CATALOGUE_MANAGER)[0])


def test_a_manager_imports_mends_and_changes_prices(manager, running_shop, open_phone, tmp_path):
    page = open_phone(width=1280)
    page.goto("/signin/?next=/admin/catalog/productimport/add/")
    page.get_by_label("Email", exact=True).fill(EMAIL)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Login").click()
    mended = _imports_with_a_bad_row(page, tmp_path)
    _uploads(page, mended)
    expect(page.get_by_role("heading", name="Imported")).to_be_visible()
    _drops_a_picture(page)
    _types_and_leaves(page)
    _takes_a_tenth_off(page)
    page.goto("/en-in/product/tulsi-tea/")
    expect(page.locator("#main").get_by_text("₹288").first).to_be_visible()


def _uploads(page: Page, file: Path) -> None:
    """Upload, wait for the count, import."""
    page.locator("input[name=file]").set_input_files(file)
    page.locator("[name=take_stock]").check()
    page.get_by_role("button", name="Upload and check").click()
    page.get_by_role("button", name="Import now").click()


def _imports_with_a_bad_row(page: Page, folder: Path) -> Path:
    """The mended file of refused rows."""
    file = folder / "products.csv"
    file.write_text(FILE)
    _uploads(page, file)
    expect(page.get_by_role("heading", name="Imported")).to_be_visible()
    row = page.get_by_role("row").filter(has_text="refused")
    expect(row).to_contain_text("the selling price 320.00 is above the actual price 300.00")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the refused rows").click()
    mended = folder / "mended.csv"
    mended.write_text(Path(download.value.path()).read_text(encoding="utf-8-sig").replace("320,300", "320,360"))
    page.locator("#content").get_by_role("link", name="Import products").click()
    return mended


def _drops_a_picture(page: Page) -> None:
    leaf = BytesIO()
    Image.new("RGB", (400, 400), "#7a9a6a").save(leaf, "PNG")
    page.goto("/admin/catalog/product/?q=TT-1")
    page.get_by_role("link", name="Tulsi Tea", exact=True).click()
    zone = page.locator("[data-drop]")
    zone.evaluate(DROP, ["leaf.png", base64.b64encode(leaf.getvalue()).decode()])
    expect(page.locator("[data-tiles] img")).to_have_count(1)
    page.get_by_role("button", name="Save and continue editing").click()
    expect(page.get_by_text("was changed successfully")).to_be_visible()
    expect(page.locator("[data-tiles] img")).to_have_count(1)


def _types_and_leaves(page: Page) -> None:
    """What was typed outlasts an upload, and who leaves is asked."""
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    leaf = BytesIO()
    Image.new("RGB", (400, 400), "#6a7a9a").save(leaf, "PNG")
    page.locator("input[name=maker]").fill("Vanamitra Ltd")
    data = ["other.png", base64.b64encode(leaf.getvalue()).decode()]
    page.locator("[data-drop]").evaluate(DROP, data)
    expect(page.locator("[data-tiles] img")).to_have_count(2)
    expect(page.locator("input[name=maker]")).to_have_value("Vanamitra Ltd")
    page.evaluate("location.href = '/admin/'")
    page.wait_for_timeout(500)
    assert asked == ["beforeunload"]
    page.get_by_role("button", name="Save and continue editing").click()
    expect(page.locator("input[name=maker]")).to_have_value("Vanamitra Ltd")
    expect(page.get_by_text("was changed successfully")).to_be_visible()
    page.goto("/admin/")
    assert asked == ["beforeunload"]


def _takes_a_tenth_off(page: Page) -> None:
    page.goto("/admin/catalog/product/?q=tulsi")
    page.get_by_role("checkbox", name="Select record").last.check()
    page.locator("select[name=action]").select_option(label="Change prices, stock, categories…")
    page.get_by_role("button", name="Run").click()
    page.get_by_label("Change", exact=True).select_option(label="Selling price")
    page.get_by_label("Amount or percent").fill("-10")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("row").filter(has_text="TT-1")).to_contain_text("320.00 → 288.00")
    page.get_by_role("button", name="Apply to 1 variant").click()
    expect(page.get_by_text("Applied.")).to_be_visible()
