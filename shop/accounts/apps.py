from django.apps import AppConfig
from django.db.models.signals import post_migrate


class AccountsConfig(AppConfig):
    name = "shop.accounts"

    def ready(self) -> None:
        from .auth import known_browsers  # noqa: F401 (listen to who signs in or out)
        from .customers.sources import register_sources
        from .profile import language  # noqa: F401 (listens to who picks one)
        from .sessions import sign_ins, sign_out  # noqa: F401 (listen to who signs in or out)
        from .staff.roles import grant_roles
        from .wishlist import holder  # noqa: F401 (listens to sign-in)

        post_migrate.connect(grant_roles, dispatch_uid="shop.accounts.staff.roles")
        register_sources()
