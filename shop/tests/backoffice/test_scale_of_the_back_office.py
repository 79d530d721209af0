"""No list and no form of the staff asks the database more because there is more in it (SPEED.md).

How long they take and how many they ask with 100,000 products and orders is measured by `make bench PARTS=admin`.
"""

import pytest
from django.contrib.admin import site
from django.contrib.auth.models import Group
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from shop.accounts.staff.roles import OWNER, PHARMACIST

from ..support.access import some_pk
from ..support.belongings import belongings_of, furnish, staff_of_each_role
from ..walks.walking import client_of

pytestmark = pytest.mark.django_db
MAX_QUERIES = 30  # SPEED.md
SCREENS = sorted({model._meta.label for model, screen in site._registry.items() if screen.__module__ != "unfold.admin"})


@pytest.fixture
def owner(india, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    shelf = furnish()
    belongings_of("Asha", shelf, india, phone="+919876500001")
    member = next(member for member in staff_of_each_role() if member.role == OWNER)
    member.customer.groups.add(Group.objects.get(name=PHARMACIST))  # whose screens no other role opens
    yield client_of(member.cookies), shelf


def addresses() -> list[str]:
    """Each list, and the form of the oldest row of each."""
    found = []
    for label in SCREENS:
        name = f"admin:{label.lower().replace('.', '_')}"
        found += [reverse(f"{name}_changelist"), reverse(f"{name}_change", args=[some_pk(label)])]
    return found


def count_queries(client, url: str) -> int:
    client.get(url)  # hears what changed, and remembers what it may
    with CaptureQueriesContext(connection) as queries:
        assert client.get(url).status_code == 200, url
    return len(queries)


def test_lists_and_forms_ask_as_much_of_many_rows_as_of_few(owner, india):
    client, shelf = owner
    few = {url: count_queries(client, url) for url in addresses()}
    for number, name in enumerate(("Bhavani", "Chitra", "Devi"), 2):
        belongings_of(name, shelf, india, phone=f"+91987650000{number}")
    many = {url: count_queries(client, url) for url in few}
    assert {url: (few[url], many[url]) for url in few if many[url] > few[url]} == {}
    assert {url: asked for url, asked in many.items() if asked > MAX_QUERIES} == {}
