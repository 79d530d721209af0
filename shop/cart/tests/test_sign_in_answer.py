import pytest

from ..models import Cart

pytestmark = pytest.mark.django_db


def test_the_answer_to_a_sign_in_names_the_own_cart(browser_client, customer):
    cart = Cart.objects.create(customer=customer)
    answer = browser_client.post(
        "/user-login/",
        {"email_id": "asha@example.com", "password": "correct horse battery"},
        content_type="application/json",
    )
    assert answer.json()["cart"] == {"id": str(cart.public_id)}
