"""What a shop that is served for real shows of itself: nothing of how it is built, and no secret (RELIABILITY.md
C32, C33)."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass

import pytest
import requests
from django.conf import settings

from ..conftest import Shop, free_port, serving
from ..support.access import Who, all_entries
from ..support.belongings import Belongings, belongings_of, furnish
from ..support.buyers import Answered, Buyer, fill_carts, new_buyers
from ..support.needs import lack
from ..support.provider import KEY, SECRET, WEBHOOK_SECRET, stand_in

pytestmark = pytest.mark.database
SECRETS = {
    "METRICS_TOKEN": "metrics-token-of-the-proof",
    "GOOGLE_CLIENT_SECRET": "google-secret-of-the-proof",
    "EMAIL_URL": "smtp://shop:mail-password-of-the-proof@127.0.0.1:1",
    "SMS_URL": "http://127.0.0.1:1/send?key=sms-key-of-the-proof",
    "SMS_HEADERS": '{"Authorization": "sms-token-of-the-proof"}',
}
HIDDEN = [SECRET, WEBHOOK_SECRET, *(re.findall(r"[a-z-]+-of-the-proof", " ".join(SECRETS.values())))]
CLOSED = [
    "/api/docs", "/api/openapi.json", "/DummyPayment/", "/dummypayment/", "/test", "/test/", "/.git/HEAD",
    "/.git/config", "/.env", "/.venv/", "/manage.py", "/requirements.txt", "/shop/settings.py", "/var/shop.sqlite3",
    "/shop.sqlite3", "/secret_key", "/media/../secret_key", "/media/..%2fsecret_key", "/static/..%2fmanage.py",
    "/static/", "/media/", "/static/islands/", "/private/", "/mail/", "/__debug__/", "/debug/", "/metrics",
    "/server-status", "/phpinfo.php", "/static/staticfiles.json.bak", "/backup.zip",
]  # fmt: skip
BUILT = re.compile(r"Traceback|DEBUG = True|django\.|/site-packages/|Using the URLconf|You're seeing this error")
# What secrets of other services look like.
FORMS = re.compile(
    r"rzp_live_\w{14}|-----BEGIN [A-Z ]*PRIVATE KEY|AKIA[0-9A-Z]{16}|AIza[\w-]{35}|xox[bp]-\w{10}|gh[ps]_\w{36}"
    r"|sk_live_\w{16}|SG\.[\w-]{20}\.\w"
)


@dataclass
class Served:
    """A shop with every key set, one customer with everything, and one who is about to pay."""

    shop: Shop
    own: Belongings
    buyer: Buyer
    number: str

    def read(self, path: str, cookies: dict[str, str] | None = None) -> requests.Response:
        asked = requests.Request("GET", self.shop.url, cookies=cookies).prepare()
        asked.url = self.shop.url + path  # as it is written, dots and all
        with requests.Session() as session:
            session.trust_env = False
            return session.send(asked, timeout=60, allow_redirects=False)


@pytest.fixture
def served(transactional_db, india, settings, tmp_path, make_variant):
    settings.MEDIA_ROOT = tmp_path / "media"
    own = belongings_of("Asha", furnish(), india, phone="+919876500001")
    variant, port = make_variant(), free_port()
    with (
        stand_in(tmp_path, shop_port=port) as provider,
        serving(tmp_path, port=port, **environment(port), **provider.settings) as shop,
    ):
        [buyer] = new_buyers(shop.url, 1, Answered())
        fill_carts([buyer], [variant])
        _, cart = buyer.insist("/get-cart/", {"deliver_to": 1, "currency": "INR"})
        _, answer = buyer.save_order(cart)
        yield Served(shop, own, buyer, answer["data"]["order_number"])


def environment(port: int) -> dict[str, str]:
    facts = {f"COMPANY_{fact.upper()}": f"{fact} of the company" for fact in settings.COMPANY}
    return (
        SECRETS
        | facts
        | {
            "SHOP_DEMO": "0",
            "SHOP_URL": f"http://127.0.0.1:{port}",
            "ALLOW_HTTP": "1",
            "GOOGLE_CLIENT_ID": "google-client",
            "SHOP_EMAIL": "care@shop.example",
        }
    )


def test_a_shop_that_is_served_for_real_keeps_itself_to_itself(served):
    check_what_is_closed(served)
    check_mistakes(served)
    check_secrets(served)
    check_the_browser_has_the_key_id_alone(served)


def check_what_is_closed(served):
    """Also to a customer; whatever is there is for the staff."""
    for cookies in (None, served.own.cookies):
        answers = {path: served.read(path, cookies) for path in CLOSED}
        assert {path: answer.status_code for path, answer in answers.items()} == dict.fromkeys(CLOSED, 404)
        assert not [path for path, answer in answers.items() if BUILT.search(answer.text)]


def check_mistakes(served):
    """They are told without what debugging tells."""
    for path in ("/en-in/no-such-page/", "/product/%00/", "/order-detail/ORD-AAAAAAAAA/", "/admin/no-such/"):
        answer = served.read(path, served.own.cookies)
        assert answer.status_code in (302, 404) and not BUILT.search(answer.text)


def check_secrets(served):
    hidden = [*HIDDEN, settings.SECRET_KEY]
    read = {}
    for entry in all_entries():
        if "GET" in entry.methods.split() and entry.who in (Who.ANYONE, Who.CUSTOMER):
            read[entry.route] = served.read(entry.path_for(served.own), served.own.cookies)
    assert len(read) > 60 and sum(answer.status_code == 200 for answer in read.values()) > 40
    found = {
        route: word for route, answer in read.items() for word in hidden if word in answer.text + str(answer.headers)
    }
    assert found == {}
    files = [
        file for file in settings.STATIC_ROOT.rglob("*") if file.suffix in (".js", ".css", ".json", ".svg", ".map")
    ]
    told = [
        file.name
        for file in files
        if any(word in file.read_text() for word in hidden) or FORMS.search(file.read_text())
    ]
    assert files and told == []
    log = (served.shop.data / "log").read_text()
    assert [word for word in hidden if word in log] == []


def check_the_browser_has_the_key_id_alone(served):
    cookies = {settings.SESSION_COOKIE_NAME: served.buyer.session}
    page = served.read(f"/en-in/pay/{served.number}/", cookies)
    assert page.status_code == 200 and KEY in page.text
    assert SECRET not in page.text and WEBHOOK_SECRET not in page.text


def test_no_secret_was_ever_committed():
    if not (settings.BASE_DIR / ".git").exists():
        lack("No history beside the code")
    told = subprocess.run(["git", "log", "--all", "-p", "-U0"], cwd=settings.BASE_DIR, capture_output=True, check=True)
    added = [line for line in told.stdout.decode(errors="replace").splitlines() if line.startswith("+")]
    assert len(added) > 10_000
    assert [line for line in added if FORMS.search(line) and "BEGIN [A-Z" not in line] == []


def test_a_committed_secret_would_be_found():
    assert FORMS.search('+RAZORPAY_KEY_ID = "rzp_live_' + "A1b2C3d4E5f6G7" + '"')
    assert FORMS.search("+-----BEGIN RSA " + "PRIVATE KEY-----")


@pytest.mark.parametrize("secret", ["$HOME", "$$twice", r"a\$b", "$"])
def test_a_secret_is_what_it_says(secret, tmp_path):
    """Also where it looks like the name of another variable."""
    own = os.environ | {"DJANGO_SETTINGS_MODULE": "shop.settings", "SHOP_DATA_DIR": str(tmp_path), "SECRET_KEY": secret}
    show = "from django.conf import settings; print(settings.SECRET_KEY, end='')"
    assert subprocess.run([sys.executable, "-c", show], env=own, capture_output=True, text=True).stdout == secret
