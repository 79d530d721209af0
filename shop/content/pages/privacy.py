"""Which privacy notice customers are shown: the newest version of the policy."""

from typing import Any

from django.dispatch import receiver

from shop.accounts.signals import naming_privacy_notice

from ..models import PageVersion

POLICY = "privacypolicy"


@receiver(naming_privacy_notice)
def name_version(sender: type, **kwargs: Any) -> str:
    """Its day and its row, such as 2026-11-21/7; nothing before there is a policy."""
    newest = PageVersion.objects.filter(page__slug=POLICY).first()
    return f"{newest.created_at:%Y-%m-%d}/{newest.pk}" if newest else ""
