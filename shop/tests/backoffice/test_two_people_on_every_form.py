"""Two people have the same form of the back office open, whichever it is: what they change in different fields is
kept both, what they change in the same field is asked about, and nothing that was typed is gone from the answer."""

import html

import pytest
from django.contrib.admin import site
from django.contrib.auth.models import Group
from django.db.models import BooleanField, CharField, IntegerField, TextField
from django.test import Client, RequestFactory

from shop.accounts.conftest import prove
from shop.accounts.models import Customer
from shop.accounts.staff.roles import OWNER, PHARMACIST
from shop.backoffice.admin import BackOfficeAdmin, ReadOnly
from shop.backoffice.forms import StaffForm

from ..support.belongings import belongings_of, furnish
from .test_back_office import form_of
from .test_staff_forms import change_url

pytestmark = [pytest.mark.django_db, pytest.mark.database]

# Forms of steps and answers, and a batch that was recalled: what two people do there has its own tests
# (shop/care/tests, shop/catalog/batches/tests).
WITHOUT_PLAIN_FIELDS = {"care.Complaint", "care.Enquiry", "catalog.Batch"}
SCREENS = sorted(
    model._meta.label
    for model, screen in site._registry.items()
    if isinstance(screen, BackOfficeAdmin) and not isinstance(screen, ReadOnly) and issubclass(screen.form, StaffForm)
)


@pytest.fixture
def two(india, picture):
    """Two owners in a shop that has something in every list."""
    belongings_of("Asha", furnish(), india, phone="+919876500001")
    return [_owner(name) for name in ("Meera", "Kiran")]


def _owner(name):
    person = Customer.objects.create_user(f"{name.lower()}@example.com", "pw", name=name, is_staff=True)
    person.groups.add(*Group.objects.filter(name__in=(OWNER, PHARMACIST)))
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(person)
    client.person = person
    return prove(client)


def test_two_people_on_every_form(two):
    request = RequestFactory().get("/")
    request.user = two[0].person
    rows = []
    for model, screen in site._registry.items():
        if model._meta.label in SCREENS:
            row = screen.get_queryset(request).order_by("pk").first()
            rows += [row] if row and screen.has_change_permission(request, row) else []
    fields = {row._meta.label: _plain_fields(two[0], row) for row in rows}
    assert {label for label, names in fields.items() if not names} == WITHOUT_PLAIN_FIELDS
    assert {
        row._meta.label: wrong for row in rows for wrong in [_meet(*two, row, fields[row._meta.label])] if wrong
    } == {}
    assert len(rows) > 30


def _plain_fields(client, row):
    """At most two fields of the row's form that take another value as it is typed."""
    form = client.get(change_url(row)).context_data["adminform"].form
    usable = []
    for name, field in form.fields.items():
        column = row._meta.get_field(name) if name in form._columns else None
        is_plain = isinstance(column, (BooleanField, CharField, IntegerField, TextField)) and not field.disabled
        if is_plain and len(usable) < 2 and _save(client, row, {name: _other(row, name)}).status_code == 302:
            usable.append(name)
        row = type(row).objects.get(pk=row.pk)
    return usable


def _other(row, name, mark="1"):
    """A value that this field does not have now, as it is sent; None where it is not sent."""
    value = getattr(row, name)
    if isinstance(row._meta.get_field(name), BooleanField):
        return None if value else "on"
    if isinstance(value, int):
        return str(value + int(mark))
    return f"{value.removesuffix('</p>')}{mark}</p>" if value.endswith("</p>") else f"{value or ''}{mark}"


def _opened(client, row):
    return form_of(client.get(change_url(row)))


def _save(client, row, changes, opened=None):
    sent = (opened or _opened(client, row)) | changes
    return client.post(change_url(row), {name: value for name, value in sent.items() if value is not None})


def _meet(meera, kiran, row, names):
    """What went wrong, or nothing."""
    row = type(row).objects.get(pk=row.pk)
    if len(names) == 2:
        typed = {name: _other(row, name) for name in names}
        first, second = _opened(meera, row), _opened(kiran, row)
        _save(meera, row, {names[0]: typed[names[0]]}, first)
        _save(kiran, row, {names[1]: typed[names[1]]}, second)
        row = type(row).objects.get(pk=row.pk)
        if lost := [name for name in names if _sent_for(row, name) != typed[name]]:
            return f"lost: {lost}"
    for name in names:
        if isinstance(row._meta.get_field(name), BooleanField):
            continue  # two people who change it want the same
        first, second = _opened(meera, row), _opened(kiran, row)
        _save(meera, row, {name: _other(row, name, "2")}, first)
        answer = _save(kiran, row, {name: _other(row, name, "3")}, second)
        now = type(row).objects.get(pk=row.pk)
        if (
            answer.status_code != 200
            or "changed this to" not in answer.text
            or html.escape(_other(row, name, "3")) not in answer.text
        ):
            return f"{name}: not asked, or what was typed is gone"
        if _sent_for(now, name) != _other(row, name, "2"):
            return f"{name}: overwritten"
        row = now
    return ""


def _sent_for(row, name):
    value = getattr(row, name)
    return ("on" if value else None) if isinstance(value, bool) else str(value)
