import pytest

from ..models import Cart, CartLine


def post(client, path, **body):
    return client.post(path, body, content_type="application/json")


@pytest.fixture
def guest(browser_client):
    return browser_client


def test_a_guest_adds_and_reads_the_cart_by_its_cookie_alone(guest, make_variant):
    variant = make_variant(price="250")
    added = post(guest, "/add-to-cart/", product=variant.pk, quantity=2, deliver_to=1, currency="INR").json()
    assert (added["sub_total_amt"], added["shipping_amt"], added["total_amount"]) == ("500.00", "29.00", "529.00")
    assert post(guest, "/get-cart/", deliver_to=1).json()["cart"] == added["cart"]
    guest.cookies.clear()
    stranger = post(guest, "/get-cart/", cart_id=added["cart"]["id"])
    assert stranger.status_code == 404


def test_a_second_add_is_blocked_with_the_cart_and_names_the_quantity_there(guest, make_variant):
    variant = make_variant()
    post(guest, "/add-to-cart/", product=variant.pk, quantity=2)
    second = post(guest, "/add-to-cart/", product=variant.pk, quantity=1)
    assert second.status_code == 409
    assert second.json()["code"] == "already_in_cart"
    assert second.json()["quantity"] == 2
    assert CartLine.objects.get().quantity == 2


def test_a_refused_add_leaves_no_cart_behind(guest, make_variant):
    sold_out = make_variant(units=0)
    answer = post(guest, "/add-to-cart/", product=sold_out.pk)
    assert (answer.status_code, answer.json()["code"]) == (409, "out_of_stock")
    assert not Cart.objects.exists()
    assert not answer.cookies


@pytest.mark.parametrize("quantity", [0, -1, 1.5, "1", True, 5, 10**20])
def test_a_quantity_is_a_whole_number_up_to_the_maximum(guest, make_variant, quantity):
    variant = make_variant(units=50)
    post(guest, "/add-to-cart/", product=variant.pk)
    answer = post(guest, "/update-cart-product-quantity/", product_id=variant.pk, quantity=quantity)
    assert answer.status_code == 422
    assert CartLine.objects.get().quantity == 1


def test_more_than_the_stock_is_refused_with_what_is_left(guest, make_variant):
    variant = make_variant(units=2)
    post(guest, "/add-to-cart/", product=variant.pk)
    answer = post(guest, "/update-cart-product-quantity/", product_id=variant.pk, quantity=3)
    assert (answer.status_code, answer.json()["available"]) == (409, 2)


def test_deleting_is_repeatable_and_foreign_lines_are_left_alone(guest, make_variant):
    mine, other = make_variant(), make_variant()
    post(guest, "/add-to-cart/", product=mine.pk)
    for _ in range(2):
        answer = post(guest, "/delete-from-cart/", product_ids=[mine.pk, other.pk])
        assert (answer.status_code, answer.json()["cart_items"]) == (200, [])
    assert post(guest, "/delete-from-cart/", product_ids=[]).status_code == 422


def test_a_customer_is_never_somebody_else(guest, make_variant, customer):
    variant = make_variant()
    assert post(guest, "/add-to-cart/", product=variant.pk, user=customer.pk).status_code == 404
    assert post(guest, "/get-cart/", user_id=customer.pk).status_code == 404
    assert not Cart.objects.exists()


def test_fields_that_are_not_listed_are_refused(guest, make_variant):
    variant = make_variant()
    answer = post(guest, "/add-to-cart/", product=variant.pk, selling_price="1.00")
    assert answer.status_code == 422
    assert not CartLine.objects.exists()


def test_signing_in_merges_the_guest_cart_once_and_kills_its_secret(guest, make_variant, customer):
    variant = make_variant(units=3)
    post(guest, "/add-to-cart/", product=variant.pk, quantity=2)
    own = Cart.objects.create(customer=customer)
    own.lines.create(variant=variant, quantity=2)
    guest.force_login(customer)
    secret = guest.cookies["cart"].value
    from django.contrib.auth.signals import user_logged_in
    from django.test import RequestFactory

    request = RequestFactory().post("/signin/")
    request.COOKIES["cart"] = secret
    for _ in range(2):
        user_logged_in.send(type(customer), request=request, user=customer)
    assert [line.quantity for line in own.lines.all()] == [3]
    assert Cart.objects.get() == own


def test_me_tells_the_name_and_the_count_and_is_private(guest, make_variant, customer):
    variant = make_variant()
    post(guest, "/add-to-cart/", product=variant.pk, quantity=2)
    answer = guest.get("/api/me/")
    nobody = {"signed_in": False, "id": None, "name": "", "country": None, "language": ""}
    assert answer.json() == nobody | {"cart_count": 2, "cart_lines": {str(variant.pk): 2}, "wished": [], "toasts": []}
    assert answer["Cache-Control"] == "private, no-store"
    guest.force_login(customer)
    assert guest.get("/api/me/").json()["name"] == "ASHA RAO"


def test_me_hands_over_what_the_last_action_said_once(guest, make_variant):
    guest.post("/cart/add/", {"variant": make_variant().pk})
    said = [{"kind": "success", "message": "Product added to cart successfully!"}]
    assert guest.get("/api/me/").json()["toasts"] == said
    assert guest.get("/api/me/").json()["toasts"] == []


def test_adding_takes_at_most_eight_queries(guest, make_variant, django_assert_max_num_queries):
    first, second = make_variant(), make_variant()
    guest.get("/en-in/cart/")  # hears of what was made
    with django_assert_max_num_queries(9):  # a transaction within the test's own is two more, and no BEGIN
        guest.post("/en-in/cart/add/", {"variant": first.pk, "quantity": 1})
    with django_assert_max_num_queries(9):
        guest.post("/en-in/cart/add/", {"variant": second.pk, "quantity": 1})
