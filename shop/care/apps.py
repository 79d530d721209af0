from django.apps import AppConfig


class CareConfig(AppConfig):
    name = "shop.care"
    verbose_name = "Customer care"

    def ready(self) -> None:
        from . import personal_data  # noqa: F401 (listens to who takes data along)
        from .inbox.sources import register_sources
        from .timeline import register_timeline

        register_sources()
        register_timeline()
