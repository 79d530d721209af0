"""Rates, slabs and locations in the admin."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from shop.accounts.models import Customer
from shop.accounts.staff.roles import CATALOGUE_MANAGER, OWNER

from ..models import Location, Rate, Slab

pytestmark = pytest.mark.django_db
RATES = reverse("admin:markets_rate_changelist")
LOCATIONS = reverse("admin:markets_location_changelist")


def member(role):
    person = Customer.objects.create_user(f"{role[:5]}@example.com", "pw", name=role, is_staff=True)
    person.groups.add(Group.objects.get(name=role))
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(person)
    return client


def test_each_rate_shows_its_change_in_percent(db):
    Rate.objects.filter(currency="USD").delete()
    now = timezone.now()
    for days, inr in ((3, "80"), (2, "84"), (1, "82.95")):
        Rate.objects.create(currency_id="USD", inr=Decimal(inr), valid_from=now - timedelta(days=days))
    page = member(OWNER).get(RATES, {"currency__code__exact": "USD"})
    screen, rows = page.context["cl"].model_admin, page.context["cl"].result_list
    assert [screen.change(rate) for rate in rows] == ["-1.25%", "+5.00%", "first"]


def test_old_rates_are_warned_of(db):
    client, words = member(OWNER), "Rates older than 7 days"
    Rate.objects.create(currency_id="USD", inr=Decimal("88"))
    Rate.objects.exclude(currency="USD").update(valid_from=timezone.now())
    assert words not in client.get(RATES).content.decode()
    Rate.objects.filter(currency="USD").update(valid_from=timezone.now() - timedelta(days=8))
    page = client.get(RATES)
    assert page.context["old_rates"] == ["USD"] and words in page.content.decode()


def test_slabs_are_shown_sorted_with_what_a_cart_pays(db):
    india = Location.objects.get(pk=1)
    india.slabs.all().delete()
    for tier, cost in ((1000, 40), (500, 70), (2000, 0)):
        Slab.objects.create(location=india, tier_amount=tier, shipping_cost=cost)
    page = member(OWNER).get(reverse("admin:markets_location_change", args=[1]))
    formset = page.context["inline_admin_formsets"][0].formset
    assert [form.instance.tier_amount for form in formset.initial_forms] == [500, 1000, 2000]
    text = page.content.decode()
    for cart, pays in (("250.00", "70.00"), ("750.00", "40.00"), ("1,500.00", "0.00"), ("2,000.00", "0.00")):
        assert f"A cart of ₹{cart} pays ₹{pays}" in text


@pytest.mark.parametrize(
    ("tier", "cost", "words"),
    [
        ("0", "5", "Enter an amount above 0."),
        ("5", "-1", "Shipping cannot be below 0."),
        ("x", "1", "Enter a number."),
    ],
)
def test_a_wrong_slab_is_refused_at_its_field(tier, cost, words):
    Slab.objects.filter(location=1).delete()
    form = {
        "name": "India", "currency": "INR", "transit_days": "2", "is_active": "on", "slabs-TOTAL_FORMS": "1",
        "slabs-INITIAL_FORMS": "0", "slabs-0-location": "1", "slabs-0-tier_amount": tier, "slabs-0-shipping_cost": cost,
    }  # fmt: skip
    page = member(OWNER).post(reverse("admin:markets_location_change", args=[1]), form)
    assert words in page.content.decode() and not Slab.objects.filter(location=1).exists()


def test_a_location_is_switched_off_in_the_list(db):
    client = member(OWNER)
    rows = client.get(LOCATIONS, {"q": "Japan"}).context["cl"].result_list
    form = {
        "form-TOTAL_FORMS": "1", "form-INITIAL_FORMS": "1", "form-0-id": rows[0].pk, "_save": "Save",
        "form-0-is_indexed": "on",
    }  # fmt: skip
    assert client.post(f"{LOCATIONS}?q=Japan", form).status_code == 302
    japan = Location.objects.get(pk=rows[0].pk)
    assert (japan.is_active, japan.is_indexed) == (False, True)
    other = member(CATALOGUE_MANAGER)
    other.post(f"{LOCATIONS}?q=Japan", form | {"form-0-is_active": "on"})
    assert not Location.objects.get(pk=japan.pk).is_active
