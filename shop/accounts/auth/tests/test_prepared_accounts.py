"""Nobody prepares an account for somebody else: a code confirms the sign-up that asked for it and no other
(RELIABILITY.md 50), whoever asked first, with and without cookies."""

import itertools
import threading

import pytest
from django.db import connection
from django.test import Client

from shop.accounts.otp.services import WRONG_OTP
from shop.limits.models import Counter
from shop.messaging.models import Message
from shop.tests.support.codes import SOME_CODE, code_in

from ...conftest import PASSWORD
from ...models import Code, Customer
from ...otp import services as codes
from ...otp.services import WrongCode
from .. import services

pytestmark = [pytest.mark.django_db, pytest.mark.database]
RAVI, EVES = "ravi@example.com", "eves own password"
TURNS = 20


class Person:
    """Somebody who signs up with Ravi's address over the API."""

    def __init__(self, name, password, *, with_cookies):
        self.name, self.password, self.with_cookies = name, password, with_cookies
        self.client = Client(headers={"sec-fetch-site": "same-origin"})
        self.key = ""

    def call(self, path, **body):
        if not self.with_cookies:
            self.client.cookies.clear()
        return self.client.post(path, body, content_type="application/json")

    def ask(self, address=RAVI):
        forget_minutes()
        answer = self.call("/user-register/", user_name=self.name, email_id=address, password=self.password)
        assert answer.status_code == 200, answer.content
        self.key = answer.json()["signup_key"]
        return digits_to(address)

    def confirm(self, digits, *, key=None):
        body = {} if self.with_cookies else {"signup_key": self.key if key is None else key}
        return self.call("/verify-otp/", email_id=RAVI, otp_code=digits, **body)


def forget_minutes():
    Counter.objects.all().delete()


def digits_to(address):
    return code_in(Message.objects.filter(to=address).latest("id").text)


@pytest.fixture(params=[True, False], ids=["cookies", "no cookies"])
def people(request):
    """Ravi, and Eve who prepares an account for him."""
    return [
        Person("Ravi Iyer", PASSWORD, with_cookies=request.param),
        Person("Eve", EVES, with_cookies=request.param),
    ]


@pytest.mark.parametrize("eve_asks", ["first", "last", "before and after"])
def test_the_account_has_the_name_and_the_password_of_whoever_read_the_code(people, eve_asks):
    ravi, eve = people
    for _ in range(TURNS):
        theirs = eve.ask() if eve_asks != "last" else ""
        digits = ravi.ask()
        theirs = eve.ask() if eve_asks != "first" else theirs
        if theirs != digits:
            assert ravi.confirm(theirs).status_code == 400  # Ravi reads both messages
        answer = ravi.confirm(digits)
        assert answer.status_code == 200, answer.content
        customer = Customer.objects.get()
        assert (customer.name, customer.check_password(PASSWORD)) == ("Ravi Iyer", True)
        assert eve.confirm(theirs).status_code == 400  # even with what was in Ravi's mail
        Customer.objects.all().delete()
        Code.objects.all().delete()


def test_a_code_of_one_sign_up_is_nothing_to_another_key(people):
    ravi, eve = people
    digits = ravi.ask()
    if eve.ask() != digits:
        assert eve.confirm(digits).status_code == 400
    nobody = Person("Mallory", EVES, with_cookies=False)
    for key in ("", "made up", eve.key):
        answer = nobody.confirm(digits, key=key)
        assert (answer.status_code, answer.json()["msg"]) == (400, WRONG_OTP)
    assert not Customer.objects.exists()
    assert ravi.confirm(digits).status_code == 200


def test_without_cookie_and_key_the_answer_names_the_field(people):
    people[0].ask()
    answer = Client(headers={"sec-fetch-site": "same-origin"}).post(
        "/verify-otp/", {"email_id": RAVI, "otp_code": digits_to(RAVI)}, content_type="application/json"
    )
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["signup_key"])
    assert {code.tries for code in Code.objects.all()} == {0}


def test_strangers_neither_use_up_nor_replace_the_guesses_of_a_sign_up(people):
    ravi, eve = people
    digits = ravi.ask()
    eve.ask()
    for _ in range(codes.GUESSES + 1):
        eve.confirm(SOME_CODE)
    assert ravi.confirm(digits).status_code == 200


def test_sends_are_counted_for_the_address_however_many_sign_ups(people):
    """Ten a day whoever asks: so at most fifty guesses a day at one address."""
    sent = 0
    for turn in itertools.count():
        Counter.objects.filter(key__startswith="code_minute").delete()
        Counter.objects.filter(key__startswith="code_hour").delete()
        person = people[turn % 2]
        answer = person.call("/user-register/", user_name=person.name, email_id=RAVI, password=person.password)
        if answer.status_code == 429:
            break
        sent += 1
    assert sent == Message.objects.count() == Code.objects.count() == 10


def test_known_and_unknown_addresses_get_the_same_shape_of_answer(people, customer):
    person = people[0]

    def answer_for(address):
        forget_minutes()
        answer = person.call("/user-register/", user_name="Ravi", email_id=address, password=PASSWORD)
        body = answer.json()
        assert len(body.pop("signup_key")) >= 40  # 256 bits
        return answer.status_code, str(body).replace(address, "…")

    assert answer_for(RAVI) == answer_for(customer.email)


def test_the_key_is_kept_hashed(people):
    people[0].ask()
    code = Code.objects.get()
    assert people[0].key not in f"{code.browser} {code.code_hash} {code.payload}"


def test_two_pages_of_one_address_open_the_account_of_the_own_form(visitor, sign_up_fields, sent_code, reset_limits):
    eve = Client(headers={"sec-fetch-site": "same-origin"})
    eve.post("/signup/", sign_up_fields | {"name": "Eve"} | dict.fromkeys(("password", "password_again"), EVES))
    reset_limits()
    visitor.post("/signup/", sign_up_fields)
    own = sent_code(RAVI)
    reset_limits()
    eve.post("/resend/")
    assert visitor.post("/otp/", {"otp_code": own}).status_code == 302
    assert Customer.objects.get().name == "Ravi Iyer"
    assert eve.post("/otp/", {"otp_code": sent_code(RAVI)}).status_code == 400


@pytest.mark.parametrize("path", ["/signin/code/", "/forgot-password/"])
def test_a_code_that_a_stranger_asked_for_opens_nothing_in_the_owners_browser_nor_in_hers(
    path, customer, visitor, sent_code, reset_limits
):
    eve = Client(headers={"sec-fetch-site": "same-origin"})
    finish = {"/signin/code/": "/otp/", "/forgot-password/": "/forgot-password/?step=reset"}[path]
    new = dict.fromkeys(("new_password", "password_again"), EVES)
    visitor.post(path, {"email": customer.email})
    own = sent_code(customer.email)
    reset_limits()
    eve.post(path, {"email": customer.email})
    hers = sent_code(customer.email)
    for _ in range(codes.GUESSES):
        assert eve.post(finish, new | {"otp_code": own if own != hers else SOME_CODE}).status_code == 400
    if own != hers:
        assert visitor.post(finish, new | {"otp_code": hers}).status_code == 400
    assert visitor.post(finish, new | {"otp_code": own}).status_code == 302


@pytest.mark.django_db(transaction=True)
def test_of_two_sign_ups_that_are_confirmed_at_once_one_makes_the_account():
    """Both read the same mailbox; each code opens its own, and the address has one account."""
    for _ in range(3):
        own = {}
        for name in ("Ravi Iyer", "Eve"):
            forget_minutes()
            key = services.start_sign_up(name=name, address=RAVI, password=PASSWORD, client_address="203.0.113.9")
            own[name] = {"key": key, "digits": digits_to(RAVI)}
        together, made = threading.Barrier(2), []

        def work(name, together=together, made=made, own=own):
            together.wait()
            try:
                made.append((name, services.finish_sign_up(address=RAVI, **own[name]).name))
            except WrongCode:
                pass
            finally:
                connection.close()

        workers = [threading.Thread(target=work, args=(name,)) for name in own]
        [worker.start() for worker in workers]
        [worker.join() for worker in workers]
        assert len(made) == 1 and made[0][0] == made[0][1] == Customer.objects.get().name
        Customer.objects.all().delete()
        Code.objects.all().delete()


def test_without_a_key_of_its_own_a_sign_up_is_confirmed_by_anybodys_code(people, monkeypatch):
    """What the tests above would find if all sign-ups of an address shared a row."""
    monkeypatch.setattr(services, "holder_of", lambda key: "")
    ravi, eve = people
    ravi.ask()
    digits = eve.ask()
    assert ravi.confirm(digits).status_code == 200
    assert Customer.objects.get().check_password(EVES)
