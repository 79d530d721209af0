from django.apps import AppConfig


class CartConfig(AppConfig):
    name = "shop.cart"

    def ready(self) -> None:
        from . import holder  # noqa: F401 (listens to sign-in)
