"""Passkeys: adding, using and removing them, with a key in software."""

import copy
import json
import random
import threading

import pytest
from allauth.mfa.models import Authenticator
from django.db import connection
from django.test import Client

from shop.messaging.models import Message

from ...conftest import PASSWORD, prove
from ...models import Customer
from .. import services as passkeys
from .authenticator import Passkey

pytestmark = pytest.mark.django_db


def browser(customer=None):
    """A browser at http://localhost, where passkeys may be tried without TLS; its customer has just signed in."""
    client = Client(headers={"sec-fetch-site": "same-origin"}, SERVER_NAME="localhost")
    client.cookies["deliver_to"] = "IN"
    if customer:
        client.force_login(customer)
        prove(client)
    return client


def call(client, name, body=None):
    return client.post(f"/api/passkeys/{name}/", body or {}, content_type="application/json")


def add(client, passkey, name="My phone"):
    options = call(client, "register-options").json()["publicKey"]
    return call(client, "add", {"name": name, "credential": passkey.make(options)})


def use(client, passkey):
    options = call(client, "options").json()["publicKey"]
    return call(client, "sign-in", {"credential": passkey.sign(options)})


def is_signed_in(client):
    return "_auth_user_id" in client.session


@pytest.fixture
def passkey(customer):
    """A passkey of Asha's."""
    passkey = Passkey()
    assert add(browser(customer), passkey).status_code == 200
    return passkey


def test_a_passkey_is_added_in_the_profile_and_mail_tells_of_it(customer):
    client = browser(customer)
    options = call(client, "register-options").json()["publicKey"]
    assert options["rp"] == {"id": "localhost", "name": "Aushadhi"}
    assert (options["user"]["name"], options["user"]["displayName"]) == ("asha@example.com", "Asha Rao")
    assert options["authenticatorSelection"]["userVerification"] == "required"
    assert options["authenticatorSelection"]["residentKey"] == "required"
    answer = call(client, "add", {"name": " My  phone ", "credential": Passkey().make(options)})
    assert (answer.status_code, answer.json()) == (200, {"message": "Passkey added"})
    page = client.get("/profile/").content.decode()
    assert "My phone" in page
    assert "not used yet" in page
    mail = Message.objects.get(to="asha@example.com", kind="passkey_added")
    assert '"My phone"' in mail.text


def test_who_gave_only_a_mobile_is_told_by_sms(db):
    customer = Customer.objects.create_user(phone="+919876543210", password=PASSWORD)
    assert add(browser(customer), Passkey()).status_code == 200
    assert Message.objects.get(to="+919876543210").channel == "sms"


def test_a_passkey_signs_in_with_a_new_session_and_returns_to_the_path_before(customer, passkey):
    client = browser()
    client.get("/signin/?next=/en-in/orders/")
    before = client.session.session_key
    answer = use(client, passkey)
    assert (answer.status_code, answer.json()) == (200, {"next": "/en-in/orders/"})
    assert client.session["_auth_user_id"] == str(customer.pk)
    assert client.session.session_key != before
    assert Authenticator.objects.get().last_used_at is not None
    assert "Login successful!" in client.get("/en-in/orders/").content.decode()


@pytest.mark.parametrize("wanted", ["//evil.example/", "https://evil.example/", "/\\evil.example"])
def test_a_passkey_sends_nobody_to_another_site(customer, passkey, wanted):
    client = browser()
    client.get("/signin/", {"next": wanted})
    assert use(client, passkey).json() == {"next": "/"}


def test_a_challenge_is_good_for_one_answer(customer, passkey):
    client = browser()
    options = call(client, "options").json()["publicKey"]
    signed = {"credential": passkey.sign(options)}
    assert call(client, "sign-in", signed).status_code == 200
    client.post("/logout/")
    assert call(client, "sign-in", signed).status_code == 400
    assert not is_signed_in(client)


def test_a_challenge_is_over_after_a_wrong_answer(customer, passkey):
    client = browser()
    options = call(client, "options").json()["publicKey"]
    wrong, right = Passkey(id=passkey.id, owner=passkey.owner).sign(options), passkey.sign(options)
    assert call(client, "sign-in", {"credential": wrong}).status_code == 400
    assert call(client, "sign-in", {"credential": right}).status_code == 400


def refused(client, passkey):
    answer = use(client, passkey)
    body = answer.json()
    body.pop("request_id")
    assert not is_signed_in(client)
    return answer.status_code, body


def test_every_cause_has_one_answer(customer, passkey):
    stranger = Customer.objects.create_user("eve@example.com", PASSWORD)
    other_owner = Passkey(id=passkey.id, key=passkey.key, owner="zzzz")
    eve = call(browser(stranger), "register-options").json()["publicKey"]["user"]["id"]
    eves = Passkey(id=passkey.id, key=passkey.key, owner=eve)
    answers = [
        refused(browser(), other)
        for other in (
            Passkey(id=passkey.id, owner=passkey.owner),  # another key under its name
            Passkey(owner=passkey.owner),
            other_owner,
            eves,
            Passkey(id=passkey.id, key=passkey.key, owner=passkey.owner, verifies=False),
            Passkey(id=passkey.id, key=passkey.key, owner=passkey.owner, origin="https://evil.example"),
        )
    ]
    Customer.objects.update(is_active=False)
    answers.append(refused(browser(), passkey))
    assert answers[0][0] == 400
    assert answers[0][1]["detail"] == "This passkey didn't work. Please try again or sign in another way."
    assert answers[1:] == answers[:1] * 6


def test_a_passkey_that_does_not_know_its_person_is_not_kept(customer):
    assert add(browser(customer), Passkey(verifies=False)).status_code == 400
    assert add(browser(customer), Passkey(origin="https://evil.example")).status_code == 400
    assert not Authenticator.objects.exists()


def test_the_answer_to_one_ceremony_does_not_fit_the_other(customer, passkey):
    client = browser(customer)
    options = call(client, "options").json()["publicKey"]
    made = Passkey().make({"rp": {"id": "localhost"}, "user": {"id": passkey.owner}, "challenge": options["challenge"]})
    assert call(client, "sign-in", {"credential": made}).status_code == 422
    assert call(client, "add", {"name": "x", "credential": made}).status_code in (200, 400)
    assert Authenticator.objects.count() <= 2


def mangled(value, chance):
    """The same structure with one part of it replaced, dropped or cut."""
    value = copy.deepcopy(value)
    holder = chance.choice([value, value["response"]])
    name = chance.choice(sorted(holder))
    part = holder[name]
    if isinstance(part, str) and chance.random() < 0.6:
        place = chance.randrange(len(part))
        before, after = part[:place], part[place + 1 :]
        holder[name] = chance.choice([before, before + "A" + after, after + "=", "é" + part])
    else:
        holder[name] = chance.choice([None, 7, "", [], {}, "AAAA", "a" * 3999, "\ud800", {"a": 1}, True])
    return value


@pytest.mark.parametrize("seed", range(4))
def test_mangled_answers_are_refused_and_never_break_the_shop(customer, passkey, seed, monkeypatch):
    monkeypatch.setattr(passkeys, "consume", lambda *words, **limits: None)
    chance, client, asha = random.Random(seed), browser(), browser(customer)
    for _ in range(60):
        signed = mangled(passkey.sign(call(client, "options").json()["publicKey"]), chance)
        made = mangled(Passkey().make(call(asha, "register-options").json()["publicKey"]), chance)
        answers = [
            call(client, "sign-in", {"credential": signed}),
            call(asha, "add", {"name": "x", "credential": made}),
        ]
        # A letter more or less at the end of base64 may change nothing.
        assert {answer.status_code for answer in answers} <= {200, 400, 422}, json.dumps([signed, made])
        client.post("/logout/")
        Authenticator.objects.filter(data__name="x").delete()


@pytest.mark.parametrize("name", ["options", "sign-in"])
def test_thirty_tries_a_minute_from_one_client(customer, passkey, name):
    client = browser()
    body = {} if name == "options" else {"credential": passkey.sign({"rpId": "localhost", "challenge": "x"})}
    answers = [call(client, name, body) for _ in range(31)]
    assert answers[29].status_code != 429
    assert answers[30].status_code == 429
    assert int(answers[30]["Retry-After"]) <= 60


def test_passkeys_are_kept_for_signed_in_customers_only(db):
    made = Passkey().make({"rp": {"id": "localhost"}, "user": {"id": "1"}, "challenge": "x"})
    for name in ("register-options", "add"):
        assert call(browser(), name, {"name": "x", "credential": made}).status_code == 401


def test_a_passkey_is_renamed_and_removed_without_scripts(customer, passkey):
    client, key = browser(customer), Authenticator.objects.get()
    answer = client.post(f"/passkeys/{key.pk}/rename/", {"name": "The old phone"})
    assert answer["Location"].endswith("/profile/#passkeys")
    assert "The old phone" in client.get("/profile/").content.decode()
    client.post(f"/passkeys/{key.pk}/remove/")
    assert use(browser(), passkey).status_code == 400
    assert client.post(f"/passkeys/{key.pk}/remove/").status_code == 404


@pytest.mark.parametrize("name", ["", " ", "x" * 61])
def test_a_passkey_needs_a_name_that_can_be_read(customer, passkey, name):
    client, key = browser(customer), Authenticator.objects.get()
    client.post(f"/passkeys/{key.pk}/rename/", {"name": name})
    page = client.get("/profile/").content.decode()
    assert "Give the passkey a name of up to 60 characters." in page
    assert "My phone" in page
    assert add(client, Passkey(), name=name).status_code == 422


@pytest.mark.parametrize("action", ["rename", "remove"])
def test_somebody_elses_passkey_looks_like_a_missing_one(customer, passkey, action):
    eve = browser(Customer.objects.create_user("eve@example.com", PASSWORD))
    key = Authenticator.objects.get()
    assert eve.post(f"/passkeys/{key.pk}/{action}/", {"name": "Eve"}).status_code == 404
    assert eve.post(f"/passkeys/{key.pk + 1}/{action}/", {"name": "Eve"}).status_code == 404
    key.refresh_from_db()
    assert key.data["name"] == "My phone"


def test_ten_passkeys_are_enough(customer):
    client = browser(customer)
    assert [add(client, Passkey(), f"Key {number}").status_code for number in range(10)] == [200] * 10
    assert call(client, "register-options").json()["code"] == "too_many_passkeys"
    assert Authenticator.objects.count() == 10
    assert "Add a passkey" not in client.get("/profile/").content.decode()


def add_in_parallel(customer, number):
    """How many of `number` passkeys, all begun before any is kept, are kept."""
    clients, keys = [browser(customer) for _ in range(number)], [Passkey() for _ in range(number)]
    options = [call(client, "register-options").json()["publicKey"] for client in clients]
    made = [key.make(asked) for key, asked in zip(keys, options, strict=True)]
    barrier = threading.Barrier(number)

    def work(client, credential):
        barrier.wait()
        call(client, "add", {"name": "x", "credential": credential})
        connection.close()

    workers = [threading.Thread(target=work, args=pair) for pair in zip(clients, made, strict=True)]
    [worker.start() for worker in workers]
    [worker.join() for worker in workers]
    return Authenticator.objects.count()


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_of_passkeys_added_at_once_ten_are_kept(customer, monkeypatch):
    monkeypatch.setattr(passkeys, "MAX_PASSKEYS", 2)
    assert add_in_parallel(customer, 6) == 2


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_without_the_look_under_the_lock_more_are_kept(customer, monkeypatch):
    monkeypatch.setattr(passkeys, "MAX_PASSKEYS", 2)
    monkeypatch.setattr(passkeys, "_lock", lambda owner: monkeypatch.setattr(passkeys, "MAX_PASSKEYS", 9))
    assert add_in_parallel(customer, 6) > 2


def test_no_name_of_a_passkey_is_markup(customer):
    client = browser(customer)
    add(client, Passkey(), "<script>alert(1)</script>")
    page = client.get("/profile/").content.decode()
    assert "<script>alert(1)" not in page
    assert "&lt;script&gt;alert(1)" in page
