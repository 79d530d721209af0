"""A draft that several people work on at one moment. Each race has a negative control, which must fail."""

from functools import partial
from threading import Barrier

import pytest

from shop.accounts.models import Customer
from shop.errors import OutOfStock, ShopError
from shop.orders.conftest import new_address
from shop.orders.drafts import services as drafts
from shop.orders.models import Order
from shop.orders.placing import services as placing
from shop.orders.placing.values import PlaceOrder, SubmittedTotals
from shop.orders.tests.racing import of_kind, together, without_write_lock

from ...tests.test_races import assert_all_invariants_hold
from ..services import order_draft
from .conftest import DESK, again

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]
AT_ONCE = 12
PATIENCE = 30  # seconds


@pytest.fixture
def draft(transactional_db, make_variant):
    person = Customer.objects.create_user("caller@example.com", name="Asha Rao", phone="+919876543210")
    new_address(person)
    made = drafts.open_draft(person, author=DESK)
    drafts.add_line(made, variant_id=make_variant(price="250", units=50).pk, quantity=1)
    return again(made)


def buy(draft, **more):
    return order_draft(again(draft), SubmittedTotals(), payment_method="cash", **more)[0]


def place_at_once(draft, people=AT_ONCE):
    return together([partial(buy, draft, actor=f"staff:{number}") for number in range(1, people + 1)])


def assert_one_order(results):
    assert {order.pk for order in of_kind(results, Order)} == set(Order.objects.values_list("pk", flat=True))
    assert len(of_kind(results, Order)) == len(results), results
    assert Order.objects.count() == 1


def test_a_draft_that_all_place_at_once_is_one_order(draft):
    assert_one_order(place_at_once(draft))
    assert_all_invariants_hold()


def both_look(monkeypatch, *looks):
    """Of two callers that look by these functions (module, name), none goes on before the other has looked, too."""
    met = Barrier(2, timeout=PATIENCE)

    def and_wait(look, *args, **kwargs):
        found = look(*args, **kwargs)
        met.wait()
        return found

    without_write_lock(monkeypatch)
    for module, name in looks:
        monkeypatch.setattr(module, name, partial(and_wait, getattr(module, name)))


def test_without_locks_a_draft_is_placed_more_than_once(draft, monkeypatch):
    both_look(monkeypatch, (placing, "_ordered_before"))
    with pytest.raises(AssertionError):
        assert_one_order(place_at_once(draft, 2))


# --- The desk withdraws, or edits, while it is ordered --------------------------------------------


def withdraw(draft):
    drafts.withdraw_draft(again(draft))
    return "withdrawn"


def order_and_withdraw(draft, times=4):
    return together([*[partial(buy, draft)] * times, *[partial(withdraw, draft)] * times])


def assert_ordered_or_withdrawn(draft, results):
    """Never both; each of the two sides is refused in words."""
    now = again(draft)
    assert bool(now.order) != bool(now.withdrawn_at), results
    assert all(isinstance(result, (Order, str, ShopError)) for result in results), results


def test_a_draft_is_either_ordered_or_withdrawn(draft):
    assert_ordered_or_withdrawn(draft, order_and_withdraw(draft))
    assert_all_invariants_hold()


def test_without_locks_a_withdrawn_draft_is_ordered(draft, monkeypatch):
    both_look(monkeypatch, (placing, "_require_same_draft"), (drafts, "require_open"))
    with pytest.raises(AssertionError):
        assert_ordered_or_withdrawn(draft, order_and_withdraw(draft, 1))


def edit(draft, quantity):
    variant = draft.cart.lines.get().variant_id
    drafts.change_line(again(draft), variant_id=variant, quantity=quantity)
    return quantity


def order_and_edit(draft, buyers=4, quantities=(2, 3, 4)):
    return together([*[partial(buy, draft)] * buyers, *[partial(edit, draft, quantity) for quantity in quantities]])


def assert_the_order_is_the_draft(draft, results):
    """What is ordered is what the draft holds for ever after."""
    now = again(draft)
    assert all(isinstance(result, (Order, int, ShopError)) for result in results), results
    if now.order:
        assert now.order.lines.get().quantity == now.cart.lines.get().quantity, results


def test_what_is_ordered_is_what_the_draft_holds(draft):
    assert_the_order_is_the_draft(draft, order_and_edit(draft))
    assert_all_invariants_hold()


def test_without_locks_the_draft_changes_after_it_is_ordered(draft, monkeypatch):
    both_look(monkeypatch, (placing, "_require_same_draft"), (drafts, "require_open"))
    with pytest.raises(AssertionError):
        assert_the_order_is_the_draft(draft, order_and_edit(draft, 1, (2,)))


# --- The last units -------------------------------------------------------------------------------


def test_the_last_unit_goes_to_the_draft_or_to_another_buyer(crowd, market, make_variant, transactional_db):
    variant = make_variant(price="250", units=1)
    people = crowd(6)
    jobs = []
    for number, person in enumerate(people):
        if number % 2:
            made = drafts.open_draft(person, author=DESK)
            drafts.add_line(made, variant_id=variant.pk, quantity=1)
            jobs.append(partial(buy, made))
        else:
            person.cart.lines.create(variant=variant, quantity=1)
            address = person.addresses.get()
            jobs.append(partial(placing.place_order, PlaceOrder(person, person.cart, address, market)))
    results = together(jobs)
    assert len(of_kind(results, Order)) == 1 and len(of_kind(results, OutOfStock)) == 5, results
    assert_all_invariants_hold()
