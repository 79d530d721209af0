"""Returns and replacements: until when, how many, with which photos; what the desk does; where the order goes."""

import shutil
from datetime import datetime, timedelta
from decimal import Decimal
from io import BytesIO
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import Group
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape
from PIL import Image

from shop.accounts.models import Customer
from shop.accounts.staff.roles import CATALOGUE_MANAGER, ORDER_DESK
from shop.catalog.models import Category, ReturnReason, Variant
from shop.catalog.stock import services as stock
from shop.errors import Invalid, NotFound, OutOfStock, TooMany
from shop.messaging.models import Message
from shop.payments.reconciliation.invariants import stock_that_does_not_add_up
from shop.tests.buckets.server import KEPT_IN_BOTH

from ...models import Courier, Order, OrderLine, ReturnPhoto, ReturnRequest, Shipment
from ...placing.services import confirm_order
from ...shipping.services import deliver, deliver_all, left_to_ship, refuse, ship
from ...states import WrongState
from .. import services
from ..services import (
    LEAKAGE,
    ReturnRefused,
    approve,
    choices_of,
    close_refunded,
    due_on,
    receive,
    refund_instead,
    reject,
    request_return,
    send_replacement,
)
from ..windows import windows_of_order

pytestmark = pytest.mark.django_db
KOLKATA = ZoneInfo("Asia/Kolkata")


@pytest.fixture
def files(settings):
    """The private folder, empty."""
    folder = settings.DATA_DIR / "private"
    shutil.rmtree(folder, ignore_errors=True)
    return folder


@pytest.fixture
def delivered(make_variant, new_buyer, order_of):
    """delivered({variant: quantity}): an order that arrived in one parcel."""

    def make(lines=None):
        order = order_of(new_buyer(lines or {make_variant("100", units=9): 3}))
        confirm_order(order, actor="shop")
        ship(order, actor="staff:1")
        return deliver_all(order, actor="staff:1")

    return make


def ask(order, *, line=None, **more):
    defaults = {"customer": order.customer, "kind": "refund", "reason": "wrong-item", "quantity": 1}
    return request_return(line or order.lines.first(), **(defaults | more))


def photo(kind="JPEG", size=(60, 40)):
    target = BytesIO()
    Image.new("RGB", size, "green").save(target, kind)
    return target.getvalue()


def moved(order, **when):
    """The same order, delivered at another time."""
    Shipment.objects.filter(order=order).update(delivered_at=when["at"])
    Order.objects.filter(pk=order.pk).update(delivered_at=when["at"])


def sums():
    return list(stock_that_does_not_add_up())


# --- Until when ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("now", "open_reasons"),
    [
        (datetime(2026, 11, 12, 23, 59, tzinfo=KOLKATA), {"wrong-item", "missing", "damaged"}),
        (datetime(2026, 11, 13, 0, 1, tzinfo=KOLKATA), {"wrong-item"}),
        (datetime(2026, 11, 17, 23, 59, tzinfo=KOLKATA), {"wrong-item"}),
        (datetime(2026, 11, 18, 0, 1, tzinfo=KOLKATA), set()),
    ],
)
def test_a_window_ends_with_its_last_day_in_the_shops_time_zone(delivered, now, open_reasons):
    order = delivered()
    moved(order, at=datetime(2026, 11, 10, 23, 30, tzinfo=KOLKATA))  # still the 10th there; the 10th, 18:00, in UTC
    line = OrderLine.objects.select_related("order").get(order=order)
    assert {choice.reason.slug for choice in choices_of(line, today=now.date())} == open_reasons


def test_a_category_shortens_or_excludes(delivered, make_product, make_variant):
    def category(slug, days):
        return Category.objects.create(name=slug, slug=slug, return_days=days)

    short = make_variant(product=make_product("Jam", category=category("jams", 1)))
    never = make_variant(product=make_product("Soap", category=category("soaps", 0)))
    barred = make_variant(product=make_product("Oil", is_returnable=False))
    order = delivered({short: 1, never: 1, barred: 1})
    days = {line.variant_id: [c.until for c in choices_of(line)] for line in order.lines.all()}
    assert days == {short.pk: [timezone.localdate() + timedelta(days=1)] * 3, never.pk: [], barred.pk: []}
    with pytest.raises(ReturnRefused, match="no longer"):
        ask(order, line=order.lines.get(variant=never))


def test_a_reason_whose_time_is_over_is_refused_at_its_field(delivered):
    order = delivered()
    moved(order, at=timezone.now() - timedelta(days=4))
    with pytest.raises(ReturnRefused) as refusal:
        ask(order, reason="missing")
    assert refusal.value.fields.keys() == {"reason"}


def test_only_units_that_arrived_can_come_back(make_variant, new_buyer, order_of):
    order = order_of(new_buyer({make_variant("100", units=9): 3}))
    confirm_order(order, actor="shop")
    line = order.lines.get()
    assert choices_of(line) == []
    first = ship(order, {line.pk: 1}, actor="staff:1")
    ship(order, {line.pk: 2}, actor="staff:1")
    deliver(first, actor="staff:1")
    line = OrderLine.objects.get(pk=line.pk)
    assert {choice.units for choice in choices_of(line)} == {1}
    with pytest.raises(ReturnRefused, match="Only 1 unit"):
        ask(order, quantity=2)


def test_each_parcel_has_its_own_window(make_variant, new_buyer, order_of):
    order = order_of(new_buyer({make_variant("100", units=9): 3}))
    confirm_order(order, actor="shop")
    line = order.lines.get()
    early, late = ship(order, {line.pk: 1}, actor="staff:1"), ship(order, {line.pk: 2}, actor="staff:1")
    deliver(early, actor="staff:1")
    deliver(late, actor="staff:1")
    Shipment.objects.filter(pk=early.pk).update(delivered_at=timezone.now() - timedelta(days=5))
    units = {choice.reason.slug: choice.units for choice in choices_of(OrderLine.objects.get(pk=line.pk))}
    assert units == {"wrong-item": 3, "missing": 2, "damaged": 2}


def test_units_are_asked_for_once_and_free_again_when_rejected(delivered):
    order = delivered()
    first = ask(order, quantity=2)
    with pytest.raises(ReturnRefused) as refusal:
        ask(order, quantity=2)
    assert refusal.value.fields["quantity"] == ["Only 1 unit can be returned."]
    reject(first, actor="staff:1", decision="The seal is broken.")
    assert ask(order, quantity=3).quantity == 3
    with pytest.raises(ReturnRefused):
        ask(order)


def test_what_was_refused_at_the_door_takes_nothing_from_what_arrived(make_variant, new_buyer, order_of):
    order = order_of(new_buyer({make_variant("100", units=9): 3}))
    confirm_order(order, actor="shop")
    line = order.lines.get()
    good, bad = ship(order, {line.pk: 2}, actor="staff:1"), ship(order, {line.pk: 1}, actor="staff:1")
    deliver(good, actor="staff:1")
    refuse(bad, actor="staff:1")
    assert {choice.units for choice in choices_of(OrderLine.objects.get(pk=line.pk))} == {2}


def test_a_form_that_is_sent_twice_asks_once(delivered):
    order = delivered()
    ask(order, after=0)
    with pytest.raises(ReturnRefused, match="just requested"):
        ask(order, after=0)


def test_nobody_asks_for_somebody_elses_line(delivered, customer):
    order = delivered()
    with pytest.raises(NotFound):
        ask(order, customer=customer)


# --- Photos ---------------------------------------------------------------------------------------


def test_tries_are_limited_before_photos_are_decoded(delivered, monkeypatch):
    monkeypatch.setattr(services, "TRIES_A_CUSTOMER", 1)
    order, decoded = delivered(), []

    def unreadable(picture):
        decoded.append(picture)
        raise Invalid("unreadable")

    monkeypatch.setattr(services, "read_photo", unreadable)
    for refusal in (Invalid, TooMany):
        with pytest.raises(refusal):
            ask(order, reason="damaged", photos=[photo()])
    assert len(decoded) == 1


def test_damage_needs_a_photo(delivered):
    with pytest.raises(ReturnRefused) as refusal:
        ask(delivered(), reason="damaged")
    assert refusal.value.fields.keys() == {"photos"}


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_photos_are_encoded_anew_under_a_name_of_ours(delivered, files, kind):
    request = ask(delivered(), reason="damaged", photos=[photo(kind)] * 2)
    kept = [row.file for row in request.photos.all()]
    assert len({file.name for file in kept}) == 2
    assert all(file.read().startswith(b"\xff\xd8") for file in kept)
    assert all(str(files) in file.path for file in kept)


def test_a_photo_keeps_no_place_nor_comment(delivered):
    target, facts = BytesIO(), Image.Exif()
    facts[0x010E] = "at home, 12 Temple Road"
    Image.new("RGB", (50, 50)).save(target, "JPEG", exif=facts)
    request = ask(delivered(), photos=[target.getvalue()])
    assert b"Temple" not in request.photos.get().file.read()


@pytest.mark.parametrize(
    "data",
    [
        b"<svg xmlns='http://www.w3.org/2000/svg' onload='x()'/>",
        b"GIF89a" + b"\0" * 40,
        photo()[:40],
        photo("PNG") + b"\0" * (5 * 1024 * 1024),
    ],
    ids=["svg", "gif", "cut", "large"],
)
def test_what_is_no_photo_is_refused_and_nothing_is_kept(delivered, files, data):
    with pytest.raises(Invalid):
        ask(delivered(), photos=[data])
    assert not ReturnRequest.objects.exists() and not list(files.rglob("*.*"))


def test_a_picture_of_too_many_pixels_is_refused_before_it_is_decoded(delivered, monkeypatch):
    large = photo("PNG", (5001, 5000))
    monkeypatch.setattr(Image.Image, "load", lambda *args: pytest.fail("decoded"))
    with pytest.raises(Invalid, match="megapixels"):
        ask(delivered(), photos=[large])


def test_at_most_eight_photos(delivered):
    with pytest.raises(ReturnRefused, match="up to 8"):
        ask(delivered(), photos=[photo()] * 9)


@KEPT_IN_BOTH
def test_photos_are_seen_by_their_owner_and_the_desk_only(kept_in, delivered, client, customer):
    order = delivered()
    kept = ask(order, photos=[photo()]).photos.get()
    path = reverse("return_photo", args=[order.number, kept.pk])
    assert client.get(path).status_code == 302
    client.force_login(order.customer)
    answer = client.get(path)
    assert (answer["Content-Type"], answer["X-Content-Type-Options"]) == ("image/jpeg", "nosniff")
    assert "private" in answer["Cache-Control"]
    client.force_login(customer)
    assert client.get(path).status_code == 404
    assert client.get(f"/media/{kept.file.name}").status_code in (301, 404)  # to where it is not
    desk_path = reverse("admin:orders_return_photo", args=[kept.pk])
    assert client.get(desk_path).status_code == 404
    assert staff(CATALOGUE_MANAGER).get(desk_path).status_code == 403
    assert staff(ORDER_DESK).get(desk_path)["Content-Type"] == "image/jpeg"


# --- What the desk does ----------------------------------------------------------------------------


def test_units_go_back_on_the_shelf_or_are_written_off(delivered):
    order = delivered()
    variant = Variant.objects.get()
    for is_restocked in (True, False):
        receive(approve(ask(order), actor="staff:1"), actor="staff:1", is_restocked=is_restocked)
    variant.refresh_from_db()
    assert (variant.on_hand, variant.sold) == (7, 2)
    assert sums() == []


def test_the_customer_is_locked_before_any_variant(delivered, make_variant):
    """Goods that cost nothing are closed when they are received, and their points are looked at then."""
    order = delivered({make_variant("500", units=9): 1})
    OrderLine.objects.filter(order=order).update(reduction_inr=500)
    request = approve(ask(order), actor="staff:1")
    Order.objects.filter(pk=order.pk).update(shipping_inr=0)
    with CaptureQueriesContext(connection) as queries:
        receive(request, actor="staff:1", is_restocked=True)
    asked = [query["sql"] for query in queries]
    locks = [at for at, sql in enumerate(asked) if 'FROM "accounts_customer"' in sql]
    moves = [at for at, sql in enumerate(asked) if sql.startswith('UPDATE "catalog_variant"')]
    assert locks and moves and max(locks) < min(moves)


def test_missing_units_are_not_picked_up(delivered):
    request = approve(ask(delivered(), reason="missing"), actor="staff:1")
    request.refresh_from_db()
    assert (request.status, request.is_restocked) == ("received", False)
    assert request.refund_inr > 0
    assert sums() == []


def test_shipping_goes_back_once_and_only_for_our_fault_or_the_whole_order(delivered):
    ReturnReason.objects.create(slug="no-longer", name="No longer wanted", days=7, is_our_fault=False)
    order = delivered()
    assert order.shipping_inr > 0
    owed = []
    for _ in range(3):
        request = receive(approve(ask(order, reason="no-longer"), actor="staff:1"), actor="staff:1", is_restocked=True)
        owed.append((request.refund_inr, request.with_shipping))
    assert owed == [(100, False), (100, False), (100 + order.shipping_inr, True)]


def test_a_replacement_is_sold_again_in_a_parcel_of_its_own(delivered):
    order = delivered()
    request = receive(approve(ask(order, kind="replacement"), actor="staff:1"), actor="staff:1", is_restocked=False)
    courier = Courier.objects.create(name="Quick")
    parcel = send_replacement(request, actor="staff:1", courier=courier, tracking_number="Q1")
    order.refresh_from_db()
    assert (order.status, parcel.is_replacement) == ("delivered", True)
    assert left_to_ship(order) == {}
    variant = Variant.objects.get()
    assert (variant.on_hand, variant.sold) == (5, 4)
    assert sums() == []
    assert Message.objects.get(kind="return_replaced").text.count("Quick") == 1
    with pytest.raises(WrongState):
        send_replacement(request, actor="staff:1")


@pytest.mark.database
def test_a_replacement_refused_at_the_door_is_sent_again_or_paid_back(delivered):
    order = delivered()
    request = receive(approve(ask(order, kind="replacement"), actor="staff:1"), actor="staff:1", is_restocked=False)
    for times in (1, 2):
        parcel = send_replacement(request, actor="staff:1")
        for _ in range(2):
            refuse(parcel, actor="staff:1")
        request.refresh_from_db()
        assert (request.status, request.closed_at) == ("received", None)
        assert sums() == []
        assert Message.objects.filter(kind="return_replaced").count() == times
    with pytest.raises(WrongState):
        deliver(parcel, actor="staff:1")
    refund_instead(request, actor="staff:1")
    assert ReturnRequest.objects.get().refund_inr == Decimal(100) + order.shipping_inr
    assert sums() == []


def test_without_stock_no_replacement_is_sent_and_money_can_go_back_instead(delivered):
    order = delivered()
    request = receive(approve(ask(order, kind="replacement"), actor="staff:1"), actor="staff:1", is_restocked=False)
    stock.receive(Variant.objects.get(), -6)
    with pytest.raises(OutOfStock):
        send_replacement(request, actor="staff:1")
    assert ReturnRequest.objects.get().status == "received"
    refund_instead(request, actor="staff:1")
    assert ReturnRequest.objects.get().refund_inr == Decimal(100) + order.shipping_inr
    assert sums() == []


def test_an_order_is_returned_when_all_of_it_came_back_and_nothing_is_open(delivered):
    order = delivered()
    requests = [receive(approve(ask(order), actor="staff:1"), actor="staff:1", is_restocked=True) for _ in range(3)]
    for request in requests:
        assert Order.objects.get(pk=order.pk).status == "delivered"
        close_refunded(request)
    assert Order.objects.get(pk=order.pk).status == "returned"
    assert sums() == []


def test_an_order_is_replaced_only_when_every_unit_that_did_not_come_back_is(delivered):
    order = delivered()
    back = receive(approve(ask(order), actor="staff:1"), actor="staff:1", is_restocked=True)
    close_refunded(back)
    for expected in ("delivered", "replaced"):
        request = approve(ask(order, kind="replacement"), actor="staff:1")
        send_replacement(receive(request, actor="staff:1", is_restocked=False), actor="staff:1")
        assert Order.objects.get(pk=order.pk).status == expected
    assert sums() == []


def test_a_rejection_needs_a_reason_and_leaves_the_order_as_it_was(delivered):
    order = delivered()
    request = ask(order)
    with pytest.raises(Invalid):
        reject(request, actor="staff:1", decision="  ")
    reject(request, actor="staff:1", decision="The seal is broken.")
    assert Order.objects.get(pk=order.pk).status == "delivered"
    assert "The seal is broken." in Message.objects.get(kind="return_decided").text
    with pytest.raises(WrongState):
        approve(request, actor="staff:1")


def test_customer_and_desk_are_told(delivered):
    request = ask(delivered(), note="Wrong <b>size</b>", photos=[photo()])
    desk = Message.objects.get(kind="desk_return")
    assert "Wrong <b>size</b>" in desk.text and "Wrong &lt;b&gt;size&lt;/b&gt;" in desk.html
    approve(request, actor="staff:1", decision="Keep it dry.")
    told = Message.objects.get(kind="return_decided")
    assert "for free" in told.text and "Keep it dry." in told.text and "30 days" in told.text


def test_what_was_received_is_due_within_30_days(delivered):
    request = ask(delivered())
    assert due_on(request) is None
    request = receive(approve(request, actor="staff:1"), actor="staff:1", is_restocked=True)
    assert due_on(request) == timezone.localdate() + timedelta(days=30)


# --- Screens -------------------------------------------------------------------------------------


def staff(role):
    member = Customer.objects.create_user(f"{role[:5].strip()}@example.com", "pw", name="Desk", is_staff=True)
    member.groups.add(Group.objects.get(name=role))
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(member)
    return client


def act(client, action, request, **more):
    data = {"action": action, "_selected_action": [request.pk], **more}
    return client.post(reverse("admin:orders_returnrequest_changelist"), data)


def test_the_desk_takes_a_return_from_screen_to_screen(delivered):
    order = delivered()
    request = ask(order, kind="replacement", photos=[photo()])
    courier = Courier.objects.create(name="Quick")
    desk = staff(ORDER_DESK)
    page = desk.get(reverse("admin:orders_returnrequest_change", args=[request.pk])).content.decode()
    assert reverse("admin:orders_return_photo", args=[request.photos.get().pk]) in page
    act(desk, "approve", request, words="Fine.")
    act(desk, "receive_to_shelf", request)
    act(desk, "send_replacement", request, words="Q1", courier=courier.pk)
    request.refresh_from_db()
    assert (request.status, request.decision, request.is_restocked) == ("replaced", "Fine.", True)
    assert Shipment.objects.get(is_replacement=True).tracking_number == "Q1"
    assert order.events.filter(actor__startswith="staff:", note__startswith="Replacement").count() == 1


def test_the_desk_finds_what_is_overdue(delivered):
    order = delivered()
    late, fresh = (receive(approve(ask(order), actor="staff:1"), actor="staff:1", is_restocked=True) for _ in range(2))
    ReturnRequest.objects.filter(pk=late.pk).update(received_at=timezone.now() - timedelta(days=31))
    page = staff(ORDER_DESK).get(reverse("admin:orders_returnrequest_changelist"), {"due": "overdue"})
    assert list(page.context["cl"].result_list) == [late] and fresh.status == "received"


@pytest.mark.parametrize(
    "action", ["approve", "reject", "receive_to_shelf", "receive_written_off", "refund_instead", "send_replacement"]
)
def test_who_is_not_of_the_desk_decides_nothing(delivered, action):
    request = ask(delivered(), kind="replacement")
    assert act(staff(CATALOGUE_MANAGER), action, request, words="x").status_code == 403
    request.refresh_from_db()
    assert (request.status, request.kind) == ("requested", "replacement")


def form_path(order):
    return reverse("return_line", args=[order.number, order.lines.first().pk])


def test_a_customer_asks_on_the_orders_page_without_scripts(delivered, browser_client):
    order = delivered()
    browser_client.force_login(order.customer)
    page = browser_client.get(reverse("order_detail", args=[order.number])).content.decode()
    assert form_path(order) in page
    until = timezone.localdate() + timedelta(days=7)
    assert f"{until:%-d %B}" in page
    form = browser_client.get(form_path(order)).content.decode()
    assert 'enctype="multipart/form-data"' in form and "(until" in form
    data = {
        "reason": "damaged", "kind": "refund", "quantity": "2", "note": "Cracked", "seen": "0",
        "photos": [SimpleUploadedFile("a.jpg", photo()), SimpleUploadedFile("b.png", photo("PNG"))],
    }  # fmt: skip
    assert browser_client.post(form_path(order), data).status_code == 302
    request = ReturnRequest.objects.get()
    assert (request.quantity, request.note, ReturnPhoto.objects.count()) == (2, "Cracked", 2)
    page = browser_client.get(reverse("order_detail", args=[order.number])).content.decode()
    assert "Cracked" in page and "looking into it" in page
    assert reverse("return_photo", args=[order.number, request.photos.first().pk]) in page


def test_errors_stand_at_their_fields_and_nothing_typed_is_lost(delivered, browser_client):
    order = delivered()
    browser_client.force_login(order.customer)
    typed = {"reason": "damaged", "kind": "refund", "quantity": "2", "note": "Cracked & wet", "seen": "0"}
    answer = browser_client.post(form_path(order), typed)
    assert answer.status_code == 422
    assert answer.context["form"].errors.keys() == {"photos"}
    svg = SimpleUploadedFile("x.svg", b"<svg/>", "image/svg+xml")
    answer = browser_client.post(form_path(order), typed | {"photos": svg})
    page = answer.content.decode()
    assert answer.context["form"].errors["photos"] == ["Use a JPEG, PNG or WebP picture."]
    assert "Cracked &amp; wet" in page and "choose your photos again" in page
    assert not ReturnRequest.objects.exists()


def test_a_return_form_of_somebody_else_is_missing(delivered, browser_client, customer):
    order = delivered()
    browser_client.force_login(customer)
    assert browser_client.get(form_path(order)).status_code == 404
    browser_client.force_login(order.customer)
    other = browser_client.get(reverse("return_line", args=[order.number, 0]))
    assert other.status_code == 404 and "Page Not Found" in other.content.decode()


def test_a_form_whose_time_is_over_leads_back(delivered, browser_client):
    order = delivered()
    moved(order, at=timezone.now() - timedelta(days=9))
    browser_client.force_login(order.customer)
    assert browser_client.get(form_path(order))["Location"] == reverse("order_detail", args=[order.number])


def test_the_form_of_a_liquid_says_what_leakage_is_no_reason(delivered, browser_client, make_variant):
    order = delivered({make_variant(net_unit="ml", net_quantity=100): 1})
    browser_client.force_login(order.customer)
    assert escape(LEAKAGE) in browser_client.get(form_path(order)).content.decode()


def test_the_windows_are_the_same_on_the_product_page_in_mails_and_in_the_form(delivered, client, browser_client):
    ReturnReason.objects.filter(slug="missing").update(days=4, name="Something is missing")
    ReturnReason.objects.get(slug="missing").save()
    order = delivered()
    product = client.get(f"/en-in/product/{order.lines.get().product_slug}/").content.decode()
    mail = Message.objects.get(kind="order_placed").text
    browser_client.force_login(order.customer)
    form = browser_client.get(form_path(order)).content.decode()
    assert "Something is missing: 4 days" in product
    assert "Something is missing" in mail and "4 days" in mail
    assert f"Something is missing (until {timezone.localdate() + timedelta(days=4):%-d %B}" in form


def test_the_mail_names_the_day_of_each_articles_own_parcel(make_variant, new_buyer, order_of):
    order = order_of(new_buyer({make_variant("100", units=9): 1, make_variant("100", units=9): 1}))
    confirm_order(order, actor="shop")
    early, late = (ship(order, {line.pk: 1}, actor="staff:1") for line in order.lines.all())
    deliver(early, actor="staff:1")
    Shipment.objects.filter(pk=early.pk).update(delivered_at=timezone.now() - timedelta(days=3))
    deliver(late, actor="staff:1")
    today = timezone.localdate()
    told = {group.names[0]: group.windows[0].until for group in windows_of_order(Order.objects.get(pk=order.pk))}
    first, second = order.lines.select_related("order")
    asked = {line.product_name: choices_of(line)[0].until for line in (first, second)}
    assert told == asked == {
        first.product_name: today + timedelta(days=4), second.product_name: today + timedelta(days=7)
    }  # fmt: skip


def test_the_page_of_an_order_takes_as_many_queries_however_long_it_is(
    delivered, client, make_variant, django_assert_max_num_queries
):
    short, long = delivered({make_variant(): 1}), delivered({make_variant(): 1 for _ in range(8)})
    counts = []
    for order in (short, long):
        ask(order)
        client.force_login(order.customer)
        client.get(reverse("order_detail", args=[order.number]))
        with django_assert_max_num_queries(60) as queries:
            client.get(reverse("order_detail", args=[order.number]))
        counts.append(len(queries))
    assert counts[0] == counts[1]
