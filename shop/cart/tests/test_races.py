"""Two adds of one variant at once leave one line; the negative control shows the race that a prior read loses."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import IntegrityError, connections

from ..models import CartLine
from ..services import AlreadyInCart, add_to_cart, open_guest_cart


def _add_at_once(cart, variant, market, times=8):
    def add(_):
        try:
            add_to_cart(cart, variant_id=variant.pk, quantity=1, market=market)
            return "added"
        except AlreadyInCart:
            return "already"
        finally:
            connections.close_all()

    with ThreadPoolExecutor(times) as pool:
        return sorted(pool.map(add, range(times)))


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_simultaneous_adds_leave_one_line(make_variant, india):
    cart, _ = open_guest_cart()
    answers = _add_at_once(cart, make_variant(), india)
    assert answers == ["added"] + ["already"] * 7
    assert CartLine.objects.filter(cart=cart).count() == 1


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_a_read_before_the_write_would_let_one_add_fail(make_variant, india):
    """Negative control: with a prior read instead of the constraint, both see no line and one of them breaks."""
    together = Barrier(2, timeout=20)
    cart, _ = open_guest_cart()
    variant = make_variant()

    def add_unprotected(_):
        try:
            if not CartLine.objects.filter(cart=cart, variant=variant).exists():
                together.wait()
                CartLine.objects.create(cart=cart, variant=variant, quantity=1)
            return "added"
        except IntegrityError:
            return "broken"
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(add_unprotected, range(2))) == ["added", "broken"]
