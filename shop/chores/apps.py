from django.apps import AppConfig


class ChoresConfig(AppConfig):
    name = "shop.chores"
