from django.apps import AppConfig


class CartConfig(AppConfig):
    name = "shop.cart"

    def ready(self) -> None:
        from . import holder, personal_data  # noqa: F401 (listen to sign-in and to who leaves)
