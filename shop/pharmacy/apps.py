from django.apps import AppConfig


class PharmacyConfig(AppConfig):
    name = "shop.pharmacy"
    verbose_name = "Pharmacy"

    def ready(self) -> None:
        from . import checkout, personal_data  # noqa: F401 (listen to checkout, packing and departing customers)
        from .refills import personal_data as refills  # noqa: F401 (listens to departing customers)
        from .register import services  # noqa: F401 (listens to packing)
        from .review import guard  # noqa: F401 (listens to packing)
        from .review.inbox import register_source

        register_source()
