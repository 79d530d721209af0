"""Puts the shop's own staff site in the place of Django's (settings.INSTALLED_APPS)."""

from django.contrib.admin.apps import SimpleAdminConfig

from shop.backoffice.model_texts import translate_models


class StaffAdminConfig(SimpleAdminConfig):
    """The back office is loaded with the routes (shop/urls.py): worker and clock show none of it, and loading
    them takes longer than everything else of their start."""

    default_site = "shop.accounts.staff.site.StaffSite"

    def ready(self) -> None:
        super().ready()
        translate_models()
