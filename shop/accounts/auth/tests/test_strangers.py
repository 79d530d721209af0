"""What strangers get wrong locks no browser that its customer used before, and leaves everybody else a way in
(RELIABILITY.md 55): a code, a passkey, a puzzle, or a minute's wait. Neither address of an account tells of the
other."""

import itertools
import re
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import pytest
import time_machine
from django.test import Client

from shop.limits.models import Counter
from shop.messaging.models import Message

from ...conftest import PASSWORD
from ...models import Customer
from ...otp import puzzles
from ...passkeys.tests.test_passkeys import Passkey, add, browser, use

pytestmark = [pytest.mark.django_db, pytest.mark.database]
ASHA, PHONE = "asha@example.com", "+919876543210"
RIGHT, WRONG = {"email": ASHA, "password": PASSWORD}, {"email": ASHA, "password": "wrong one"}
HERS, STRANGERS = "203.0.113.9", "198.51.100.7"
NOON = datetime(2026, 11, 23, 6, 30, tzinfo=UTC)


@pytest.fixture(autouse=True)
def easy_puzzles(settings):
    settings.PUZZLE_BITS = 6


@pytest.fixture
def clock():
    with time_machine.travel(NOON, tick=False) as moving:
        yield moving


def new_browser(address=HERS):
    return Client(headers={"sec-fetch-site": "same-origin"}, REMOTE_ADDR=address)


@pytest.fixture
def known(customer):
    """A browser in which Asha signed in and out."""
    own = new_browser()
    own.post("/signin/", RIGHT)
    own.post("/logout/")
    return own


@pytest.fixture
def locked(customer):
    """Strangers have tried passwords until the address was closed."""
    stranger = new_browser(STRANGERS)
    assert [stranger.post("/signin/", WRONG).status_code for _ in range(6)] == [400] * 5 + [429]
    return stranger


def ticket_in(page):
    return re.search(r'name="puzzle" value="([^"]+)"', page.text)[1]


def solved(ticket, bits=6):
    nonce = ticket.partition(":")[0]
    fits = (n for n in itertools.count() if sha256(f"{nonce}:{n}".encode()).digest()[0] >> (8 - bits) == 0)
    return f"{ticket} {next(fits)}"


# --- Passwords ------------------------------------------------------------------------


def test_wrong_passwords_of_strangers_lock_no_known_browser(known, locked):
    assert known.post("/signin/", RIGHT).status_code == 302


def test_nor_do_they_behind_the_same_address(known):
    neighbour = new_browser(HERS)
    for number in range(12):
        neighbour.post("/signin/", WRONG | {"email": f"person{number}@example.com"})
    assert known.post("/signin/", RIGHT).status_code == 302


def test_nor_over_the_call(known, locked):
    body = {"email_id": ASHA, "password": PASSWORD}
    assert known.post("/user-login/", body, content_type="application/json").status_code == 200


def test_a_known_browser_has_five_tries_of_its_own(known):
    assert [known.post("/signin/", WRONG).status_code for _ in range(6)] == [400] * 5 + [429]
    assert new_browser(STRANGERS).post("/signin/", RIGHT).status_code == 302


def test_a_known_browser_knows_one_customer_only(known, locked):
    Customer.objects.create_user("ravi@example.com", PASSWORD)
    stranger = new_browser(STRANGERS)
    for _ in range(6):
        Counter.objects.filter(key__startswith="sign_in_client").delete()
        stranger.post("/signin/", WRONG | {"email": "ravi@example.com"})
    assert known.post("/signin/", RIGHT | {"email": "ravi@example.com"}).status_code == 429


def test_a_puzzle_lets_the_owner_try_in_a_new_browser(locked):
    own = new_browser()
    refused = own.post("/signin/", RIGHT)
    assert refused.status_code == 429
    assert own.post("/signin/", RIGHT | {"puzzle": solved(ticket_in(refused))}).status_code == 302


def test_a_wait_of_a_minute_does_too_without_scripts(clock, locked):
    own = new_browser()
    refused = own.post("/signin/", RIGHT)
    assert "Wait 60 seconds" in refused.text
    ticket = ticket_in(refused)
    clock.shift(timedelta(seconds=30))
    assert own.post("/signin/", RIGHT | {"puzzle": ticket}).status_code == 429
    clock.shift(timedelta(seconds=31))
    assert own.post("/signin/", RIGHT | {"puzzle": ticket}).status_code == 302


def test_the_call_holds_a_puzzle_too(locked):
    own = new_browser()
    body = {"email_id": ASHA, "password": PASSWORD}
    puzzle = own.post("/user-login/", body, content_type="application/json").json()["puzzle"]
    assert (puzzle["bits"], puzzle["wait_seconds"]) == (6, 60)
    body["puzzle"] = solved(puzzle["ticket"])
    assert own.post("/user-login/", body, content_type="application/json").status_code == 200


@pytest.mark.parametrize("spoil", ["", "no answer", "altered", "another client's", "used", "old"])
def test_a_puzzle_is_good_once_for_its_client_and_ten_minutes(clock, locked, spoil):
    own = new_browser(STRANGERS if spoil == "another client's" else HERS)
    solution = solved(ticket_in(own.post("/signin/", WRONG)))
    own = new_browser()
    if spoil == "no answer":
        solution = solution.partition(" ")[0]
    elif spoil == "altered":
        solution = f"x{solution}"
    elif spoil == "used":
        assert own.post("/signin/", WRONG | {"puzzle": solution}).status_code == 400
    elif spoil == "old":
        clock.shift(puzzles.LASTS + timedelta(seconds=1))
        for _ in range(5):
            new_browser(STRANGERS).post("/signin/", WRONG)
    assert own.post("/signin/", RIGHT | {"puzzle": solution}).status_code == (429 if spoil else 302)


@pytest.mark.parametrize("solution", ["x", "a:b:c", "a:b:c:d 1", " ", "9" * 300])
def test_what_is_no_puzzle_is_refused_in_words(locked, solution):
    answer = new_browser().post("/signin/", RIGHT | {"puzzle": solution})
    assert (answer.status_code, "Too many attempts" in answer.text) == (429, True)


def test_one_stranger_with_puzzles_does_not_use_up_the_owners(locked):
    def tries(client, fields):
        refused = client.post("/signin/", WRONG)
        return client.post("/signin/", fields | {"puzzle": solved(ticket_in(refused))}).status_code

    assert [tries(locked, WRONG) for _ in range(4)] == [400, 400, 429, 429]
    assert tries(new_browser(), RIGHT) == 302


def test_with_puzzles_too_an_account_has_few_tries(locked):
    looked_at = 0
    for number in range(12):
        stranger = new_browser(f"192.0.2.{number}")
        refused = stranger.post("/signin/", WRONG)
        looked_at += stranger.post("/signin/", WRONG | {"puzzle": solved(ticket_in(refused))}).status_code == 400
    assert looked_at == 5


def test_a_code_or_a_passkey_lets_the_owner_in_meanwhile(customer, sent_code):
    passkey = Passkey()
    add(browser(customer), passkey)
    stranger = new_browser(STRANGERS)
    for _ in range(6):
        stranger.post("/signin/", WRONG)
    own = new_browser()
    own.post("/signin/code/", {"email": ASHA})
    assert own.post("/otp/", {"otp_code": sent_code(ASHA)}).status_code == 302
    assert use(browser(), passkey).status_code == 200


def test_the_right_password_over_one_address_opens_nothing_of_the_other(customer):
    """The silent count of the account: an e-mail that was closed says nothing about a mobile."""
    Customer.objects.filter(pk=customer.pk).update(phone=PHONE)
    stranger = new_browser(STRANGERS)
    for _ in range(5):
        stranger.post("/signin/", WRONG)
    fields = {"by": "mobile", "mobile": PHONE}
    right = new_browser().post("/signin/", fields | {"password": PASSWORD})
    wrong = new_browser().post("/signin/", fields | {"password": "wrong one"})
    nobody = new_browser().post("/signin/", fields | {"mobile": "+919812345678", "password": "wrong one"})
    assert {answer.status_code for answer in (right, wrong, nobody)} == {400}


# --- Every password that is sent counts ---------------------------------------------------------


def test_too_short_passwords_count_as_a_try(customer, client):
    stranger = new_browser()
    assert [stranger.post("/signin/", WRONG | {"password": "x"}).status_code for _ in range(6)] == [400] * 5 + [429]


@pytest.mark.parametrize("new", ["short", "password123"])
def test_a_change_to_a_password_that_will_not_do_counts_too(signed_in, new):
    fields = {"current_password": "wrong one"} | dict.fromkeys(("new_password", "password_again"), new)
    assert [signed_in.post("/change-password/", fields).status_code for _ in range(6)] == [422] * 5 + [429]


def test_as_does_one_that_was_not_repeated_alike(signed_in):
    fields = {"current_password": "wrong one", "new_password": "amla and honey 7", "password_again": "other"}
    assert [signed_in.post("/change-password/", fields).status_code for _ in range(6)] == [422] * 5 + [429]


def test_as_does_a_password_longer_than_any(customer):
    stranger = new_browser()
    fields = WRONG | {"password": "x" * 5000}
    assert [stranger.post("/signin/", fields).status_code for _ in range(6)] == [400] * 5 + [429]


# --- Codes ------------------------------------------------------------------------------------


def use_up_the_sends(client, path="/signin/code/"):
    for _ in range(6):
        Counter.objects.filter(key__startswith="code_minute").delete()
        answer = client.post(path, {"email": ASHA})
    assert answer.status_code == 429


@pytest.mark.parametrize("path", ["/signin/code/", "/forgot-password/"])
def test_a_puzzle_sends_a_code_where_strangers_used_up_the_sends(customer, sent_code, path):
    use_up_the_sends(new_browser(STRANGERS))
    Counter.objects.filter(key__startswith="code_minute").delete()
    before = Message.objects.count()
    own = new_browser()
    refused = own.post(path, {"email": ASHA})
    assert refused.status_code == 429
    assert own.post(path, {"email": ASHA, "puzzle": solved(ticket_in(refused))}).status_code == 302
    assert Message.objects.count() == before + 1
    finish = {"/signin/code/": "/otp/", "/forgot-password/": "/forgot-password/?step=reset"}[path]
    new = dict.fromkeys(("new_password", "password_again"), "amla and honey 7")
    assert own.post(finish, new | {"otp_code": sent_code(ASHA)}).status_code == 302


def test_a_stranger_who_keeps_asking_does_not_hold_the_minute(customer):
    """Who is refused for the hour sends nothing, and keeps nobody waiting."""
    stranger = new_browser(STRANGERS)
    use_up_the_sends(stranger)
    Counter.objects.filter(key__startswith="code_minute").delete()
    stranger.post("/signin/code/", {"email": ASHA})
    refused = new_browser().post("/signin/code/", {"email": ASHA})
    assert "Please wait before requesting another OTP." not in refused.text
    assert ticket_in(refused)


def test_no_puzzle_shortens_the_minute_between_two_codes(customer):
    own = new_browser()
    own.post("/signin/code/", {"email": ASHA})
    refused = own.post("/signin/code/", {"email": ASHA})
    assert (refused.status_code, 'name="puzzle"' in refused.text) == (429, False)


def test_puzzles_send_three_codes_an_hour_and_five_a_day_whoever_solves_them(customer):
    use_up_the_sends(new_browser(STRANGERS))
    sent = []
    for number in range(12):
        Counter.objects.filter(key__startswith="code_minute").delete()
        stranger = new_browser(f"192.0.2.{number}")
        refused = stranger.post("/signin/code/", {"email": ASHA})
        answer = stranger.post("/signin/code/", {"email": ASHA, "puzzle": solved(ticket_in(refused))})
        sent.append(answer.status_code)
        if number == 5:
            Counter.objects.filter(key__startswith="code_puzzle_hour").delete()
    assert sent == [302] * 3 + [429] * 3 + [302] * 2 + [429] * 4


def test_strangers_behind_the_same_address_use_up_no_sends_of_a_known_browser(known, settings, monkeypatch):
    monkeypatch.setattr("shop.accounts.otp.services.IPV4_SENDS", 3)
    neighbour = new_browser(HERS)
    for number in range(5):
        neighbour.post("/signin/code/", {"email": f"person{number}@example.com"})
    assert neighbour.post("/signin/code/", {"email": "person9@example.com"}).status_code == 429
    assert known.post("/signin/code/", {"email": ASHA}).status_code == 302


def test_a_code_by_the_other_channel_is_not_touched(customer, sent_code):
    Customer.objects.filter(pk=customer.pk).update(phone=PHONE)
    use_up_the_sends(new_browser(STRANGERS))
    own = new_browser()
    assert own.post("/signin/code/", {"by": "mobile", "mobile": PHONE}).status_code == 302
    assert own.post("/otp/", {"otp_code": sent_code(PHONE)}).status_code == 302


def test_without_counters_of_its_own_a_known_browser_is_locked_out(known, locked, monkeypatch):
    monkeypatch.setattr("shop.accounts.auth.views.browser_of", lambda request, address: "")
    assert known.post("/signin/", RIGHT).status_code == 429
