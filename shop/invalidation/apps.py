from typing import Any

from django.apps import AppConfig, apps
from django.db.backends.signals import connection_created
from django.db.models import Model
from django.db.models.signals import post_delete, post_save


class InvalidationConfig(AppConfig):
    name = "shop.invalidation"
    label = "changes"  # of its tables, from before the package had this name

    def ready(self) -> None:
        """Models with ANNOUNCES = "shop" or "product" announce their changes; a queryset's update() by itself.
        Connections to the replica get their limits."""
        from .replica_timeouts import limit_waits

        connection_created.connect(limit_waits)
        for model in apps.get_models():
            if hasattr(model, "ANNOUNCES"):
                post_save.connect(_invalidate, model)
                post_delete.connect(_invalidate, model)


def _invalidate(sender: type[Model], instance: Model, **kwargs: Any) -> None:
    from .services import invalidate

    kind = sender.ANNOUNCES  # type: ignore[attr-defined]
    invalidate(kind, [instance.pk] if kind == "product" else ())
