from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.utils import timezone

from ...models import ApiToken, Code, Customer
from ...otp.services import CodeMessage, send_code
from ..revocation import delete_codes, end_sign_ins
from ..store import SessionStore, stored_key

pytestmark = pytest.mark.django_db


@pytest.fixture
def stranger():
    return Customer.objects.create_user("eve@example.com")


def open_session(customer):
    session = SessionStore()
    session.save()
    UserSession.objects.create(user=customer, session_key=stored_key(session.session_key), ip="203.0.113.9")
    return session.session_key


def make_token(customer):
    key_hash = f"{ApiToken.objects.count():064}"
    return ApiToken.objects.create(customer=customer, key_hash=key_hash, expires_at=timezone.now() + timedelta(days=1))


def test_every_sign_in_of_one_customer_ends(customer, stranger):
    open_session(customer), open_session(customer), make_token(customer)
    theirs, their_token = open_session(stranger), make_token(stranger)
    end_sign_ins(customer)
    assert list(Session.objects.values_list("session_key", flat=True)) == [stored_key(theirs)]
    assert UserSession.objects.get().session_key == stored_key(theirs)
    assert ApiToken.objects.get() == their_token


def test_the_session_that_asks_may_stay(customer):
    other, own = open_session(customer), open_session(customer)
    make_token(customer)
    end_sign_ins(customer, keep_session=own)
    assert UserSession.objects.get().session_key == Session.objects.get().session_key == stored_key(own)
    assert own != other
    assert not ApiToken.objects.exists()


def test_codes_to_both_addresses_are_forgotten_and_nobody_elses(customer):
    Customer.objects.filter(pk=customer.pk).update(phone="+919876543210")
    customer.refresh_from_db()
    for purpose in Code.Purpose:
        for address in (customer.email, customer.phone, "eve@example.com"):
            send_code(purpose=purpose, address=address, message=CodeMessage("sign_up_code", "Your code"))
    delete_codes(customer)
    assert set(Code.objects.values_list("address", flat=True)) == {"eve@example.com"}
    assert Code.objects.count() == len(Code.Purpose)


def test_codes_of_others_stay_where_a_customer_has_one_address(customer):
    send_code(purpose=Code.Purpose.RESET, address="eve@example.com", message=CodeMessage("sign_up_code", "Your code"))
    delete_codes(customer)
    assert Code.objects.exists()
