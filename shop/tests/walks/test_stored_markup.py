"""Markup and formulas stand in every text that visitors, customers and staff can write, and whatever shows them is
inert: pages, fragments, staff screens, mails, data blocks, feeds, invoices and exports (RELIABILITY.md 38, 39, C24).
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.db import models
from django.urls import reverse
from django.utils import timezone

from shop.accounts.staff.roles import OWNER
from shop.backoffice.actors import ActorField
from shop.catalog.models import Product
from shop.catalog.services import refresh_products
from shop.html import clean_html
from shop.invalidation import subscriptions
from shop.messaging.models import Message

from ..support.access import RouteAccess, Who, all_entries
from ..support.belongings import belongings_of, furnish, nothing_of, staff_of_each_role
from ..support.fuzzing import OURS, PROBE, faults_of_content, faults_of_html, listed_strings
from .walking import Answer, World, client_of, undone

SHORT = f"=\"'><{PROBE}>"
LONG = f"{SHORT}</textarea></title></script><!--<script>\u2028"
# What nobody types: whole rooms, rows that the shop itself writes, and columns of one form.
OWN_ROOMS = {"changes", "limits", "running", "messaging"}
OWN_MODELS = {
    "search.document", "search.word", "search.wordpart", "accounts.code", "accounts.knownbrowser",
    "orders.invoiceseries", "payments.simulatedrecord", "payments.providerevent", "payments.lostcapture",
    "payments.straycapture",
}  # fmt: skip
OWN_FIELDS = re.compile(
    r"password|email|\w*hash|\w*key|currency|path|color|background|razorpay_\w+|receipt|\w+_slug|submission|number|phone"
    r"|link|tracking_link|social_links|mapping|counts|format|version|text_version|status_\w+|once|reference|handle"
    r"|supply|\w+_code"
)
# HTML that is cleaned where it is written: test_html_of_the_staff_is_cleaned.
RICH = {
    "catalog.variant.description", "content.homerow.text", "content.page.text", "content.pageversion.text",
    "content.faq.answer", "content.post.text",
}  # fmt: skip
SHOWN = {
    "", "product/<slug:slug>/", "cart/", "orders/", "order-detail/<str:number>/", "profile/", "blog/<slug:slug>/",
    "faq/", "feeds/blog.xml", "feeds/blog-<slug:language>.xml", "feeds/merchant-<slug:country>.xml",
    "admin:orders_order_change", "admin:care_complaint_change", "orders as csv",
}  # fmt: skip


def _export_of_today(format: str) -> str:
    today = timezone.localdate()
    return f"{reverse('admin:orders_order_export')}?first={today}&last={today}&format={format}"


def _export(format: str) -> RouteAccess:
    """Of the day on which the orders were made."""
    path = lambda own: _export_of_today(format)  # noqa: E731
    return RouteAccess(f"orders as {format}", "GET", Who.STAFF, path=path, permission="orders.view_order")


EXPORTS = [_export("csv"), _export("xlsx")]


@pytest.fixture
def stage(india, settings, tmp_path):
    """A shop in which every text is hostile, the orders and mails of which were made of such texts."""
    settings.MEDIA_ROOT = tmp_path
    shelf = furnish()
    staff = staff_of_each_role()
    spoil_everything()
    asha = belongings_of("Asha", shelf, india, phone="+919876500001", says=LONG)
    spoil_everything()
    return World(asha, asha, nothing_of(asha), staff)


@pytest.mark.django_db
def test_what_is_stored_is_inert_wherever_it_is_shown(stage):
    found, shown = [], set()
    for entry, method in ways():
        answer, letters = visit(entry, method, stage)
        problems = faults_of_content(answer.headers.get("Content-Type", ""), answer.body)
        found += answer.faults(*problems)
        found += faults_of_letters(letters, by=f"{method} {entry.route}")
        shown |= {entry.route} if PROBE.encode() in answer.body else set()
    found += faults_of_letters(Message.objects.all(), by="the services")
    assert not found, "\n".join(found)
    assert shown >= SHOWN


def test_html_of_the_staff_is_cleaned():
    for text in filter(is_storable, [*OURS, LONG, *listed_strings()]):
        cleaned = clean_html(text)
        assert faults_of_html(cleaned) == [], text
        assert clean_html(cleaned) == cleaned, text


def is_storable(text: str) -> bool:
    """Forms, calls and imports take no lone surrogates."""
    return not re.search("[\ud800-\udfff]", text)


def ways() -> list[tuple[RouteAccess, str]]:
    """Pages with their forms; of the staff's actions and forms those that make letters, of calls none."""
    return [
        (entry, method)
        for entry in all_entries()
        for method in entry.methods.split()
        if not entry.is_api and entry.who is not Who.DEMO
    ] + [(entry, "GET") for entry in EXPORTS]


def visit(entry: RouteAccess, method: str, stage: World) -> tuple[Answer, list[Message]]:
    """The answer, and the letters that were written meanwhile."""
    owner = next(member for member in stage.staff if member.role == OWNER)
    client = client_of(owner.cookies if entry.who is Who.STAFF else stage.asha.cookies)
    known = Message.objects.count()
    with undone():
        body = entry.body_for(stage.asha) if method == "POST" else None
        response = getattr(client, method.lower())(entry.path_for(stage.asha), body)
        content = b"".join(response.streaming_content) if response.streaming else response.content
        letters = list(Message.objects.order_by("pk")[known:])
    return Answer(entry, method, response.status_code, dict(response.headers), content), letters


def faults_of_letters(letters: Any, *, by: str) -> list[str]:
    return [
        f"{by}, mail {letter.kind}: {problem}"
        for letter in letters
        for problem in [*faults_of_html(letter.html), *_broken_heads(letter)]
    ]


def _broken_heads(letter: Message) -> Iterator[str]:
    for words in (letter.to, letter.subject, *letter.headers.values()):
        if len(words.splitlines()) > 1:
            yield f"two lines in a head: {words!r}"


# --- Hostile texts ------------------------------------------------------------------------------------


def spoil_everything() -> None:
    """Every text of every row, as long as its column lets it be."""
    for model in apps.get_models():
        is_typed = model._meta.app_label not in OWN_ROOMS and model._meta.label_lower not in OWN_MODELS
        if model.__module__.startswith("shop.") and not model._meta.proxy and is_typed:
            _spoil(model)
    UserSession.objects.update(user_agent=LONG)
    LogEntry.objects.update(object_repr=LONG)
    subscriptions.reset()
    refresh_products(Product.objects.values_list("pk", flat=True))


def _spoil(model: type[models.Model]) -> None:
    columns = [column for column in model._meta.concrete_fields if _is_typed(column)]
    for row in model._default_manager.all():
        hostile = {column.attname: _hostile(column, row) for column in columns}
        if hostile:
            model._default_manager.filter(pk=row.pk).update(**hostile)


def _is_typed(column: models.Field) -> bool:
    if isinstance(column, models.JSONField):
        return not OWN_FIELDS.fullmatch(column.name)
    return (
        isinstance(column, models.CharField | models.TextField)
        and not isinstance(column, ActorField)
        and not isinstance(column, models.SlugField)
        and not column.choices
        and not column.primary_key
        and (column.max_length or 1000) >= len(SHORT) + 3
        and not OWN_FIELDS.fullmatch(column.name)
        and f"{column.model._meta.label_lower}.{column.name}" not in RICH
    )


def _hostile(column: models.Field, row: models.Model) -> Any:
    if isinstance(column, models.JSONField):
        return _hostile_data(getattr(row, column.attname))
    longest = column.max_length or 1000
    return next(text for text in (f"{LONG}{row.pk}", f"{SHORT}{row.pk}") if len(text) <= longest)


def _hostile_data(data: Any, name: str = "") -> Any:
    """Words in it, but for amounts, dates, codes and what the shop itself writes."""
    if isinstance(data, dict):
        return {key: _hostile_data(value, key) for key, value in data.items()}
    if isinstance(data, list):
        return [_hostile_data(value) for value in data]
    is_word = isinstance(data, str) and len(data) > 3 and not re.fullmatch(r"[\d.:TZ+ -]+", data)
    return LONG if is_word and not OWN_FIELDS.fullmatch(name) else data
