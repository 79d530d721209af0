"""A year of orders that adds up, shows curves, and asks nothing of scheduled jobs."""

from collections import Counter
from datetime import timedelta
from random import Random
from types import SimpleNamespace

import pytest
from django.conf import settings as shop_settings
from django.db.models import Sum
from django.test import TestCase
from django.utils import timezone
from django.utils.module_loading import import_string

from shop.accounts.models import Customer
from shop.care.models import Complaint, Enquiry
from shop.catalog.models import Product, StockMovement, Variant
from shop.invalidation import subscriptions
from shop.jobs.models import FailedRow
from shop.messaging.models import Message
from shop.orders.models import Invoice, Order, ReturnRequest
from shop.payments.models import Payment, Refund
from shop.payments.reconciliation.invariants import broken_invariants
from shop.payments.reconciliation.jobs import reconcile_everything
from shop.reviews.models import HelpfulVote, Question, Review
from shop.reviews.queries import delivered_lines
from shop.search.models import SearchCount

from .. import services
from ..catalogue import reading
from ..conftest import few
from ..history import orders
from ..history import services as history
from ..history.timeline import moments, tell

ORDERS = 260


@pytest.fixture(scope="module")
def year(django_db_setup, django_db_blocker):
    """Made once for all tests, each of which takes back what it changes."""
    plans = few(reading.products())
    with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patch:
        subscriptions.reset()
        patch.setattr(reading, "products", lambda: plans)
        patch.setattr(services, "draw_all", lambda paintings: None)
        patch.setattr(services, "connections", SimpleNamespace(close_all=lambda: None))
        patch.setattr(services, "first_paintings", list)
        patch.setattr(history, "CUSTOMERS", 120)
        patch.setattr(orders, "ORDERS", ORDERS)
        atomics = TestCase._enter_atomics()
        services.load_demo()
        yield
        TestCase._rollback_atomics(atomics)


@pytest.fixture
def own(year, db):
    """The orders of the year, without those of the demo's customer."""
    return Order.objects.exclude(customer__email="asha@example.com")


def test_everything_adds_up(own):
    assert own.count() == ORDERS
    assert not {invariant.name: rows for invariant, rows in broken_invariants() if rows}
    received = StockMovement.objects.filter(kind=StockMovement.Kind.RECEIVED).aggregate(sum=Sum("quantity"))["sum"]
    assert received == Variant.objects.aggregate(sum=Sum("received"))["sum"]


def test_it_reaches_back_a_year_and_grows(own):
    now = timezone.now()
    ages = [(now - at).days for at in own.values_list("created_at", flat=True)]
    assert min(ages) <= 2 and 330 <= max(ages) <= 366
    assert sum(age < 120 for age in ages) > 1.3 * sum(age >= 245 for age in ages)
    assert not own.filter(created_at__gt=now).exists()
    assert not own.filter(events__at__gt=now).exists()


def test_no_order_waits_for_its_payment_at_any_time_of_day():
    """One that did has neither been placed nor ended, and the demo broke on it."""
    now = timezone.now()
    for hour in range(24):
        random = Random(hour)
        at_this_hour = now + timedelta(hours=hour)
        stories = [tell(random, at, at_this_hour, 4) for at in moments(random, at_this_hour, 3000)]
        assert not [story for story in stories if list(story.steps) == ["pending"]]


def test_it_has_several_countries_currencies_and_endings(own):
    assert len(set(own.values_list("currency", flat=True))) >= 4
    statuses = Counter(own.values_list("status", flat=True))
    assert statuses["completed"] > ORDERS / 2
    assert {"cancelled", "delivered", "shipped", "returned"} <= statuses.keys()
    assert own.filter(status="cancelled", placed_at=None).exists()
    assert own.filter(coupon_amt__gt=0).exists()
    assert Invoice.objects.filter(kind=Invoice.Kind.CREDIT).exists()


def test_staff_have_something_to_do(own):
    assert Order.objects.filter(status="placed").exists()
    assert ReturnRequest.objects.filter(status="requested").exists()
    assert Enquiry.objects.filter(state="new").count() == 6
    assert Counter(Complaint.objects.values_list("state", flat=True)) == {
        "received": 2, "acknowledged": 2, "resolved": 10,
    }  # fmt: skip
    assert SearchCount.objects.filter(results=0).exists() and SearchCount.objects.filter(results__gt=0).exists()


def test_buyers_wrote_reviews_and_questions(own):
    """Of what was delivered to them; the figures of the products are those of what is published."""
    reviews = Review.objects.filter(state="published")
    assert reviews.count() > ORDERS / 8 and len(set(reviews.values_list("text", flat=True))) > reviews.count() / 3
    assert set(delivered_lines().values_list("pk", flat=True)) >= set(Review.objects.values_list("line", flat=True))
    assert all(review.created_at > review.line.order.delivered_at for review in reviews.select_related("line__order"))
    shown = dict(Product.objects.filter(review_count__gt=0).values_list("pk", "review_count"))
    assert shown == Counter(reviews.values_list("product", flat=True))
    assert sum(reviews.values_list("helpful", flat=True)) == HelpfulVote.objects.count() > 0
    assert {row.state for row in Review.objects.all()} == {"published", "waiting", "refused"}
    answered = Question.objects.filter(state="published", answers__is_staff=True)
    assert answered.exists() and Question.objects.waiting().count() == 2


def test_customers_are_invented_and_nobody_can_sign_in_as_them(own):
    people = Customer.objects.filter(orders__in=own)
    assert all(person.email.split("@")[1] in ("example.com", "example.org", "example.net") for person in people)
    assert not any(person.check_password(word) for person in people[:3] for word in ("", "!"))


def test_no_job_finds_anything_to_do(own):
    before = Message.objects.count()
    statuses = sorted(Order.objects.values_list("number", "status"))
    facts = Payment.objects.count(), Refund.objects.count()
    for name in shop_settings.SCHEDULED_JOBS:
        import_string(shop_settings.JOB_FUNCTIONS.get(name, name))()
    kinds = set(Message.objects.order_by("pk").values_list("kind", flat=True)[before:])
    assert kinds <= {"low_stock", "desk_low_stock", "desk_stock"}
    customers = Customer.objects.filter(orders__in=own).values("email")
    assert not Message.objects.filter(to__in=customers).exists()
    assert statuses == sorted(Order.objects.values_list("number", "status"))
    assert facts == (Payment.objects.count(), Refund.objects.count())
    assert not FailedRow.objects.exists()


def test_the_provider_knows_every_payment(own):
    """As after a restored backup: asking about all of them changes nothing."""
    Payment.objects.update(created_at=timezone.now() - timedelta(days=1))
    before = sorted(Payment.objects.values_list("receipt", "status", "captured_paise", "refunded_paise"))
    assert reconcile_everything() == {"asked": len(before), "unanswered": 0}
    assert sorted(Payment.objects.values_list("receipt", "status", "captured_paise", "refunded_paise")) == before
    assert not FailedRow.objects.exists()


def test_the_same_seed_gives_the_same_moments(own):
    now = timezone.now()
    assert moments(Random(1), now, 50) == moments(Random(1), now, 50) != moments(Random(2), now, 50)
    assert len(set(own.values_list("number", flat=True))) == ORDERS
