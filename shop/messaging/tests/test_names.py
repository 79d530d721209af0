"""What staff call the kinds of messages."""

import re
from pathlib import Path

import pytest
from django.urls import reverse
from django.utils import translation

from shop.accounts.models import Customer

from ..models import Message, MessageText
from ..names import NAMES, name_of
from ..texts import FOLDER

SHOP = Path(__file__).parents[2]
KIND = re.compile(r'\bkind="([a-z]+_[a-z_]+)"')
MESSAGES = reverse("admin:messaging_message_changelist")


def test_each_message_has_a_name():
    templates = {path.name.split(".")[0] for path in FOLDER.glob("*.txt")}
    sent = {kind for path in SHOP.rglob("notifications.py") for kind in KIND.findall(path.read_text())}
    assert "order_placed_again" in sent
    assert {name for name in templates | sent if not name.startswith("_")} <= NAMES.keys()


def test_a_kind_of_earlier_versions_is_named_by_its_own_words():
    assert name_of("order_on_its_way") == "Order on its way"
    with translation.override("hi"):
        assert (name_of("order_shipped"), str(MessageText(template="refunded"))) == ("ऑर्डर भेजा गया", "रिफ़ंड")


@pytest.fixture
def messages(client, db):
    client.force_login(Customer.objects.create_superuser("meera@example.com", "x", name="Meera"))
    for kind in ("wishlist_price", "order_placed", "order_placed"):
        Message.objects.create(channel="mail", kind=kind, to="asha@example.com", text="…")
    return client


def names_in_filter(page):
    return [choice for choice in re.findall(r'href="\?[^"]*kind=[^"]*"[^>]*>\s*([^<]*?)\s*<', page) if choice]


def test_messages_are_filtered_by_the_names_of_their_kinds(messages):
    assert names_in_filter(messages.get(MESSAGES).text) == ["Order placed", "Wishlist: lower price"]
    assert names_in_filter(messages.get(MESSAGES, {"_facets": "True"}).text) == [
        "Order placed (2)",
        "Wishlist: lower price (1)",
    ]
    assert len(messages.get(MESSAGES, {"kind": "wishlist_price"}).context["cl"].result_list) == 1
