from django.apps import AppConfig


class JobsConfig(AppConfig):
    name = "shop.jobs"
    label = "chores"  # of its tables, from before the package had this name
