"""Asking on the product page whether and when it comes to a PIN code."""

from datetime import timedelta

import pytest
from django.utils import timezone

from shop.markets.models import PinCode, ServiceRule

pytestmark = pytest.mark.django_db


@pytest.fixture
def ask(client, make_variant, make_product):
    """ask("560001"): the answer's page, as text."""
    soap = make_product("Neem Soap", dispatch_max_day=1, buffer_delivery_day=3)
    make_variant(product=soap)
    return lambda pincode: client.get("/en-in/product/neem-soap/delivery/", {"pincode": pincode}).content.decode()


def day(days):
    date = timezone.localdate() + timedelta(days=days)
    return f"{date:%a} {date.day} {date:%b}"


def test_a_pin_code_is_answered_with_the_day(ask):
    PinCode.objects.create(pin="560001", city="Bengaluru", state="Karnataka")
    assert f"Delivered by <strong>{day(4)}</strong> to Bengaluru, Karnataka" in ask(" 560 001 ")


def test_the_days_of_a_rule_are_added_and_its_note_is_said(ask):
    ServiceRule.objects.create(location_id=1, prefix="682", extra_days=2, note="Rain may delay it.")
    page = ask("682001")
    assert f"Delivered by <strong>{day(6)}</strong> to Kerala" in page and "Rain may delay it." in page


def test_where_nothing_is_delivered_it_says_so(ask):
    ServiceRule.objects.create(location_id=1, prefix="744", is_served=False)
    page = ask("744101")
    assert "We don&#x27;t deliver to 744101." in page and "Delivered by" not in page


def test_a_pin_code_that_a_whole_directory_lacks_is_answered_with_a_doubt(ask, monkeypatch):
    PinCode.objects.create(pin="560001", city="Bengaluru", state="Karnataka")
    monkeypatch.setattr("shop.markets.geography.pincodes.MAX_PINS", 1)
    page = ask("560999")
    assert "Delivered by" in page and "We don&#x27;t recognise this PIN code. Please check it." in page


@pytest.mark.parametrize("pin", ["999999", "860001", "290001", "995001"])
def test_no_day_is_promised_to_a_pin_code_that_begins_as_none_does(ask, pin):
    page = ask(pin)
    assert "Delivered by" not in page and "We don&#x27;t recognise this PIN code. Please check it." in page


@pytest.mark.parametrize("typed", ["", "56000", "012345", "abcdef", "<b>560001", "x" * 5000, "\x00"])
def test_nonsense_is_asked_for_again(ask, typed):
    page = ask(typed)
    assert "Enter the six digits of a PIN code." in page and "<b>560001" not in page


def test_the_product_page_has_the_form_in_india_only_and_stays_public(client, ask):
    page = client.get("/en-in/product/neem-soap/")
    assert 'action="/en-in/product/neem-soap/delivery/"' in page.content.decode()
    assert "public" in page["Cache-Control"]
    assert "pin-check" not in client.get("/en-us/product/neem-soap/").content.decode()


def test_the_answer_is_nobody_s_to_keep_and_no_search_engine_s(client, ask):
    answer = client.get("/en-in/product/neem-soap/delivery/?pincode=560001")
    assert answer["X-Robots-Tag"] == "noindex" and "no-store" in answer["Cache-Control"]
    assert client.get("/en-in/product/missing/delivery/?pincode=560001").status_code == 404
