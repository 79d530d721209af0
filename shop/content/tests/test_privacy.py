import pytest

from shop.accounts.models import Consent
from shop.accounts.signals import naming_privacy_notice

from ..models import Page, PageVersion

pytestmark = pytest.mark.django_db


def told():
    return [version for _, version in naming_privacy_notice.send(sender=Consent)]


def test_the_privacy_notice_is_named_by_its_newest_version():
    PageVersion.objects.all().delete()
    assert told() == [""]
    policy, _ = Page.objects.get_or_create(slug="privacypolicy", defaults={"title": "Privacy", "text": "x"})
    other, _ = Page.objects.get_or_create(slug="shippingpolicy", defaults={"title": "Shipping", "text": "x"})
    PageVersion.objects.create(page=policy, title="Privacy", text="x")
    newest = PageVersion.objects.create(page=policy, title="Privacy", text="y")
    PageVersion.objects.create(page=other, title="Shipping", text="x")
    assert told() == [f"{newest.created_at:%Y-%m-%d}/{newest.pk}"]
    assert len(told()[0]) <= 40
