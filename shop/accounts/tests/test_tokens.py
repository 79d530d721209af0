from datetime import timedelta

import pytest
from django.utils import timezone

from shop.accounts.models import ApiToken
from shop.accounts.tokens import forget_expired

pytestmark = pytest.mark.django_db


def test_expired_tokens_are_deleted(customer):
    now = timezone.now()
    for name, expires_at in (("old", now - timedelta(seconds=1)), ("good", now + timedelta(days=1))):
        ApiToken.objects.create(customer=customer, key_hash=name, name=name, expires_at=expires_at)
    assert forget_expired() == 1
    assert ApiToken.objects.get().name == "good"
