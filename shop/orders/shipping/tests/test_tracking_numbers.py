"""Tracking numbers: meant when they are left out, added and corrected afterwards, and the customer hears of it once."""

from functools import partial

import pytest
from django.urls import reverse

from shop.accounts.staff.roles import CATALOGUE_MANAGER, ORDER_DESK
from shop.errors import Changed, Invalid
from shop.messaging.models import Message
from shop.tests.support.staff import confirm

from ...backoffice.tests.test_order_admin import LIST, form_for, parcels_of, staff
from ...models import Courier, Shipment
from ...placing.services import confirm_order
from ...returns.services import approve, receive, request_return
from ...tests.racing import of_kind, together, without_write_lock
from ..services import correct_tracking, deliver_all, ship, tracking_key

pytestmark = pytest.mark.django_db
NO_NUMBER = "Enter the tracking number, or choose “Ship without a tracking number”."
SENT_WITHOUT = "A parcel was sent without a tracking number."


@pytest.fixture
def desk(db):
    return staff(ORDER_DESK)


@pytest.fixture
def placed(make_variant, new_buyer, order_of):
    order = order_of(new_buyer({make_variant(units=9): 3, make_variant(units=9): 1}))
    confirm_order(order, actor="provider")
    return order


@pytest.fixture
def couriers(db):
    return [Courier.objects.create(name=name, tracking_link=f"https://{name[0].lower()}.example/{{number}}")
            for name in ("Quick Post", "Slow Post")]  # fmt: skip


@pytest.fixture
def parcel(placed, couriers):
    return ship(placed, courier=couriers[0], tracking_number="QP1", actor="staff")


def step_of(order, name):
    return reverse("admin:orders_order_step", args=[order.pk, name])


def page_of(order):
    return reverse("admin:orders_order_change", args=[order.pk])


def form_of(parcel, **typed):
    given = {"parcel": parcel.pk, "seen": tracking_key(parcel), "courier": parcel.courier_id or ""}
    return given | {"tracking_number": parcel.tracking_number} | typed


def told(kind="order_tracking"):
    return list(Message.objects.filter(kind=kind).order_by("pk"))


# --- Left out -------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", ["", "   "])
def test_a_parcel_without_a_number_asks_and_loses_nothing(desk, placed, couriers, number):
    form = form_for(placed, 2, 0, courier=couriers[0].pk, tracking_number=number)
    refused = desk.post(parcels_of(placed), form)
    page = refused.content.decode()
    assert refused.status_code == 422 and NO_NUMBER in page and not placed.shipments.exists()
    assert 'name="unnumbered" value="on"' in page and f'value="{couriers[0].pk}" selected' in page
    assert [refused.context["form"][f"line_{line.pk}"].value() for line in placed.lines.all()] == ["2", "0"]
    assert desk.post(parcels_of(placed), form | {"unnumbered": "on"}).status_code == 302
    parcel = placed.shipments.get()
    assert (parcel.courier, parcel.tracking_number) == (couriers[0], "")
    assert placed.events.filter(note=SENT_WITHOUT).count() == 1


def test_the_board_asks_on_the_page_of_the_parcels(desk, placed, couriers):
    form = {"board": "", "after": "0", "courier": couriers[1].pk, "tracking_number": ""}
    asked = desk.post(step_of(placed, "ship"), form)
    assert asked.status_code == 422 and NO_NUMBER in asked.content.decode() and not placed.shipments.exists()
    assert asked.context["form"]["courier"].value() == str(couriers[1].pk)
    assert [field.value() for field, _ in asked.context["rows"]] == ["3", "1"]


def test_the_list_asks_once_for_all(desk, placed):
    asked = desk.post(LIST, {"action": "ship_everything_left", "_selected_action": [placed.pk]})
    assert asked.context["button"] == "Ship without a tracking number" and not placed.shipments.exists()
    for _ in range(2):
        confirm(desk, asked)
    assert placed.shipments.count() == 1 and placed.events.filter(note=SENT_WITHOUT).count() == 1


def test_a_replacement_without_a_number_asks(desk, placed, parcel):
    deliver_all(placed, actor="staff")
    line = placed.lines.first()
    request = request_return(line, customer=placed.customer, kind="replacement", reason="wrong-item", quantity=1)
    receive(approve(request, actor="staff"), actor="staff", is_restocked=True)
    url = reverse("admin:orders_returnrequest_step", args=[request.pk, "send_replacement"])
    asked = desk.post(url, {"words": "", "courier": parcel.courier_id})
    assert "Sent without a tracking number" in asked.content.decode() and placed.shipments.count() == 1
    confirm(desk, asked, words="QP9")
    sent = placed.shipments.get(is_replacement=True)
    assert (sent.courier_id, sent.tracking_number) == (parcel.courier_id, "QP9")


# --- Added and corrected --------------------------------------------------------------------------


@pytest.mark.database
def test_a_number_is_corrected_and_the_customer_hears_of_it_once(desk, placed, parcel, couriers):
    form = form_of(parcel, courier=couriers[1].pk, tracking_number=" SP 2 ")
    for _ in range(2):
        assert desk.post(step_of(placed, "track"), form).status_code == 302
    parcel.refresh_from_db()
    assert (parcel.courier, parcel.tracking_number) == (couriers[1], "SP 2")
    [mail] = told()
    assert mail.to == placed.email and "Slow Post, tracking number SP 2" in mail.text
    assert "https://s.example/SP%202" in mail.text and "https://s.example/SP%202" in mail.html
    notes = placed.events.filter(note="Tracking of a parcel: Slow Post SP 2 (before: Quick Post QP1).")
    assert notes.get().actor.startswith("staff:")
    page = desk.get(page_of(placed)).content.decode()
    assert "https://s.example/SP%202" in page and "Correct the tracking number" in page


def test_there_and_back_is_said_each_time(placed, parcel):
    for number in ("QP2", "QP1", "QP2"):
        assert correct_tracking(parcel, courier=parcel.courier, tracking_number=number, actor="staff")
    assert len(told()) == 3


def test_a_number_is_added_where_there_was_none(desk, placed):
    parcel = ship(placed, actor="staff")
    assert "Add the tracking number" in desk.get(page_of(placed)).content.decode()
    desk.post(step_of(placed, "track"), form_of(parcel, tracking_number="QP1"))
    assert "Tracking number QP1" in told()[0].text
    assert placed.events.filter(note="Tracking of a parcel: QP1 (before: none).").exists()


def test_who_is_known_by_phone_only_gets_an_sms(placed, parcel):
    type(placed).objects.filter(pk=placed.pk).update(email="")
    type(placed.customer).objects.filter(pk=placed.customer_id).update(phone="+919876500099")
    correct_tracking(parcel, courier=parcel.courier, tracking_number="QP2", actor="staff")
    [sms] = told()
    assert (sms.channel, sms.to) == ("sms", "+919876500099") and "Quick Post QP2" in sms.text


def test_what_arrived_is_corrected_without_a_message(placed, parcel):
    deliver_all(placed, actor="staff")
    assert correct_tracking(parcel, courier=None, tracking_number="QP2", actor="staff")
    assert told() == [] and Shipment.objects.get().tracking_number == "QP2"


@pytest.mark.parametrize("number", ["", " ", "\u200b", "-"])
def test_a_number_is_not_taken_away(desk, placed, parcel, number):
    refused = desk.post(step_of(placed, "track"), form_of(parcel, tracking_number=number))
    assert refused.status_code == 422 and "Enter the tracking number." in refused.content.decode()
    with pytest.raises(Invalid):
        correct_tracking(parcel, courier=None, tracking_number=number, actor="staff")
    assert told() == [] and Shipment.objects.get().tracking_number == "QP1"


def test_who_comes_second_is_told_and_loses_nothing(desk, placed, parcel):
    form = form_of(parcel, tracking_number="QP3")
    correct_tracking(parcel, courier=parcel.courier, tracking_number="QP2", actor="staff")
    refused = desk.post(step_of(placed, "track"), form)
    page = refused.content.decode()
    assert refused.status_code == 422 and "it is now Quick Post QP2" in page and 'value="QP3"' in page
    assert Shipment.objects.get().tracking_number == "QP2"


def test_only_a_parcel_of_the_order_and_only_by_the_desk(desk, placed, parcel, make_variant, new_buyer, order_of):
    other = order_of(new_buyer({make_variant(units=9): 1}))
    confirm_order(other, actor="provider")
    assert desk.post(step_of(other, "track"), form_of(parcel, tracking_number="X1")).status_code == 404
    assert staff(CATALOGUE_MANAGER).post(step_of(placed, "track"), form_of(parcel)).status_code == 403
    assert desk.post(step_of(placed, "track"), form_of(parcel, courier="999")).status_code == 422
    assert Shipment.objects.get().tracking_number == "QP1"


# --- At one moment --------------------------------------------------------------------------------


def correct_at_once(parcel, numbers):
    Shipment.objects.filter(pk=parcel.pk).update(tracking_number="QP1")
    seen = tracking_key(Shipment.objects.get(pk=parcel.pk))
    jobs = [
        partial(correct_tracking, parcel, courier=parcel.courier, tracking_number=number, actor="staff", seen=seen)
        for number in numbers
    ]
    return together(jobs)


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_one_of_those_who_correct_at_once_is_first(transactional_db, parcel):
    for _ in range(3):
        before = len(told())
        results = correct_at_once(parcel, ["A1", "B1", "C1", "D1"])
        assert results.count(True) == 1 and len(of_kind(results, Changed)) == 3
        assert len(told()) == before + 1


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_without_the_lock_several_are_first_or_writers_break_down(transactional_db, parcel, monkeypatch):
    without_write_lock(monkeypatch)
    for _ in range(20):
        results = correct_at_once(parcel, ["A1", "B1", "C1", "D1", "E1", "F1", "G1", "H1"])
        if results.count(True) != 1 or len(of_kind(results, Changed)) != 7:
            return
    pytest.fail("nothing went wrong")
