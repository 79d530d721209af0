"""Without provider keys, mail server and https address nothing serves customers, and no variable brings the
simulated payments back; what only prepares a shop runs without them."""

import os
import subprocess
import sys

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.urls import reverse

from shop.payments.providers.keys import is_checkout_signature, is_webhook_signature, sign

from ..configuration import assert_configured
from ..supervisor import manage_command

READ = ("SHOP_", "RAZORPAY_", "EMAIL_", "ALLOW", "SECRET_KEY", "DEBUG", "DATABASE_URL", "HOST", "COMPANY_", "DJANGO_")
LIVE_KEY = "rzp_live_" + "0123456789abcd"
REAL = {
    "SECRET_KEY": "the secret of the test",
    "SHOP_URL": "https://shop.example",
    "RAZORPAY_KEY_ID": LIVE_KEY,
    "RAZORPAY_KEY_SECRET": "the provider's secret",
    "EMAIL_URL": "smtp+tls://shop:password@mail.example:587",
}
IMPORTED = [sys.executable, "-c", "import shop.wsgi"]
SERVING = {name: manage_command(name) for name in ("web", "worker", "clock", "serve")} | {"wsgi": IMPORTED}
PREPARING = [
    ["migrate", "--plan"],
    ["collectstatic", "--noinput", "--dry-run", "--verbosity", "0"],
    ["check"],
    ["backup", "--help"],
    ["restore", "--help"],
    ["createsuperuser", "--help"],
]
SHOW = "from django.conf import settings as s; print(s.SIMULATED_GATEWAY)"


def run(command, data, **variables):
    own = {name: value for name, value in os.environ.items() if not name.startswith(READ)}
    own |= {"DJANGO_SETTINGS_MODULE": "shop.settings", "SHOP_DATA_DIR": str(data), "PORT": "1"} | variables
    return subprocess.run(command, env=own, cwd=settings.BASE_DIR, capture_output=True, text=True, timeout=120)


def test_a_process_starts_without_the_libraries_that_few_need(tmp_path):
    show = "import shop.wsgi, sys; print(sorted({'fpdf', 'openpyxl', 'pypdfium2', 'sentry_sdk'} & set(sys.modules)))"
    assert run([sys.executable, "-c", show], tmp_path, SHOP_DEMO="1").stdout.strip() == "[]"


def without(*names, **more):
    return {name: value for name, value in REAL.items() if name not in names} | more


@pytest.mark.parametrize("command", SERVING.values(), ids=SERVING)
def test_what_serves_customers_does_not_start_unconfigured(command, tmp_path):
    ended = run(command, tmp_path)
    assert ended.returncode != 0
    for name in ("SECRET_KEY", "SHOP_URL", "RAZORPAY_KEY_ID", "RAZORPAY_KEY_SECRET", "EMAIL_URL"):
        assert name in ended.stderr
    assert not (tmp_path / "shop.sqlite3").exists(), "nothing was begun"


@pytest.mark.parametrize(
    ("word", "used"), [(name, "direct") for name in ("migrate", "backup", "restore")] + [("web", "pooled")]
)
def test_what_a_pooler_is_no_way_for_uses_the_direct_address(word, used, tmp_path):
    show = f"import sys; sys.argv = ['manage.py', '{word}']; import shop.settings as s; print(s.DATABASES['default'])"
    urls = {"DATABASE_URL": "postgres://shop@pooler/pooled", "DATABASE_DIRECT_URL": "postgres://shop@server/direct"}
    said = run([sys.executable, "-c", show], tmp_path, **urls).stdout
    assert f"'NAME': '{used}'" in said and "'DISABLE_SERVER_SIDE_CURSORS': True" in said
    del urls["DATABASE_DIRECT_URL"]
    assert "'NAME': 'pooled'" in run([sys.executable, "-c", show], tmp_path, **urls).stdout


@pytest.mark.parametrize("words", PREPARING, ids=lambda words: words[0])
def test_what_prepares_a_shop_runs_unconfigured(words, tmp_path):
    ended = run(manage_command(*words), tmp_path)
    assert ended.returncode == 0, ended.stderr


@pytest.mark.parametrize(
    ("variables", "named"),
    [
        (without("RAZORPAY_KEY_ID"), "RAZORPAY_KEY_ID"),
        (without("RAZORPAY_KEY_SECRET"), "RAZORPAY_KEY_SECRET"),
        (REAL | {"RAZORPAY_KEY_ID": " ", "RAZORPAY_KEY_SECRET": "\t"}, "RAZORPAY_KEY_ID, RAZORPAY_KEY_SECRET"),
        (without("EMAIL_URL"), "EMAIL_URL"),
        (REAL | {"EMAIL_URL": ""}, "EMAIL_URL"),
        (REAL | {"EMAIL_URL": "consolemail://"}, "EMAIL_URL"),
        (REAL | {"EMAIL_URL": "dummymail://"}, "EMAIL_URL"),
        (REAL | {"EMAIL_URL": "smtp://"}, "EMAIL_URL"),
        (REAL | {"MESSAGE_CHANNELS": f"sms={settings.CONSOLE_CHANNEL}"}, "MESSAGE_CHANNELS to channels"),
        (REAL | {"SHOP_URL": "http://shop.example"}, "SHOP_URL to an https address"),
        (REAL | {"SHOP_URL": "https://"}, "SHOP_URL"),
        (REAL | {"UK_VAT_NUMBER": "GB123456789"}, "UK_VAT_NUMBER to a valid UK VAT number"),
        (without("SHOP_URL", ALLOW_HTTP="1"), "SHOP_URL"),
        (REAL | {"RAZORPAY_API_URL": "http://127.0.0.1:9100"}, "RAZORPAY_API_URL to the provider's own address"),
        (REAL | {"RAZORPAY_API_URL": "https://api.razorpay.com.evil.example"}, "RAZORPAY_API_URL"),
        (REAL | {"RAZORPAY_API_URL": "https://api.razorpay.com@evil.example"}, "RAZORPAY_API_URL"),
        (REAL | {"RAZORPAY_CHECKOUT_URL": "http://127.0.0.1:9100/v1/checkout.js"}, "RAZORPAY_CHECKOUT_URL"),
        (  # The name of a shop on loopback that is reached by another one, too.
            REAL
            | {
                "SHOP_URL": "http://127.0.0.1:8000",
                "ALLOW_HTTP": "1",
                "ALLOWED_HOSTS": "shop.example",
                "RAZORPAY_API_URL": "http://127.0.0.1:9100",
            },
            "RAZORPAY_API_URL",
        ),
    ],
)
def test_each_missing_part_is_named(variables, named, tmp_path):
    ended = run(manage_command("clock", "--once"), tmp_path, **variables)
    assert ended.returncode == 1
    assert ended.stderr.startswith("CommandError: Set ") and named in ended.stderr


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        (REAL, []),
        (without("EMAIL_URL", ALLOW_NO_MAIL="1"), ["ALLOW_NO_MAIL"]),
        (REAL | {"SHOP_URL": "http://shop.example", "ALLOW_HTTP": "1"}, ["ALLOW_HTTP"]),
        (REAL | {"RAZORPAY_KEY_ID": "rzp_test_0123456789abcd"}, ["RAZORPAY_KEY_ID is a test key"]),
        (REAL | {"LOG_LEVEL": "CRITICAL", "ALLOW_NO_MAIL": "1"}, ["ALLOW_NO_MAIL"]),
    ],
)
def test_what_is_allowed_to_be_missing_is_said_at_each_start(variables, said, tmp_path):
    """Its settings are complete: what the database lacks is the next refusal."""
    command = "import django; django.setup(); from shop.ops.configuration import assert_configured as a; a()"
    ended = run([sys.executable, "-c", command], tmp_path, **variables)
    assert ended.returncode == 0, ended.stderr
    assert len(ended.stderr.splitlines()) == len(said)
    assert [words for words in said if words not in ended.stderr] == []


@pytest.mark.parametrize(
    "variables",
    [
        {"SHOP_DEMO": "1", "SHOP_URL": "https://shop.example"},
        {"SHOP_DEMO": "1", "SHOP_URL": "https://shop.example", "SHOP_DEMO_HOST": "shop.example"},
        {"SHOP_DEMO": "1", "SHOP_DEMO_HOST": "shop.example"},
        {"SHOP_DEMO": "1", "HOST": "8.8.8.8"},
        {"SHOP_DEMO": "1", "ALLOWED_HOSTS": "shop.example"},
        {"SHOP_DEMO": "1", "ALLOWED_HOSTS": "*"},
        {"SHOP_DEMO": "1", "ALLOWED_HOSTS": ".example"},
        {"DEBUG": "1", "SHOP_URL": "https://shop.example"},
        {"DEBUG": "1", "ALLOWED_HOSTS": "shop.example"},
        {"SHOP_DEMO": "1", "RAZORPAY_KEY_ID": LIVE_KEY},
        {"DEBUG": "1", "RAZORPAY_KEY_ID": LIVE_KEY},
    ],
)
def test_neither_demo_nor_debug_serves_a_public_name_or_takes_real_money(variables, tmp_path):
    ended = run([sys.executable, "-c", SHOW], tmp_path, **variables)
    assert ended.returncode != 0
    assert ended.stderr.splitlines()[-1].startswith("django.core.exceptions.ImproperlyConfigured: SHOP_DEMO=1 ")


@pytest.mark.parametrize(
    ("variables", "simulated"),
    [
        ({"SHOP_DEMO": "1"}, "True"),
        ({"SHOP_DEMO": "1", "SHOP_DEMO_HOST": "192.168.1.20"}, "True"),
        ({"SHOP_DEMO": "1", "SHOP_DEMO_HOST": "my-laptop.local"}, "True"),
        ({"DEBUG": "1"}, "True"),
        ({"SHOP_DEMO": "1", "RAZORPAY_KEY_ID": "rzp_test_0123456789abcd"}, "False"),
        ({}, "False"),
        ({"RAZORPAY_KEY_ID": ""}, "False"),
        (without("RAZORPAY_KEY_ID", "RAZORPAY_KEY_SECRET"), "False"),
    ],
)
def test_payments_are_simulated_in_demo_and_debug_only(variables, simulated, tmp_path):
    assert run([sys.executable, "-c", SHOW], tmp_path, **variables).stdout.strip() == simulated


@pytest.fixture
def keyless(settings):
    """A real shop without keys, had it started."""
    settings.SIMULATED_GATEWAY = False
    settings.RAZORPAY_KEY_ID = settings.RAZORPAY_KEY_SECRET = ""
    settings.RAZORPAY_WEBHOOK_SECRETS = [""]


def test_an_empty_secret_signs_nothing(keyless):
    assert not is_checkout_signature(sign(b"order|pay", ""), razorpay_order_id="order", razorpay_payment_id="pay")
    assert not is_webhook_signature(sign(b"{}", ""), b"{}")


def test_the_simulated_window_is_not_there_without_keys(keyless, client, db):
    assert client.get(reverse("dummy_payment")).status_code == 404


def test_a_shop_whose_providers_need_no_keys_asks_for_none(settings, monkeypatch):
    settings.TESTING, settings.HTTPS, settings.ALLOW_NO_MAIL = False, True, True
    for name in ("SECRET_KEY", "SHOP_URL"):
        monkeypatch.setenv(name, REAL[name])
    with pytest.raises(ImproperlyConfigured, match="RAZORPAY_KEY_ID"):
        assert_configured()
    settings.PAYMENT_PROVIDERS = ["cash"]
    assert_configured()
