import pytest

from shop.accounts.models import Customer
from shop.markets.models import Location
from shop.orders.conftest import new_address
from shop.orders.drafts import services as drafts
from shop.orders.drafts.links import link_of
from shop.orders.models import OrderDraft

DESK = "staff:1"


@pytest.fixture(autouse=True)
def cash_on_delivery(db):
    """Offered in India."""
    Location.objects.filter(code="IN").update(cash_on_delivery_max=5000)


def again(draft):
    return OrderDraft.objects.select_related("customer", "location", "cart").get(pk=draft.pk)


@pytest.fixture
def caller(db):
    person = Customer.objects.create_user("caller@example.com", name="Asha Rao", phone="+919876543210")
    new_address(person)
    return person


@pytest.fixture
def new_draft(caller, make_variant):
    """new_draft({variant: 2}): a draft for the caller, to her address."""

    def make(lines=None, customer=None):
        draft = drafts.open_draft(customer or caller, author=DESK)
        for variant, quantity in (lines or {make_variant(price="250", units=10): 2}).items():
            drafts.add_line(draft, variant_id=variant.pk, quantity=quantity)
        return again(draft)

    return make


@pytest.fixture
def linked(new_draft):
    """A draft with its link: (draft, path)."""

    def make(lines=None, **how):
        draft = new_draft(lines)
        drafts.make_link(draft, **how)
        draft = again(draft)
        return draft, link_of(draft).partition("//")[2].partition("/")[2].join(("/", ""))

    return make
