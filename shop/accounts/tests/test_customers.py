import pytest
from allauth.account.models import EmailAddress
from django.db import IntegrityError, transaction
from django.utils import timezone

from ..models import Code, Consent, Customer

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def test_a_customer_is_made_with_the_email_proven(customer):
    address = EmailAddress.objects.get(user=customer)
    assert (address.email, address.verified, address.primary) == (customer.email, True, True)


def test_a_customer_by_mobile_has_no_email_to_prove():
    Customer.objects.create_user(phone="+919876543210")
    assert not EmailAddress.objects.exists()


def test_a_superuser_is_made_with_the_email_proven():
    owner = Customer.objects.create_superuser("owner@example.com", "correct horse battery")
    assert owner.is_superuser
    assert EmailAddress.objects.get(user=owner).verified


def test_only_a_closed_account_is_without_an_address(customer):
    with pytest.raises(IntegrityError), transaction.atomic():
        Customer.objects.filter(pk=customer.pk).update(email=None)
    Customer.objects.filter(pk=customer.pk).update(email=None, deleted_at=timezone.now())
    customer.refresh_from_db()
    assert customer.email is None


def test_an_address_has_one_code_of_a_purpose_for_each_browser():
    code = {"purpose": Code.Purpose.SIGN_IN, "address": "asha@example.com", "expires_at": timezone.now()}
    Code.objects.create(**code)
    Code.objects.create(**code, browser="a" * 64)
    with pytest.raises(IntegrityError), transaction.atomic():
        Code.objects.create(**code, browser="a" * 64)


def test_a_consent_is_given_once_and_again_after_it_was_withdrawn(customer):
    notice = {"customer": customer, "kind": Consent.Kind.PRIVACY, "version": "3"}
    given = Consent.objects.create(**notice)
    with pytest.raises(IntegrityError), transaction.atomic():
        Consent.objects.create(**notice)
    Consent.objects.filter(pk=given.pk).update(withdrawn_at=timezone.now())
    Consent.objects.create(**notice)
    assert customer.consents.filter(withdrawn_at=None).count() == 1
