from django.apps import AppConfig
from django.db.models.signals import post_migrate


class AccountsConfig(AppConfig):
    name = "shop.accounts"

    def ready(self) -> None:
        from . import browsers, leaving, sign_ins  # noqa: F401 (listen to who signs in or out)
        from .roles import grant_roles

        post_migrate.connect(grant_roles, dispatch_uid="shop.accounts.roles")
