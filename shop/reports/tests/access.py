from django.urls import reverse

from shop.tests.support.access import RouteAccess, Who, admin_entries


def report(own):
    return reverse("admin:reports_report")


ENTRIES = [
    *admin_entries("reports.visitcount"),
    RouteAccess("admin:reports_report", "GET", Who.STAFF, path=report, permission="orders.view_sales"),
]
