"""The back office: receiving by scan, stock by expiry, what is written off, labels."""

from datetime import timedelta

import pytest
from django.utils import timezone

from shop.accounts.models import Customer
from shop.errors import Invalid

from ...models import Batch, Variant
from ..labels import PATTERNS, bars_of, code_of, draw_labels
from ..scanning import read_scan
from ..services import correct_batch, receive_batch, take

pytestmark = pytest.mark.django_db
ADD = "/admin/catalog/batch/add/"
LIST = "/admin/catalog/batch/"


def in_days(days):
    return timezone.localdate() + timedelta(days=days)


@pytest.fixture
def staff(browser_client):
    owner = Customer.objects.create_user("owner@example.com", "pw", name="Owner", is_staff=True, is_superuser=True)
    browser_client.force_login(owner)
    return browser_client


def form(**fields):
    return {
        "code": "8901234567890", "number": "AB-12", "manufactured": "", "expires": in_days(400).isoformat(),
        "units": "12", "note": "DN 7", "form_key": "one",
    } | fields  # fmt: skip


def test_what_is_typed_is_received_once_and_shown_with_its_history(staff, make_variant):
    variant = make_variant(units=2, barcode="8901234567890")
    for _ in range(2):
        assert staff.post(ADD, form()).status_code == 302
    batch = Batch.objects.get(number="AB-12")
    assert (batch.units, batch.sold_until) == (12, in_days(355)) and Variant.objects.get(pk=variant.pk).on_hand == 14
    page = staff.get(f"/admin/catalog/batch/{batch.pk}/change/").content.decode()
    assert "AB-12" in page and "DN 7" in page and "Received" in page


def test_one_scan_fills_batch_and_dates(staff, make_variant):
    make_variant(units=0, barcode="8901234567890")
    code = f"]d20108901234567890{'17'}{in_days(500):%y%m%d}10LOT9\x1d11{in_days(-20):%y%m%d}"
    assert staff.post(ADD, form(code=code, number="", expires="")).status_code == 302
    batch = Batch.objects.get()
    assert (batch.number, batch.expires, batch.manufactured) == ("LOT9", in_days(500), in_days(-20))


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"code": "unknown"}, "No product has this SKU or barcode."),
        ({"number": ""}, "Enter the batch number from the pack."),
        ({"expires": ""}, "Enter the expiry date."),
        ({"expires": "2020-01-01"}, "too soon"),
        ({"units": "0"}, "greater than or equal to 1"),
    ],
)
def test_a_refusal_stands_at_the_form_and_what_was_typed_stays(staff, make_variant, wrong, words):
    make_variant(units=2, barcode="8901234567890")
    answer = staff.post(ADD, form(**wrong))
    page = answer.content.decode()
    assert answer.status_code == 200 and words in page and "DN 7" in page and not Batch.objects.exists()


def test_the_list_is_by_expiry_and_filtered_by_state(staff, make_variant, django_assert_max_num_queries):
    variant = make_variant(units=3, barcode="8901234567890")
    for number, days in (("LATE", 900), ("EARLY", 300), ("SOON", 100)):
        receive_batch(variant.pk, number=number, manufactured=None, expires=in_days(days), units=4, actor="staff:1")
    Batch.objects.filter(number="SOON").update(sold_until=in_days(3))
    page = staff.get(LIST).content.decode()
    assert page.index("EARLY") < page.index("LATE") and f"{in_days(300):%b %Y} <strong>4</strong>" in page
    found = staff.get(f"{LIST}?state=off_sale").content.decode()
    assert "SOON" in found and "LATE" not in found
    for state in ("here", "opening", "recalled", "used_up", "nonsense"):
        assert staff.get(f"{LIST}?state={state}").status_code == 200
    assert "EARLY" in staff.get(f"{LIST}?q=early").content.decode()


@pytest.mark.parametrize("words", ["lot", "NEEM-5", "neem-5", "8901234567890", "soap neem"])
def test_a_batch_is_found_by_its_number_and_by_what_finds_its_variant(staff, make_product, make_variant, words):
    neem, other = make_product("Neem Soap"), make_product("Tulsi Tea")
    bought = make_variant(product=neem, units=1, barcode="8901234567890")
    Variant.objects.filter(pk=bought.pk).update(sku="NEEM-50")
    for variant, number in ((bought, "LOT-7"), (make_variant(product=other, units=1), "B-9")):
        receive_batch(variant.pk, number=number, manufactured=None, expires=in_days(300), units=4, actor="staff:1")
    page = staff.get(LIST, {"q": words}).content.decode()
    assert "LOT-7" in page and "B-9" not in page


def act(staff, action, batches, **fields):
    chosen = {"_selected_action": [batch.pk for batch in batches], "index": "0", "select_across": "0"}
    return staff.post(LIST, {"action": action} | chosen | fields, follow=True)


def test_units_are_written_off_with_a_reason(staff, make_variant):
    variant = make_variant(units=0)
    batch = receive_batch(variant.pk, number="B1", manufactured=None, expires=in_days(400), units=9, actor="staff:1")
    assert "Enter a reason." in act(staff, "write_off_units", [batch], units="2").content.decode()
    assert "2 units written off" in act(staff, "write_off_units", [batch], units="2", words="Broken").content.decode()
    assert Variant.objects.get(pk=variant.pk).on_hand == 7
    for typed in ("x", "99"):
        act(staff, "write_off_units", [batch], units=typed, words="Broken")
    assert Variant.objects.get(pk=variant.pk).on_hand == 7
    act(staff, "write_off_units", [batch], words="Flood")
    assert Variant.objects.get(pk=variant.pk).on_hand == 0


def test_a_mistyped_date_is_corrected_and_stock_from_before_gets_its_own(staff, make_variant):
    variant = make_variant(units=3)
    batch = receive_batch(
        variant.pk, number="B1", manufactured=None, expires=in_days(900), units=9, actor="staff:1"
    )  # fmt: skip
    for row, number in ((batch, "b2"), (Batch.objects.get(number=""), "OLD")):
        sent = {"number": number, "manufactured": "", "expires": in_days(300).isoformat()}
        sent |= {"movements-TOTAL_FORMS": "0", "movements-INITIAL_FORMS": "0"}
        answer = staff.post(f"/admin/catalog/batch/{row.pk}/change/", sent)
        assert answer.status_code == 302
    assert set(Batch.objects.values_list("number", "sold_until")) == {("B2", in_days(255)), ("OLD", in_days(255))}
    batch.refresh_from_db()
    for wrong, field in (({"number": "OLD"}, "number"), ({"expires": None}, "expires"), ({"number": " "}, "number")):
        facts = {"number": "B2", "manufactured": None, "expires": in_days(300)} | wrong
        with pytest.raises(Invalid) as refusal:
            correct_batch(batch, **facts)
        assert list(refusal.value.fields) == [field]
    take(variant.pk, 1, deliver_on=in_days(1), reference="ORD-1", actor="staff:1")
    sent_of = Batch.objects.get(packed=1)
    with pytest.raises(Invalid):
        correct_batch(sent_of, number=sent_of.number, manufactured=None, expires=in_days(20))


def test_what_a_label_says_is_read_by_the_scan(make_variant):
    variant = make_variant(units=0, barcode="8901234567890")
    batch = receive_batch(variant.pk, number="AB-12", manufactured=None, expires=in_days(400), units=2, actor="staff:1")
    for text in code_of(batch):
        scan = read_scan(text)
        assert (scan.code, scan.number, scan.expires) == ("08901234567890", "AB-12", in_days(400))
    assert code_of(Batch(variant=make_variant(), number="B"))[0].startswith("SKU-")


def test_bars_are_code_128():
    assert len(PATTERNS) == len(set(PATTERNS)) == 107
    assert {sum(map(int, pattern)) for pattern in PATTERNS[:-1]} == {11} and sum(map(int, PATTERNS[-1])) == 13
    # The bars of an odd value have an even number of dark modules, by the rule of the code.
    assert all(sum(map(int, pattern[::2])) % 2 == 0 for pattern in PATTERNS[:-1])
    bars = bars_of("Wikipedia", is_gs1=False)
    check = bars[-13:-7]
    assert check == [int(width) for width in PATTERNS[88]]  # a published example
    with pytest.raises(ValueError):
        bars_of("ü", is_gs1=False)


def test_labels_are_printed_as_a_pdf(staff, make_variant):
    variant = make_variant(units=1, barcode="8901234567890")
    batch = receive_batch(
        variant.pk, number="AB-12", manufactured=None, expires=in_days(400), units=30, actor="staff:1"
    )
    opening = Batch.objects.get(number="")
    answer = act(staff, "print_labels", [batch])
    assert answer["Content-Type"] == "application/pdf" and answer.content.startswith(b"%PDF")
    assert draw_labels([(batch, 25)]).count(b"/Type /Page\n") == 2
    assert "Only batches with a number" in act(staff, "print_labels", [opening]).content.decode()


def test_a_sku_that_bars_cannot_hold_is_printed_without_them(make_variant):
    variant = make_variant(units=1)
    Variant.objects.filter(pk=variant.pk).update(sku="तुलसी-50")
    batch = receive_batch(variant.pk, number="AB-12", manufactured=None, expires=in_days(400), units=3, actor="staff:1")
    assert draw_labels([(batch, 1)]).startswith(b"%PDF")
