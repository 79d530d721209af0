from django.apps import AppConfig


class ContentConfig(AppConfig):
    name = "shop.content"

    def ready(self) -> None:
        from .pages import privacy  # noqa: F401 (names the privacy notice)
