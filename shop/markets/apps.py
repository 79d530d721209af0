from django.apps import AppConfig


class MarketsConfig(AppConfig):
    name = "shop.markets"
