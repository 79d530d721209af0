import pytest

from shop.accounts.privacy.account_deletion import delete_account
from shop.accounts.privacy.personal_data import data_of

from ..models import Invoice, Order
from ..placing.services import confirm_order

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def buyer(new_buyer, make_variant):
    buyer = new_buyer({make_variant(price="250"): 2})
    buyer.set_password("honey and amla")
    buyer.save()
    return buyer


def test_orders_and_invoices_outlive_the_account(buyer, order_of):
    order = order_of(buyer)
    confirm_order(order, actor="shop")
    before = [Order.objects.values().get(), Invoice.objects.values().get()]
    delete_account(buyer, client_address="203.0.113.9", password="honey and amla")
    assert [Order.objects.values().get(), Invoice.objects.values().get()] == before
    order.refresh_from_db()
    assert (order.customer.name, order.address["full_name"]) == ("", "Buyer 1")


def test_the_download_holds_the_orders(buyer, order_of):
    order = order_of(buyer)
    confirm_order(order, actor="shop")
    (told,) = data_of(buyer)["orders"]
    assert (told["id"], told["total_amount"]) == (order.number, order.total_amount)
    assert [line["quantity"] for line in told["order_items"]] == [2]
    assert told["address"]["city"] == "Bengaluru"
    assert told["invoices"] == [order.invoices.get().number]
