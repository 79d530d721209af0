"""What ends a sign-in ends it on each of three web workers at once, for cookies and tokens (RELIABILITY.md C7)."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest

from shop.accounts.models import Customer

from ..conftest import Shop, serving
from .visitors import Visitor
from .workers import connections_to_each_worker

pytestmark = pytest.mark.database
WORKERS = 3
PASSWORD, OTHER_PASSWORD = "honey and amla", "tulsi and ginger"


@dataclass
class Person:
    """A customer with a browser that is signed in, and with a program that has a token."""

    shop: Shop
    email: str
    browser: Visitor
    program: Visitor

    def proofs(self) -> list[dict[str, str]]:
        """The headers by which either is known."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.browser.cookies.items())
        return [{"Cookie": cookies}, {"Authorization": self.program.headers["Authorization"]}]


def sign_in(shop: Shop, email: str) -> Person:
    Customer.objects.create_user(email, PASSWORD, name="Asha Rao")
    browser, program = Visitor(shop.url), Visitor(shop.url)
    assert browser.ask("/user-login/", email_id=email, password=PASSWORD).status_code == 200
    token = program.ask("/user-login/", email_id=email, password=PASSWORD, token=True).json()["token"]
    program.headers["Authorization"] = f"Bearer {token}"
    return Person(shop, email, browser, program)


def sign_out(person: Person) -> None:
    assert [who.ask("/user-logout/").status_code for who in (person.browser, person.program)] == [200, 200]


def change_password(person: Person) -> None:
    passwords = {"current_password": PASSWORD, "new_password": OTHER_PASSWORD}
    assert person.browser.ask("/change-password/", **passwords).status_code == 200


def reset_password(person: Person) -> None:
    stranger = Visitor(person.shop.url)
    stranger.ask("/forgot-password/", email_id=person.email)
    code = person.shop.mailed_code(person.email)
    given = {"email_id": person.email, "otp_code": code, "new_password": OTHER_PASSWORD}
    assert stranger.ask("/verify-forgot-password/", **given).status_code == 200


def disable_account(person: Person) -> None:
    Customer.objects.filter(email=person.email).update(is_active=False)


ENDINGS: list[Callable[[Person], None]] = [sign_out, change_password, reset_password, disable_account]


def statuses(shop: Shop, proofs: list[dict[str, str]]) -> set[int]:
    """What each worker answers to each proof."""
    found = set()
    with connections_to_each_worker(shop, WORKERS) as workers:
        for worker, proof in product(workers, proofs):
            headers = {"Content-Type": "application/json", "Sec-Fetch-Site": "same-origin", **proof}
            worker.request("POST", "/user-orders/", "{}", headers)
            answer = worker.getresponse()
            answer.read()
            found.add(answer.status)
    return found


@pytest.fixture(autouse=True)
def one_product(transactional_db, make_variant, real_passwords):
    """An empty shop would fetch the demo catalogue first."""
    make_variant()


def after_each_ending(folder: Path, **environment: str) -> dict[str, set[int]]:
    found = {}
    with serving(folder, WEB_WORKERS=str(WORKERS), **environment) as shop:
        for end in ENDINGS:
            person = sign_in(shop, f"{end.__name__}@example.com")
            proofs = person.proofs()
            assert statuses(shop, proofs) == {200}
            end(person)
            found[end.__name__] = statuses(shop, proofs)
    return found


def test_what_ended_is_refused_by_every_worker_at_once(tmp_path):
    assert after_each_ending(tmp_path) == {end.__name__: {401} for end in ENDINGS}


@pytest.mark.full
def test_without_a_fresh_look_at_sessions_the_old_cookie_gets_in(tmp_path):
    found = after_each_ending(tmp_path, DJANGO_SETTINGS_MODULE="shop.tests.faults.remembered_sessions")
    assert found["sign_out"] == {200, 401}
