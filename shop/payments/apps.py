from django.apps import AppConfig


class PaymentsConfig(AppConfig):
    name = "shop.payments"

    def ready(self) -> None:
        from . import desk, refunds  # noqa: F401 (listen to the desk's pages and to what was delivered)
