"""The grid of many variants: what was typed becomes a preview, is never written over others' changes, and is undone."""

import pytest
from django.urls import reverse

from ...models import BulkChange, StockMovement, Variant
from ...stock import services as stock

pytestmark = [pytest.mark.django_db, pytest.mark.database]
GRID = "/admin/catalog/variant/grid/"
US = 22


@pytest.fixture
def typed(desk):
    """typed({variant: {"selling": "90"}}): the grid as it stands, with these cells; the answer."""

    def send(cells, **others):
        body = dict(others)
        for line in desk.get(GRID).context_data["lines"]:
            for cell in line.cells:
                body |= {cell.name: cell.value, f"was-{cell.name}": cell.was}
        for variant, values in cells.items():
            body |= {f"{variant.pk}-{name}": value for name, value in values.items()}
        return lambda: desk.post(GRID, body)

    return send


def apply(desk, change, do="apply", **more):
    url = reverse("admin:catalog_bulkchange_preview", args=[change.pk])
    return desk.post(url, {"token": change.token, "do": do} | more, follow=True)


def test_prices_stock_and_facts_of_many_are_previewed_applied_and_undone(desk, typed, make_variant):
    first, second = make_variant("100", units=5), make_variant("200", units=5)
    first.fixed_prices.create(location_id=US, selling_price=4, actual_price=5)
    cells = {
        first: {"selling": "90", "units": "7", f"market:{US}": "", "weight": "120.5"},
        second: {"actual": "250", f"market:{US}": "4.50 / 6", "barcode": "8901"},
    }
    answer = typed(cells, reason="Delivery 12")()
    change = BulkChange.objects.get()
    assert (answer.status_code, change.rows.count(), change.applied_at) == (302, 2, None)
    page = desk.get(answer["Location"]).content.decode()
    assert "100.00 → <strong" in page and "4.5 (MRP 6)" in page and "from the INR price" in page
    assert Variant.objects.get(pk=first.pk).selling_price == 100
    assert "Applied." in apply(desk, change).content.decode()
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.selling_price, first.on_hand, first.weight_actual, first.fixed_prices.count()) == (90, 12, 120.5, 0)
    assert (second.actual_price, second.barcode, second.fixed_prices.get().actual_price) == (250, "8901", 6)
    assert StockMovement.objects.get(quantity=7).reference == "Delivery 12"
    apply(desk, change, do="undo")
    undo = BulkChange.objects.get(undoes=change)
    apply(desk, undo)
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.selling_price, first.on_hand, first.weight_actual) == (100, 5, 0)
    assert (first.fixed_prices.get().actual_price, second.fixed_prices.count(), second.barcode) == (5, 0, "")


def test_what_somebody_else_changed_meanwhile_is_refused_and_the_rest_applied(desk, typed, make_variant):
    dearer, coded, same = make_variant("100"), make_variant("100"), make_variant("100")
    send = typed({dearer: {"selling": "90"}, coded: {"barcode": "1"}, same: {"selling": "80"}})
    Variant.objects.filter(pk=dearer.pk).update(selling_price=95)
    Variant.objects.filter(pk=coded.pk).update(barcode="2")
    send()
    apply(desk, BulkChange.objects.get())
    values = dict(Variant.objects.values_list("pk", "selling_price"))
    assert values == {dearer.pk: 95, coded.pk: 100, same.pk: 80}
    assert Variant.objects.get(pk=coded.pk).barcode == "2"
    refusals = dict(BulkChange.objects.get().rows.values_list("variant", "refusal"))
    assert refusals[dearer.pk].startswith("Changed since the preview: now 95")
    assert refusals[coded.pk] == "Changed since the preview: Barcode."


def test_units_sold_meanwhile_are_no_reason_to_refuse_a_delivery(desk, typed, make_variant):
    variant = make_variant(units=5)
    send = typed({variant: {"units": "3"}})
    stock.hold({variant.pk: 2}, reference="ORD-1")
    send()
    apply(desk, BulkChange.objects.get())
    variant.refresh_from_db()
    assert (variant.on_hand, variant.held) == (6, 2)


@pytest.mark.parametrize(
    ("column", "text"),
    [
        ("selling", "1o"),
        ("selling", "-5"),
        ("units", "1.5"),
        (f"market:{US}", "4 / 5 / 6"),
        ("selling", "NaN"),
        ("x", "1"),
    ],
)
def test_what_cannot_be_read_is_marked_and_all_that_was_typed_stays(desk, typed, make_variant, column, text):
    variant, other = make_variant("100"), make_variant("100")
    answer = typed(
        {variant: {column: text} | {f"was-{column}": ""}, other: {"selling": "77"}},
        **{f"was-{variant.pk}-{column}": "0"},
    )()
    page = answer.content.decode()
    assert answer.status_code == 422 and "cannot be read" in page and 'value="77"' in page
    assert not BulkChange.objects.exists()


def test_an_untouched_grid_says_so_and_a_search_narrows_it(desk, typed, make_variant):
    variant = make_variant()
    make_variant()
    assert "Nothing was changed." in typed({})().content.decode()
    lines = desk.get(GRID, {"q": variant.sku}).context_data["lines"]
    assert [line.variant for line in lines] == [variant]


def test_fifty_variants_take_as_many_queries_as_two(desk, make_variant, django_assert_max_num_queries):
    def ask():
        desk.get(GRID)
        with django_assert_max_num_queries(30) as asked:
            assert desk.get(GRID).status_code == 200
        return len(asked)

    product = make_variant().product
    make_variant(product=product)
    few = ask()
    for _ in range(48):
        make_variant(product=product).fixed_prices.create(location_id=US, selling_price=4, actual_price=5)
    assert ask() == few


def test_what_was_typed_stays_where_the_page_of_the_grid_moved_on(desk, typed, make_variant, monkeypatch):
    """Somebody adds a product while a page is edited: its last line is on the next page by then."""
    monkeypatch.setattr("shop.catalog.bulk_edit.grid.PER_PAGE", 2)
    variants = [make_variant("100") for _ in range(2)]
    send = typed({variants[0]: {"selling": "1o", "barcode": "890"}}, reason="Delivery 12")
    make_variant("100")
    page = send().content.decode()
    assert 'value="1o"' in page and 'value="890"' in page and "Enter a number with" in page
    assert 'value="Delivery 12"' in page


def test_a_variant_that_was_deleted_meanwhile_is_said(desk, typed, make_variant):
    gone, kept = make_variant("100"), make_variant("100")
    send = typed({gone: {"selling": "90"}, kept: {"selling": "80"}})
    gone.delete()
    page = desk.get(send()["Location"]).content.decode()
    assert "1 variant no longer exists and was left out." in page


@pytest.mark.parametrize(
    ("column", "text"),
    [
        ("selling", "99.999"),
        ("actual", "100000000000"),
        ("weight", "99999999"),
        ("weight", "1.0000000001"),
        ("selling", "Infinity"),
        ("selling", "=1+1"),
        ("selling", "1_00"),
        ("selling", "9,0"),
        ("selling", ""),
        ("barcode", "89\x0001"),
        ("barcode", "8" * 41),
        ("units", "1,000"),
        ("units", "²"),
        ("market:²", "5"),
    ],
)
def test_odd_cells_are_marked_and_never_break_the_page(desk, typed, make_variant, column, text):
    variant = make_variant("100")
    send = typed({variant: {column: text}}, **({f"was-{variant.pk}-{column}": ""} if column == "market:²" else {}))
    answer = send()
    assert answer.status_code == 422 and "1 cell cannot be read. It is marked below." in answer.content.decode()


def test_what_the_page_showed_cannot_be_forged_into_an_error(desk, make_variant):
    pk = make_variant("100").pk
    assert desk.post(GRID, {f"{pk}-weight": "90", f"was-{pk}-weight": "x"}).status_code == 422


@pytest.mark.parametrize(("text", "price"), [("₹ 1,20,000", "120000"), ("1,200.50", "1200.5"), ("१२०", "120")])
def test_a_number_may_be_written_as_people_write_it(desk, typed, make_variant, text, price):
    variant = make_variant("100")
    typed({variant: {"selling": text, "actual": text}})()
    assert BulkChange.objects.get().rows.get().selling_after == float(price)


def test_an_undo_is_applied_once_however_often_it_is_asked_for(desk, typed, make_variant):
    variant = make_variant("100", units=5)
    typed({variant: {"units": "7"}})()
    change = BulkChange.objects.get()
    apply(desk, change)
    apply(desk, change, do="undo")
    apply(desk, change, do="undo")
    first, second = BulkChange.objects.filter(undoes=change).order_by("pk")
    apply(desk, first)
    stock.receive(variant, 7)  # as many on hand as the second preview saw
    apply(desk, second)
    variant.refresh_from_db()
    assert variant.on_hand == 12
    assert "was undone already" in apply(desk, change, do="undo").content.decode()
    assert BulkChange.objects.count() == 3


def test_an_undo_does_not_take_back_a_newer_price(desk, typed, make_variant):
    variant = make_variant("100")
    typed({variant: {"selling": "90"}})()
    change = BulkChange.objects.get()
    apply(desk, change)
    Variant.objects.filter(pk=variant.pk).update(selling_price=95)
    apply(desk, change, do="undo")
    apply(desk, BulkChange.objects.get(undoes=change))
    assert Variant.objects.get().selling_price == 95
