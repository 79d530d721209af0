"""The second factor of staff: who is asked for it, and how it is shown, set up, kept and lost."""

import os
import re
import subprocess
import sys
import threading
import time
from base64 import b32encode

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from shop.accounts.otp.services import WRONG_OTP
from shop.limits.models import Counter
from shop.messaging.models import Message

from ...conftest import PASSWORD, prove
from ...models import Customer
from ...passkeys.tests.authenticator import Passkey
from ...passkeys.tests.test_passkeys import add, browser, call, use
from ...staff.roles import GRANTS, ORDER_DESK, OWNER
from .. import services as second_factor
from .app import digits_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def for_real(settings):
    settings.STAFF_SECOND_FACTOR = True


@pytest.fixture
def member(db):
    return staff(ORDER_DESK)


def staff(role, **fields):
    number = Customer.objects.count()
    person = Customer.objects.create_user(f"staff{number}@example.com", PASSWORD, is_staff=True, **fields)
    person.groups.add(Group.objects.get(name=role))
    return person


def set_up(client):
    """Sets up an app; returns its secret."""
    page = client.get("/second-factor/set-up/").content.decode()
    secret = re.search(r'app-secret">([A-Z2-7 ]+)<', page)[1].replace(" ", "")
    answer = client.post("/second-factor/set-up/", {"otp_code": digits_of(secret)})
    assert answer.status_code == 302, answer.content
    return secret


def show(client, digits):
    return client.post("/second-factor/", {"otp_code": digits})


@pytest.fixture
def app(member):
    """The secret of a member of staff's app, shown nowhere yet."""
    secret = set_up(browser(member))
    Counter.objects.all().delete()
    return secret


@pytest.mark.parametrize("role", GRANTS)
def test_staff_of_every_role_are_led_to_set_it_up(role):
    client = browser(staff(role))
    answer = client.get("/admin/?x=1")
    assert (answer.status_code, answer["Location"]) == (302, "/second-factor/?next=%2Fadmin%2F%3Fx%3D1")
    assert client.get("/second-factor/?next=/admin/%3Fx%3D1")["Location"].endswith("/second-factor/set-up/")
    set_up(client)
    assert client.get("/admin/").status_code == 200


@pytest.mark.parametrize("path", ["/admin/", "/admin/orders/order/", "/admin/jsi18n/", "/api/docs"])
def test_without_it_nothing_of_the_staff_opens(member, app, path):
    client = browser(member)
    answer = client.get(path)
    assert answer.status_code == 302
    assert answer["Location"].startswith("/second-factor/?next=")
    assert client.post(path, {"a": "b"}).status_code in (403, 415)
    assert client.head(path).status_code in (302, 405)


def test_a_form_sent_without_it_changes_nothing(app, member):
    owner = staff(OWNER)
    client = browser(owner)
    answer = client.post(f"/admin/accounts/customer/{member.pk}/change/", {"name": "Changed"})
    assert (answer.status_code, answer.content) == (403, b"Please complete two-step verification first.")
    member.refresh_from_db()
    assert member.name == ""


def test_the_code_of_the_app_opens_the_page_that_was_wanted(member, app):
    client = browser(member)
    client.get(client.get("/admin/orders/order/")["Location"])
    answer = show(client, digits_of(app, later=1))
    assert (answer.status_code, answer["Location"]) == (302, "/admin/orders/order/")
    assert client.get("/admin/orders/order/").status_code == 200
    assert client.get("/second-factor/")["Location"] == "/admin/"  # once it is shown


@pytest.mark.parametrize("wanted", ["//evil.example/", "https://evil.example/", "/\\evil.example"])
def test_it_sends_nobody_to_another_site(member, app, wanted):
    client = browser(member)
    client.get("/second-factor/", {"next": wanted})
    assert show(client, digits_of(app))["Location"] == "/admin/"


def test_a_clock_may_be_one_step_off_and_no_more(member, app):
    for later, status in ((-3, 400), (3, 400), (-1, 302)):
        assert show(browser(member), digits_of(app, later=later)).status_code == status


@pytest.mark.parametrize(("at", "code"), [(1111111109, "081804"), (1234567890, "005924"), (20000000000, "353130")])
def test_codes_are_those_of_rfc_6238(monkeypatch, at, code):
    """Its appendix B; a phone's clock may be one step of 30 seconds off."""
    secret = b32encode(b"12345678901234567890").decode()
    for off, is_right in ((-60, False), (-30, True), (0, True), (30, True), (60, False)):
        monkeypatch.setattr(time, "time", lambda now=at + off: now)
        assert second_factor._is_code_of_now(secret, code) is is_right


def test_a_code_counts_once(member):
    client = browser(member)
    page = client.get("/second-factor/set-up/").content.decode()
    secret = re.search(r'app-secret">([A-Z2-7 ]+)<', page)[1].replace(" ", "")
    digits = digits_of(secret)
    assert client.post("/second-factor/set-up/", {"otp_code": digits}).status_code == 302
    again = browser(member)
    answer = show(again, digits)
    assert answer.status_code == 400
    assert WRONG_OTP in answer.content.decode()
    assert again.get("/admin/").status_code == 302


def wrong(secret):
    right = {digits_of(secret, later=later) for later in range(-2, 4)}
    return next(digits for digits in map("{:06}".format, range(10)) if digits not in right)


def test_five_wrong_codes_and_then_not_even_the_right_one(member, app):
    client = browser(member)
    assert [show(client, wrong(app)).status_code for _ in range(5)] == [400] * 5
    answer = show(client, digits_of(app))
    assert answer.status_code == 429
    assert 0 < int(answer["Retry-After"]) <= 300
    assert show(browser(member), digits_of(app)).status_code == 429  # another browser is no way around


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_of_guesses_at_once_five_are_looked_at(member, app, monkeypatch):
    looked, guess, barrier = [], wrong(app), threading.Barrier(4)
    monkeypatch.setattr(second_factor, "_is_code_of_now", lambda secret, digits: looked.append(digits))
    clients = [browser(member) for _ in range(4)]

    def work(client):
        barrier.wait()
        for _ in range(5):
            show(client, guess)
        connection.close()

    workers = [threading.Thread(target=work, args=(client,)) for client in clients]
    [worker.start() for worker in workers]
    [worker.join() for worker in workers]
    assert len(looked) == 5


def test_what_was_shown_dies_with_the_session_and_with_its_factor(member, app):
    client = browser(member)
    show(client, digits_of(app))
    assert client.get("/admin/").status_code == 200
    client.post("/logout/")
    client.force_login(member)
    assert client.get("/admin/").status_code == 302
    show(client, digits_of(app, later=1))
    assert client.get("/admin/").status_code == 200
    Authenticator.objects.all().delete()
    assert client.get("/admin/").status_code == 302


def test_what_one_member_has_shown_opens_nothing_for_another(member, app):
    shown = browser(member)
    show(shown, digits_of(app))
    other = browser(staff(OWNER))
    session = other.session
    session["second_factor"] = shown.session["second_factor"]
    session.save()
    assert other.get("/admin/").status_code == 302


def test_a_passkey_is_both_factors(member):
    passkey = Passkey()
    assert add(browser(member), passkey).status_code == 200
    client = browser(member)
    assert client.get("/admin/").status_code == 302
    assert "Use a passkey" in client.get("/second-factor/?next=/admin/orders/order/").content.decode()
    assert use(client, passkey).json() == {"next": "/admin/orders/order/"}
    assert client.get("/admin/orders/order/").status_code == 200


def test_the_passkey_that_was_just_made_has_been_shown(member):
    client = browser(member)
    assert add(client, Passkey()).status_code == 200
    assert client.get("/admin/").status_code == 200


def test_factors_are_changed_with_one_of_them_only(member, app):
    thief = browser(member)  # who knows the password
    assert thief.get("/second-factor/set-up/")["Location"].startswith("/en-in/second-factor/?next=")
    assert thief.post("/second-factor/set-up/", {"otp_code": "123456"}).status_code == 302
    answer = call(thief, "register-options")
    assert (answer.status_code, answer.json()["code"]) == (403, "second_factor_needed")
    owner = browser(member)
    show(owner, digits_of(app))
    assert add(owner, Passkey()).status_code == 200
    key = Authenticator.objects.get(type="webauthn")
    thief.post(f"/passkeys/{key.pk}/remove/")
    assert Authenticator.objects.filter(pk=key.pk).exists()
    assert "Confirm it's you</a> to change them" in thief.get("/profile/").content.decode()
    set_up_again = set_up(owner)
    assert set_up_again != app
    assert Authenticator.objects.filter(type="totp").count() == 1


def test_the_first_is_set_up_soon_after_a_proof(member):
    client = prove(browser(member), minutes_ago=11)
    page = client.get("/second-factor/set-up/")
    assert page["Location"] == "/en-in/profile/proof/?next=%2Fsecond-factor%2Fset-up%2F"
    assert call(client, "register-options").json()["code"] == "proof_needed"
    assert client.post("/second-factor/set-up/", {"otp_code": "123456"}).status_code == 302
    assert client.get("/second-factor/").status_code == 302
    assert client.post(page["Location"], {"password": PASSWORD})["Location"] == "/second-factor/set-up/"
    set_up(client)


def test_a_secret_is_kept_encrypted_and_mail_tells_of_it(member, app):
    kept = Authenticator.objects.get().data["secret"]
    assert app not in kept
    mail = Message.objects.get(kind="second_factor_added", to=member.email)
    assert app not in mail.text


def test_under_another_key_of_the_shop_no_code_is_right(member, app, settings):
    client = browser(member)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another key"
    assert show(client, digits_of(app)).status_code in (302, 400)  # signed out, or refused
    assert not client.session.get("second_factor")


def test_an_owner_resets_what_was_lost(member, app, settings):
    desk = browser(member)
    show(desk, digits_of(app))
    settings.STAFF_SECOND_FACTOR = False
    owner = browser(staff(OWNER))
    fields = {"action": "reset_second_factor", "_selected_action": [member.pk]}
    answer = owner.post("/admin/accounts/customer/", fields, follow=True)
    assert "Two-step verification was reset for 1 account." in answer.content.decode()
    settings.STAFF_SECOND_FACTOR = True
    assert not Authenticator.objects.exists()
    assert Message.objects.filter(kind="second_factor_reset", to=member.email).exists()
    assert desk.get("/admin/").status_code == 302


def test_only_the_owner_resets(member, app, settings):
    settings.STAFF_SECOND_FACTOR = False
    desk = browser(staff(ORDER_DESK))
    desk.post("/admin/accounts/customer/", {"action": "reset_second_factor", "_selected_action": [member.pk]})
    assert Authenticator.objects.count() == 1


def test_an_owner_does_not_reset_a_superuser(db, settings):
    settings.STAFF_SECOND_FACTOR = False
    root = Customer.objects.create_superuser("root@example.com", PASSWORD)
    set_up(browser(root))
    fields = {"action": "reset_second_factor", "_selected_action": [root.pk]}
    browser(staff(OWNER)).post("/admin/accounts/customer/", fields)
    assert Authenticator.objects.count() == 1


def test_a_command_resets_what_the_owner_lost(member, app, capsys):
    call_command("reset_second_factor", "Staff0@Example.com")
    assert not Authenticator.objects.exists()
    assert "staff0@example.com" in capsys.readouterr().out
    with pytest.raises(CommandError):
        call_command("reset_second_factor", "nobody@example.com")


def test_of_a_closed_account_nobody_is_told(member, app):
    Customer.objects.filter(pk=member.pk).update(email=None, deleted_at=timezone.now())
    member.refresh_from_db()
    second_factor.reset_second_factor(member)
    assert not Authenticator.objects.exists()
    assert not Message.objects.filter(kind="second_factor_reset").exists()


def test_customers_are_never_asked(customer):
    client = browser(customer)
    assert client.get("/admin/").status_code == 404
    assert client.get("/second-factor/").status_code == 404
    assert client.get("/second-factor/set-up/").status_code == 404
    assert client.get("/profile/").status_code == 200
    assert add(client, Passkey()).status_code == 200
    assert add(client, Passkey()).status_code == 200


def test_visitors_sign_in_first(db):
    client = browser()
    for path in ("/second-factor/", "/second-factor/set-up/"):
        assert client.get(path)["Location"].startswith("/en-in/signin/?next=")
    assert "second-factor" not in client.get("/admin/")["Location"]


def test_the_demo_asks_nobody(member, settings):
    settings.STAFF_SECOND_FACTOR = False
    assert browser(member).get("/admin/").status_code == 200


def test_outside_demo_and_debug_it_is_asked_for():
    ask = "from django.conf import settings; print(settings.STAFF_SECOND_FACTOR)"
    asked = {}
    for mode in ("", "SHOP_DEMO", "DEBUG"):
        own = {name: value for name, value in os.environ.items() if name not in ("SHOP_DEMO", "DEBUG")}
        own |= {"DJANGO_SETTINGS_MODULE": "shop.settings", "SECRET_KEY": "x"} | ({mode: "1"} if mode else {})
        asked[mode] = subprocess.check_output([sys.executable, "-c", ask], env=own, text=True).strip()
    assert asked == {"": "True", "SHOP_DEMO": "False", "DEBUG": "False"}


# --- Recovery codes ------------------------------------------------------------------------------


def codes_of(client):
    page = client.post("/second-factor/codes/").content.decode()
    return re.findall(r"<li>([A-Z2-9]{5}-[A-Z2-9]{5})</li>", page)


def test_whoever_sets_up_a_factor_is_offered_recovery_codes_shown_once(member):
    client = browser(member)
    page = client.get("/second-factor/set-up/").content.decode()
    secret = re.search(r'app-secret">([A-Z2-7 ]+)<', page)[1].replace(" ", "")
    answer = client.post("/second-factor/set-up/", {"otp_code": digits_of(secret)})
    assert answer["Location"].endswith("/second-factor/codes/")
    codes = codes_of(client)
    assert len(set(codes)) == 10
    later = client.get("/second-factor/codes/").content.decode()
    assert "10 unused codes" in later and codes[0] not in later
    kept = str(Authenticator.objects.get(type=Authenticator.Type.RECOVERY_CODES).data)
    assert not [code for code in codes if code in kept or code.replace("-", "") in kept]


def test_a_recovery_code_opens_the_staff_pages_once_and_leads_to_a_new_app(member):
    first = browser(member)
    set_up(first)
    code = codes_of(first)[3]
    Counter.objects.all().delete()
    lost = browser(member)
    assert lost.get("/admin/").status_code == 302
    assert "Use a recovery code" in lost.get("/second-factor/").content.decode()
    answer = lost.post("/second-factor/", {"recovery_code": f" {code.lower()} "})
    assert answer["Location"].endswith("/second-factor/set-up/")
    assert lost.get("/admin/").status_code == 200
    assert Message.objects.filter(kind="recovery_codes").count() == 2
    again = browser(member)
    refused = again.post("/second-factor/", {"recovery_code": code})
    assert WRONG_OTP in refused.content.decode() and again.get("/admin/").status_code == 302
    assert "9 unused codes" in lost.get("/second-factor/codes/").content.decode()


def test_new_codes_end_what_a_code_of_before_opened_elsewhere(member):
    first = browser(member)
    set_up(first)
    codes = codes_of(first)
    Counter.objects.all().delete()
    thief, lost = browser(member), browser(member)
    for client, code in ((thief, codes[0]), (lost, codes[1])):
        assert client.post("/second-factor/", {"recovery_code": code}).status_code == 302
    assert thief.get("/admin/").status_code == lost.get("/admin/").status_code == 200
    assert len(codes_of(lost)) == 10
    assert thief.get("/admin/").status_code == 302
    assert lost.get("/admin/").status_code == first.get("/admin/").status_code == 200


def test_guesses_of_recovery_codes_are_counted_with_those_of_the_app(member, app):
    client = browser(member)
    answers = [client.post("/second-factor/", {"recovery_code": "AAAAA-AAAAA"}) for _ in range(6)]
    assert [answer.status_code for answer in answers] == [400] * 5 + [429]
    assert "Too many" in answers[-1].content.decode()
    assert show(client, digits_of(app)).status_code == 429


def test_codes_are_made_only_by_who_has_shown_a_factor(member, app):
    client = browser(member)
    assert client.post("/second-factor/codes/")["Location"].startswith("/en-in/second-factor/?next=")
    assert not Authenticator.objects.filter(type=Authenticator.Type.RECOVERY_CODES).exists()


def test_who_has_no_factor_yet_makes_no_codes_that_outlast_a_stolen_password(member):
    client = browser(member)
    answer = client.post("/second-factor/codes/")
    assert answer.status_code == 302
    assert client.get(answer["Location"])["Location"].endswith("/second-factor/set-up/")
    assert not Authenticator.objects.filter(type=Authenticator.Type.RECOVERY_CODES).exists()


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_a_recovery_code_is_used_once_however_often_at_once(member):
    first = browser(member)
    set_up(first)
    code = codes_of(first)[0]
    Counter.objects.all().delete()
    clients = [browser(member) for _ in range(4)]
    answers = []

    def use_code(client):
        try:
            answers.append(client.post("/second-factor/", {"recovery_code": code}).status_code)
        finally:
            connection.close()

    threads = [threading.Thread(target=use_code, args=[client]) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers).count(302) == 1
