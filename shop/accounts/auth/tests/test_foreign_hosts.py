"""A host that is not the shop's is refused, and what claims one reaches neither page nor letter (C26)."""

import pytest

from shop.limits.models import Counter
from shop.messaging.models import Message

from ...conftest import PASSWORD
from ...models import Code, Customer

pytestmark = pytest.mark.django_db
EVIL = "evil.example"
FORM = {"email": "ravi@example.com", "password": PASSWORD}
PAGES = {
    "/signup/": FORM | {"name": "Ravi Iyer", "password_again": PASSWORD},
    "/signin/": FORM,
    "/signin/code/": FORM,
    "/forgot-password/": FORM,
}
CALLS = {
    "/user-register/": {"user_name": "Ravi Iyer", "email_id": "ravi@example.com", "password": PASSWORD},
    "/user-login/": {"email_id": "ravi@example.com", "password": PASSWORD},
    "/forgot-password/": {"email_id": "ravi@example.com"},
}


def ask(client, path, body, *, json, **headers):
    kind = {"content_type": "application/json"} if json else {}
    return client.post(path, body, headers={"sec-fetch-site": "same-origin"} | headers, **kind)


EVERYTHING = [(path, body, False) for path, body in PAGES.items()] + [
    (path, body, True) for path, body in CALLS.items()
]


@pytest.mark.parametrize(("path", "body", "json"), EVERYTHING)
@pytest.mark.parametrize(
    "host", [EVIL, f"testserver.{EVIL}", f"testserver@{EVIL}", "testserver:80:80", "/", "test server"]
)
def test_an_unlisted_host_is_refused_and_nothing_is_done(client, path, body, json, host):
    assert ask(client, path, body, json=json, host=host).status_code == 400
    assert not Message.objects.exists()
    assert not Code.objects.exists()
    assert not Counter.objects.exists()


@pytest.mark.parametrize(("path", "body", "json"), EVERYTHING)
def test_a_forwarded_host_reaches_neither_response_nor_email(client, path, body, json):
    Customer.objects.create_user("asha@example.com", PASSWORD, name="Asha Rao")
    for email in ("ravi@example.com", "asha@example.com"):  # unknown and known: other letters
        Counter.objects.all().delete()
        own = body | {"email_id" if json else "email": email}
        forwarded = {"x-forwarded-host": EVIL, "forwarded": f"host={EVIL}", "x-forwarded-server": EVIL}
        answer = ask(client, path, own, json=json, **forwarded, **{"x-original-host": EVIL, "x-host": EVIL})
        assert answer.status_code in (200, 302, 400)
        assert EVIL not in answer.text + str(answer.headers)
        client.logout()
    for letter in Message.objects.all():
        assert EVIL not in letter.text + letter.html
        assert "http://testserver" in letter.text
