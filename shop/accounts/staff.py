"""Puts the shop's own staff site in the place of Django's (settings.INSTALLED_APPS)."""

from django.contrib.admin.apps import AdminConfig


class StaffAdminConfig(AdminConfig):
    default_site = "shop.accounts.staff_site.StaffSite"
