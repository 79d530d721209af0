from django.apps import AppConfig


class PaymentsConfig(AppConfig):
    name = "shop.payments"

    def ready(self) -> None:
        from .providers.registry import register_all

        register_all()
        from . import backoffice  # noqa: F401 (listen to the desk's pages and to what was delivered)
        from .refunds import services as refunds  # noqa: F401 (listen to the desk's pages and to what was delivered)
