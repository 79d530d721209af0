from typing import Any

from django.apps import AppConfig
from django.db.models.signals import m2m_changed


class CartConfig(AppConfig):
    name = "shop.cart"

    def ready(self) -> None:
        from . import holder, personal_data  # noqa: F401 (listen to sign-in and to who leaves)
        from .models import Coupon

        for through in (Coupon.locations, Coupon.products, Coupon.categories, Coupon.brands):
            m2m_changed.connect(_announce, through.through)


def _announce(sender: type, **kwargs: Any) -> None:
    """What an offer is for is shown on pages that are kept."""
    from shop.invalidation.services import invalidate

    invalidate("shop")
