"""Drafts of the desk: what may be done with them, and what they cost."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from shop.accounts.models import Customer
from shop.accounts.signals import account_deleted, collecting_data
from shop.cart.models import Cart, CartLine
from shop.errors import Changed, Invalid, NotFound, OutOfStock, ShopError, TooMany
from shop.markets.queries import market_registry
from shop.messaging.models import Message
from shop.orders.conftest import fill, new_address
from shop.orders.drafts import services as drafts
from shop.orders.drafts.links import draft_of, link_of
from shop.orders.drafts.queries import found_variants, priced, submitted_of
from shop.orders.models import Order, OrderDraft
from shop.orders.placing.services import DraftClosed
from shop.orders.placing.values import SubmittedTotals
from shop.orders.states import WrongState

from ..services import order_draft, stop_payment
from .conftest import DESK, again

pytestmark = [pytest.mark.django_db, pytest.mark.database]
State = OrderDraft.State


def token_in(draft):
    return link_of(again(draft)).rstrip("/").rpartition("/")[2]


def order_of_draft(draft, **more):
    return order_draft(again(draft), SubmittedTotals(), **more)[0]


# --- Whom for -------------------------------------------------------------------------------------


def test_a_new_caller_has_an_account_that_a_code_to_the_number_opens():
    person, is_new = drafts.open_customer(name="  Ravi  Iyer ", mobile="98765 43211", country_code="IN")
    assert (person.name, person.phone, person.email, is_new) == ("Ravi Iyer", "+919876543211", None, True)
    assert not person.has_usable_password()
    assert drafts.open_customer(name="Other", mobile="+919876543211", country_code="IN") == (person, False)
    assert Customer.objects.filter(phone=person.phone).count() == 1


@pytest.mark.parametrize(("name", "mobile", "field"), [("Ravi", "12", "mobile"), (" ", "9876543211", "name")])
def test_a_caller_without_name_or_mobile_is_refused(name, mobile, field):
    with pytest.raises(Invalid) as refused:
        drafts.open_customer(name=name, mobile=mobile, country_code="IN")
    assert field in refused.value.fields


def test_a_draft_begins_where_the_customer_lives(caller):
    draft = drafts.open_draft(caller, author=DESK)
    assert (draft.location.code, draft.address["city"], draft.email) == ("IN", "Bengaluru", caller.email)
    assert draft.state == State.OPEN
    assert drafts.open_draft(caller, author=DESK) == draft  # pressed twice
    assert drafts.open_draft(caller, author="staff:2") != draft


def test_a_caller_without_address_or_order_shops_where_their_number_is_from(db):
    person = Customer.objects.create_user(phone="+12025550123", name="Sam")
    assert drafts.open_draft(person, author=DESK).location.code == "US"


def test_a_closed_account_gets_no_draft(caller):
    Customer.objects.filter(pk=caller.pk).update(deleted_at=timezone.now())
    with pytest.raises(ShopError, match="closed"):
        drafts.open_draft(caller, author=DESK)


# --- What is in it --------------------------------------------------------------------------------


def test_a_draft_costs_what_a_cart_costs_and_leaves_the_own_cart_alone(new_draft, caller, make_variant, india):
    variant = make_variant(price="250", units=10)
    fill(caller, {variant: 1}, india)
    draft = new_draft({variant: 2})
    view = priced(draft)
    assert (view.sub_total, view.market.currency) == (Decimal(500), "INR")
    assert caller.cart.lines.get().quantity == 1
    order_of_draft(draft, payment_method="cash", actor=DESK)
    assert caller.cart.lines.get().quantity == 1


def test_adding_again_adds_up_and_a_line_can_be_changed_and_taken_out(new_draft, make_variant):
    variant = make_variant(units=10)
    draft = new_draft({variant: 1})
    drafts.add_line(draft, variant_id=variant.pk, quantity=2)
    assert draft.cart.lines.get().quantity == 3
    drafts.change_line(draft, variant_id=variant.pk, quantity=1)
    assert draft.cart.lines.get().quantity == 1
    drafts.change_line(draft, variant_id=variant.pk, quantity=0)
    assert not draft.cart.lines.exists()


def test_more_than_there_is_or_may_be_ordered_is_refused(new_draft, make_variant):
    draft = new_draft({make_variant(units=9): 1})
    with pytest.raises(OutOfStock):
        drafts.add_line(draft, variant_id=make_variant(units=1).pk, quantity=2)
    with pytest.raises(Invalid):
        drafts.add_line(draft, variant_id=make_variant(units=9, max_purchase_qty=2).pk, quantity=3)
    with pytest.raises(NotFound):
        drafts.add_line(draft, variant_id=987_654_321, quantity=1)


def test_a_form_that_saw_an_older_draft_changes_nothing(new_draft, make_variant):
    draft, variant = new_draft(), make_variant(units=9)
    drafts.add_line(draft, variant_id=variant.pk, quantity=1, seen=draft.revision)
    with pytest.raises(Changed):  # the same button, pressed twice
        drafts.add_line(draft, variant_id=variant.pk, quantity=1, seen=draft.revision)
    assert draft.cart.lines.get(variant=variant).quantity == 1


def test_another_country_has_other_prices_and_leaves_the_address_out(new_draft, caller):
    draft = new_draft()
    home = market_registry().by_code["US"]
    drafts.change_location(draft, location_id=home.pk)
    draft = again(draft)
    assert (draft.address, draft.address_id_then, priced(draft).currency) == ({}, 0, "USD")
    drafts.choose_address(draft, caller.addresses.get())
    assert (again(draft).location.code, again(draft).address["city"]) == ("IN", "Bengaluru")


def test_only_an_own_address_can_be_chosen(new_draft):
    stranger = Customer.objects.create_user("stranger@example.com")
    with pytest.raises(NotFound):
        drafts.choose_address(new_draft(), new_address(stranger))


@pytest.mark.parametrize("keep", [True, False])
def test_an_address_told_on_the_phone_is_kept_if_asked_for(new_draft, caller, keep):
    draft = new_draft()
    told = caller.addresses.get().as_fields() | {"address": "7 Lake Road", "city": "Pune", "state": "Maharashtra"}
    drafts.type_address(draft, told | {"pincode": "411001"}, keep=keep)
    draft = again(draft)
    assert draft.address["city"] == "Pune"
    assert caller.addresses.count() == 1 + keep and caller.addresses.get(is_default=True).city == "Bengaluru"
    order = order_of_draft(draft)
    assert (order.address["city"], order.address["pincode"]) == ("Pune", "411001")
    assert bool(order.address_id_then) is keep
    with pytest.raises(Invalid):
        drafts.type_address(drafts.open_draft(caller, author=DESK), told | {"pincode": ""}, keep=False)


def test_a_coupon_and_points_rules_apply_to_the_buyer(new_draft, make_coupon):
    coupon = make_coupon("SAVE10", percent=10, customer_limit=1)
    draft = new_draft()
    drafts.change_reductions(draft, code="save10", use_points=True)
    assert priced(again(draft)).coupon_amt == Decimal(50)
    order_of_draft(draft, payment_method="cash", actor=DESK)
    coupon.refresh_from_db()
    assert coupon.uses == 1
    second = drafts.duplicate_draft(again(draft), author=DESK)
    assert "already used" in priced(again(second)).coupon_problem


def test_the_desk_finds_products_by_sku_and_by_words(new_draft, make_variant, make_product):
    draft = new_draft()
    variant = make_variant(product=make_product("Neem Soap"), units=3, price="80")
    [offer] = found_variants(variant.sku.lower(), draft) or found_variants(variant.sku, draft)
    assert (offer["variant"], offer["most"], offer["refusal"], offer["price"]) == (variant, 3, "", "₹80.00")
    assert variant in [one["variant"] for one in found_variants("neem soap", draft)]
    assert found_variants("", draft) == []


# --- Its link -------------------------------------------------------------------------------------


def test_a_link_goes_out_by_sms_and_mail_and_opens_the_draft(new_draft):
    draft = new_draft()
    url = drafts.make_link(draft, by_sms=True, by_mail=True)
    mail, sms = Message.objects.get(channel="mail"), Message.objects.get(channel="sms")
    assert (mail.to, sms.to) == ("caller@example.com", "+919876543210")
    assert url in mail.text and url in mail.html and url in sms.text
    assert "₹529.00" in sms.text and len(sms.text) < 200
    assert again(draft).state == State.SENT and draft_of(token_in(draft)) == draft
    assert mail.gone_stale_at == again(draft).expires_at  # the outbox keeps no key
    assert token_in(draft) not in repr(list(OrderDraft.objects.values_list()))


def test_a_link_is_read_out_and_typed_in_any_way(new_draft):
    draft = new_draft()
    drafts.make_link(draft)
    token = token_in(draft)
    assert not Message.objects.exists()
    for typed in (token.upper(), token.replace("-", " "), token.replace("-", "").replace("0", "o").replace("1", "l")):
        assert draft_of(typed) == draft


def test_sending_again_keeps_the_link_and_a_new_one_ends_it(new_draft):
    draft = new_draft()
    first = drafts.make_link(draft, by_sms=True)
    assert drafts.make_link(draft, by_sms=True) == first
    old = token_in(draft)
    assert drafts.make_link(draft, is_new=True) != first
    with pytest.raises(DraftClosed):
        draft_of(old)


def test_the_link_outlives_a_change_of_the_secret(new_draft, settings):
    draft = new_draft()
    url, token = drafts.make_link(draft), token_in(draft)
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "another secret of fifty characters" * 2
    assert draft_of(token) == draft and link_of(again(draft)) == url
    settings.SECRET_KEY_FALLBACKS = []
    assert link_of(again(draft)) == ""
    with pytest.raises(DraftClosed):
        draft_of(token)


@pytest.mark.parametrize("missing", ["lines", "address", "stock", "mail", "phone"])
def test_nothing_is_sent_that_cannot_be_paid_or_reached(new_draft, caller, make_variant, missing):
    variant = make_variant(units=2)
    draft = new_draft({variant: 2})
    if missing == "lines":
        CartLine.objects.all().delete()
    if missing == "address":
        OrderDraft.objects.update(address={})
    if missing == "stock":
        type(variant).objects.filter(pk=variant.pk).update(on_hand=1, received=1)
    if missing == "mail":
        OrderDraft.objects.update(email="")
    if missing == "phone":
        Customer.objects.filter(pk=caller.pk).update(phone=None)
        OrderDraft.objects.update(address=draft.address | {"phone_number": "1"})
    with pytest.raises((Invalid, OutOfStock)):
        drafts.make_link(draft, by_sms=True, by_mail=True)
    assert not Message.objects.exists() and again(draft).state == State.OPEN


def test_a_draft_is_not_sent_without_end(new_draft):
    draft = new_draft()
    for _ in range(drafts.SENDINGS):
        drafts.make_link(draft, by_sms=True)
    with pytest.raises(TooMany):
        drafts.make_link(draft, by_sms=True)


# --- Its end --------------------------------------------------------------------------------------


def test_states_are_read_from_the_rows(new_draft, make_variant):
    made = {state: new_draft({make_variant(units=9): 1}) for state in State}
    for state in (State.SENT, State.EXPIRED):
        drafts.make_link(made[state])
    OrderDraft.objects.filter(pk=made[State.EXPIRED].pk).update(expires_at=timezone.now())
    order_of_draft(made[State.PAID], payment_method="cash", actor=DESK)
    drafts.withdraw_draft(made[State.WITHDRAWN])
    for state, draft in made.items():
        assert again(draft).state == state
        assert list(OrderDraft.objects.in_state(state)) == [draft]
    assert not OrderDraft.objects.in_state("nonsense").exists()
    with pytest.raises(DraftClosed):
        draft_of(token_in(made[State.EXPIRED]) or "x")


def test_a_withdrawn_draft_is_closed_and_can_be_duplicated(linked):
    draft, _ = linked()
    token = token_in(draft)
    drafts.withdraw_draft(draft)
    drafts.withdraw_draft(draft)  # again
    with pytest.raises(DraftClosed):
        draft_of(token)
    with pytest.raises(DraftClosed):
        order_of_draft(draft)
    with pytest.raises(WrongState):
        drafts.change_line(draft, variant_id=draft.cart.lines.get().variant_id, quantity=1)
    draft = again(draft)
    copy = drafts.duplicate_draft(draft, author="staff:2", seen=draft.revision)
    with pytest.raises(Changed):
        drafts.duplicate_draft(draft, author="staff:2", seen=draft.revision)
    assert (copy.author, again(copy).state, again(copy).address) == ("staff:2", State.OPEN, draft.address)
    assert list(copy.cart.lines.values_list("variant", "quantity")) == list(
        draft.cart.lines.values_list("variant", "quantity")
    )


def test_a_placed_draft_is_one_order_with_the_actor_in_its_history(new_draft):
    draft = new_draft()
    order = order_of_draft(draft, payment_method="cash", actor="staff:7")
    assert order_of_draft(draft, payment_method="cash", actor="staff:7") == order
    assert Order.objects.count() == 1 and order.status == "placed"
    assert {event.actor for event in order.events.all()} == {"staff:7"}
    assert Message.objects.filter(kind="order_placed").count() == 1 and order.invoices.count() == 1
    with pytest.raises(WrongState, match=order.number):
        drafts.change_line(draft, variant_id=draft.cart.lines.get().variant_id, quantity=1)
    with pytest.raises(WrongState):
        drafts.withdraw_draft(draft)


def test_nothing_changes_while_somebody_pays_and_the_desk_may_stop_it(new_draft):
    draft = new_draft()
    order = order_of_draft(draft)
    variant = draft.cart.lines.get().variant_id
    for change in (
        lambda: drafts.change_line(draft, variant_id=variant, quantity=1),
        lambda: drafts.withdraw_draft(draft),
        lambda: drafts.make_link(draft),
    ):
        with pytest.raises(drafts.BeingPaid, match=order.number):
            change()
    assert stop_payment(draft, actor=DESK) and not stop_payment(draft, actor=DESK)
    order.refresh_from_db()
    assert (order.status, order.hold_expires_at) == ("cancelled", None)
    assert not Message.objects.filter(kind="order_cancelled").exists()
    drafts.change_line(draft, variant_id=variant, quantity=1)
    assert order_of_draft(draft).lines.get().quantity == 1


def test_the_own_unpaid_order_and_that_of_a_draft_stand_side_by_side(new_draft, caller, make_variant, india, order_of):
    variant = make_variant(price="100", units=3)
    fill(caller, {variant: 1}, india)
    own = order_of(caller)
    draft = new_draft({variant: 2})
    of_draft = order_of_draft(draft)
    assert set(caller.orders.held()) == {own, of_draft}
    assert order_of(caller) == own  # checked out again, unchanged
    assert order_of_draft(draft) == of_draft
    assert priced(again(draft)).problems == []  # what it has set aside is its own to order again
    variant.refresh_from_db()
    assert (variant.on_hand, variant.held) == (0, 3)


def test_an_order_follows_the_draft_that_was_read(new_draft, make_variant):
    draft = new_draft()
    drafts.add_line(draft, variant_id=make_variant(units=9).pk, quantity=1)
    with pytest.raises(Changed):
        order_draft(draft, SubmittedTotals())


# --- The person -----------------------------------------------------------------------------------


def test_drafts_are_exported_and_deleted_with_customer(new_draft, caller):
    draft = new_draft()
    answers = collecting_data.send(Customer, customer=caller)
    [told] = [rows["orders_drafted_by_phone"] for _, rows in answers if "orders_drafted_by_phone" in rows]
    assert told[0]["address"]["city"] == "Bengaluru" and told[0]["items"][0]["quantity"] == 2
    account_deleted.send(Customer, customer=caller)
    assert not OrderDraft.objects.filter(pk=draft.pk).exists() and not Cart.objects.filter(pk=draft.cart_id).exists()


def test_a_draft_that_is_being_paid_loses_the_person_only(new_draft, caller):
    draft = new_draft()
    order_of_draft(draft)
    account_deleted.send(Customer, customer=caller)
    draft = again(draft)
    assert (draft.address, draft.email, draft.token_hash) == ({}, "", None)


def test_old_drafts_go_and_their_orders_stay(new_draft, make_variant):
    ordered, old, young, paying = (new_draft({make_variant(units=9): 1}) for _ in range(4))
    order = order_of_draft(ordered, payment_method="cash", actor=DESK)
    order_of_draft(paying)
    long_ago = timezone.now() - drafts.KEPT_FOR - timedelta(days=1)
    OrderDraft.objects.exclude(pk=young.pk).update(changed_at=long_ago)
    assert drafts.delete_old_drafts() == 2
    assert set(OrderDraft.objects.all()) == {young, paying} and not Cart.objects.filter(pk=old.cart_id).exists()
    order.refresh_from_db()
    assert order.draft is None and order.lines.exists()
    assert drafts.delete_old_drafts() == 0


@pytest.mark.parametrize("used_by", ["nobody", "signing in", "buying", "another draft"])
def test_with_the_last_old_draft_goes_the_account_of_a_caller_who_never_came(used_by, new_draft):
    person, _ = drafts.open_customer(name="Ravi Iyer", mobile="98765 43211", country_code="IN")
    new_address(person)
    draft = new_draft(customer=person)
    if used_by == "signing in":
        Customer.objects.filter(pk=person.pk).update(last_login=timezone.now())
    elif used_by == "buying":
        order_of_draft(draft, payment_method="cash", actor=DESK)
    elif used_by == "another draft":
        drafts.duplicate_draft(draft, author=DESK)
    OrderDraft.objects.filter(pk=draft.pk).update(changed_at=timezone.now() - drafts.KEPT_FOR - timedelta(days=1))
    assert drafts.delete_old_drafts() == 1
    person.refresh_from_db()
    assert (person.phone, person.name, person.is_active) == (
        (None, "", False) if used_by == "nobody" else ("+919876543211", "Ravi Iyer", True)
    )


def test_the_last_old_draft_leaves_the_account_of_a_customer_with_an_email(new_draft, caller):
    new_draft()
    OrderDraft.objects.update(changed_at=timezone.now() - drafts.KEPT_FOR - timedelta(days=1))
    assert drafts.delete_old_drafts() == 1
    caller.refresh_from_db()
    assert caller.is_active and caller.phone


def test_what_was_said_of_a_draft_is_read_again(new_draft):
    draft = new_draft()
    drafts.make_link(draft)
    said = submitted_of(again(draft).seen)
    assert said.amounts["total_amount"] == priced(again(draft)).total
