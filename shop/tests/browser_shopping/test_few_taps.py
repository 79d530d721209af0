"""How much a shopper on a phone has to do from the home page to the payment: taps, fields, and on a slow phone time."""

import sys
import time
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Locator, Page, expect

from shop.bench.first_load import SLOW_4G, SLOWER_PROCESSOR
from shop.catalog.models import Category
from shop.markets.models import PinCode
from shop.orders.models import Order

pytestmark = pytest.mark.browser
MOBILE = "+919876543210"
TAPS_OF_THE_NEW, TAPS_OF_THE_KNOWN, FIELDS = 12, 4, 6
SLOW_SECONDS = 120  # all waiting of a new customer; nobody types in it


@dataclass
class TapCounter:
    """What is done to a page: presses of links, buttons and choices, and fields that are typed. Whoever types goes
    into the field first, which is no tap of its own where the field has the focus already."""

    page: Page
    taps: list[str] = field(default_factory=list)
    fields: list[str] = field(default_factory=list)

    def tap(self, target: Locator, name: str) -> None:
        target.tap()
        self.taps.append(name)

    def type(self, target: Locator, text: str, name: str) -> None:
        expect(target).to_be_visible()
        if not target.evaluate("field => field === document.activeElement"):
            self.tap(target, f"into {name}")
        target.press_sequentially(text)
        expect(target).to_have_value(text)
        self.fields.append(name)

    @property
    def presses(self) -> list[str]:
        return [name for name in self.taps if not name.startswith("into ")]


@pytest.fixture
def balm(transactional_db, make_product, make_variant, picture):
    PinCode.objects.create(pin="560001", city="Bengaluru", state="Karnataka")
    shelf = Category.objects.create(name="Ayurveda", slug="ayurveda", is_featured=True)
    for number in range(6):
        make_variant(price=str(150 + number), units=20, product=make_product(f"Neem Soap {number}", category=shelf))
    return make_variant(price="250", units=20, product=make_product("Clove Balm", category=shelf))


def _slow_down(page: Page) -> None:
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", SLOW_4G)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER_PROCESSOR})


def _find_and_add(hand: TapCounter) -> None:
    page = hand.page
    page.goto("/en-in/")
    hand.type(page.locator(".search__input:visible").first, "clove balm", "search")
    page.keyboard.press("Enter")
    hand.tap(page.locator(".card__link", has_text="Clove Balm"), "product")
    hand.tap(page.get_by_role("button", name="ADD TO CART").locator("visible=true").first, "ADD TO CART")
    hand.tap(page.get_by_role("link", name="CHECK OUT").locator("visible=true").first, "CHECK OUT")


def _sign_in(hand: TapCounter, shop) -> None:
    page = hand.page
    hand.type(page.get_by_label("Mobile number or email"), MOBILE.removeprefix("+91"), "mobile")
    hand.tap(page.get_by_role("button", name="Send code"), "Send code")
    expect(page.get_by_role("heading", name="Enter the OTP")).to_be_visible()
    expect(page.locator(".code-box").first).to_be_focused()
    page.keyboard.type(shop.texted_code(MOBILE))


def _type_the_address(hand: TapCounter) -> None:
    page = hand.page
    expect(page.get_by_role("heading", name="Checkout", level=1)).to_be_visible()
    hand.type(page.get_by_label("PIN code"), "560001", "PIN code")
    expect(page.get_by_label("City")).to_have_value("Bengaluru")
    expect(page.locator("#summary")).to_contain_text("Delivered to 560001 by")
    hand.type(page.get_by_label("Full name"), "Asha Rao", "name")
    hand.type(page.get_by_label("House, street, area"), "12 Temple Road", "house and street")
    hand.type(page.get_by_label("Alternative phone"), "9876543211", "alternative mobile")


def _pay(hand: TapCounter) -> None:
    hand.tap(hand.page.get_by_role("button", name="PAY ₹299.00 with UPI"), "PAY")
    expect(hand.page.get_by_role("heading", name="Simulated payment")).to_be_visible()


def say(words: str) -> None:
    sys.stdout.write(f"\n{words}")


def _buy_twice(page: Page, shop, figure) -> float:
    """As a new customer, then as one who is known; the seconds of the first."""
    began = time.monotonic()
    new = TapCounter(page)
    _find_and_add(new)
    _sign_in(new, shop)
    _type_the_address(new)
    _pay(new)
    seconds = time.monotonic() - began
    page.get_by_role("button", name="Payment Success").tap()
    expect(page.get_by_role("heading", name="Order Placed Successfully")).to_be_visible()
    known = TapCounter(page)
    _find_and_add(known)
    _pay(known)
    page.get_by_role("button", name="Payment Success").tap()
    expect(page.get_by_role("heading", name="Order Placed Successfully")).to_be_visible()
    say(f"a new customer: {len(new.taps)} taps ({', '.join(new.taps)}), {len(new.fields)} fields")
    say(f"a known one: {len(known.presses)} taps beside typing ({', '.join(known.presses)})")
    assert [order.status for order in Order.objects.all()] == [Order.Status.PLACED] * 2
    assert len(new.taps) <= TAPS_OF_THE_NEW
    assert len(new.fields) - 1 <= FIELDS  # beside what is searched for
    assert len(known.presses) <= TAPS_OF_THE_KNOWN
    figure(f"{len(new.taps)} and {len(known.presses)} taps", f"{TAPS_OF_THE_NEW} and {TAPS_OF_THE_KNOWN} taps")
    return seconds


def test_a_new_customer_buys_with_twelve_taps_and_six_fields_and_a_known_one_with_four_taps(
    balm, running_shop, open_phone, figure
):
    _buy_twice(open_phone(), running_shop, figure)


@pytest.mark.full
def test_the_same_on_a_slow_phone(balm, running_shop, open_phone, figure):
    page = open_phone()
    _slow_down(page)
    seconds = _buy_twice(page, running_shop, figure)
    say(f"{seconds:.0f} s from the home page to the payment, on a slow phone")
    figure(f"{seconds:.0f} s", f"{SLOW_SECONDS} s")
    assert seconds < SLOW_SECONDS
