from typing import Any

from django.apps import AppConfig
from django.db.models import Model
from django.db.models.signals import m2m_changed, pre_delete

_PARTS = ("locations", "products", "categories", "brands")  # of what a discount is for


class CartConfig(AppConfig):
    name = "shop.cart"

    def ready(self) -> None:
        from . import holder, personal_data  # noqa: F401 (listen to sign-in and to who leaves)
        from .models import Coupon

        for part in _PARTS:
            m2m_changed.connect(_announce, getattr(Coupon, part).through)
            pre_delete.connect(_leave_scopes, getattr(Coupon, part).rel.model)


def _announce(sender: type, **kwargs: Any) -> None:
    """What an offer is for is shown on pages that are kept."""
    from shop.invalidation.services import invalidate

    invalidate("shop")


def _leave_scopes(sender: type[Model], instance: Model, **kwargs: Any) -> None:
    from .coupons import remove_from_scopes
    from .models import Coupon

    for part in _PARTS:
        if getattr(Coupon, part).rel.model is sender:
            remove_from_scopes(part, instance)
