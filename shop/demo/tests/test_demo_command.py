"""The demo fills an empty shop once, the same way each time."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from shop.accounts.models import Address, Customer
from shop.cart.models import Coupon
from shop.catalog.models import Category, Picture, Product, StockMovement, Variant, VariantImage
from shop.catalog.products.popularity import count_popularity
from shop.content.models import Banner, HomeRow, Post
from shop.html import clean_html
from shop.payments.reconciliation.invariants import broken_invariants

from .. import logins, purchases, services
from ..catalogue import reading


def test_the_demo_fills_an_empty_shop_once(db, settings, undrawn):
    settings.DEMO = True
    out = StringIO()
    call_command("demo", stdout=out)
    assert Product.objects.count() == len(reading.products())
    assert Category.objects.roots().count() == 8
    assert Banner.objects.count() >= 3
    assert HomeRow.objects.first().kind == HomeRow.Kind.CONCERNS
    assert Post.objects.shown().filter(picture__isnull=False, categories__isnull=False).distinct().count() == 4
    assert [post.text for post in Post.objects.all()] == [clean_html(post.text) for post in Post.objects.all()]
    call_command("demo", stdout=out)
    assert "nothing to do" in out.getvalue()
    assert Product.objects.count() == len(reading.products())


def test_stock_adds_up_and_has_its_reasons(db, undrawn):
    services.load_demo()
    received = sum(Variant.objects.values_list("received", flat=True))
    came = StockMovement.objects.filter(kind=StockMovement.Kind.RECEIVED)
    assert received == sum(came.values_list("quantity", flat=True)) > 0
    assert Product.objects.filter(in_stock=False).exists()


def test_counting_what_sells_keeps_the_demo_s_order(db, undrawn):
    services.load_demo()
    before = dict(Product.objects.values_list("slug", "popularity"))
    assert len(set(before.values())) > 50
    count_popularity()
    assert dict(Product.objects.values_list("slug", "popularity")) == before


def test_cards_are_ready(db, undrawn):
    services.load_demo()
    assert not Product.objects.filter(first_variant=None).exists()
    assert not Product.objects.filter(first_picture=None).exists()
    assert not Variant.objects.filter(variant_images=None).exists()
    assert VariantImage.objects.filter(position=2).exists()


@pytest.mark.parametrize("step", ["load_people", "load_directory", "load_batches"])
def test_an_interrupted_load_leaves_an_empty_shop(db, settings, undrawn, monkeypatch, step):
    settings.SIMULATED_GATEWAY = True
    for name in ("load_history", "load_directory"):
        monkeypatch.setattr(services, name, lambda of: None)
    monkeypatch.setattr(services, step, lambda *of: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        services.load_demo()
    assert not Product.objects.exists()
    monkeypatch.undo()


def test_every_role_can_sign_in(db, undrawn):
    services.load_demo()
    assert Customer.objects.get(email=logins.CUSTOMER.email).check_password(logins.CUSTOMER.password)
    assert Address.objects.get().is_default
    for login in logins.STAFF:
        person = Customer.objects.get(email=login.email)
        assert person.is_staff and person.groups.get().name == login.role


def test_the_demo_is_refused_in_production(db, settings):
    settings.DEMO = settings.DEBUG = False
    with pytest.raises(CommandError):
        call_command("demo")
    assert not Picture.objects.exists()


def test_the_customer_has_an_order_at_each_stage_and_a_coupon_to_try(db, undrawn):
    services.load_demo()
    asha = Customer.objects.get(email=logins.CUSTOMER.email)
    assert list(asha.orders.order_by("pk").values_list("status", flat=True)) == ["delivered", "shipped", "placed"]
    assert not asha.prescriptions.exists(), "a company without licence sells nothing on prescription"
    assert Coupon.objects.get().code == "WELCOME10"
    purchases.load_purchases()
    assert asha.orders.count() == 3
    assert list(asha.refills.order_by("pk").values_list("state", flat=True)) == ["active", "active", "paused"]
    assert not {invariant.name: rows for invariant, rows in broken_invariants() if rows}
