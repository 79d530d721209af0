"""Whole purchases in Hindi and Arabic, with and without scripts, on phone and desktop (PRODUCT.md 10)."""

import pytest
from playwright.sync_api import Page, expect

from shop.orders.models import Order

pytestmark = pytest.mark.browser
SHAPE = """() => ({
  lang: document.documentElement.lang,
  direction: getComputedStyle(document.body).direction,
  tooWide: document.documentElement.scrollWidth - innerWidth,
})"""
DIGITS_FROM_LEFT_TO_RIGHT = """() => {
  const lefts = [...document.querySelectorAll(".code-box")].map((box) => box.getBoundingClientRect().left);
  return lefts.every((left, index) => index === 0 || left > lefts[index - 1]);
}"""
PLACES = {
    "hi-in": {
        "shape": {"lang": "hi", "direction": "ltr"},
        "address": {"pincode": "560001", "city": "Bengaluru", "phone_number": "9876543210"},
        "other phone": "9876543211",
        "state": "Karnataka",
        "add": "कार्ट में डालें",
        "added": "प्रोडक्ट कार्ट में डाल दिया!",
        "pay": "UPI से ₹299.00 का पेमेंट करें",
        "thanks": "आपका ऑर्डर हो गया",
        "orders": "सभी ऑर्डर",
    },
    "ar-ae": {
        "shape": {"lang": "ar", "direction": "rtl"},
        "address": {"city": "Al Barsha", "phone_number": "501234567"},
        "other phone": "501234568",
        "state": "Dubai",
        "add": "إضافة إلى السلة",
        "added": "أُضيف المنتج إلى السلة!",
        "pay": "ادفع \u2068₹",
        "thanks": "تم تأكيد طلبك",
        "orders": "كل الطلبات",
    },
}


@pytest.fixture
def honey(transactional_db, make_product, make_variant):
    return make_variant(price="250", units=9, product=make_product("Forest Honey"))


def test_purchases_in_hindi_and_arabic(honey, running_shop, chromium):
    for place, scripts, width in (("hi-in", True, 360), ("ar-ae", False, 360), ("ar-ae", True, 1280)):
        context = chromium.new_context(
            base_url=running_shop.url, viewport={"width": width, "height": 740}, java_script_enabled=scripts
        )
        buy(context.new_page(), running_shop, place, scripts=scripts)
        context.close()
    assert [order.status for order in Order.objects.all()] == [Order.Status.PLACED] * 3


def buy(page: Page, shop, place: str, *, scripts: bool) -> None:
    words = PLACES[place]
    page.goto(f"/{place}/product/forest-honey/")
    look(page, place, "product", scripts=scripts)
    page.locator("#main").get_by_role("button", name=words["add"]).locator("visible=true").first.click()
    expect(page.get_by_text(words["added"]).first).to_be_visible()
    page.goto(f"/{place}/cart/")
    look(page, place, "cart", scripts=scripts)
    page.locator("a[href$='/checkout/']:visible").last.click()
    address = f"{place}-{page.viewport_size['width']}-{scripts:d}@example.com"
    page.locator("[name=contact]").fill(address)
    page.locator("#main form button[type=submit]").first.click()
    page.locator("[data-otp]").wait_for(state="attached")  # the mail may be there before the page
    look(page, place, "code", scripts=scripts)
    expect(page.locator(".code-box")).to_have_count(6 if scripts else 0)
    assert page.evaluate(DIGITS_FROM_LEFT_TO_RIGHT), place
    code = shop.mailed_code(address)
    page.locator("#main input:visible").first.press_sequentially(code)
    if not scripts:  # with them, six digits send themselves
        page.locator("#main form button[type=submit]").first.click()
    page.wait_for_url("**/checkout/")
    type_address(page, words)
    look(page, place, "checkout", scripts=scripts)
    page.locator("button[form=checkout]", has_text=words["pay"]).click()
    page.wait_for_url("**/DummyPayment/**")
    look(page, place, "payment", scripts=scripts)
    page.locator("button[value=success]").click()
    expect(page.get_by_role("heading", name=words["thanks"])).to_be_visible()
    look(page, place, "placed", scripts=scripts)
    page.goto(f"/{place}/orders/")
    look(page, place, "orders", scripts=scripts)
    page.locator(".order__number").first.click()
    expect(page.get_by_role("link", name=words["orders"])).to_be_visible()
    look(page, place, "order", scripts=scripts)


def type_address(page: Page, words) -> None:
    page.locator("[name=full_name]").fill("Asha Rao")
    page.locator("[name=address]").fill("12 Temple Road")
    for name, text in words["address"].items():
        page.locator(f"[name={name}]").fill(text)
    page.locator("[name=alt_phone_number]").fill(words["other phone"])
    page.locator("[name=state]").select_option(value=words["state"])


def look(page: Page, place: str, name: str, *, scripts: bool) -> None:
    """The page has the language and direction of its address, and nothing of it is too wide."""
    found = page.evaluate(SHAPE)
    assert found.pop("tooWide") <= 0, (place, name, scripts)
    assert found == PLACES[place]["shape"], (place, name, scripts)
