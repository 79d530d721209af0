"""What is invisible in a name or an address is taken out of it; what scripts need to be drawn stays."""

import sys
import time
import unicodedata

import pytest

from shop.accounts.addresses.rules import clean_address
from shop.accounts.contact_points import canonical_email, canonical_mobile
from shop.accounts.models import Customer
from shop.text import one_line, without_invisibles

PLAIN = ["Asha Rao", "आशा राव", "علي رضا", "ஆஷா", "O'Brien-Śmith", "José", "陳大文", "🌿 Leaf"]
# Joiners that are seen: after and before a virama, and between letters that join.
NEEDED = [
    "श्रीमान्\u200cको",
    "क्\u200dष",
    "র\u200d্যাব",
    "අශ්\u200dවිනි",
    "ന്\u200d",
    "علی\u200cرضا",
    "می\u200cخواهم",
]
INVISIBLE = [
    "\u200b", "\u200e", "\u200f", "\u202a", "\u202c", "\u202d", "\u202e", "\u2060", "\u2063", "\u2066", "\u2067",
    "\u2068", "\u2069", "\ufeff", "\u00ad", "\u061c", "\u034f", "\u115f", "\u1160", "\u3164", "\uffa0", "\u2800",
    "\u180e", "\ufe0f", "\ufe00", "\U000e0041", "\U000e0100", "\u206a", "\U0001d173", "\u200c", "\u200d",
]  # fmt: skip


@pytest.mark.parametrize("text", PLAIN + NEEDED)
def test_what_is_seen_stays(text):
    assert one_line(text) == unicodedata.normalize("NFC", text)


@pytest.mark.parametrize("mark", INVISIBLE, ids=ascii)
def test_what_is_invisible_goes(mark):
    for text in (f"As{mark}ha Rao", f"{mark}Asha Rao", f"Asha Rao{mark}", f"Asha {mark} Rao", f"A{mark}{mark}sha Rao"):
        assert one_line(text) == "Asha Rao"


@pytest.mark.parametrize("text", ["रा\u200dम", "राम\u200c", "عل\u200dي\u200d", "علي\u200c", "علي\u200c\u200d رضا"])
def test_joiners_that_change_nothing_go(text):
    assert len(one_line(text)) < len(text)


def test_a_joiner_that_is_repeated_is_one():
    assert one_line("علی\u200c\u200c\u200cرضا") == "علی\u200cرضا"


def test_no_character_of_unicode_that_formats_stays_by_itself():
    formats = (chr(code) for code in range(sys.maxunicode) if unicodedata.category(chr(code)) == "Cf")
    kept = [character for character in formats if one_line(f"a{character}b") != "ab"]
    assert {unicodedata.name(character).split()[0] for character in kept} <= {"ARABIC", "SYRIAC", "KAITHI"}


def test_twice_is_as_once():
    for text in PLAIN + NEEDED + INVISIBLE:
        assert one_line(one_line(text)) == one_line(text)


def test_hostile_text_takes_linear_time():
    began = time.perf_counter()
    for text in ("\u202e" * 100_000, "क्\u200d" * 33_000, "\u200c" * 100_000):
        without_invisibles(text)
    assert time.perf_counter() - began < 2


def test_addresses_and_their_phone_are_cleaned():
    typed = {
        "full_name": "Asha\u202e Rao", "phone_code": "+91", "phone_number": "\u202a98765 43210\u202c",
        "alt_phone_code": "+91", "alt_phone_number": "080 2222 3333", "address": "12\u200b Temple Road",
        "city": "Bengaluru\u200f", "state": "Karnataka", "pincode": "560001",
    }  # fmt: skip
    cleaned = clean_address(typed, country_code="IN")
    assert [cleaned[name] for name in ("full_name", "address", "city", "phone_number")] == [
        "Asha Rao", "12 Temple Road", "Bengaluru", "9876543210",
    ]  # fmt: skip


def test_what_was_pasted_with_marks_of_direction_is_the_same_contact_point():
    assert canonical_email("\u200easha@example.com\u202c") == "asha@example.com"
    assert canonical_mobile("\u202a+91 98765 43210\u202c", country_code="IN") == "+919876543210"


@pytest.mark.django_db
def test_names_of_customers_are_cleaned_wherever_they_are_typed(browser_client, customer):
    body = {"user_name": "Ra\u202evi", "email_id": "ravi@example.com", "password": "honey and amla"}
    answer = browser_client.post("/user-register/", body, content_type="application/json")
    assert answer.status_code == 200
    nobody = body | {"user_name": "\u3164\u200b"}
    assert browser_client.post("/user-register/", nobody, content_type="application/json").status_code == 422
    browser_client.force_login(customer)
    browser_client.post("/profile/", {"name": "As\u200bha \u2066Rao"})
    assert Customer.objects.get(pk=customer.pk).name == "Asha Rao"
