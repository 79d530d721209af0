from django.apps import AppConfig


class PaymentsConfig(AppConfig):
    name = "shop.payments"

    def ready(self) -> None:
        from .providers.registry import register_all

        register_all()
        from . import backoffice  # noqa: F401 (listen to the desk's pages and to what was delivered)
        from .refunds import present  # noqa: F401 (listens to the customer's page of an order)
        from .refunds import services as refunds  # noqa: F401 (listen to the desk's pages and to what was delivered)
        from .timeline import register_sources

        register_sources()
