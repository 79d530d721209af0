"""Prices and stock of many variants: the preview, refusals in words, applied once, and not over others' changes."""

from decimal import Decimal
from threading import Event, Thread

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection, connections, transaction
from django.urls import reverse

from shop.backoffice import history
from shop.errors import Invalid

from ...models import BulkChange, Product, StockMovement, Variant
from ...stock import services as stock
from .. import columns, services
from ..services import BulkEdit, apply_change, preview_change, preview_undo

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def cut(percent, **choices):
    return BulkEdit(selling=True, value=Decimal(percent), **choices)


def preview(edit, manager, reason=""):
    return preview_change(Variant.objects.all(), edit, by=manager, reason=reason)


@pytest.mark.parametrize(
    ("edit", "price", "becomes"),
    [
        (cut("-10"), "99.99", "89.99"),
        (cut("10", rounding=Decimal(1)), "99.50", "109"),
        (cut("0", rounding=Decimal(5)), "97.50", "100"),
        (cut("-12.50", how="amount"), "100", "87.50"),
        (cut("59", how="set"), "100", "59"),
    ],
)
def test_a_price_goes_up_down_or_to_a_figure_and_is_rounded(edit, price, becomes):
    assert edit.price(Decimal(price)) == Decimal(becomes)


def test_a_preview_changes_nothing_and_tells_before_and_after(manager, make_variant):
    make_variant("100", actual="120", units=5)
    change = preview(cut("-10"), manager)
    row = change.rows.get()
    assert (row.selling_before, row.selling_after, row.actual_after, row.on_hand_after, row.refusal) == (
        100, 90, 120, 5, "",
    )  # fmt: skip
    assert Variant.objects.get().selling_price == 100


def test_a_variant_that_is_moved_meanwhile_is_not_passed_over(manager, make_variant, monkeypatch):
    product = make_variant("100", position=1).product
    moved = make_variant("100", product=product, position=2)
    values_of = columns.values_of

    def move(variant, names):
        Variant.objects.filter(pk=moved.pk).update(position=0)
        return values_of(variant, names)

    monkeypatch.setattr(columns, "values_of", move)
    monkeypatch.setattr(services, "CHUNK", 1)
    assert preview(cut("-10"), manager).rows.count() == 2


@pytest.mark.parametrize(
    ("edit", "refusal"),
    [
        (cut("30"), "The selling price would be above the actual price."),
        (cut("-150", how="amount"), "The price would not be above zero."),
        (cut("-100"), "The price would not be above zero."),
        (BulkEdit(units=-6), "Only 5 are on hand."),
    ],
)
def test_what_breaks_a_rule_is_refused_in_words_and_left_alone(manager, make_variant, edit, refusal):
    make_variant("100", actual="120", units=5)
    change = preview(edit, manager, "count")
    assert change.rows.get().refusal == refusal
    assert apply_change(change, by=manager)
    assert Variant.objects.values_list("selling_price", "on_hand").get() == (100, 5)


def test_applying_changes_prices_stock_cards_movements_and_history(manager, make_variant):
    variant = make_variant("100", actual="120", units=0)
    change = preview(cut("-10", units=7), manager, "Delivery 12")
    assert apply_change(change, by=manager)
    variant.refresh_from_db()
    assert (variant.selling_price, variant.on_hand, variant.received) == (90, 7, 7)
    product = Product.objects.get()
    assert (product.price_inr, product.discount, product.in_stock) == (90, 25, True)
    assert StockMovement.objects.get(quantity=7).reference == "Delivery 12"
    told = history.read(LogEntry.objects.get(object_id=variant.pk, content_type__model="variant"))[0]
    assert set(told.fields) == {("Selling price (INR)", "100.00", "90.00"), ("On hand", "0", "7")}
    assert LogEntry.objects.get(content_type__model="bulkchange").user == manager


def test_applying_twice_changes_once(manager, make_variant):
    make_variant("100", units=5)
    change = preview(cut("-10", units=5), manager, "Delivery 12")
    assert apply_change(change, by=manager)
    assert not apply_change(change, by=manager)
    assert Variant.objects.values_list("selling_price", "on_hand").get() == (90, 10)


def test_rows_that_changed_since_the_preview_are_refused_and_the_others_applied(manager, make_variant):
    sold, dearer, same = make_variant("100"), make_variant("100"), make_variant("100")
    change = preview(cut("-10", units=9, sets_stock=True), manager, "Count 12")
    stock.hold({sold.pk: 1}, reference="ORD-1")
    Variant.objects.filter(pk=dearer.pk).update(actual_price=200)
    apply_change(change, by=manager)
    assert [Variant.objects.get(pk=v.pk).selling_price for v in (sold, dearer, same)] == [100, 100, 90]
    refusals = dict(change.rows.values_list("variant", "refusal"))
    assert refusals[sold.pk] == "Changed since the preview: 4 on hand now."
    assert refusals[dearer.pk] == "Changed since the preview: now 100.00 of 200.00."
    assert refusals[same.pk] == ""


def test_a_price_is_applied_though_units_were_sold_meanwhile(manager, make_variant):
    variant = make_variant("100")
    change = preview(cut("-10"), manager)
    stock.hold({variant.pk: 1}, reference="ORD-1")
    apply_change(change, by=manager)
    variant.refresh_from_db()
    assert (variant.selling_price, variant.on_hand) == (90, 4)


def test_units_are_added_to_whatever_is_on_hand_when_the_change_is_applied(manager, make_variant):
    variant = make_variant("100", units=5)
    change = preview(BulkEdit(units=7), manager, "Delivery 12")
    stock.hold({variant.pk: 2}, reference="ORD-1")
    apply_change(change, by=manager)
    variant.refresh_from_db()
    row = change.rows.get()
    assert (variant.on_hand, row.on_hand_before, row.on_hand_after, row.refusal) == (10, 3, 10, "")
    undo = preview_undo(change, by=manager)
    stock.hold({variant.pk: 1}, reference="ORD-2")
    apply_change(undo, by=manager)
    variant.refresh_from_db()
    assert (variant.on_hand, variant.held, variant.received) == (2, 3, 5)


def test_more_than_is_left_after_a_sale_is_not_written_off(manager, make_variant):
    variant, other = make_variant("100", units=5), make_variant("100", units=5)
    change = preview(BulkEdit(units=-4), manager, "Broken")
    stock.hold({variant.pk: 2}, reference="ORD-1")
    apply_change(change, by=manager)
    assert [Variant.objects.get(pk=one.pk).on_hand for one in (variant, other)] == [3, 1]
    assert change.rows.get(variant=variant).refusal == "Only 3 are on hand."


def _apply_during_a_sale(change, manager, variant):
    """Apply a change while a sale of two units is about to be committed."""
    is_applied = Event()

    def run():
        apply_change(change, by=manager)
        connections.close_all()
        is_applied.set()

    with transaction.atomic():
        stock.hold({variant.pk: 2}, reference="ORD-1")
        thread = Thread(target=run)
        thread.start()
        is_applied.wait(1)  # it waits for the variant's lock
    thread.join()
    variant.refresh_from_db()
    row = change.rows.get()
    return variant.on_hand, row.on_hand_before, row.on_hand_after


@pytest.mark.skipif(connection.vendor == "sqlite", reason="one writer at a time")
@pytest.mark.django_db(transaction=True)
def test_a_delivery_and_a_sale_at_the_same_moment_are_both_counted(manager, make_variant):
    variant = make_variant("100", units=5)
    change = preview(BulkEdit(units=7), manager, "Delivery 12")
    assert _apply_during_a_sale(change, manager, variant) == (10, 3, 10)


@pytest.mark.skipif(connection.vendor == "sqlite", reason="one writer at a time")
@pytest.mark.django_db(transaction=True)
def test_without_the_lock_the_history_would_tell_a_stock_that_never_was(manager, make_variant, monkeypatch):
    """The negative control."""

    def unlocked(rows):
        variants = Variant.objects.filter(pk__in=[row.variant_id for row in rows])
        return variants.select_related("product").prefetch_related("fixed_prices", "product__health_concerns")

    monkeypatch.setattr(services, "_locked", unlocked)
    variant = make_variant("100", units=5)
    change = preview(BulkEdit(units=7), manager, "Delivery 12")
    assert _apply_during_a_sale(change, manager, variant) == (10, 5, 12)


def test_nothing_to_change_and_too_many_are_refused(manager, make_variant, monkeypatch):
    make_variant("100")
    with pytest.raises(Invalid, match="Nothing to change"):
        preview(cut("0"), manager)
    make_variant("100")
    monkeypatch.setattr("shop.catalog.bulk_edit.services.MAX_CHANGES", 1)
    with pytest.raises(Invalid, match="more than 1 variants"):
        preview(cut("-10"), manager)
    assert not BulkChange.objects.exists()


def test_more_prices_take_no_more_statements(manager, make_variant, django_assert_max_num_queries):
    def statements():
        with django_assert_max_num_queries(60) as queries:
            apply_change(preview(cut("-1"), manager), by=manager)
        return len(queries)

    product = make_variant("100").product
    make_variant("100", product=product)
    few = statements()
    for _ in range(4):
        make_variant("100", product=product)
    assert statements() == few


# --- In the admin -----------------------------------------------------------------------------


def choose(desk, *products, across=False):
    body = {"action": "change_prices_and_stock", "_selected_action": [p.pk for p in products], "index": "0"}
    return desk.post(reverse("admin:catalog_product_changelist"), body | {"select_across": str(int(across))})


def wanted(products, **fields):
    return {
        "products": products, "price": "selling", "how": "percent", "value": "-10", "rounding": "1", "stock": "",
        "units": "", "reason": "",
    } | fields  # fmt: skip


def test_chosen_products_are_changed_after_a_preview(desk, make_variant):
    chosen, other = make_variant("100"), make_variant("100")
    form = choose(desk, chosen.product)
    assert "1 product selected" in form.content.decode()
    products = form.context["form"]["products"].value()
    answer = desk.post(reverse("admin:catalog_bulkchange_new"), wanted(products), follow=True)
    page = answer.content.decode()
    assert "1 variant would change, 0 refused" in page and "100.00 → <strong" in page
    url, change = answer.redirect_chain[-1][0], BulkChange.objects.get()
    assert "Check this one first" in desk.post(url, {"token": "other"}, follow=True).content.decode()
    assert "Applied." in desk.post(url, {"token": change.token}, follow=True).content.decode()
    assert "already applied" in desk.post(url, {"token": change.token}, follow=True).content.decode()
    assert [Variant.objects.get(pk=v.pk).selling_price for v in (chosen, other)] == [90, 100]


def test_all_that_match_the_filter_are_chosen_together(desk, make_variant, make_product):
    for name in ("Neem Soap", "Neem Oil", "Tulsi Tea"):
        make_variant("100", product=make_product(name))
    url = reverse("admin:catalog_product_changelist") + "?q=neem"
    first = Product.objects.first()
    body = {"action": "change_prices_and_stock", "_selected_action": [first.pk], "index": "0", "select_across": "1"}
    assert "2 products selected" in desk.post(url, body).content.decode()


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("price", {"price": ""}),
        ("value", {"value": ""}),
        ("value", {"how": "set", "value": "-5"}),
        ("units", {"stock": "add", "units": "", "reason": "count"}),
        ("units", {"stock": "set", "units": "-1", "reason": "count"}),
        ("reason", {"stock": "add", "units": "5"}),
        ("products", {"products": "1,x"}),
    ],
)
def test_a_wrong_wish_is_refused_at_its_field_and_kept(desk, make_variant, field, wrong):
    variant = make_variant("100")
    answer = desk.post(
        reverse("admin:catalog_bulkchange_new"), wanted(**({"products": str(variant.product_id)} | wrong))
    )
    assert answer.status_code == 422
    assert field in answer.context["form"].errors
    assert not BulkChange.objects.exists()


def test_chosen_products_without_variants_are_named(desk, make_product, make_variant):
    product = make_variant("100", actual="120").product
    bare = [make_product(f"Bare {number:02}") for number in range(12)]
    products = ",".join(str(one.pk) for one in (product, *bare))
    page = desk.post(reverse("admin:catalog_bulkchange_new"), wanted(products), follow=True).content.decode()
    assert "12 products have no variants and will not be changed: Bare 00," in page and "Bare 09 and 2 more." in page
    assert "Bare 10" not in page
