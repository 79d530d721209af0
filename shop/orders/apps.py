from django.apps import AppConfig


class OrdersConfig(AppConfig):
    name = "shop.orders"

    def ready(self) -> None:
        from . import leaving  # noqa: F401 (listens to who takes data along)
