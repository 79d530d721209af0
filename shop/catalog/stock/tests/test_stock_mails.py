"""Low stock told to the desk once, and one mail to who waits for a sold-out variant."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from shop.messaging.models import Message

from ...models import Product, StockAlert, StockMovement, Variant
from .. import services as stock
from ..notifications import notify_of_return_to_stock, warn_of_low_stock


def sell(variant, units):
    stock.hold({variant.pk: units}, reference="ORD-1")
    stock.sell({variant.pk: units}, reference="ORD-1")


def mails_of(kind):
    return Message.objects.filter(kind=kind)


# --- Low stock ------------------------------------------------------------------------------------


def test_the_desk_hears_once_when_a_variant_falls_to_the_limit(make_variant, settings):
    settings.LOW_STOCK, settings.ORDER_DESK_EMAIL = 5, "desk@example.com"
    variant = make_variant(units=7)
    sell(variant, 1)
    assert warn_of_low_stock() == 0
    sell(variant, 1)
    assert (warn_of_low_stock(), warn_of_low_stock()) == (1, 0)
    sell(variant, 2)
    assert warn_of_low_stock() == 0
    mail = mails_of("low_stock").get()
    assert mail.to == "desk@example.com"
    assert f"({variant.sku}): 5 left" in mail.text


def test_it_is_told_again_after_goods_came_in(make_variant):
    variant = make_variant(units=6)
    sell(variant, 2)
    assert warn_of_low_stock() == 1
    stock.receive(variant, 10)
    assert warn_of_low_stock() == 0
    sell(variant, 10)
    assert warn_of_low_stock() == 1
    stock.receive(variant, -1)  # a write-off is no receipt
    assert (warn_of_low_stock(), mails_of("low_stock").count()) == (0, 2)


def test_what_nobody_buys_and_what_is_not_sold_is_no_news(make_variant):
    make_variant(units=2)
    old, hidden, inactive = make_variant(units=2), make_variant(units=2), make_variant(units=2)
    for variant in (old, hidden, inactive):
        sell(variant, 1)
    StockMovement.objects.filter(variant=old).update(at=timezone.now() - timedelta(days=2))
    Product.objects.filter(pk=hidden.product_id).update(is_published=False)
    Variant.objects.filter(pk=inactive.pk).update(is_active=False)
    assert warn_of_low_stock() == 0


# --- Back in stock --------------------------------------------------------------------------------


@pytest.fixture
def gone(make_variant, make_product):
    return make_variant(units=0, product=make_product("Neem Soap"))


@pytest.fixture
def visitor():
    return Client(headers={"sec-fetch-site": "same-origin"})


def ask(visitor, variant, email="asha@example.com", **more):
    path = f"/en-in/product/{variant.product.slug}/alert/"
    return visitor.post(path, {"variant": variant.pk, "email": email}, **more)


def test_a_sold_out_variant_offers_the_form_and_one_in_stock_does_not(visitor, gone, make_variant):
    other = make_variant(units=3, product=gone.product)
    page = f"/en-in/product/{gone.product.slug}/?variant="
    shown = visitor.get(page + gone.sku)
    assert f'name="variant" value="{gone.pk}"' in shown.content.decode() and "Email me" in shown.content.decode()
    assert "s-maxage" in shown["Cache-Control"]
    assert "Email me" not in visitor.get(page + other.sku).content.decode()


@pytest.mark.parametrize("why", ["prescription", "barred"])
def test_what_is_never_sold_here_is_not_waited_for(visitor, gone, why):
    if why == "barred":
        gone.product.barred_locations.add(1)
    else:
        Product.objects.update(is_prescription=True)
    assert "Email me" not in visitor.get(f"/en-in/product/{gone.product.slug}/").content.decode()


def test_who_waits_gets_one_mail_when_it_is_back(visitor, gone):
    for spelling in ("Asha@Example.com", " asha@example.com "):
        answer = ask(visitor, gone, spelling)
        assert "We'll email you" in answer.content.decode()
        assert "no-store" in answer["Cache-Control"]
    assert (StockAlert.objects.count(), notify_of_return_to_stock()) == (1, 0)
    stock.receive(gone, 1)
    assert (notify_of_return_to_stock(), notify_of_return_to_stock()) == (1, 0)
    mail = mails_of("back_in_stock").get()
    assert mail.to == "asha@example.com"
    assert f"http://testserver/en-in/product/neem-soap/?variant={gone.sku}" in mail.text
    assert not StockAlert.objects.exists()


def test_who_waits_for_a_medicine_sold_on_prescription_gets_the_mail(visitor, gone, sold_on_prescription, settings):
    Product.objects.update(is_prescription=True, schedule="H")
    page = f"/product/{gone.product.slug}/"
    assert "Email me" in visitor.get(f"/en-in{page}").text and "Email me" not in visitor.get(f"/en-us{page}").text
    assert ask(visitor, gone).status_code == 200
    abroad = {"variant": gone.pk, "email": "ravi@example.com"}
    assert visitor.post(f"/en-us{page}alert/", abroad).status_code == 422
    StockAlert.objects.create(variant=gone, email="ravi@example.com", path=f"/en-us{page}")  # from before it was one
    stock.receive(gone, 1)
    assert notify_of_return_to_stock() == 1 and mails_of("back_in_stock").get().to == "asha@example.com"
    StockAlert.objects.create(variant=gone, email="asha@example.com", path=f"/en-in{page}")
    settings.COMPANY = settings.COMPANY | {"pharmacy_licence": ""}
    assert notify_of_return_to_stock() == 0


def test_what_was_withdrawn_meanwhile_is_not_announced(visitor, gone):
    ask(visitor, gone)
    stock.receive(gone, 1)
    Product.objects.update(is_published=False)
    assert notify_of_return_to_stock() == 0


@pytest.mark.parametrize("email", ["", "asha", "asha@", "ásha@example.com", "a@b.c\x00", "x" * 290 + "@example.com"])
def test_an_address_that_is_none_is_said_at_once(visitor, gone, email):
    answer = ask(visitor, gone, email)
    assert (answer.status_code, "Enter a valid email" in answer.content.decode()) == (422, True)
    assert not StockAlert.objects.exists()


@pytest.mark.parametrize("variant", ["", "x", "0", "9" * 17, "²"])
def test_an_unknown_variant_is_refused(visitor, gone, variant):
    path = f"/en-in/product/{gone.product.slug}/alert/"
    assert visitor.post(path, {"variant": variant, "email": "a@example.com"}).status_code == 422


def test_a_page_that_was_kept_too_long_leads_back_to_the_product(visitor, gone):
    stock.receive(gone, 1)
    answer = ask(visitor, gone)
    assert (answer.status_code, "this is in stock" in answer.content.decode()) == (409, True)
    assert not StockAlert.objects.exists()


def test_one_client_and_one_mailbox_ask_only_so_often(visitor, make_variant):
    variants = [make_variant(units=0) for _ in range(11)]
    answers = [ask(visitor, variant).status_code for variant in variants]
    assert answers == [200] * 10 + [429]
    answers = [ask(visitor, variants[0], f"a{number}@example.com").status_code for number in range(10)]
    assert answers[-1] == 429
    assert ask(visitor, variants[0], "b@example.com", REMOTE_ADDR="203.0.113.9").status_code == 200


def test_reading_the_address_leads_to_the_product(visitor, gone):
    assert visitor.get(f"/en-in/product/{gone.product.slug}/alert/").url == f"/en-in/product/{gone.product.slug}/"
    assert visitor.get("/en-in/product/nothing/alert/").status_code == 404
