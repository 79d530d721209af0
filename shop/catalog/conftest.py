import csv

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from shop.accounts.models import Customer
from shop.accounts.staff.roles import CATALOGUE_MANAGER, ORDER_DESK

from .import_export.formats.base import detect_format
from .import_export.report import Outcome, Report
from .import_export.run import Request, import_products


@pytest.fixture
def manager(db):
    """A catalogue manager."""
    member = Customer.objects.create_user("meera@example.com", "pw", name="Meera Nair", is_staff=True)
    member.groups.add(Group.objects.get(name=CATALOGUE_MANAGER))
    return member


@pytest.fixture
def desk(manager):
    """Their browser."""
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(manager)
    return client


@pytest.fixture
def import_text(tmp_path):
    """import_text("name,price\\nTea,10\\n") -> (counts of created, updated, unchanged, merged, refused; (row, what,
    reason) of each line of the report)."""

    def import_text(text, *, name="products.csv", format="", mapping=None, **choices):
        file, lines = tmp_path / name, tmp_path / "lines.csv"
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        with Report(lines) as report:
            request = Request(path=file, format=format or detect_format(file), mapping=mapping or {}, **choices)
            import_products(request, report, lambda done, total: None)
        with lines.open(encoding="utf-8", newline="") as written:
            notes = [(int(line["row"]), line["what"], line["reason"]) for line in csv.DictReader(written)]
        return [report.counts[outcome] for outcome in Outcome], notes

    return import_text


@pytest.fixture
def staff_of_orders(db):
    """The browser of somebody who may only look at products."""
    member = Customer.objects.create_user("devi@example.com", "pw", name="Devi Rao", is_staff=True)
    member.groups.add(Group.objects.get(name=ORDER_DESK))
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(member)
    return client
