"""What somebody agrees to who opens an account."""

import re

import pytest
from django.dispatch import Signal

from ...auth import services
from ...conftest import PASSWORD
from ...models import Consent, Customer
from .. import consents
from ..consents import privacy_version, record_consent, withdraw_consent

pytestmark = pytest.mark.django_db
PRIVACY, MARKETING = Consent.Kind.PRIVACY, Consent.Kind.MARKETING


def agreed(customer=None):
    consents = Consent.objects.filter(customer=customer or Customer.objects.get(), withdrawn_at=None)
    return sorted(consents.values_list("kind", "version"))


def test_the_notice_stands_at_sign_up_and_the_box_of_marketing_emails_is_empty(visitor):
    page = visitor.get("/signup/").text
    assert 'href="/en-in/privacypolicy/">Privacy Policy</a>' in page
    box = re.search(r'<input type="checkbox" name="marketing"[^>]*>', page)[0]
    assert "checked" not in box


def test_a_sign_up_keeps_the_version_of_the_notice_and_no_marketing_emails(
    visitor, sign_up_fields, sent_code, privacy_notice
):
    visitor.post("/signup/", sign_up_fields)
    assert not Consent.objects.exists()
    visitor.post("/otp/", {"otp_code": sent_code("ravi@example.com")})
    assert agreed() == [(PRIVACY, privacy_notice)]


def test_a_tick_is_kept_too(visitor, sign_up_fields, sent_code, privacy_notice):
    visitor.post("/signup/", sign_up_fields | {"marketing": "on"})
    visitor.post("/otp/", {"otp_code": sent_code("ravi@example.com")})
    assert agreed() == [(MARKETING, privacy_notice), (PRIVACY, privacy_notice)]


def test_a_tick_survives_a_refusal_of_the_form(visitor, sign_up_fields):
    page = visitor.post("/signup/", sign_up_fields | {"marketing": "on", "name": ""}).text
    assert "checked" in re.search(r'<input type="checkbox" name="marketing"[^>]*>', page)[0]


def test_the_version_is_the_one_that_was_shown(
    visitor, sign_up_fields, sent_code, privacy_notice, monkeypatch, reset_limits
):
    visitor.post("/signup/", sign_up_fields)
    monkeypatch.setattr(services, "privacy_version", lambda: "8")  # a new text, before the code is typed
    reset_limits()
    visitor.post("/resend/")
    visitor.post("/otp/", {"otp_code": sent_code("ravi@example.com")})
    assert agreed() == [(PRIVACY, privacy_notice)]


def test_the_call_keeps_the_notice_and_no_letters(visitor, sent_code, privacy_notice):
    body = {"user_name": "Ravi", "email_id": "ravi@example.com", "password": PASSWORD}
    visitor.post("/user-register/", body, content_type="application/json")
    body = {"email_id": "ravi@example.com", "otp_code": sent_code("ravi@example.com")}
    visitor.post("/verify-otp/", body, content_type="application/json")
    assert agreed() == [(PRIVACY, privacy_notice)]


def test_a_consent_counts_once_a_version_and_can_be_withdrawn_and_given_again(customer):
    for version in ("7", "7", "8"):
        record_consent(customer, MARKETING, version)
    assert agreed(customer) == [(MARKETING, "7"), (MARKETING, "8")]
    record_consent(customer, PRIVACY, "8")
    withdraw_consent(customer, MARKETING)
    assert agreed(customer) == [(PRIVACY, "8")]
    record_consent(customer, MARKETING, "8")
    assert agreed(customer) == [(MARKETING, "8"), (PRIVACY, "8")]
    assert Consent.objects.filter(kind=MARKETING).count() == 3  # what was withdrawn stays written down


def test_the_room_that_shows_the_notice_names_its_version(monkeypatch):
    asked = Signal()
    monkeypatch.setattr(consents, "naming_privacy_notice", asked)
    assert privacy_version() == ""

    def name_version(**_):
        return "2026-11-21/3"

    asked.connect(name_version)
    assert privacy_version() == "2026-11-21/3"
