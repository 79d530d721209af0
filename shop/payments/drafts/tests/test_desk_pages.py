"""The desk's pages of drafts."""

import re

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse

from shop.accounts.models import Customer
from shop.accounts.staff.roles import CATALOGUE_MANAGER, ORDER_DESK
from shop.catalog.models import Variant
from shop.messaging.models import Message
from shop.orders.drafts import services as drafts
from shop.orders.models import Order, OrderDraft
from shop.orders.placing.values import SubmittedTotals

from ..services import order_draft
from .conftest import again

pytestmark = [pytest.mark.django_db, pytest.mark.database]
ADD = "/admin/orders/orderdraft/add/"


def staff(role):
    member = Customer.objects.create_user(f"{role}@example.com".replace(" ", ""), name="Meera", is_staff=True)
    member.groups.add(Group.objects.get(name=role))
    office = Client(headers={"sec-fetch-site": "same-origin"})
    office.force_login(member)
    return office


@pytest.fixture
def office(db):
    return staff(ORDER_DESK)


def page_of(draft):
    return reverse("admin:orders_orderdraft_change", args=[draft.pk])


def do(office, draft, name, **sent):
    """Presses a button of the page as it is now."""
    seen = OrderDraft.objects.values_list("revision", flat=True).get(pk=draft.pk)
    return office.post(reverse("admin:orders_orderdraft_do", args=[draft.pk, name]), {"seen": seen} | sent)


def words_of(page):
    return re.sub(r"\s+", " ", page.content.decode())


def hidden_of(page):
    view = page.context["view"]
    return {
        "line": [f"{line.variant.pk}:{line.quantity}:{line.price.selling}" for line in view.lines],
        "market": view.market.key, "shipping_amt": view.shipping, "coupon_amt": view.coupon_amt,
        "total_amount": view.total,
    }  # fmt: skip


# --- From the call to the order -------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["98765 43210", "+91 98765-43210", "asha", "caller@example.com"])
def test_a_caller_is_found_by_phone_name_or_email(office, caller, typed):
    found = office.get(ADD, {"q": typed})
    assert found.context["people"] == [caller]
    opened = office.post(ADD, {"customer": caller.pk})
    assert opened.headers["Location"] == page_of(OrderDraft.objects.get(customer=caller))


def test_a_new_caller_is_noted_with_a_mobile_number(office):
    refused = office.post(ADD, {"name": "Ravi", "mobile": "12"})
    assert refused.status_code == 422 and "Enter a valid mobile number" in words_of(refused)
    opened = office.post(ADD, {"name": "Ravi", "mobile": "98765 43219"})
    assert opened.status_code == 302
    assert OrderDraft.objects.get().customer.phone == "+919876543219"


def test_a_call_from_search_to_cash_on_delivery(office, caller, make_variant, make_product):
    variant = make_variant(product=make_product("Neem Soap"), price="250", units=5)
    office.post(ADD, {"customer": caller.pk})
    draft = OrderDraft.objects.get()
    found = office.get(page_of(draft), {"q": variant.sku})
    assert "Neem Soap" in words_of(found) and "5 in stock" in words_of(found)
    assert do(office, draft, "add", variant=variant.pk, quantity=2).status_code == 302
    page = office.get(page_of(draft))
    assert "₹529.00" in words_of(page) and "Place the order now" in words_of(page)
    assert do(office, draft, "place", **hidden_of(page)).status_code == 302
    order = Order.objects.get()
    assert (order.status, order.payment_method) == ("placed", "cash")
    author = Customer.objects.get(is_staff=True)
    assert {event.actor for event in order.events.all()} == {f"staff:{author.pk}"}
    page = office.get(page_of(draft))
    assert order.number in words_of(page) and "Withdraw" not in words_of(page)
    notes = LogEntry.objects.filter(object_id=str(draft.pk)).values_list("change_message", flat=True)
    assert all(any(words in note for note in notes) for words in ("Opened the draft", "Added", "Placed the order"))
    assert "Added a product" in words_of(office.get(reverse("admin:orders_orderdraft_history", args=[draft.pk])))


def test_the_link_is_sent_and_shown(office, new_draft):
    draft = new_draft()
    assert do(office, draft, "send", by_sms="on", by_mail="on").status_code == 302
    assert Message.objects.filter(kind="payment_link").count() == 2
    shown = words_of(office.get(page_of(draft)))
    assert "/p/" in shown and "Send again" in shown
    first = re.search(r"/p/([\w-]+)/", shown)[1]
    do(office, draft, "renew")
    assert re.search(r"/p/([\w-]+)/", words_of(office.get(page_of(draft))))[1] != first


def test_every_change_by_its_form(office, new_draft, caller, make_coupon):
    draft, variant = new_draft(), Variant.objects.get()
    make_coupon("SAVE10", percent=10)
    do(office, draft, "units", variant=variant.pk, quantity=3)
    do(office, draft, "reduce", code="SAVE10")
    do(office, draft, "email", email="Work@Example.com")
    told = caller.addresses.get().as_fields() | {"address": "9 Hill Road", "keep": "on"}
    do(office, draft, "type-address", **told)
    draft = again(draft)
    assert (draft.cart.lines.get().quantity, draft.cart.coupon.code) == (3, "SAVE10")
    assert (draft.email, draft.address["address"], caller.addresses.count()) == ("work@example.com", "9 Hill Road", 2)
    do(office, draft, "choose-address", address_id=caller.addresses.get(is_default=True).pk)
    do(office, draft, "units", variant=variant.pk, remove="1")
    draft = again(draft)
    assert draft.address["address"] == "12 Temple Road" and not draft.cart.lines.exists()
    do(office, draft, "country", location=22)
    assert again(draft).location.code == "US"
    do(office, draft, "withdraw")
    assert again(draft).state == "withdrawn"
    copied = office.post(reverse("admin:orders_orderdraft_duplicate", args=[draft.pk]), {"seen": again(draft).revision})
    assert copied.status_code == 302 and OrderDraft.objects.count() == 2


@pytest.mark.parametrize(
    ("name", "sent", "words"),
    [
        ("add", {"variant": "0"}, "We don&#x27;t sell this product."),
        ("units", {"quantity": "99"}, "Choose a quantity from 1 to"),
        ("reduce", {"code": "NONE"}, "coupon"),
        ("country", {"location": "0"}, "Choose a country."),
        ("type-address", {"full_name": ""}, "Full name is required"),
        ("email", {"email": "nobody"}, "Enter a valid email"),
        ("place", {}, "This draft has just been changed."),
        ("withdraw", {"seen": "99"}, "This draft has just been changed."),
    ],
)
def test_what_is_refused_is_said_on_the_page(office, new_draft, name, sent, words):
    draft = new_draft()
    sent = ({"variant": Variant.objects.get().pk} if name == "units" else {}) | sent
    refused = do(office, draft, name, **sent)
    assert refused.status_code == 422 and words in words_of(refused)
    assert not Order.objects.exists()


def test_prices_that_changed_meanwhile_are_said_before_the_desk_places(office, new_draft):
    draft = new_draft()
    page = office.get(page_of(draft))
    Variant.objects.update(selling_price=260, actual_price=300)
    refused = do(office, draft, "place", **hidden_of(page))
    assert refused.status_code == 422 and "from ₹250.00 to ₹260.00" in words_of(refused)
    assert not Order.objects.exists()


def test_while_somebody_pays_the_page_offers_to_stop(office, new_draft):
    draft = new_draft()
    order, _ = order_draft(draft, SubmittedTotals())
    page = words_of(office.get(page_of(draft)))
    assert f"The customer is paying {order.number}" in page and "Send the link" not in page
    do(office, draft, "stop")
    assert "Send the link" in words_of(office.get(page_of(draft)))


# --- The list -------------------------------------------------------------------------------------


def test_the_list_has_states_and_finds_drafts(office, new_draft, make_variant):
    first, second = new_draft({make_variant(units=3): 1}), new_draft({make_variant(units=3): 1})
    drafts.make_link(second)
    url = reverse("admin:orders_orderdraft_changelist")

    def found(**asked):
        return list(office.get(url, asked).context_data["cl"].result_list)

    assert found() == [second, first]
    assert (found(state="open"), found(state="sent"), found(state="paid")) == ([first], [second], [])
    assert found(q=f"d-{first.pk}") == [first] and found(q="Asha") == [second, first] and found(q="nobody") == []


def test_the_customers_page_offers_a_draft_and_shows_those_there_are(office, new_draft, caller):
    draft = new_draft()
    page = words_of(office.get(reverse("admin:accounts_customer_change", args=[caller.pk])))
    assert f"{ADD}?customer={caller.pk}" in page and f"{draft}: 2 units" in page
    assert office.get(ADD, {"customer": caller.pk}).context["people"] == [caller]


def test_other_roles_have_no_drafts(new_draft):
    draft, office = new_draft(), staff(CATALOGUE_MANAGER)
    assert office.get(page_of(draft)).status_code == 403
    assert do(office, draft, "withdraw").status_code == 403
    assert office.get(ADD).status_code == 403


def test_a_page_reads_a_bounded_number_of_rows(office, new_draft, make_variant, django_assert_max_num_queries):
    draft = new_draft({make_variant(units=9): 1 for _ in range(8)})
    office.get(page_of(draft))
    with django_assert_max_num_queries(45):
        office.get(page_of(draft))
