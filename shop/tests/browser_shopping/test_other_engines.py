"""The main journey in Firefox and in WebKit, 360 px wide: search, filter, product, add, cart, code, pay, order."""

import shutil
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from shop.catalog.models import Brand, Category
from shop.orders.models import Order
from shop.tests.conftest import free_port
from shop.tests.support.needs import lack

from .marionette import firefox
from .webdriver import ENTER, Browser
from .webkit import webkit

pytestmark = [pytest.mark.browser, pytest.mark.full]
MOBILE = "+919876543210"
ADDRESS = {
    "pincode": "560001",
    "city": "Bengaluru",
    "full_name": "Asha Rao",
    "address": "12 Temple Road",
    "alt_phone_number": "9876543211",
}


@pytest.fixture
def shelf(transactional_db, make_product, make_variant):
    category = Category.objects.create(name="Ayurveda", slug="ayurveda", is_featured=True)
    brands = [Brand.objects.create(name=name, slug=name.lower()) for name in ("Vanya", "Tara")]
    for number in range(8):
        product = make_product(f"Clove Balm {number}", category=category, brand=brands[number % 2])
        make_variant(price=str(250 + number), units=20, product=product)


@pytest.fixture(params=["firefox", "webkit"])
def browser(request, tmp_path):
    with _browser(request.param, tmp_path) as opened:
        yield opened


def _browser(name: str, home: Path) -> AbstractContextManager[Browser]:
    if name == "firefox":
        if program := shutil.which("firefox-esr") or shutil.which("firefox"):
            return firefox(program, home, free_port())
        lack("Firefox is missing (apt install firefox-esr)")
    driver, screen = shutil.which("WebKitWebDriver"), shutil.which("Xvfb")
    program = next(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"), None)
    if not (driver and screen and program):
        lack("WebKit is missing (apt install webkit2gtk-driver xvfb)")
    return webkit(driver, str(program), home, free_port())


def test_the_main_journey_in_another_engine(shelf, running_shop, browser):
    browser.open(f"{running_shop.url}/en-in/")
    browser.type(".search__input", f"clove balm{ENTER}")
    browser.see("Showing 8 out of 8")
    _filter(browser)
    browser.press(".card__link", "Clove Balm 0")
    browser.press("#main button", "ADD TO CART")
    browser.press("a", "CHECK OUT")
    _sign_in(browser, running_shop)
    _pay(browser)
    assert Order.objects.get().status == Order.Status.PLACED


def _filter(browser) -> None:
    browser.press(".toolbar__filters")
    browser.press("#filter-panel label", "Vanya")
    browser.wait("return location.search.includes('brand=vanya')")
    browser.run("document.querySelector('#filter-panel').close?.()")
    browser.see("Showing 4 out of 4")
    assert browser.run("return document.documentElement.scrollWidth <= innerWidth")


def _sign_in(browser, shop) -> None:
    browser.type("#id_contact", MOBILE.removeprefix("+91"))
    browser.press("main button", "Send code")
    browser.see("Enter the OTP")
    browser.type(".code-box", shop.texted_code(MOBILE))


def _pay(browser) -> None:
    browser.see("Deliver to")
    for name, text in ADDRESS.items():
        browser.run("document.querySelector(arguments[0]).value = ''", f"[name={name}]")
        browser.type(f"[name={name}]", text)
    browser.wait("return document.querySelector('[name=state]').value === 'Karnataka'")
    browser.press("button[form=checkout]", "PAY ₹")
    browser.see("Simulated payment")
    browser.press("button", "Payment Success")
    browser.see("Order Placed Successfully")
