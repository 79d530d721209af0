from django.apps import AppConfig


class ReviewsConfig(AppConfig):
    name = "shop.reviews"
    verbose_name = "Reviews and questions"

    def ready(self) -> None:
        from . import personal_data  # noqa: F401 (listens to who takes data along, or leaves)
        from .moderation.inbox import register_sources

        register_sources()
