from django.apps import AppConfig


class DemoConfig(AppConfig):
    name = "shop.demo"

    def ready(self) -> None:
        from shop.http.media import file_missing

        file_missing.connect(_draw_missing)


def _draw_missing(**kwargs: object) -> bool:
    """Draw with code that no start of a shop should wait for."""
    from .pending import draw_missing

    return draw_missing(**kwargs)  # type: ignore[arg-type]
