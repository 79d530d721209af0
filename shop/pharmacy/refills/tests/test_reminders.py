"""The message that a pack is due, and what its link opens: once for each day, at today's prices, with its end."""

import re
from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.db.models import F
from django.utils import timezone

from shop.accounts.models import Customer
from shop.cart.models import Cart, CartLine
from shop.catalog.models import Product, Variant
from shop.catalog.services import refresh_products
from shop.markets.geography.local_time import zone_of
from shop.messaging.models import Message
from shop.orders.models import Order
from shop.orders.tests.racing import together, without_write_lock
from shop.payments.models import Payment

from ...models import Refill, RefillReminder
from .. import reminders, services
from ..links import LINK_VALID_FOR, refill_path
from ..reminders import send_refill_reminders

pytestmark = pytest.mark.django_db


def messages():
    return Message.objects.filter(kind="refill_reminder").order_by("pk")


def link_in(message):
    return re.search(r"http://testserver(/\S*refill/[^\s/]+/)(?=\s)", message.text)[1]


def sell_for(variant, price):
    Variant.objects.filter(pk=variant.pk).update(selling_price=price, actual_price=price)


def sell_out(variant):
    Variant.objects.filter(pk=variant.pk).update(received=F("received") - F("on_hand"), on_hand=0)
    refresh_products([variant.product_id])


def test_it_is_sent_once_for_its_day(due, asked, honey, capsules):
    refill = due(honey)
    asked(capsules)
    assert [send_refill_reminders(), send_refill_reminders()] == [1, 0]
    assert [message.to for message in messages()] == [refill.customer.email]
    refill.refresh_from_db()
    assert refill.next_on == reminders.day_of_reminders(1) + timedelta(days=30)


def test_it_names_product_pack_price_of_today_and_stock(due, honey, capsules):
    refill = due(honey)
    due(capsules, customer=refill.customer)
    sell_for(honey, "265")
    sell_out(capsules)
    assert send_refill_reminders() == 1
    message = messages().get()
    assert "- Forest Honey (500 g): 1 × ₹265.00. In stock." in message.text
    assert "- Amla Capsules (60 capsules): 1 × ₹400.00. Out of stock." in message.text
    assert message.subject == "Running low? Forest Honey and 1 other product"


def test_nobody_is_written_to_before_nine_in_the_morning_where_they_live(asked, honey, capsules, monkeypatch, usa):
    day = asked(honey, days=30).next_on
    far = asked(capsules, days=30)
    Refill.objects.filter(pk=far.pk).update(location=usa.location_id)

    def sent_at(hour, minute, place):
        at = datetime(day.year, day.month, day.day, hour, minute, tzinfo=zone_of(place))
        monkeypatch.setattr(timezone, "now", lambda: at)
        return send_refill_reminders()

    assert [sent_at(8, 59, 1), sent_at(9, 0, 1)] == [0, 1]
    assert [sent_at(8, 59, usa.location_id), sent_at(9, 0, usa.location_id)] == [0, 1]


def test_by_sms_where_there_is_no_email(due, honey):
    customer = due(honey).customer
    Customer.objects.filter(pk=customer.pk).update(email=None, phone="+919876543210")
    assert send_refill_reminders() == 1
    sms = messages().get()
    assert (sms.channel, sms.to) == ("sms", "+919876543210")
    assert "1 × Forest Honey (500 g), ₹250.00, In stock." in sms.text and "/refill/" in sms.text


@pytest.mark.parametrize(("language", "place"), [("hi", "/hi-in/"), ("ar", "/en-in/")])
def test_it_comes_in_the_language_of_the_account(due, honey, settings, language, place):
    settings.SHOP_LANGUAGES = ("en", "hi", "ar")
    Customer.objects.filter(pk=due(honey).customer_id).update(language=language)
    send_refill_reminders()
    message = messages().get()
    assert message.language == language and "Forest Honey" in message.subject and "Running low" not in message.subject
    assert f"{place}refill/" in message.text


def test_a_purchase_since_moves_it_and_nothing_is_sent(due, buy, honey):
    refill = due(honey)
    buy({honey: 1}, days=3, customer=refill.customer)
    assert send_refill_reminders() == 0 and not messages().exists()
    refill.refresh_from_db()
    assert refill.next_on == timezone.localdate() + timedelta(days=27)


def test_after_its_end_nothing_is_sent(due, honey):
    refill = due(honey)
    services.end_refill(refill.customer, refill.pk)
    assert send_refill_reminders() == 0 and not messages().exists()


def test_who_may_not_sign_in_gets_nothing(due, honey):
    Customer.objects.filter(pk=due(honey).customer_id).update(is_active=False)
    assert send_refill_reminders() == 0


def test_what_is_not_sold_any_more_is_said_once(due, honey):
    refill = due(honey)
    Product.objects.filter(pk=honey.product_id).update(is_published=False)
    assert send_refill_reminders() == 1
    assert "No longer available. This is the last reminder." in messages().get().text
    refill.refresh_from_db()
    assert refill.state == "ended"


# --- Its link -------------------------------------------------------------------------------------


def test_opening_the_link_changes_nothing_and_its_button_fills_the_cart(due, honey, visitor):
    refill = due(honey)
    send_refill_reminders()
    sell_for(honey, "265")
    path = link_in(messages().get())
    page = visitor.get(path)
    assert "Fill my cart" in page.text and "₹265.00" in page.text and "private" in page["Cache-Control"]
    assert refill.customer.name not in page.text and refill.customer.email not in page.text
    assert visitor.head(path).status_code == 200 and not CartLine.objects.exists()
    cart = visitor.post(path, follow=True)
    assert "Product added to cart successfully!" in cart.text and "₹265.00" in cart.text
    line = CartLine.objects.get()
    assert (line.variant, line.quantity, line.cart.customer) == (honey, 1, None)
    again = visitor.post(path, follow=True).text
    assert "It&#x27;s already in your cart (1)." in again and CartLine.objects.get().quantity == 1


def test_neither_reminder_nor_filled_cart_charges_anything(due, honey, signed_in):
    refill = due(honey)
    before = Order.objects.count(), Payment.objects.count()
    send_refill_reminders()
    assert (Order.objects.count(), Payment.objects.count()) == before
    signed_in(refill.customer).post(link_in(messages().get()), follow=True)
    assert CartLine.objects.filter(cart__customer=refill.customer).exists()
    assert (Order.objects.count(), Payment.objects.count()) == before


def test_a_signed_in_customer_fills_their_own_cart(due, honey, signed_in):
    refill = due(honey)
    send_refill_reminders()
    signed_in(refill.customer).post(link_in(messages().get()))
    assert CartLine.objects.get().cart.customer == refill.customer


def test_what_cannot_be_had_is_left_out_and_named(due, honey, capsules, make_variant, make_product, visitor):
    balm = make_variant("90", units=9, product=make_product("Leaf Balm"))
    oil = make_variant("90", units=9, product=make_product("Face Oil"))
    customer = due(honey).customer
    for variant in (capsules, balm, oil):
        due(variant, customer=customer)
    send_refill_reminders()
    sell_out(capsules)
    Product.objects.filter(pk=balm.product_id).update(is_published=False)
    oil.product.barred_locations.add(1)
    path = link_in(messages().get())
    offered, left_out = visitor.get(path).text.split("Won't be added")
    assert "Forest Honey" in offered and "Amla Capsules" not in offered
    for words in ("Amla Capsules", "Out of stock.", "Leaf Balm", "No longer available.", "Face Oil", "deliver this to"):
        assert words in left_out
    cart = visitor.post(path, follow=True).text
    assert [line.variant for line in CartLine.objects.all()] == [honey]
    for name in ("Amla Capsules", "Leaf Balm", "Face Oil"):
        assert f"{name}: not added." in cart


def test_in_another_country_its_prices_and_bars_count(due, honey, visitor, usa):
    due(honey)
    send_refill_reminders()
    path = link_in(messages().get()).replace("/en-in/", "/en-us/")
    assert "$" in visitor.get(path).text
    honey.product.barred_locations.add(usa.location_id)
    assert visitor.post(path).status_code == 409 and not Cart.objects.filter(customer=None).exists()


def test_fewer_than_wanted_are_said_and_added(due, honey, visitor):
    due(honey, refill_request=services.RefillRequest(3, interval=30))
    send_refill_reminders()
    Variant.objects.filter(pk=honey.pk).update(received=F("received") - F("on_hand") + 2, on_hand=2)
    path = link_in(messages().get())
    assert "2 of 3 available." in visitor.get(path).text
    assert "Forest Honey: 2 of 3 added." in visitor.post(path, follow=True).text
    assert CartLine.objects.get().quantity == 2


def test_a_prescription_medicine_follows_the_rules_of_the_cart(due, asked, tablets, visitor, settings, new_buyer):
    customer = new_buyer({tablets: 1})
    refill = services.save_refill(customer, tablets, services.RefillRequest(1, interval=30), location_id=1)
    Refill.objects.filter(pk=refill.pk).update(next_on=timezone.localdate() - timedelta(days=1))
    Cart.objects.all().delete()
    send_refill_reminders()
    assert "Prescription needed: you'll add it at checkout." in messages().get().text
    path = link_in(messages().get())
    assert "Prescription needed" in visitor.get(path).text
    visitor.post(path)
    assert CartLine.objects.get().variant == tablets
    CartLine.objects.all().delete()
    settings.COMPANY = settings.COMPANY | {"pharmacy_licence": ""}
    assert "we don&#x27;t sell it online" in visitor.get(path).text
    assert visitor.post(path).status_code == 409 and not CartLine.objects.exists()


def test_a_link_of_nobody_opens_nothing(due, honey, visitor):
    refill = due(honey)
    send_refill_reminders()
    path = link_in(messages().get())
    for wrong in ("/refill/1.unknown/", "/refill/x/", path.replace(".", ".A")):
        for address in (wrong, f"{wrong}end/"):
            assert visitor.get(address).status_code == 400 and visitor.post(address).status_code == 400
    RefillReminder.objects.update(sent_at=timezone.now() - LINK_VALID_FOR - timedelta(hours=1))
    assert visitor.get(path).status_code == 400 and "This link has expired" in visitor.get(path).text
    RefillReminder.objects.update(sent_at=timezone.now())
    Customer.objects.filter(pk=refill.customer_id).update(deleted_at=timezone.now())
    assert visitor.get(path).status_code == 400


def test_one_click_ends_it(due, honey, visitor):
    refill = due(honey)
    send_refill_reminders()
    headers = messages().get().headers
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    address = headers["List-Unsubscribe"].strip("<>").removeprefix("http://testserver")
    assert "Stop these reminders?" in visitor.get(address).text
    refill.refresh_from_db()
    assert refill.state == "active"
    for _ in range(2):
        program = visitor.post(address, {"List-Unsubscribe": "One-Click"}, headers={"sec-fetch-site": "none"})
        assert program.status_code == 200 and "Reminders stopped" in program.text
    Refill.objects.update(next_on=timezone.localdate() - timedelta(days=1))
    assert send_refill_reminders() == 0


def test_of_several_one_is_ended_alone_and_no_others(due, honey, capsules, make_variant, visitor):
    refill = due(honey)
    other = due(capsules, customer=refill.customer)
    send_refill_reminders()
    foreign = due(make_variant(units=9))
    address = link_in(messages().get()) + "end/"
    visitor.post(address, {"refill": foreign.pk})
    visitor.post(address, {"refill": refill.pk})
    assert set(Refill.objects.living()) == {other, foreign}
    visitor.post(address)
    assert set(Refill.objects.living()) == {foreign}


def test_the_link_of_an_ended_one_still_fills_the_cart(due, honey, visitor):
    refill = due(honey)
    send_refill_reminders()
    services.end_refill(refill.customer, refill.pk)
    visitor.post(link_in(messages().get()))
    assert CartLine.objects.get().variant == honey


def test_queries_do_not_grow_with_what_is_due(due, honey, make_variant, visitor, django_assert_max_num_queries):
    customer = due(honey).customer
    send_refill_reminders()
    with django_assert_max_num_queries(40) as first:
        visitor.get(refill_path(RefillReminder.objects.get().pk))
    for _ in range(4):
        due(make_variant(units=9), customer=customer)
    send_refill_reminders()
    with django_assert_max_num_queries(len(first)):
        visitor.get(refill_path(RefillReminder.objects.latest("pk").pk))


# --- Several at once ------------------------------------------------------------------------------


def race(due, honey, capsules):
    """How many messages six workers queue for a customer with two refills due."""
    refill = due(honey)
    due(capsules, customer=refill.customer)
    answers = together([send_refill_reminders] * 6)
    assert not [answer for answer in answers if isinstance(answer, Exception)], answers
    return messages().count()


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_workers_at_once_queue_one_message(due, honey, capsules):
    assert race(due, honey, capsules) == 1
    assert RefillReminder.objects.get().refills.count() == 2


@pytest.mark.database
@pytest.mark.skipif(connection.vendor == "sqlite", reason="one writer at a time")
@pytest.mark.django_db(transaction=True)
def test_without_the_lock_several_messages_are_queued(due, honey, capsules, monkeypatch):
    """Negative control: it shows that the race above can be lost."""
    without_write_lock(monkeypatch)
    read = reminders._moved

    def late(refill):
        import time

        time.sleep(0.05)
        return read(refill)

    monkeypatch.setattr(reminders, "_moved", late)
    assert race(due, honey, capsules) > 1


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_ended_while_it_is_sent_is_the_last(due, honey):
    """Whoever comes first: once ended, no other day brings a message."""
    refill = due(honey)
    together([send_refill_reminders, lambda: services.end_refill(refill.customer, refill.pk)] * 3)
    sent = messages().count()
    Refill.objects.update(next_on=timezone.localdate() - timedelta(days=1))
    assert sent <= 1 and send_refill_reminders() == 0 and messages().count() == sent
