"""The README's client, run word for word against a served shop."""

import json
import os
import re
import shutil
import subprocess

import pytest
from django.conf import settings

from shop.accounts.models import ApiToken, Customer
from shop.orders.models import Order

from ..support.needs import lack

EMAIL = "ravi.iyer@example.com"
PATIENCE = 60


@pytest.fixture
def client_script():
    for tool in ("bash", "curl", "jq"):
        if not shutil.which(tool):
            lack(f"No {tool} on this machine")
    section = (settings.BASE_DIR / "docs" / "api-client.md").read_text()
    return re.search(r"```bash\n(.*?)```", section, re.DOTALL)[1]


@pytest.fixture
def soap(transactional_db, make_product, make_variant):
    return make_variant(price="120", product=make_product("Neem Soap"))


def test_the_client_of_the_readme_registers_and_orders(soap, running_shop, client_script):
    client = subprocess.Popen(
        ["bash", "-c", client_script],
        env={"PATH": os.environ["PATH"], "SHOP": running_shop.url},
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    said, complaints = client.communicate(running_shop.mailed_code(EMAIL) + "\n", timeout=PATIENCE)
    assert client.returncode == 0, said + complaints
    order = Order.objects.get()
    assert order.customer == Customer.objects.get(email=EMAIL)
    assert [(line.variant_id, line.quantity) for line in order.lines.all()] == [(soap.pk, 1)]
    ordered = json.loads(re.search(r'\{"data".*?\}\}', said)[0])["data"]
    assert (ordered["order_number"], ordered["amount"]) == (order.number, order.total_inr * 100)
    assert not ApiToken.objects.exists()  # it signed out
