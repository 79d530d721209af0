import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from shop.cart.models import Cart
from shop.catalog.models import StockAlert
from shop.messaging.models import Message
from shop.tests.support.codes import SOME_CODE

from ...auth.tokens import issue_token
from ...conftest import PASSWORD
from ...models import Address, ApiToken, Code, Consent, Customer, KnownBrowser, PointsEntry
from ...otp.services import CodeMessage, send_code
from ..account_deletion import StaffAccountNotDeletable, delete_account

pytestmark = [pytest.mark.django_db, pytest.mark.database]
DELETE = "/en-in/profile/delete/"
SURE = {"password": PASSWORD}


@pytest.fixture
def stranger():
    return Customer.objects.create_user("eve@example.com", PASSWORD, name="Eve")


@pytest.fixture
def belongings(customer, address, make_variant):
    Customer.objects.filter(pk=customer.pk).update(phone="+919876543210")
    customer.refresh_from_db()
    variant = make_variant(units=0)
    Cart.objects.create(customer=customer).lines.create(variant=variant, quantity=1)
    KnownBrowser.objects.create(customer=customer, secret_hash="x")
    Consent.objects.create(customer=customer, kind=Consent.Kind.MARKETING, version="1")
    PointsEntry.objects.create(customer=customer, kind="earned", points=5, reference="ORD-1", key="k")
    StockAlert.objects.create(variant=variant, email=customer.email, path="/")
    send_code(purpose=Code.Purpose.RESET, address=customer.phone, message=CodeMessage("sign_up_code", "Your code"))
    return issue_token(customer, name="A till")[0]


def test_an_account_is_deleted_with_what_only_its_customer_needed(signed_in, customer, belongings, stranger):
    answer = signed_in.post(DELETE, SURE)
    assert answer["Location"] == "/en-in/"
    assert answer["Clear-Site-Data"]
    customer.refresh_from_db()
    assert (customer.email, customer.phone, customer.name, customer.is_active) == (None, None, "", False)
    assert customer.deleted_at and not customer.has_usable_password()
    for model in (Address, ApiToken, Cart, Code, Consent, KnownBrowser, StockAlert):
        assert not model.objects.exists(), model
    assert EmailAddress.objects.get().user == stranger
    assert PointsEntry.objects.get().customer == customer
    assert Message.objects.get(kind="account_closed").to == "asha@example.com"


def test_every_browser_and_program_is_signed_out(signed_in, visitor, customer, belongings):
    other = Client(headers={"sec-fetch-site": "same-origin"})
    other.force_login(customer)
    signed_in.post(DELETE, SURE)
    for client in (signed_in, other):
        assert client.get("/api/me/").json()["signed_in"] is False
    answer = Client().post(
        "/user-orders/", {}, content_type="application/json", headers={"authorization": f"Bearer {belongings}"}
    )
    assert answer.status_code == 401
    assert visitor.post("/signin/", {"email": "asha@example.com", "password": PASSWORD}).status_code == 400


def test_the_same_address_may_open_an_account_anew(signed_in, customer, sign_up_fields, sent_code):
    signed_in.post(DELETE, SURE)
    signed_in.post("/en-in/signup/", sign_up_fields | {"email": "asha@example.com"})
    signed_in.post("/en-in/otp/", {"otp_code": sent_code("asha@example.com")})
    anew = Customer.objects.get(email="asha@example.com")
    assert anew != customer
    assert not anew.points_entries.exists()


@pytest.mark.parametrize(("password", "status"), [("wrong", 400), ("", 422)])
def test_nothing_goes_without_the_password(signed_in, customer, belongings, password, status):
    before = Customer.objects.values().get()
    answer = signed_in.post(DELETE, {"password": password})
    assert answer.status_code == status
    assert list(answer.context["form"].errors) == ["password"]
    assert Customer.objects.values().get() == before
    assert Cart.objects.exists() and Address.objects.exists()


def test_looking_at_the_page_deletes_nothing(signed_in, customer):
    assert "can't be undone" in signed_in.get(DELETE).content.decode()
    assert Customer.objects.get().email


def test_who_has_no_password_deletes_with_a_code(visitor, customer, sent_code):
    customer.set_unusable_password()
    customer.save()
    visitor.force_login(customer)
    visitor.post("/en-in/profile/code/", {"next": DELETE})
    assert visitor.post(DELETE, {"otp_code": SOME_CODE}).status_code == 400
    assert visitor.post(DELETE, {"otp_code": sent_code("asha@example.com")}).status_code == 302
    assert Customer.objects.get().deleted_at


def test_staff_do_not_leave_by_this_door(signed_in, customer):
    Customer.objects.update(is_staff=True)
    answer = signed_in.post(DELETE, SURE)
    assert answer.status_code == 409
    assert "Ask the owner" in answer.content.decode()
    customer.refresh_from_db()
    with pytest.raises(StaffAccountNotDeletable):
        delete_account(customer, client_address="203.0.113.9", password=PASSWORD)
    assert Customer.objects.get().is_active


def test_nothing_is_half_deleted(signed_in, customer, belongings, monkeypatch):
    def break_down(customer):
        raise RuntimeError

    monkeypatch.setattr("shop.accounts.privacy.account_deletion._anonymise", break_down)
    with pytest.raises(RuntimeError):
        signed_in.post(DELETE, SURE)
    assert Cart.objects.exists() and Address.objects.exists() and ApiToken.objects.exists()
    assert not Message.objects.filter(kind="account_closed").exists()
