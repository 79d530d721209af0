import threading
from contextlib import suppress
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from shop.errors import TooMany
from shop.limits.models import Counter
from shop.tests.support.codes import other_code

from ...models import Code
from .. import services as codes
from ..services import (
    GUESSES,
    CodeMessage,
    WrongCode,
    allow_send,
    check_code,
    delete_expired_codes,
    send_code,
    spend_code,
)

pytestmark = pytest.mark.django_db
SIGN_UP = Code.Purpose.SIGN_UP
ASHA = "asha@example.com"
CLIENT = "203.0.113.9"


@pytest.fixture
def send(sent_code):
    def send(address=ASHA, purpose=SIGN_UP):
        send_code(purpose=purpose, address=address, message=CodeMessage("sign_up_code", "Your code"))
        return sent_code(address)

    return send


def check(digits, address=ASHA, purpose=SIGN_UP):
    return check_code(purpose=purpose, address=address, digits=digits)


def test_the_right_code_is_right(send):
    assert check(send()).address == ASHA


def test_a_wrong_code_is_refused(send):
    with pytest.raises(WrongCode):
        check(other_code(send()))


def test_the_right_code_after_five_wrong_ones_is_refused(send):
    digits = send()
    for _ in range(GUESSES):
        with pytest.raises(WrongCode):
            check(other_code(digits))
    with pytest.raises(WrongCode):
        check(digits)
    assert Code.objects.get().tries == GUESSES


def test_a_code_is_refused_after_ten_minutes(send):
    digits = send()
    Code.objects.update(expires_at=timezone.now())
    with pytest.raises(WrongCode):
        check(digits)


def test_a_code_expires_after_ten_minutes(send):
    send()
    code = Code.objects.get()
    assert code.expires_at - code.created_at == timedelta(minutes=10)


def test_a_code_is_used_once(send):
    code = check(send())
    spend_code(code)
    with pytest.raises(WrongCode):
        spend_code(code)
    assert Code.objects.get().payload == {}


def test_a_code_checked_before_a_new_one_was_sent_cannot_be_spent(send):
    code = check(send())
    send()
    with pytest.raises(WrongCode):
        spend_code(code)


def test_a_new_code_kills_the_old(send):
    old = send()
    new = send()
    if old != new:
        with pytest.raises(WrongCode):
            check(old)
    assert check(new)


def test_a_code_is_bound_to_its_address_and_purpose(send):
    digits = send()
    send("eve@example.com")
    with pytest.raises(WrongCode):
        check(digits, purpose=Code.Purpose.RESET)
    with pytest.raises(WrongCode):
        check(digits, address="nobody@example.com")
    Code.objects.filter(address="eve@example.com").update(code_hash=Code.objects.get(address=ASHA).code_hash)
    with pytest.raises(WrongCode):
        check(digits, address="eve@example.com")


def test_sends_are_a_minute_apart():
    allow_send(ASHA, client_address=CLIENT)
    with pytest.raises(TooMany) as refusal:
        allow_send(ASHA, client_address=CLIENT)
    assert 59 <= refusal.value.retry_after <= 61


def sends_until_refused(address=lambda n: ASHA, client=CLIENT, *, passing=("code_minute",)):
    for number in range(500):
        for purpose in passing:
            Counter.objects.filter(key__startswith=purpose).delete()
        try:
            allow_send(address(number), client_address=client)
        except TooMany:
            return number
    return 500


def test_five_sends_an_hour_and_ten_a_day():
    assert sends_until_refused() == 5
    Counter.objects.filter(key__startswith="code_day").delete()
    assert sends_until_refused(passing=("code_minute", "code_hour")) == 10


def test_two_hundred_sends_an_hour_from_one_ipv4_client():
    assert sends_until_refused(lambda n: f"person{n}@example.com") == 200


def test_twenty_sends_an_hour_from_one_ipv6_subscriber():
    assert sends_until_refused(lambda n: f"person{n}@example.com", "2001:db8:1:2::9") == 20
    with pytest.raises(TooMany):
        allow_send("other@example.com", client_address="2001:db8:1:2:ffff::1")


def test_old_codes_are_forgotten(send):
    send()
    assert delete_expired_codes() == 0
    Code.objects.update(expires_at=timezone.now() - timedelta(days=2))
    assert delete_expired_codes() == 1


def guess_in_parallel(digits, monkeypatch, number):
    """How many of `number` parallel guesses are compared."""
    compared = []
    real = codes.constant_time_compare

    def compare(*pair):
        compared.append(1)
        return real(*pair)

    monkeypatch.setattr(codes, "constant_time_compare", compare)
    barrier = threading.Barrier(20)

    def work(share):
        barrier.wait()
        for _ in range(share):
            with suppress(WrongCode):
                check(other_code(digits))
        connection.close()

    workers = [threading.Thread(target=work, args=(number // 20,)) for _ in range(20)]
    [worker.start() for worker in workers]
    [worker.join() for worker in workers]
    return len(compared)


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_of_two_hundred_parallel_guesses_five_are_compared(send, monkeypatch):
    assert guess_in_parallel(send(), monkeypatch, 200) == GUESSES
    assert Code.objects.get().tries == GUESSES


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_without_the_conditional_update_more_than_five_are_compared(send, monkeypatch):
    looked = threading.Barrier(20)

    def look_then_write(code):
        tries = Code.objects.get(pk=code.pk).tries
        looked.wait()
        Code.objects.filter(pk=code.pk).update(tries=tries + 1)
        return tries < GUESSES

    monkeypatch.setattr(codes, "_count_guess", look_then_write)
    assert guess_in_parallel(send(), monkeypatch, 20) > GUESSES
