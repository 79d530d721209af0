"""A prescription medicine in Chromium, on a phone of 360 px with and without scripts, and the pharmacist's answer."""

from datetime import timedelta

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import Group
from django.utils.timezone import localdate
from playwright.sync_api import expect

from shop.accounts.models import Customer
from shop.accounts.staff.roles import PHARMACIST, grant_roles
from shop.backoffice.actors import SHOP
from shop.catalog.batches.services import receive_batch
from shop.orders.models import Order
from shop.orders.placing.services import confirm_order
from shop.orders.shipping.services import deliver_all, ship
from shop.payments.models import Refund
from shop.payments.refunds.services import issue_due_refunds
from shop.pharmacy.models import PrescriptionLine
from shop.pharmacy.tests.conftest import facts, pdf_of, photo

from ..support.buyers import Answered, new_buyers
from .answers import answered

pytestmark = pytest.mark.browser
FITS = "document.documentElement.scrollWidth <= window.innerWidth"


@pytest.fixture
def tablets(transactional_db, real_passwords, make_variant, make_product):
    """They are sold on prescription, and the pharmacist is there."""
    grant_roles(apps.get_app_config("pharmacy"), using="default")
    member = Customer.objects.create_user("pharmacist@example.com", "honey and amla", name="K. Nair", is_staff=True)
    member.groups.add(Group.objects.get(name=PHARMACIST))
    product = make_product("Cefixime 200 mg", is_prescription=True, schedule="H1")
    return make_variant(price="250", units=20, product=product)


@pytest.fixture
def shopper(tablets, running_shop, open_phone):
    """shopper(scripts): the phone of a signed-in customer with an address."""

    def open_page(scripts, **more):
        page = open_phone(scripts=scripts, width=360, **more)
        [buyer] = new_buyers(running_shop.url, 1, Answered())
        session = {"name": settings.SESSION_COOKIE_NAME, "value": buyer.session, "url": running_shop.url}
        page.context.add_cookies([session])
        return page

    return open_page


def upload(name, data, kind):
    return {"name": name, "mimeType": kind, "buffer": data}


def put_into_cart(page):
    page.goto("/en-in/product/cefixime-200-mg/")
    expect(page.locator(".schedule-box")).to_contain_text("SCHEDULE H1 DRUG")
    assert page.evaluate(FITS)
    with answered(page):
        page.locator("#buy button[type=submit]").click()
    page.goto("/en-in/cart/")
    expect(page.get_by_text("Prescription needed: you'll add it at checkout.")).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_a_medicine_is_bought_with_a_photo_and_a_pdf_at_320_and_360_px(shopper, scripts, barriers):
    page = shopper(scripts)
    put_into_cart(page)
    page.goto("/en-in/checkout/")
    page.get_by_label("Take a photo").set_input_files(upload("rx.jpg", photo(), "image/jpeg"))
    page.get_by_label("Or choose photos or a PDF").set_input_files(upload("rx.pdf", pdf_of(2), "application/pdf"))
    page.get_by_role("button", name="Add prescription").click()
    expect(page.locator(".prescription__page")).to_have_count(3)
    for width in (320, 360):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate(FITS)
    if scripts:
        assert barriers(page) == []
    page.get_by_role("button", name="Remove page 3").click()
    expect(page.locator(".prescription__page")).to_have_count(2)
    page.locator(".prescription__page").first.scroll_into_view_if_needed()
    # Loaded when seen. As a function: the content policy stops a string that is evaluated again.
    page.wait_for_function("() => document.querySelector('.prescription__page').naturalWidth > 0")
    page.locator("#summary button[type=submit]").last.click()
    page.wait_for_url("**/DummyPayment/**")
    order = Order.objects.get()
    assert order.prescription.prescription.pages.count() == 2


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_pay_without_a_prescription_says_so(shopper, scripts):
    page = shopper(scripts, refusals={409})
    put_into_cart(page)
    page.goto("/en-in/checkout/")
    page.locator("#summary button[type=submit]").last.click()
    expect(page.get_by_role("alert")).to_contain_text("Add a photo or PDF of your prescription for Cefixime 200 mg.")
    assert not Order.objects.exists()


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_from_the_search_to_the_delivery_with_one_line_refused(
    shopper, open_phone, make_product, make_variant, scripts
):
    """Two medicines and their prescription; the pharmacist approves one of them, also on a phone."""
    for name, price, number in (("Azithromycin 500 mg", "250", "AZM-7"), ("Ambroxol Syrup", "120", "AMB-2")):
        product = make_product(name, is_prescription=True, schedule="H1")
        receive_batch(
            make_variant(price, units=0, product=product).pk, number=number, manufactured=None,
            expires=localdate() + timedelta(days=500), units=5, actor="staff:1",
        )  # fmt: skip
    page = shopper(scripts)
    _find_and_add(page, "Azithromycin 500 mg")
    _find_and_add(page, "Ambroxol Syrup")
    _send_the_prescription_and_pay(page)
    order = Order.objects.get()
    assert page.evaluate(FITS)

    _decides_on_a_phone(
        open_phone(scripts=scripts, width=360), order, {"Azithromycin": "Approve", "Ambroxol": "Reject"}
    )
    issue_due_refunds()
    assert [refund.amount_paise for refund in Refund.objects.all()] == [120_00]

    order.refresh_from_db()
    ship(order, actor="staff:1")
    deliver_all(order, actor="staff:1")
    page.goto(f"/en-in/order-detail/{order.number}/")
    prescription = page.get_by_role("region", name="Prescription")
    expect(prescription.get_by_role("listitem").filter(has_text="Azithromycin")).to_contain_text("Approved")
    expect(prescription.get_by_role("listitem").filter(has_text="Ambroxol")).to_contain_text(
        "We can't read the prescription."
    )
    expect(page.get_by_role("region", name="Refund")).to_contain_text("₹120.00")
    expect(page.get_by_text("AZM-7").first).to_be_visible()
    expect(page.get_by_text("Delivered").first).to_be_visible()
    expect(page.get_by_text("AMB-2")).to_have_count(0)
    assert page.evaluate(FITS)


def _find_and_add(page, name):
    page.goto("/en-in/")
    page.locator(".search__input").fill(name)
    page.keyboard.press("Enter")
    page.locator(".card__link", has_text=name).click()
    expect(page.get_by_text("Prescription medicine.")).to_be_visible()
    page.locator("#buy button[type=submit]").click()
    expect(page.get_by_text("Product added to cart successfully!").first).to_be_visible()


def _send_the_prescription_and_pay(page):
    page.goto("/en-in/cart/")
    page.get_by_role("link", name="CHECK OUT").click()
    page.get_by_label("Take a photo").set_input_files(upload("rx.jpg", photo(), "image/jpeg"))
    page.get_by_role("button", name="Add prescription").click()
    expect(page.locator(".prescription__page")).to_have_count(1)
    page.locator("#summary button[type=submit]").last.click()
    page.get_by_role("button", name="Payment Success").click()
    expect(page.get_by_role("heading", name="Order Placed Successfully")).to_be_visible()


def _decides_on_a_phone(office, order, decisions):
    office.goto("/signin/?next=/admin/pharmacy/orderprescription/")
    office.get_by_label("Email", exact=True).fill("pharmacist@example.com")
    office.get_by_label("Password", exact=True).fill("honey and amla")
    office.get_by_role("button", name="Login", exact=True).click()
    office.get_by_role("link", name=order.number).click()
    expect(office.locator(".review__picture")).to_be_visible()
    for name, what in decisions.items():
        line = office.get_by_role("group").filter(has_text=name)
        line.get_by_label(what).check()
        if what == "Reject":
            line.get_by_label("Reason, which the customer reads").select_option("unreadable")
    _write_the_facts(office)
    office.get_by_role("button", name="Save decisions").click()
    expect(office.get_by_text("No other prescription is waiting.")).to_be_visible()
    assert office.evaluate(FITS)


def _write_the_facts(office):
    said = facts()
    for label, text in (
        ("Patient", said.patient_name), ("Patient's address", said.patient_address), ("Doctor", said.prescriber_name),
        ("Doctor's address", said.prescriber_address), ("Registration number", said.prescriber_registration),
        ("Date of the prescription", said.issued_on.isoformat()),
    ):  # fmt: skip
        office.get_by_label(label, exact=True).fill(text)


def test_the_pharmacist_decides_with_the_keyboard(shopper, open_phone):
    page = shopper(True)
    put_into_cart(page)
    page.goto("/en-in/checkout/")
    page.get_by_label("Take a photo").set_input_files(upload("rx.jpg", photo(), "image/jpeg"))
    page.locator("#summary button[type=submit]").last.click()
    page.wait_for_url("**/DummyPayment/**")
    confirm_order(Order.objects.get(), actor=SHOP)

    office = open_phone(width=1280)
    office.goto("/signin/?next=/admin/pharmacy/orderprescription/")
    office.get_by_label("Email", exact=True).fill("pharmacist@example.com")
    office.get_by_label("Password", exact=True).fill("honey and amla")
    office.get_by_role("button", name="Login", exact=True).click()
    office.get_by_role("link", name=Order.objects.get().number).click()
    expect(office.locator(".review__picture")).to_be_visible()
    office.keyboard.press("+")
    expect(office.locator(".review__page")).to_have_attribute("data-zoom", "2")
    office.keyboard.press("t")
    expect(office.locator(".review__page")).to_have_attribute("data-turn", "1")
    office.keyboard.press("j")
    office.keyboard.press("a")
    expect(office.get_by_label("Approve")).to_be_checked()
    _write_the_facts(office)
    office.keyboard.press("Control+Enter")
    expect(office.get_by_text("No other prescription is waiting.")).to_be_visible()
    assert PrescriptionLine.objects.get().state == "approved"
