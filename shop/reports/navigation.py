"""The sidebar of the back office: every page that somebody may see, grouped by what people do."""

from typing import Any

from django.conf import settings
from django.contrib.admin import site
from django.http import HttpRequest
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from shop.care.inbox.queries import sources_for

from .waiting import work_by_model

LAST = gettext_noop("System")  # where a page stands that is named nowhere below
# Models in the order of their entries; an app stands for all its models that are not named.
GROUPS = {
    gettext_noop("Orders"): (
        "orders.order", "orders.orderdraft", "orders.returnrequest", "orders.recall", "payments.refund",
        "payments.payment", "orders.invoice", "orders.courier", "orders",
    ),
    gettext_noop("Pharmacy"): ("pharmacy.orderprescription", "pharmacy.registerentry", "pharmacy"),
    gettext_noop("Catalogue"): (
        "catalog.product", "catalog.variant", "catalog.category", "catalog.brand", "catalog.healthconcern",
        "catalog.picture", "catalog.batch", "catalog.stockmovement", "catalog.bulkchange", "catalog.productimport",
        "cart.coupon", "catalog",
    ),
    gettext_noop("Content"): (
        "content.banner", "content.homerow", "content.menuentry", "content.page", "content", "messaging.messagetext",
        "care.subscription", "reviews.review", "reviews.question", "reviews.answer", "reviews",
    ),
    gettext_noop("Customers"): (
        "accounts.customer", "care.enquiry", "care.complaint", "care.replytemplate", "pharmacy.refill", "care",
        "accounts", "cart",
    ),
    gettext_noop("Markets"): ("markets.location", "markets.currency", "markets.rate", "markets"),
    gettext_noop("Reports"): ("reports", "search.searchcount", "search.synonymgroup", "search.need", "search"),
    LAST: ("company", "messaging", "payments", "running", "admin"),
}  # fmt: skip
ICONS = {
    "orders.order": "package_2", "orders.orderdraft": "phone_in_talk",
    "orders.returnrequest": "assignment_return", "payments.refund": "currency_rupee",
    "payments.payment": "payments", "orders.invoice": "receipt_long", "orders.courier": "local_shipping",
    "catalog.product": "medication", "catalog.variant": "barcode", "catalog.category": "account_tree",
    "catalog.brand": "verified", "catalog.healthconcern": "ecg_heart", "catalog.picture": "image",
    "catalog.batch": "inventory_2", "orders.recall": "campaign",
    "catalog.stockmovement": "swap_vert", "catalog.bulkchange": "price_change",
    "catalog.productimport": "upload_file", "cart.coupon": "sell", "catalog.attribute": "tune",
    "catalog.attributevalue": "format_list_bulleted", "catalog.hsncode": "tag", "catalog.returnreason": "help",
    "content.banner": "view_carousel", "content.homerow": "view_agenda", "content.page": "article",
    "accounts.customer": "group", "markets.location": "public", "markets.currency": "payments",
    "markets.rate": "currency_exchange", "markets.servicerule": "pin_drop", "search.searchcount": "search",
    "search.synonymgroup": "match_word", "search.need": "healing", "company.company": "store",
    "messaging.message": "outbox", "messaging.messagetext": "edit_note",
    "payments.providerevent": "webhook", "admin.logentry": "history", "content.faq": "quiz",
    "content.faqsection": "quiz", "content.post": "newspaper", "content.postcategory": "newspaper",
    "content.menuentry": "menu", "care.enquiry": "mail", "care.replytemplate": "quickreply", "care.complaint": "gavel",
    "care.subscription": "mark_email_read", "reports.visitcount": "footprint",
    "accounts.staffinvitation": "person_add", "reviews.review": "star", "reviews.question": "forum",
    "reviews.answer": "forum", "pharmacy.orderprescription": "prescriptions", "pharmacy.registerentry": "menu_book",
    "pharmacy.refill": "alarm",
}  # fmt: skip
# Pages that are no list of a model, before the entries of their group: route, title, icon, who may.
PAGES = {
    "Orders": [
        ("admin:orders_order_board", gettext_lazy("Order board"), "view_kanban", "orders.view_order"),
        ("admin:care_inbox", gettext_lazy("Inbox"), "inbox", "care.view_enquiry"),
    ],
    "Pharmacy": [
        ("admin:care_inbox", gettext_lazy("Inbox"), "inbox", "pharmacy.view_orderprescription"),
    ],
    "Catalogue": [
        ("admin:catalog_variant_grid", gettext_lazy("Prices and stock"), "grid_on", "catalog.change_variant"),
        ("admin:content_translations", gettext_lazy("Translations"), "translate", "catalog.change_product"),
    ],
    "Content": [
        ("admin:care_inbox", gettext_lazy("Inbox"), "inbox", "reviews.view_review"),
        ("admin:content_translations", gettext_lazy("Translations"), "translate", "content.change_page"),
    ],
    "Reports": [("admin:reports_report", gettext_lazy("Reports"), "bar_chart", "orders.view_sales")],
}
INBOX = "admin:care_inbox"
ANY_ICON = "table_rows"
PLACES = {name: (group, at) for group, names in GROUPS.items() for at, name in enumerate(names)}


def groups(request: HttpRequest) -> list[dict[str, Any]]:
    """As the sidebar wants them; an entry for each registered model that this person may see."""
    work = work_by_model()
    in_inbox = sum(work.get(source.model, 0) for source in sources_for(request.user))
    is_own = request.path in {reverse(route) for pages in PAGES.values() for route, *_ in pages}
    found: dict[str, list[tuple[int, str, dict[str, Any]]]] = {name: [] for name in GROUPS}
    for app in site.get_app_list(request):
        for model in app["models"]:
            if model["admin_url"]:
                label = model["model"]._meta.label_lower
                group, at = PLACES.get(label) or PLACES.get(app["app_label"]) or (LAST, len(GROUPS[LAST]))
                found[group].append((at, model["name"], _entry(label, model, work.get(label, 0), is_own)))
    entries = {
        name: [*_pages(request, name, in_inbox), *(entry for _, _, entry in sorted(rows, key=lambda row: row[:2]))]
        for name, rows in found.items()
    }
    return [_start(), *({"title": gettext(name), "items": items} for name, items in entries.items() if items)]


def _start() -> dict[str, Any]:
    dashboard = {"title": gettext("Dashboard"), "icon": "monitoring", "link": reverse("admin:index")}
    shop = {"title": gettext("View shop"), "icon": "storefront", "link": reverse("home"), "active": False}
    return {"items": [dashboard, shop]}


def _pages(request: HttpRequest, group: str, work: int) -> list[dict[str, Any]]:
    return [
        {"title": str(title), "icon": icon, "link": reverse(route)} | _badge(work if route == INBOX else 0)
        for route, title, icon, permission in PAGES.get(group, [])
        if request.user.has_perm(permission) and _first_group_with(request, route) == group
    ]


def _first_group_with(request: HttpRequest, route: str) -> str:
    """A page that stands in two groups is listed once for who may see both."""
    for group, pages in PAGES.items():
        if any(to == route and request.user.has_perm(permission) for to, *_, permission in pages):
            return group
    return ""


def _entry(label: str, model: dict[str, Any], work: int, is_own: bool) -> dict[str, Any]:
    """`is_own`: the page on the screen has an entry of its own."""
    entry = {"title": capfirst(str(model["name"])), "icon": ICONS.get(label, ANY_ICON), "link": model["admin_url"]}
    if is_own:
        entry["active"] = False  # its address begins with that of the list
    return entry | _badge(work)


def _badge(work: int) -> dict[str, Any]:
    return {"badge": work, "badge_variant": "warning"} if work else {}


def environment(request: HttpRequest) -> tuple[str, str] | None:
    """The label beside the page's title: it must never be mistaken for the real shop."""
    return (gettext("Demo"), "warning") if settings.DEMO else None
