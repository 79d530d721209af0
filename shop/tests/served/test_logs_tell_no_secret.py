"""A shop is signed up to, signed in to, forgotten and reset, with passwords, codes and tokens that are right
and wrong, while neither mail nor SMS leave: its logs name none of what must stay between it and a customer
(RELIABILITY.md 42, C34)."""

import re

import pytest
from django.conf import settings

from shop.accounts.models import Customer
from shop.limits.models import Counter
from shop.messaging.models import Message
from shop.tests.support.codes import SOME_CODE, code_in, other_code

from ..conftest import Shop, free_port, serving
from .visitors import Visitor

EMAIL, MOBILE, OTHER_MOBILE = "ravi.iyer@example.com", "+919812345678", "+919876543210"
OTHER_CODE = other_code(SOME_CODE)
PASSWORDS = ("honey and amla", "amla without honey", "neither of the two")
SMS_KEY = "key-of-the-sms-provider"


@pytest.fixture
def unheard_shop(transactional_db, make_variant, tmp_path):
    """A shop that logs all it can, and whose mails and SMS find nobody who takes them."""
    make_variant()  # an empty shop would fetch the demo catalogue first
    closed = f"127.0.0.1:{free_port()}"
    environment = {
        "LOG_LEVEL": "DEBUG",
        "EMAIL_URL": f"smtp://{closed}",
        "SMS_URL": f"http://{closed}/send?key={SMS_KEY}",
    }
    with serving(tmp_path, **environment) as shop:
        yield shop


def test_a_life_of_an_account_leaves_no_secret_in_the_logs(unheard_shop):
    secrets = _live(unheard_shop)
    assert len(secrets) > 15
    logs = _logs_of(unheard_shop)
    assert re.search(r"message \d+ \(sign_up_code\): failed", logs)  # they do tell what went wrong
    assert [secret for secret in secrets if secret in logs] == []


def _live(shop: Shop) -> set[str]:
    """Everything secret that was said on the way."""
    first, second, wrong = PASSWORDS
    secrets = {*PASSWORDS, MOBILE, MOBILE[3:], OTHER_MOBILE, OTHER_MOBILE[3:], SMS_KEY}
    page, program = Visitor(shop.url), Visitor(shop.url)

    page.submit("/signup/", by="mobile", name="Ravi Iyer", mobile=MOBILE, password=first, password_again=first)
    page.submit("/otp/", otp_code=SOME_CODE)
    secrets |= {code := _told(MOBILE), SOME_CODE}
    secrets |= set(page.cookies.values())
    assert page.submit("/otp/", otp_code=code).status_code == 302
    secrets |= set(page.cookies.values())

    registered = program.ask("/user-register/", user_name="Ravi", email_id=EMAIL, password=first)
    secrets |= {code := _told(EMAIL), registered.json()["signup_key"]}
    program.ask("/verify-otp/", email_id=EMAIL, otp_code=OTHER_CODE)
    program.ask("/verify-otp/", email_id=EMAIL, otp_code=f"{code}\x00")
    signed_in = program.ask("/verify-otp/", email_id=EMAIL, otp_code=code, token=True)
    secrets |= {OTHER_CODE, token := signed_in.json()["token"]}
    for key in (token, f"{token[:-1]}x"):
        program.headers["Authorization"] = f"Bearer {key}"
        program.ask("/user-orders/")
        program.ask("/change-password/", email_id=EMAIL, current_password=wrong, new_password=second)
    del program.headers["Authorization"]

    for password in (wrong, first):
        page.submit("/signin/", by="email", email=EMAIL, password=password)
        program.ask("/user-login/", mobile=MOBILE, password=password)
        program.ask("/user-login/", mobile=OTHER_MOBILE, password=password, nonsense=password)
    secrets |= {*page.cookies.values(), *program.cookies.values()}

    Counter.objects.all().delete()
    program.ask("/forgot-password/", email_id=EMAIL)
    secrets.add(code := _told(EMAIL))
    reset = program.ask("/verify-forgot-password/", email_id=EMAIL, otp_code=code, new_password=second)
    assert reset.status_code == 200, reset.text
    page.submit("/forgot-password/", by="mobile", mobile=MOBILE)
    secrets.add(_told(MOBILE))
    page.post(
        f"{shop.url}/user-login/", data=f'{{"password": "{wrong}", ', headers={"Content-Type": "application/json"}
    )
    page.get(f"{shop.url}/otp/", cookies={settings.SESSION_COOKIE_NAME: "a-session-of-nobody"})
    shop.manage("check_shop")
    assert Customer.objects.count() == 2
    return secrets | {"a-session-of-nobody"}


def _told(address: str) -> str:
    """The code of a message that is still pending."""
    return code_in(Message.objects.filter(to=address).latest("id").text)


def _logs_of(shop: Shop) -> str:
    """Whatever the shop has written, but for pictures and the outbox's own files."""
    files = [shop.data / "log", *shop.data.rglob("*.log")]
    return "\n".join(file.read_text(errors="replace") for file in files)
