import json

import pytest

from shop.cart.models import Cart

from ...auth.tokens import issue_token
from ...models import Consent, Customer, PointsEntry

pytestmark = [pytest.mark.django_db, pytest.mark.database]
DOWNLOAD = "/en-in/profile/download/"


def test_customers_take_along_what_is_kept_about_them(signed_in, customer, address, make_variant):
    Cart.objects.create(customer=customer).lines.create(variant=make_variant(), quantity=2)
    Consent.objects.create(customer=customer, kind=Consent.Kind.PRIVACY, version="2026-01-01/7")
    PointsEntry.objects.create(customer=customer, kind="earned", points=5, reference="ORD-1", key="k")
    key, token = issue_token(customer, name="A till")
    answer = signed_in.get(DOWNLOAD)
    assert answer["Content-Disposition"] == 'attachment; filename="my-data.json"'
    assert answer["Cache-Control"] == "private, no-store"
    data = answer.json()
    assert (data["customer"]["name"], data["customer"]["email"]) == ("Asha Rao", "asha@example.com")
    assert [(kept["city"], kept["country"], kept["is_default"]) for kept in data["addresses"]] == [
        ("Bengaluru", "India", True)
    ]
    assert [line["quantity"] for line in data["cart"]] == [2]
    assert [consent["version"] for consent in data["consents"]] == ["2026-01-01/7"]
    assert [entry["points"] for entry in data["points"]] == [5]
    assert [kept["name"] for kept in data["tokens"]] == ["A till"]
    assert len(data["sign_ins"]) == 1
    assert data["orders"] == []
    for secret in (key, token.key_hash, customer.password, signed_in.session.session_key):
        assert secret not in json.dumps(data)


def test_nobody_elses_data_is_in_it(signed_in, make_variant):
    stranger = Customer.objects.create_user("eve@example.com", name="Eve")
    Cart.objects.create(customer=stranger).lines.create(variant=make_variant(), quantity=7)
    data = signed_in.get(DOWNLOAD).json()
    assert data["cart"] == []
    assert "eve" not in json.dumps(data).lower()


def test_a_visitor_gets_nothing(visitor):
    assert "/signin/" in visitor.get(DOWNLOAD)["Location"]
