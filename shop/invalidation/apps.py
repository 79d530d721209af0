from typing import Any

from django.apps import AppConfig
from django.db.models import Model
from django.db.models.signals import post_delete, post_save


class InvalidationConfig(AppConfig):
    name = "shop.invalidation"
    label = "changes"  # of its tables, from before the package had this name

    def ready(self) -> None:
        post_save.connect(_invalidate, dispatch_uid="changes")
        post_delete.connect(_invalidate, dispatch_uid="changes")


def _invalidate(sender: type[Model], instance: Model, **kwargs: Any) -> None:
    """For models with ANNOUNCES = "shop" or "product"; a queryset's update() announces by itself."""
    from .services import invalidate

    if kind := getattr(sender, "ANNOUNCES", None):
        invalidate(kind, [instance.pk] if kind == "product" else ())
