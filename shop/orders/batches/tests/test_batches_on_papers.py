"""Where a batch is named: the parcel, the order's pages, the packing list, the invoice."""

import pytest
from django.urls import reverse

from shop.accounts.models import Customer

from ...invoices import pdf
from ...shipping.packing import slips_of
from ...shipping.services import ship
from .conftest import come_in, in_days

pytestmark = pytest.mark.django_db


@pytest.fixture
def named(monkeypatch):
    """What stands in the cells of names of each invoice that is drawn."""
    cells = []
    write = pdf._cell

    def note(row, key):
        text = write(row, key)
        if key == "name":
            cells.append(text)
        return text

    monkeypatch.setattr(pdf, "_cell", note)
    return cells


def test_parcel_order_page_packing_list_and_invoice_name_the_batch(two_batches, placed, client, browser_client, named):
    variant, _, _ = two_batches
    order = placed({variant: 4})
    early, late = (f"Batch {name} (expires {in_days(days):%b %Y})" for name, days in (("EARLY", 200), ("LATE", 800)))
    both = f"3 × {early}, 1 × {late}"
    [slip] = slips_of([order.pk])
    assert [words for _, _, words in slip.marked_rows] == [both]
    assert pdf.draw_invoice(order.invoices.get()).startswith(b"%PDF") and "Batch" not in "".join(named)
    owner = Customer.objects.create_user("owner@example.com", "pw", name="Owner", is_staff=True, is_superuser=True)
    browser_client.force_login(owner)
    assert both in browser_client.get(f"/admin/orders/order/packing/?order={order.pk}").content.decode()
    ship(order, actor="staff:1")
    client.force_login(order.customer)
    assert both in client.get(f"/en-in/order-detail/{order.number}/", follow=True).content.decode()
    page = browser_client.get(reverse("admin:orders_order_change", args=[order.pk])).content.decode()
    assert both in page
    named.clear()
    assert pdf.draw_invoice(order.invoices.get()).startswith(b"%PDF") and both in "".join(named)


def test_what_no_batch_covers_and_stock_from_before_is_said_on_the_packing_list(two_batches, placed, make_variant):
    variant, _, _ = two_batches
    old = make_variant(units=2)
    come_in(old, "NEW", 2)
    first, second = placed({variant: 6}), placed({old: 1})
    first.expected_delivery = in_days(160)
    first.save(update_fields=["expected_delivery"])
    words = {line.variant_id: words for slip in slips_of([first.pk, second.pk]) for _, line, words in slip.marked_rows}
    assert words == {
        variant.pk: "1 units: no batch with a late enough expiry date",
        old.pk: "Stock without a batch number",
    }


def test_variants_without_batches_name_none(placed, make_variant):
    order = placed({make_variant(): 1})
    [slip] = slips_of([order.pk])
    assert [words for _, _, words in slip.marked_rows] == [""]
