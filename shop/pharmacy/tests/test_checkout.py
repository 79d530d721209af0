"""Prescription medicines in cart and checkout: sold in India against a prescription, and nowhere else."""

from datetime import timedelta
from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from shop.cart.services import add_to_cart, open_cart
from shop.catalog.composition.prescriptions import sells_prescriptions
from shop.catalog.models import Product
from shop.catalog.products.page import product_page
from shop.catalog.services import publish_products
from shop.company.models import Company
from shop.errors import Changed, Invalid, NotFound, ShopError
from shop.orders.conftest import fill
from shop.orders.models import Order
from shop.orders.placing.services import place_order
from shop.orders.placing.values import PlaceOrder
from shop.pharmacy.checkout import PrescriptionRequired
from shop.pharmacy.models import OrderPrescription, Prescription, PrescriptionLine, PrescriptionPage
from shop.pharmacy.services import add_pages, choose_kept, chosen_prescription, kept_prescriptions, remove_page

from .conftest import approved, paid, pdf_of, photo

# --- The switch -------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("licence, pharmacist", [("", ""), ("KA-20", ""), ("", "K. Nair"), (" ", "K. Nair")])
def test_without_licence_and_pharmacist_nothing_is_sold(india, make_variant, make_product, licence, pharmacist):
    Company.objects.create(pharmacy_licence=licence, pharmacist=pharmacist)
    assert not sells_prescriptions(india)


def test_licence_and_pharmacist_of_the_company_open_it(india, usa):
    Company.objects.create(pharmacy_licence="KA-20-123", pharmacist="K. Nair, KPC 1")
    assert sells_prescriptions(india) and not sells_prescriptions(usa)


def test_it_goes_into_a_cart_in_india_alone(tablets, customer, india, usa):
    cart = open_cart(customer)
    with pytest.raises(ShopError, match="prescription medicine") as refusal:
        add_to_cart(cart, variant_id=tablets.pk, quantity=1, market=usa)
    assert refusal.value.code == "not_sellable"
    add_to_cart(cart, variant_id=tablets.pk, quantity=1, market=india)
    assert product_page("metformin-500-mg", india).is_sellable
    assert not product_page("metformin-500-mg", usa).is_sellable


def test_the_cart_says_that_a_prescription_is_needed(tablets, new_buyer, client):
    client.force_login(new_buyer({tablets: 1}))
    assert "Prescription needed: you&#x27;ll add it at checkout." in client.get("/en-in/cart/").content.decode()


@pytest.mark.parametrize("schedule", ["X", "N"])
def test_schedule_x_and_narcotics_are_never_published(make_product, schedule):
    product = make_product("Morphine", is_prescription=True)
    with pytest.raises(IntegrityError), transaction.atomic():
        type(product).objects.filter(pk=product.pk).update(schedule=schedule)
    type(product).objects.filter(pk=product.pk).update(schedule=schedule, is_published=False)
    publish_products([product.pk], is_published=True)
    product.refresh_from_db()
    assert not product.is_published


@pytest.mark.parametrize("schedule, shown", [("H", False), ("H1", True), ("", False)])
def test_the_page_carries_the_words_of_the_rule_for_schedule_h1(
    pharmacy, make_variant, make_product, browser_client, schedule, shown
):
    make_variant(product=make_product("Cefixime", is_prescription=True, schedule=schedule))
    html = browser_client.get("/en-in/product/cefixime/").content.decode()
    words = (
        "SCHEDULE H1 DRUG – WARNING:",
        "It is dangerous to take this preparation except in accordance with the medical advice.",
        "Not to be sold by retail without the prescription of a Registered Medical Practitioner.",
    )
    assert [line in html for line in words] == [shown] * 3
    assert (">Rx<" in html) is bool(schedule)
    marks = ['class="schedule-box__mark"' in html, 'class="schedule-mark"' in html]  # the red one, and the plain one
    assert marks == [schedule == "H1", schedule == "H"]


# --- Uploads ----------------------------------------------------------------------------------------


def test_photos_and_pdf_pages_become_pictures_of_our_own(pharmacy, customer):
    prescription = add_pages(customer, [photo(), pdf_of(2)])
    pages = list(prescription.pages.all())
    assert [page.position for page in pages] == [1, 2, 3]
    assert all(page.file.open("rb").read(3) == b"\xff\xd8\xff" for page in pages)
    assert chosen_prescription(customer) == prescription


def test_the_same_picture_is_kept_once(pharmacy, customer):
    add_pages(customer, [photo()])
    assert add_pages(customer, [photo(), photo("red")]).pages.count() == 2


@pytest.mark.parametrize(
    "files, words",
    [
        ([b"<svg/>"], "Use a photo"),
        ([b"%PDF-1.7 nothing"], "can't open this PDF"),
        ([pdf_of(6)], "up to 5"),
        ([pdf_of(3), pdf_of(4)], "up to 5"),
        ([photo()] * 6, "up to 5"),
        ([b"\xff\xd8" + b"0" * 6_000_000], "5 MB"),
        ([b"\xff\xd8 not a picture"], "JPEG"),
    ],
    ids=["svg", "broken", "six pages", "seven pages", "six photos", "large", "no picture"],
)
def test_what_is_no_prescription_is_refused_in_words(pharmacy, customer, files, words):
    add_pages(customer, [photo("blue")])
    with pytest.raises(Invalid, match=words):
        add_pages(customer, files)
    assert PrescriptionPage.objects.count() == 1


def test_several_uploads_have_five_pages_together(pharmacy, customer):
    add_pages(customer, [photo(colour) for colour in ("red", "green", "blue")])
    with pytest.raises(Invalid, match="up to 5"):
        add_pages(customer, [photo(colour) for colour in ("white", "black", "pink")])
    assert PrescriptionPage.objects.count() == 3
    assert add_pages(customer, [photo("white"), photo("black")]).pages.count() == 5


def test_a_photo_is_encoded_anew_and_loses_where_it_was_taken(pharmacy, customer):
    target = BytesIO()
    Image.new("RGB", (60, 80), "green").save(target, "JPEG", exif=b"Exif\x00\x00secret place")
    assert b"secret place" in target.getvalue()
    kept = add_pages(customer, [target.getvalue()]).pages.get().file.open("rb").read()
    assert b"secret place" not in kept and b"Exif" not in kept
    assert Image.open(BytesIO(kept)).size == (60, 80)


def test_pages_are_removed_until_an_order_holds_them(tablets, new_buyer, order_of):
    customer = new_buyer({tablets: 1})
    prescription = add_pages(customer, [photo(), photo("red")])
    first, second = prescription.pages.all()
    other = new_buyer({})
    with pytest.raises(NotFound):
        remove_page(other, first.pk)
    remove_page(customer, first.pk)
    second.refresh_from_db()
    assert second.position == 1
    order_of(customer)
    with pytest.raises(Changed):
        remove_page(customer, second.pk)


# --- Placing ----------------------------------------------------------------------------------------


def test_no_order_without_a_prescription(tablets, soap, new_buyer, order_of):
    customer = new_buyer({tablets: 1, soap: 1})
    with pytest.raises(PrescriptionRequired, match="Metformin"):
        order_of(customer)
    assert not Order.objects.exists()
    add_pages(customer, [photo()])
    order = order_of(customer)
    checked = OrderPrescription.objects.get(order=order)
    assert list(checked.lines.values_list("line__variant", "state")) == [(tablets.pk, "waiting")]


def test_an_order_without_medicines_needs_none(pharmacy, soap, new_buyer, order_of):
    order_of(new_buyer({soap: 1}))
    assert not OrderPrescription.objects.exists()


def test_a_prescription_serves_one_order(tablets, new_buyer, order_of, india, prescribed):
    order, _ = prescribed({tablets: 1})
    fill(order.customer, {tablets: 1}, india)
    with pytest.raises(PrescriptionRequired):
        order_of(order.customer)


def test_the_same_checkout_again_takes_the_new_prescription(tablets, new_buyer, order_of):
    customer = new_buyer({tablets: 1})
    add_pages(customer, [photo()])
    first = order_of(customer)
    prescription = add_pages(customer, [photo("red")])
    assert order_of(customer) == first
    assert OrderPrescription.objects.get().prescription == prescription
    assert PrescriptionLine.objects.count() == 1


def test_somebody_elses_prescription_is_not_chosen(tablets, new_buyer, prescribed):
    _, checked = prescribed({tablets: 1})
    with pytest.raises(NotFound):
        choose_kept(new_buyer({}), checked.prescription_id)


# --- Kept ones --------------------------------------------------------------------------------------


def test_repeats_are_counted_across_orders(tablets, prescribed, order_of, india):
    """Two packs each time and one repeat: four packs in all, never more than two in one order."""
    order, checked = prescribed({tablets: 2})
    customer, prescription = order.customer, checked.prescription
    approved(checked, written=2, repeats=1)
    assert kept_prescriptions(customer) == [prescription]
    fill(customer, {tablets: 3}, india)
    choose_kept(customer, prescription.pk)
    with pytest.raises(PrescriptionRequired, match="covers only 2 of"):
        order_of(customer)
    customer.cart.lines.update(quantity=1)
    second = paid(order_of(customer))
    approved(OrderPrescription.objects.get(order=second), repeats=1)
    fill(customer, {tablets: 2}, india)
    with pytest.raises(PrescriptionRequired, match="covers only 1 of"):
        order_of(customer)
    customer.cart.lines.update(quantity=1)
    third = paid(order_of(customer))
    assert OrderPrescription.objects.get(order=third).prescription == prescription
    fill(customer, {tablets: 1}, india)
    with pytest.raises(PrescriptionRequired):
        order_of(customer)
    with pytest.raises(ShopError, match="Nothing is left"):
        choose_kept(customer, prescription.pk)
    assert kept_prescriptions(customer) == []


def test_a_kept_one_is_ordered_with_for_six_months_and_no_longer(tablets, prescribed, order_of, india):
    order, checked = prescribed({tablets: 1})
    customer, own = order.customer, checked.prescription
    approved(checked, written=2, repeats=3)
    assert kept_prescriptions(customer) == [own] and chosen_prescription(customer) == own
    Prescription.objects.update(issued_on=timezone.localdate() - timedelta(days=190))
    assert kept_prescriptions(customer) == [] and chosen_prescription(customer) is None
    with pytest.raises(ShopError, match="Nothing is left"):
        choose_kept(customer, own.pk)
    fill(customer, {tablets: 1}, india)
    with pytest.raises(PrescriptionRequired):
        order_of(customer)


def test_without_repeats_nothing_is_kept_to_order_again(tablets, prescribed):
    order, checked = prescribed({tablets: 1})
    approved(checked, written=5)
    assert kept_prescriptions(order.customer) == []


# --- The page ---------------------------------------------------------------------------------------


@pytest.fixture
def checkout(tablets, new_buyer, browser_client):
    """(browser, customer) at the checkout with a medicine."""
    customer = new_buyer({tablets: 1})
    browser_client.force_login(customer)
    browser_client.cookies["deliver_to"] = "IN"
    return browser_client, customer


def sent(browser, customer, **more):
    """What the form sends; the page's own fields are read off it."""
    html = browser.get("/en-in/checkout/")
    view = html.context["cart_view"]
    return {
        "address_id": customer.addresses.get().pk,
        "payment_method": "online",
        "has_parts": "1",
        "total_amount": view.total,
        **more,
    }


def upload(data=None, name="rx.jpg"):
    return SimpleUploadedFile(name, data or photo(), "image/jpeg")


def test_the_form_takes_a_prescription_and_keeps_what_was_typed(checkout):
    browser, customer = checkout
    html = browser.get("/en-in/checkout/").content.decode()
    assert 'capture="environment"' in html and 'enctype="multipart/form-data"' in html
    answer = browser.post(
        "/en-in/checkout/", sent(browser, customer, prescription=upload(), prescription_step="add", gstin="29ABC")
    )
    html = answer.content.decode()
    assert answer.status_code == 200 and "Remove page 1" in html and 'value="29ABC"' in html
    assert not Order.objects.exists()


def test_adding_an_address_keeps_the_file_that_was_chosen(checkout):
    browser, customer = checkout
    typed = {"address": "4 Lake View"}  # refused, with what is missing said at its fields
    answer = browser.post("/en-in/checkout/address/", sent(browser, customer, prescription=upload(), **typed))
    assert answer.status_code == 422 and "Remove page 1" in answer.text


def test_pay_takes_the_file_along(checkout):
    browser, customer = checkout
    answer = browser.post("/en-in/checkout/", sent(browser, customer, prescription=upload()))
    order = Order.objects.get()
    assert answer["Location"].endswith(reverse("pay", args=[order.number]))
    assert OrderPrescription.objects.get().order == order


def test_pay_without_one_says_what_is_missing(checkout):
    browser, customer = checkout
    answer = browser.post("/en-in/checkout/", sent(browser, customer))
    assert answer.status_code == 409
    assert "Add a photo or PDF of your prescription for Metformin 500 mg." in answer.content.decode()


def test_a_bad_file_is_said_and_the_good_ones_stay(checkout):
    browser, customer = checkout
    add_pages(customer, [photo()])
    bad = upload(b"GIF89a", "rx.gif")
    answer = browser.post("/en-in/checkout/", sent(browser, customer, prescription=bad))
    assert answer.status_code == 422 and "Use a photo" in answer.content.decode()
    assert "Remove page 1" in answer.content.decode()


def test_a_page_is_removed_and_a_kept_prescription_chosen_on_the_page(tablets, checkout, prescribed):
    browser, customer = checkout
    _, checked = prescribed({tablets: 1}, customer)
    approved(checked, written=1, repeats=2)
    fill(customer, {tablets: 1}, browser.get("/en-in/").wsgi_request.market)
    own = checked.prescription_id
    html = browser.get("/en-in/checkout/").content.decode()
    assert "ordering with a prescription that you uploaded before" in html
    answer = browser.post("/en-in/checkout/", sent(browser, customer, prescription_step="new"))
    assert f'value="choose:{own}"' in answer.content.decode()
    page = add_pages(customer, [photo("green")]).pages.get()
    browser.post("/en-in/checkout/", sent(browser, customer, prescription_step=f"remove:{page.pk}"))
    assert not PrescriptionPage.objects.filter(pk=page.pk).exists()
    browser.post("/en-in/checkout/", sent(browser, customer, prescription_step=f"choose:{own}"))
    assert chosen_prescription(customer).pk == own


def test_save_orders_refuses_without_a_prescription(checkout):
    browser, customer = checkout
    request = PlaceOrder(
        customer=customer, cart=open_cart(customer), address=customer.addresses.get(),
        market=browser.get("/en-in/").wsgi_request.market,
    )  # fmt: skip
    with pytest.raises(PrescriptionRequired) as refusal:
        place_order(request)
    assert (refusal.value.code, refusal.value.status) == ("prescription_required", 409)


def test_a_product_has_no_schedule_by_itself_and_needs_a_prescription_with_one(make_product):
    assert Product().schedule == ""
    with pytest.raises(IntegrityError), transaction.atomic():
        make_product("Cefixime", schedule="H1")
