from django.apps import AppConfig


class RunningConfig(AppConfig):
    name = "shop.running"
