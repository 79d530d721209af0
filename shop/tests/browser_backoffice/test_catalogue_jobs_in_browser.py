"""The catalogue manager's jobs, with the clicks and typed fields that they take (clicks.py)."""

from io import BytesIO

import pytest
from django.contrib.auth.models import Group
from PIL import Image
from playwright.sync_api import expect

from shop.accounts.models import Customer
from shop.accounts.staff.roles import CATALOGUE_MANAGER
from shop.catalog.models import HsnCode, Product, StockMovement, Variant
from shop.catalog.services import refresh_products

from .clicks import Job

pytestmark = pytest.mark.browser
EMAIL, PASSWORD = "meera@example.com", "honey and amla"
US, GB, AU = 22, 75, 3


@pytest.fixture
def shelf(transactional_db, real_passwords, make_product, make_variant):
    """A soap, and 200 teas."""
    member = Customer.objects.create_user(EMAIL, PASSWORD, name="Meera Nair", is_staff=True)
    member.groups.add(Group.objects.get(name=CATALOGUE_MANAGER))
    HsnCode.objects.get_or_create(code="34011190")
    soap = make_variant("250", units=3, product=make_product("Neem Soap"))
    teas = [
        Product(
            name=f"Tulsi Tea {n}",
            slug=f"tulsi-tea-{n}",
            brand=soap.product.brand,
            category=soap.product.category,
            is_published=True,
        )
        for n in range(200)
    ]
    Product.objects.bulk_create(teas)
    Variant.objects.bulk_create(
        Variant(product=tea, sku=f"TEA-{number}", selling_price=100, actual_price=120)
        for number, tea in enumerate(teas)
    )
    refresh_products([tea.pk for tea in teas])
    return soap


@pytest.fixture
def page(shelf, running_shop, open_phone):
    """The back office of the catalogue manager, on the dashboard."""
    page = open_phone(width=1280, refusals={422})
    page.goto("/signin/?next=/admin/")
    page.get_by_label("Email", exact=True).fill(EMAIL)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Login", exact=True).click()
    page.wait_for_url("**/admin/")
    return page


def test_changing_one_price_takes_few_clicks(page, shelf):
    page.goto("/admin/catalog/variant/grid/?q=SKU-1")
    with Job(page, "One price", most=1) as job:
        job.fill(page.get_by_label("Price ₹ of SKU-1"), "229")
        job.click(page.get_by_role("button", name="Preview"))
        job.confirm(page.get_by_role("button", name="Apply to 1 variant"))
        expect(page.get_by_text("Applied.")).to_be_visible()
    assert Variant.objects.get(pk=shelf.pk).selling_price == 229


def test_book_in_stock(page, shelf):
    page.goto("/admin/catalog/product/?q=SKU-1")
    with Job(page, "Book in stock", most=2) as job:
        job.click(page.get_by_role("link", name="Neem Soap", exact=True))
        job.fill(page.locator("[name=variants-0-units]"), "40")
        job.click(page.get_by_role("button", name="Save", exact=True))
        expect(page.get_by_text("was changed successfully")).to_be_visible()
    assert Variant.objects.get(pk=shelf.pk).on_hand == 43
    assert StockMovement.objects.filter(variant=shelf, quantity=40).count() == 1


def test_a_new_product_with_three_variants_three_markets_and_pictures(page, shelf, tmp_path):
    files = []
    for colour in ("#7a9a6a", "#c0a060"):
        leaf = BytesIO()
        Image.new("RGB", (400, 400), colour).save(leaf, "PNG")
        files.append(tmp_path / f"tea{len(files)}.png")
        files[-1].write_bytes(leaf.getvalue())
    page.goto("/admin/catalog/product/")
    with Job(page, "New product with three variants, three markets and pictures", most=15) as job:
        job.click(page.locator("a[href$='/admin/catalog/product/add/'], a[href='/admin/catalog/product/add/']").first)
        job.fill(page.locator("[name=name]"), "Brahmi Tea")
        for name, value in (("brand", "Vanamitra"), ("category", "Ayurveda")):
            job.click(page.locator(f".field-{name} .select2-selection"))
            job.type(value, into=name)
            job.click(page.locator(".select2-results__option", has_text=value).first)
        job.fill(page.locator("[name=option_name_0]"), "Size")
        job.fill(page.get_by_label("Values of option 1"), "50 g, 100 g, 250 g")
        page.keyboard.press("Tab")
        expect(page.locator("[data-rows] tr")).to_have_count(3)
        for number in range(3):
            job.fill(page.locator(f"[name=variants-{number}-selling_price]"), str(100 * (number + 1)))
            for market in (US, GB, AU):
                job.fill(page.locator(f"[name=variants-{number}-market_{market}]"), str(number + 2))
        job.drop(page.locator("#gallery-files"), files)
        expect(page.locator("[data-tiles] img")).to_have_count(2)
        job.click(page.locator("label[for=id_is_published], [name=is_published]").first)
        job.click(page.get_by_role("button", name="Save", exact=True))
        expect(page.get_by_text("was added successfully")).to_be_visible()
    tea = Product.objects.get(name="Brahmi Tea")
    assert tea.slug == "brahmi-tea"
    made = list(tea.variants.order_by("position", "pk"))
    assert [str(variant.attribute_values.get()) for variant in made] == ["50 g", "100 g", "250 g"]
    assert [variant.fixed_prices.count() for variant in made] == [3, 3, 3]
    assert [variant.variant_images.count() for variant in made] == [2, 2, 2]


def test_reprice_two_hundred(page, shelf):
    page.goto("/admin/catalog/product/?q=tulsi")
    with Job(page, "Reprice 200", most=6) as job:
        job.check(page.locator("#action-toggle"))
        job.click(page.get_by_text("Select all 200"))
        job.choose(page.locator("select[name=action]"), "Change prices, stock, categories…")
        job.click(page.get_by_role("button", name="Run"))
        job.fill(page.get_by_label("Amount or percent"), "-10")
        job.click(page.get_by_role("button", name="Preview"))
        job.confirm(page.get_by_role("button", name="Apply to 200 variants"))
        expect(page.get_by_text("Applied.")).to_be_visible()
    assert Variant.objects.filter(sku__startswith="TEA-", selling_price=90).count() == 200


def test_keys_and_a_block_from_a_spreadsheet_fill_the_grid(page, shelf):
    page.goto("/admin/catalog/variant/grid/?q=TEA-1")
    price = page.locator("[data-sheet] tbody tr").nth(0).locator("input:not([type=hidden])").first
    price.focus()
    page.evaluate(
        """() => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text/plain", "₹81\\t130\\n82\\t140\\n");
            const paste = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
            document.activeElement.dispatchEvent(paste);
        }"""
    )
    expect(page.get_by_text("4 cells changed")).to_be_visible()
    page.keyboard.press("Enter")
    page.keyboard.type("83")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("100.00 → 81.00")).to_be_visible()
    expect(page.get_by_text("100.00 → 83.00")).to_be_visible()


def test_a_tab_that_is_closed_with_something_typed_asks(page, shelf):
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    page.goto("/admin/catalog/variant/grid/?q=SKU-1")
    page.get_by_label("Price ₹ of SKU-1").click()
    page.keyboard.press("Control+a")
    page.keyboard.type("99")
    page.evaluate("location.href = '/admin/'")
    page.wait_for_timeout(500)
    assert asked == ["beforeunload"]
    expect(page.get_by_label("Price ₹ of SKU-1")).to_have_value("99")
