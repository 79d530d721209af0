from django.apps import AppConfig


class OrdersConfig(AppConfig):
    name = "shop.orders"

    def ready(self) -> None:
        from . import personal_data  # noqa: F401 (listen to who takes data along and to what is held)
        from .backoffice.timeline import register_sources
        from .batches import listeners  # noqa: F401 (answers how much is sold and not packed)
        from .placing import services  # noqa: F401 (listen to who takes data along and to what is held)

        register_sources()
