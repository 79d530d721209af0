from django.apps import AppConfig


class MarketsConfig(AppConfig):
    name = "shop.markets"

    def ready(self) -> None:
        from . import checks  # noqa: F401 (registers itself)
