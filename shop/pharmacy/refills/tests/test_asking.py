"""Asking to be reminded, from an order and from the account; changing, pausing and ending it."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.urls import reverse
from django.utils import timezone

from shop.accounts.models import Customer
from shop.accounts.privacy.personal_data import data_of
from shop.accounts.signals import account_deleted
from shop.accounts.staff.roles import CONTENT_EDITOR, ORDER_DESK
from shop.care.tests.conftest import sign_in_staff
from shop.errors import Invalid, NotFound, ShopError
from shop.orders.models import Order, OrderLine
from shop.orders.tests.racing import of_kind, together, without_write_lock

from ...models import Refill, RefillReminder
from .. import services
from ..queries import next_day
from ..reminders import send_refill_reminders
from ..services import LINK_VALID_FOR, RefillRequest, delete_old_refills, save_refill
from .conftest import MONTHLY

pytestmark = pytest.mark.django_db


def in_days(count):
    return timezone.localdate() + timedelta(days=count)


def path_of(order):
    return reverse("ask_for_refill", args=[order.number, order.lines.get().pk])


def test_an_order_offers_it_and_shows_the_next_date(buy, honey, signed_in):
    order = buy({honey: 2})
    browser, page = signed_in(order.customer), reverse("order_detail", args=[order.number])
    assert path_of(order) in browser.get(page).text
    assert 'value="2"' in browser.get(path_of(order)).text
    answer = browser.post(path_of(order), {"when": "60", "quantity": "2"}, follow=True)
    refill = Refill.objects.get()
    assert (refill.variant, refill.quantity, refill.days, refill.next_on) == (honey, 2, 60, in_days(60))
    day = f"{refill.next_on:%-d %B %Y}"
    assert f"Saved. We&#x27;ll remind you on {day}." in answer.text and "Every 60 days" in answer.text
    shown = browser.get(page).text
    assert f"Next reminder: {day}" in shown and path_of(order) not in shown
    assert browser.get(path_of(order))["Location"] == reverse("refill", args=[refill.pk])


def test_the_account_offers_what_was_bought_lately(buy, honey, capsules, signed_in):
    order = buy({honey: 1})
    other = buy({capsules: 1}, customer=order.customer)
    page = signed_in(order.customer).get("/refills/").text
    assert "No reminders yet" in page and path_of(order) in page and path_of(other) in page
    save_refill(order.customer, honey, MONTHLY, location_id=1)
    page = signed_in(order.customer).get("/refills/").text
    assert path_of(order) not in page and path_of(other) in page


def test_thirty_days_count_from_the_purchase_unless_they_are_over(buy, honey):
    fresh, old = buy({honey: 1}, days=3), buy({honey: 1}, days=31)
    assert save_refill(fresh.customer, honey, MONTHLY, location_id=1).next_on == in_days(27)
    assert save_refill(old.customer, honey, MONTHLY, location_id=1).next_on == in_days(30)


def test_when_the_pack_runs_out_five_days_before_it_does(buy, capsules, signed_in):
    order = buy({capsules: 1})
    form = {"when": "pack", "per_day": "2", "quantity": "1"}
    page = signed_in(order.customer).post(path_of(order), form, follow=True).text
    assert "When the pack runs out, at 2 capsules a day" in page
    assert Refill.objects.get().next_on == in_days(30 - 5)


@pytest.mark.parametrize("per_day", ["", "0", "-1", "x", "1001", "NaN"])
def test_an_amount_a_day_has_to_be_one(buy, capsules, signed_in, per_day):
    order = buy({capsules: 1})
    form = {"when": "pack", "per_day": per_day, "quantity": "1"}
    answer = signed_in(order.customer).post(path_of(order), form)
    assert answer.status_code == 422 and "field--error" in answer.text and not Refill.objects.exists()


@pytest.mark.parametrize("per_day", ["7", "0.1"])
def test_what_lasts_days_or_years_is_not_worked_out(buy, capsules, signed_in, per_day):
    order = buy({capsules: 1})
    form = {"when": "pack", "per_day": per_day, "quantity": "1"}
    answer = signed_in(order.customer).post(path_of(order), form)
    assert answer.status_code == 422 and "At that rate it would last" in answer.text and not Refill.objects.exists()


@pytest.mark.parametrize(
    "form", [{}, {"when": "45", "quantity": "1"}, {"when": "30", "quantity": "0"}, {"when": "30", "quantity": "99"},
             {"when": "30", "quantity": "x"}],
)  # fmt: skip
def test_nonsense_is_refused_at_its_field(buy, honey, signed_in, form):
    order = buy({honey: 1})
    answer = signed_in(order.customer).post(path_of(order), form)
    assert not Refill.objects.exists()
    assert answer.status_code in (200, 422) and ("field--error" in answer.text or not form)


def test_a_pack_of_unknown_content_is_not_worked_out(buy, make_variant, signed_in):
    soap = make_variant("80", units=9)
    order = buy({soap: 1})
    browser = signed_in(order.customer)
    assert "When the pack runs out" not in browser.get(path_of(order)).text
    assert browser.post(path_of(order), {"when": "pack", "per_day": "1", "quantity": "1"}).status_code == 422
    with pytest.raises(Invalid, match="can't tell"):
        save_refill(order.customer, soap, RefillRequest(1, per_day=Decimal(1)), location_id=1)


def test_only_what_was_bought_and_kept_is_reminded_of(buy, honey, signed_in, order_of, new_buyer):
    order, stranger = buy({honey: 1}), buy({honey: 1}).customer
    unpaid = order_of(new_buyer({honey: 1}))
    assert signed_in(stranger).get(path_of(order)).status_code == 404
    assert signed_in(unpaid.customer).get(path_of(unpaid)).status_code == 404
    assert "Remind me" not in signed_in(unpaid.customer).get(reverse("order_detail", args=[unpaid.number])).text
    wrong = reverse("ask_for_refill", args=[buy({honey: 1}, customer=order.customer).number, order.lines.get().pk])
    assert signed_in(order.customer).get(wrong).status_code == 404
    Order.objects.filter(pk=order.pk).update(status="cancelled")
    assert signed_in(order.customer).get(path_of(order)).status_code == 404
    OrderLine.objects.filter(order__customer=stranger).update(cancelled=1)
    with pytest.raises(NotFound):
        services.bought_line(OrderLine.objects.get(order__customer=stranger).pk, customer=stranger)


def test_a_visitor_signs_in_first(buy, honey, visitor):
    order = buy({honey: 1})
    for path in ("/refills/", path_of(order)):
        assert "/signin/" in visitor.get(path)["Location"]
    assert visitor.post("/refills/1/end/")["Location"].endswith("/signin/?next=/refills/")


def test_it_is_changed_paused_resumed_and_ended(asked, honey, signed_in, visitor):
    refill = asked(honey, days=29)
    browser, page = signed_in(refill.customer), reverse("refill", args=[refill.pk])
    assert 'value="30" id="id_when_0" checked' in browser.get(page).text.replace("required ", "")
    browser.post(page, {"when": "90", "quantity": "3"})
    refill.refresh_from_db()
    assert (refill.days, refill.quantity, refill.next_on) == (90, 3, in_days(90))
    Refill.objects.update(next_on=in_days(-4))
    assert "Paused" in browser.post(f"{page}pause/", follow=True).text
    assert send_refill_reminders() == 0
    browser.post(f"{page}resume/")
    refill.refresh_from_db()
    assert (refill.state, refill.next_on) == ("active", in_days(1))
    browser.post(f"{page}end/")
    assert browser.get(page).status_code == 404 and browser.post(f"{page}resume/").status_code == 404
    assert browser.post(f"{page}other/").status_code == 404
    assert "No reminders yet" in browser.get("/refills/").text


def test_another_customers_is_missing(asked, honey, signed_in, buy):
    refill, stranger = asked(honey), buy({honey: 1}).customer
    page, browser = reverse("refill", args=[refill.pk]), signed_in(stranger)
    assert browser.get(page).status_code == 404
    assert browser.post(page, {"when": "90", "quantity": "1"}).status_code == 404
    assert browser.post(f"{page}end/").status_code == 404
    refill.refresh_from_db()
    assert (refill.state, refill.days) == ("active", 30)


def test_asked_for_again_it_begins_anew(asked, honey):
    refill = asked(honey, days=10)
    services.end_refill(refill.customer, refill.pk)
    again = save_refill(refill.customer, honey, RefillRequest(2, interval=60), location_id=1)
    assert (again.pk, again.state, again.next_on) == (refill.pk, "active", in_days(60))


def test_a_purchase_moves_the_date(asked, buy, honey, capsules, signed_in):
    refill = asked(honey, days=25)
    assert next_day(Refill.objects.with_purchases().get()) == in_days(5)
    order = buy({honey: 1}, days=2, customer=refill.customer)
    assert next_day(Refill.objects.with_purchases().get()) == in_days(28)
    assert f"{in_days(28):%-d %B %Y}" in signed_in(refill.customer).get("/refills/").text
    Order.objects.filter(pk=order.pk).update(status="cancelled")
    assert next_day(Refill.objects.with_purchases().get()) == in_days(5)
    buy({capsules: 1}, customer=refill.customer)
    assert next_day(Refill.objects.with_purchases().get()) == in_days(5)


def test_more_packs_last_longer(asked, buy, capsules):
    refill = asked(capsules, refill_request=RefillRequest(1, per_day=Decimal(2)))
    assert refill.next_on == in_days(25)
    buy({capsules: 3}, customer=refill.customer)
    assert next_day(Refill.objects.with_purchases().get()) == in_days(85)


def test_there_is_a_limit(asked, honey, make_variant, monkeypatch):
    monkeypatch.setattr(services, "MAX_REFILLS", 2)
    customer = asked(honey).customer
    save_refill(customer, make_variant(), MONTHLY, location_id=1)
    with pytest.raises(ShopError, match="up to 2 refill reminders"):
        save_refill(customer, make_variant(), MONTHLY, location_id=1)
    save_refill(customer, honey, RefillRequest(1, interval=90), location_id=1)
    services.end_refill(customer, Refill.objects.get(variant=honey).pk)
    save_refill(customer, make_variant(), MONTHLY, location_id=1)


def ask_at_once(asked, honey, make_variant, monkeypatch):
    """Six packs, of which one more fits; how many live, and what was answered."""
    monkeypatch.setattr(services, "MAX_REFILLS", 2)
    customer = asked(honey).customer
    packs = [make_variant() for _ in range(6)]
    answers = together([lambda pack=pack: save_refill(customer, pack, MONTHLY, location_id=1) for pack in packs])
    return customer.refills.living().count(), answers


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_asked_for_at_once_never_more_than_fit(asked, honey, make_variant, monkeypatch):
    living, answers = ask_at_once(asked, honey, make_variant, monkeypatch)
    assert living == 2 and len(of_kind(answers, ShopError)) == 5


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_without_the_lock_more_than_fit_are_kept(asked, honey, make_variant, monkeypatch):
    """Negative control: writers lose the race or break down."""
    without_write_lock(monkeypatch)
    living, answers = ask_at_once(asked, honey, make_variant, monkeypatch)
    assert living > 2 or len(of_kind(answers, ShopError)) < 5


def test_a_customer_takes_them_along_and_they_go_with_the_account(due, honey):
    customer = due(honey).customer
    send_refill_reminders()
    data = data_of(customer)
    assert data["refill_reminders"][0]["product"] == "Forest Honey" and len(data["refill_reminders_sent"]) == 1
    account_deleted.send(sender=Customer, customer=customer)
    assert not Refill.objects.exists() and not RefillReminder.objects.exists()


def test_what_ended_is_forgotten_with_its_links(due, honey, capsules):
    refill = due(honey)
    send_refill_reminders()
    due(capsules)
    services.end_refill(refill.customer, refill.pk)
    assert delete_old_refills() == 0 and RefillReminder.objects.exists()
    long_ago = timezone.now() - LINK_VALID_FOR - timedelta(days=1)
    Refill.objects.update(changed_at=long_ago)
    RefillReminder.objects.update(sent_at=long_ago)
    assert delete_old_refills() == 1
    assert Refill.objects.get().variant == capsules and not RefillReminder.objects.exists()


def test_staff_see_them_and_end_them_for_a_customer(asked, honey):
    refill = asked(honey)
    desk = sign_in_staff(ORDER_DESK)
    listed = desk.get("/admin/pharmacy/refill/").text
    assert "Forest Honey" in listed and "Every 30 days" in listed and "Active" in listed
    assert desk.get(f"/admin/pharmacy/refill/{refill.pk}/change/").status_code == 200
    action = {"action": "end_reminders", "_selected_action": refill.pk, "index": "0", "select_across": "0"}
    assert "1 reminder stopped." in desk.post("/admin/pharmacy/refill/", action, follow=True).text
    refill.refresh_from_db()
    assert refill.state == "ended"
    assert sign_in_staff(CONTENT_EDITOR).get("/admin/pharmacy/refill/").status_code == 403
