"""Every setting of the shop, read from the environment (docs/configuration.md has the table).

A fresh clone runs without any: `make serve` and `make dev` set the one mode they need.
"""

import os
import socket
import sys
import tempfile
from contextlib import suppress
from datetime import timedelta
from decimal import Decimal
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import environ
from csp.constants import NONE, SELF
from django.conf.locale import LANG_INFO
from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key
from django.templatetags.static import static
from django.utils.translation import gettext_lazy
from whitenoise.compress import Compressor


class _Env(environ.Env):
    """A value is what it says: one that begins with `$`, as a secret may, names no other variable."""

    ENVIRON = {name: value.replace("$", r"\$") for name, value in os.environ.items()}


env = _Env()
env.escape_proxy = True  # `\$` is read as `$`
BASE_DIR = Path(__file__).resolve().parent.parent
# --- Mode -------------------------------------------------------------------
# Demo: `make serve`, for looking at the shop. Debug: `make dev`. Neither: production.
DEMO = env.bool("SHOP_DEMO", default=False)
DEBUG = env.bool("DEBUG", default=False)
TESTING = "pytest" in sys.modules
_test_data = tempfile.TemporaryDirectory(prefix="shop-test-") if TESTING else None  # gone with the process
DATA_DIR = Path(_test_data.name if _test_data else env.str("SHOP_DATA_DIR", default=str(BASE_DIR / "var"))).resolve()
# What the shop writes is its user's alone, but for what is built for everybody to read.
IS_PRIVATE = not TESTING and not {"collectstatic", "export_openapi_schema", "makemigrations"} & set(sys.argv)
if IS_PRIVATE:
    os.umask(0o077)
DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)


def _keep_private(folder: Path) -> None:
    """Files 0600, folders 0700, also those that an earlier release wrote: looked at once, the folder itself last."""
    if not folder.stat().st_mode & 0o077:
        return
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if Path(place, name) != BASE_DIR / "var" / "static"]
        for name, mode in [(name, 0o700) for name in folders] + [(name, 0o600) for name in files]:
            with suppress(OSError):  # gone meanwhile
                if not Path(place, name).is_symlink():
                    Path(place, name).chmod(mode)
    folder.chmod(0o700)


if IS_PRIVATE:
    _keep_private(DATA_DIR)


def _secret_key() -> str:
    """The configured key, or one kept beside the data so that sign-ins survive a restart."""
    if configured := env.str("SECRET_KEY", default=""):
        return configured
    kept = DATA_DIR / "secret_key"
    if not kept.exists():
        kept.touch(mode=0o600)
        kept.write_text(get_random_secret_key())
    return kept.read_text()


def _address_for_others(host: str) -> str:
    """Where a phone in the same network finds the demo that listens on `host`.

    For 0.0.0.0 it is this machine's address: the system is asked for a route, nothing is sent.
    """
    if host.strip("0.:"):
        return host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        return probe.getsockname()[0]


def _is_reached_from_near_only(host: str) -> bool:
    """Whether a host is this machine or in its own network: its address, or a name that public DNS does not know."""
    try:
        return not ip_address(host.strip("[]")).is_global
    except ValueError:
        is_one_word = host.replace("-", "").isalnum()
        return is_one_word or host.endswith((".localhost", ".local", ".lan", ".internal", ".test"))


SECRET_KEY = _secret_key()
# Where `manage.py serve` listens. Another address than loopback names the demo's host by itself.
HOST = env.str("HOST", default="127.0.0.1")
PORT = env.int("PORT", default=8000)
WEB_WORKERS = env.int("WEB_WORKERS", default=max(2, os.cpu_count() or 1))
DEMO_HOST = env.str("SHOP_DEMO_HOST", default="")
if DEMO and not DEMO_HOST and HOST not in ("127.0.0.1", "localhost"):
    DEMO_HOST = _address_for_others(HOST)
SHOP_URL: str = env.str("SHOP_URL", default=f"http://{DEMO_HOST or '127.0.0.1'}:{PORT}").rstrip("/")
if TESTING:
    SHOP_URL = "http://testserver"
SHOP_HOST = urlsplit(SHOP_URL).hostname or ""
HTTPS = SHOP_URL.startswith("https://")
ALLOW_HTTP = env.bool("ALLOW_HTTP", default=False)
LOOPBACK = ["127.0.0.1", "localhost", "[::1]"]
ALLOWED_HOSTS = [SHOP_HOST, *env.list("ALLOWED_HOSTS", default=[])]
IS_LOCAL = {f"[{host}]" if ":" in host else host for host in ALLOWED_HOSTS} <= set(LOOPBACK)  # nobody else reaches it
if DEMO or DEBUG or TESTING:
    ALLOWED_HOSTS += [*LOOPBACK, *([DEMO_HOST] if DEMO_HOST else []), *(["testserver"] if TESTING else [])]

# --- The shop itself: the company's facts until staff write others (shop/company/facts.py) -----
SHOP_NAME: str = env.str("SHOP_NAME", default="Aushadhi")
SHOP_EMAIL = env.str("SHOP_EMAIL", default="care@shop.invalid")
_DEMO_COMPANY = {
    "legal_name": "Aushadhi Demo Private Limited",
    "address": "1 Example Road\nNew Delhi 110001\nIndia",
    "cin": "U00000DL2026PTC000000",
    "gstin": "07AAAAA0001A1Z3",
    "lut": "AD0700000000000",
    "pharmacy_licence": "Form 20: DL-DEMO-000000, Form 21: DL-DEMO-000001",
    "pharmacist": "Kavita Nair, DPC 00000 (demo)",
    "grievance_officer": "The grievance officer of the demo",
    "phone": "+91 11 5550 0100",
}
COMPANY = {
    fact: env.str(f"COMPANY_{fact.upper()}", default=value if DEMO else "", multiline=True)
    for fact, value in _DEMO_COMPANY.items()
}
UK_VAT_NUMBER = env.str("UK_VAT_NUMBER", default="").strip()  # without one no UK VAT is collected
ORDER_DESK_EMAIL = env.str("ORDER_DESK_EMAIL", default=SHOP_EMAIL)  # told of new orders and low stock
LOW_STOCK = env.int("LOW_STOCK", default=5)  # units of a variant at which the desk is told
LICENCES = env.list("COMPANY_LICENCES", default=["Demo licence 000"] if DEMO else [])
SOCIAL_LINKS = env.dict("SOCIAL_LINKS", default={})  # name=https://address, in the footer

# --- Applications: nouns that a shopkeeper uses ---------------------------------
INSTALLED_APPS = [
    "unfold.apps.BasicAppConfig",
    "unfold.contrib.filters",
    "shop.accounts.staff.apps.StaffAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "csp",
    "ninja",
    "django_htmx",
    "template_partials",
    "django_prose_editor",
    "django_tasks",
    "django_tasks_db",
    "allauth",
    "allauth.account",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.google",
    "allauth.mfa",
    "allauth.usersessions",
    "shop.invalidation",
    "shop.limits",
    "shop.jobs",
    "shop.messaging",
    "shop.company",
    "shop.markets",
    "shop.catalog",
    "shop.search",
    "shop.accounts",
    "shop.cart",
    "shop.orders",
    "shop.payments",
    "shop.care",
    "shop.reviews",
    "shop.pharmacy",
    "shop.content",
    "shop.reports",
    "shop.demo",
    "shop.ops",
]

MIDDLEWARE = [
    "shop.ops.health.ProbeMiddleware",
    "shop.http.request_log.RequestIdMiddleware",
    "shop.http.middleware.PathLimitMiddleware",
    "shop.ops.metrics.MetricsMiddleware",
    "shop.http.middleware.VisitMiddleware",
    "shop.markets.caching.page_cache.PageCacheMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "shop.http.request_log.RequestLineMiddleware",
    "shop.http.middleware.CompressionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "shop.http.middleware.BodyLimitMiddleware",
    "shop.markets.middleware.MarketMiddleware",
    "shop.http.middleware.CanonicalPathMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "shop.http.middleware.SameOriginMiddleware",
    "shop.http.middleware.ApiMiddleware",
    "shop.accounts.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "shop.http.middleware.ContentPolicyMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "shop.http.middleware.PrivateByDefaultMiddleware",
]

ROOT_URLCONF = "shop.urls"
WSGI_APPLICATION = "shop.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            # Modules of their own and template libraries at once.
            "libraries": {
                "canonical": "shop.markets.canonical",
                "compact_rows": "shop.backoffice.compact_rows",
                "styles": "shop.catalog.stylesheet",
                "translated": "shop.translated",
            },
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "shop.content.context_processors.shop",
            ],
        },
    },
]

# --- Database -------------------------------------------------------------------
# Without a pooler between, for what a pooled connection cannot do.
DATABASE_DIRECT_URL = env.str("DATABASE_DIRECT_URL", default="")
_is_direct = bool(DATABASE_DIRECT_URL) and sys.argv[1:2] in (["migrate"], ["backup"], ["restore"])
DATABASES = {
    "default": env.db_url_config(DATABASE_DIRECT_URL)
    if _is_direct
    else env.db_url("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'shop.sqlite3'}"),
}
DATABASES["default"]["CONN_MAX_AGE"] = env.int("CONN_MAX_AGE", default=60)
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # IMMEDIATE takes the write lock when a transaction starts, so that writers queue instead of
    # failing; FULL keeps every commit over power loss. shop/startup.py asserts all of them.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-32000;",
    }
    DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "test.sqlite3")}
else:
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    # In a pooler's transaction mode the connection that has a cursor is another one at the next call (shop/rows.py).
    DATABASES["default"]["DISABLE_SERVER_SIDE_CURSORS"] = True
    # One that does not answer at all is waited for so long, instead of the driver's 130 seconds.
    DATABASES["default"]["OPTIONS"] = {"connect_timeout": 10} | DATABASES["default"].get("OPTIONS", {})
# A standby of the same PostgreSQL, from which visitors' pages are read (shop/invalidation/replica.py).
# A server that is cut off is found out by its silence: 2 s to connect, 3 s to take what was sent, 5 s while its answer
# is awaited; one that hangs by the limits of shop/invalidation/replica_timeouts.py.
REPLICA_OPTIONS = {
    "connect_timeout": 2,
    "tcp_user_timeout": 3000,
    "keepalives_idle": 2,
    "keepalives_interval": 1,
    "keepalives_count": 3,
}
HAS_REPLICA = bool(env.str("DATABASE_REPLICA_URL", default="")) and not TESTING
if HAS_REPLICA:
    if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        raise ImproperlyConfigured("DATABASE_REPLICA_URL needs a DATABASE_URL of PostgreSQL.")
    DATABASES["replica"] = env.db_url("DATABASE_REPLICA_URL")
    same = ("CONN_MAX_AGE", "CONN_HEALTH_CHECKS", "DISABLE_SERVER_SIDE_CURSORS")
    DATABASES["replica"] |= {name: DATABASES["default"][name] for name in same}
    DATABASES["replica"]["OPTIONS"] = REPLICA_OPTIONS | DATABASES["replica"].get("OPTIONS", {})
    DATABASE_ROUTERS = ["shop.invalidation.replica.ReplicaRouter"]
    MIDDLEWARE.insert(0, "shop.markets.caching.replica_reads.WroteMiddleware")
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env.str("REDIS_URL", default="")
CACHES = {
    "default": (
        {"BACKEND": "shop.http.redis_cache.FaultTolerantCache", "LOCATION": REDIS_URL}
        if REDIS_URL
        else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 5000}}
    )
}
# Of each web process, for ready pages; tests ask for it (shop/markets/tests/test_page_cache.py).
PAGE_CACHE_BYTES = 0 if DEBUG or TESTING else env.int("PAGE_CACHE_MB", default=64) * 2**20
# Kept apart so that a worker can be given some of them alone (`manage.py worker --queues`).
TASK_QUEUES = ("default", "pictures", "imports")
TASKS = {
    "default": {
        "BACKEND": "django_tasks_db.DatabaseBackend",
        "QUEUES": list(TASK_QUEUES),
        "OPTIONS": {"id_function": "shop.http.request_log.new_task_number"},
    }
}

# --- People -----------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.Customer"
AUTHENTICATION_BACKENDS = ["shop.accounts.backends.EmailOrMobileBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "shop.accounts.passwords.services.LengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "signin"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_PREVENT_ENUMERATION = True
PUZZLE_BITS = 18  # of a hash that are zero: about a second in a browser (shop/accounts/otp/puzzles.py)
TRUSTED_PROXY_COUNT = env.int("TRUSTED_PROXY_COUNT", default=0)
ALLAUTH_TRUSTED_PROXY_COUNT = TRUSTED_PROXY_COUNT
# Passkeys, and the second factor that staff need where the shop is for real.
STAFF_SECOND_FACTOR = not (DEMO or DEBUG)
MFA_ADAPTER = "shop.accounts.second_factor.adapter.Adapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn"]
MFA_TOTP_TOLERANCE = 1  # steps of 30 seconds that a phone's clock may be off
# Google is a way in where its keys are set.
GOOGLE_CLIENT_ID = env.str("GOOGLE_CLIENT_ID", default="")
GOOGLE_CLIENT_SECRET = env.str("GOOGLE_CLIENT_SECRET", default="")
SOCIALACCOUNT_ADAPTER = "shop.accounts.auth.google.SocialAdapter"
SOCIALACCOUNT_PROVIDERS = {
    "google": {
        "APPS": [{"client_id": GOOGLE_CLIENT_ID, "secret": GOOGLE_CLIENT_SECRET}] if GOOGLE_CLIENT_ID else [],
        "SCOPE": ["profile", "email"],
        "OAUTH_PKCE_ENABLED": True,
    }
}

# --- Markets ------------------------------------------------------------------------
COUNTRY_HEADER = env.str("COUNTRY_HEADER", default="")  # such as CF-IPCountry, set by a trusted CDN
COUNTRY_DATABASE = Path(env.str("COUNTRY_DATABASE", default=str(DATA_DIR / "geo" / "dbip-country.mmdb")))
IMAGE_HOST = env.str("IMAGE_HOST", default=SHOP_URL).rstrip("/")
# --- Buckets: in place of folders, on a server that speaks S3's API; boto3 reads its keys by itself ------------
FILES_BUCKET, PRIVATE_FILES_BUCKET = (
    ("", "")
    if TESTING
    else (env.str("FILES_BUCKET", default="").strip(), env.str("PRIVATE_FILES_BUCKET", default="").strip())
)
if FILES_BUCKET and FILES_BUCKET == PRIVATE_FILES_BUCKET:
    raise ImproperlyConfigured("FILES_BUCKET is read by everybody: PRIVATE_FILES_BUCKET must be another one.")
_ENDPOINT = env.str("AWS_ENDPOINT_URL_S3", default="") or env.str("AWS_ENDPOINT_URL", default="")
if _ENDPOINT and (urlsplit(_ENDPOINT).scheme not in ("http", "https") or not urlsplit(_ENDPOINT).netloc):
    raise ImproperlyConfigured("AWS_ENDPOINT_URL_S3 is a whole address, such as https://minio.example:9000.")
_REGION = env.str("AWS_DEFAULT_REGION", default="us-east-1")
FILES_URL: str = env.str("FILES_URL", default="").rstrip("/") or (
    f"{_ENDPOINT.rstrip('/')}/{FILES_BUCKET}" if _ENDPOINT else f"https://{FILES_BUCKET}.s3.{_REGION}.amazonaws.com"
)
FILES_ORIGIN = "{0.scheme}://{0.netloc}".format(urlsplit(FILES_URL)) if FILES_BUCKET else ""
if FILES_BUCKET and (urlsplit(FILES_URL).scheme not in ("http", "https") or not urlsplit(FILES_URL).netloc):
    raise ImproperlyConfigured("FILES_URL is a whole address, such as https://files.example.com.")

# --- A CDN in front (shop/invalidation/cdn/): which kind, and how what it keeps is purged -------------
CDN = env.str("CDN", default="")
CDN_PURGE_URLS = env.list("CDN_PURGE_URLS", default=[])  # of each Varnish; else of the CDN's API
CDN_PURGE_ID = env.str("CDN_PURGE_ID", default="")  # the CDN's own of a service or zone
CDN_PURGE_TOKEN = env.str("CDN_PURGE_TOKEN", default="").strip()
if CDN not in ("", "varnish", "fastly", "cloudflare"):
    raise ImproperlyConfigured("CDN is varnish, fastly or cloudflare.")

# --- Money and the provider -----------------------------------------------------------
PAYMENT_PROVIDERS = ["razorpay", "cash"]  # what customers can pay with (shop/payments/providers/)
RAZORPAY_KEY_ID = env.str("RAZORPAY_KEY_ID", default="").strip()
RAZORPAY_KEY_SECRET = env.str("RAZORPAY_KEY_SECRET", default="").strip()
RAZORPAY_WEBHOOK_SECRETS = [secret for secret in env.list("RAZORPAY_WEBHOOK_SECRETS", default=[]) if secret.strip()]
RAZORPAY_API_URL = env.str("RAZORPAY_API_URL", default="https://api.razorpay.com")
RAZORPAY_CHECKOUT_URL = env.str("RAZORPAY_CHECKOUT_URL", default="https://checkout.razorpay.com/v1/checkout.js")
SIMULATED_GATEWAY = (DEMO or DEBUG or TESTING) and not RAZORPAY_KEY_ID
HOLD_MINUTES = env.int("HOLD_MINUTES", default=30)
MINIMUM_INR_TOTAL = Decimal("1.00")  # the provider takes nothing below one rupee
if (DEMO or DEBUG) and RAZORPAY_KEY_ID.startswith("rzp_live_"):
    raise ImproperlyConfigured("SHOP_DEMO=1 and DEBUG=1 refuse live provider keys: use rzp_test_ keys or none.")
if DEMO and SHOP_HOST not in {"127.0.0.1", "localhost", "::1", DEMO_HOST}:
    raise ImproperlyConfigured(
        f"SHOP_DEMO=1 serves loopback only; name {SHOP_HOST} in SHOP_DEMO_HOST to show the demo in your network."
    )
if (DEMO or DEBUG) and not all(map(_is_reached_from_near_only, ALLOWED_HOSTS)):
    raise ImproperlyConfigured(
        "SHOP_DEMO=1 and DEBUG=1 serve this machine and its own network only, with payments simulated: set neither "
        f"in a real shop, or take public names out of SHOP_URL, SHOP_DEMO_HOST and ALLOWED_HOSTS ({ALLOWED_HOSTS})."
    )

# --- Mail and SMS ------------------------------------------------------------------------
CONSOLE_CHANNEL = "shop.messaging.channels.console.ConsoleChannel"
MESSAGE_CHANNELS = {
    "mail": "shop.messaging.channels.mail.MailChannel",
    "sms": "shop.messaging.channels.sms.SmsChannel",
} | env.dict("MESSAGE_CHANNELS", default={})
MAIL_DIR = DATA_DIR / "mail"
SMS_DIR = DATA_DIR / "sms"
ALLOW_NO_MAIL = env.bool("ALLOW_NO_MAIL", default=False)
if env.str("EMAIL_URL", default=""):
    vars().update(env.email_url("EMAIL_URL"))
    if vars()["EMAIL_BACKEND"] == "django.core.mail.backends.smtp.EmailBackend":
        EMAIL_BACKEND = "shop.messaging.channels.mail.SmtpBackend"
else:
    EMAIL_BACKEND = "shop.messaging.channels.mail.FileBackend"
EMAIL_FILE_PATH = MAIL_DIR
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default=f"{SHOP_NAME} <{SHOP_EMAIL}>")
# The SMS provider's call; without an address messages are kept as files in SMS_DIR.
SMS_URL = env.str("SMS_URL", default="")
SMS_METHOD = env.str("SMS_METHOD", default="POST")
SMS_HEADERS = env.json("SMS_HEADERS", default={"Content-Type": "application/json"})
SMS_BODY = env.str("SMS_BODY", default='{"to": "{to}", "text": "{text}", "sender": "{sender}"}')
SMS_SENDER = env.str("SMS_SENDER", default="")
SMS_DLT_ENTITY_ID = env.str("SMS_DLT_ENTITY_ID", default="")
# Codes by SMS that are sent to a country a day; * is every other that the shop delivers to.
SMS_BUDGETS = {"*": "300", "IN": "10000"} | env.dict("SMS_BUDGETS", default={})
SMS_DLT_TEMPLATES = env.dict("SMS_DLT_TEMPLATES", default={})  # kind of message=id of its template

# --- Search -----------------------------------------------------------------------------------
# A search server that speaks OpenSearch's API; without one each process searches its own index.
SEARCH_SERVER_URL = env.str("SEARCH_SERVER_URL", default="").rstrip("/")

# Rest of life that a parcel has on the day it is promised: the larger of so many days and that share of the whole life.
BATCH_REST_DAYS = env.int("BATCH_REST_DAYS", default=45)
BATCH_REST_PERCENT = env.int("BATCH_REST_PERCENT", default=30)
BATCH_DELIVERY_DAYS = env.int("BATCH_DELIVERY_DAYS", default=14)  # a batch is off sale so long before it is too late

# --- Scheduled jobs: function, and how often -------------------------------------------
SCHEDULED_JOBS = {
    "shop.payments.reconciliation.jobs.expire_holds": timedelta(minutes=1),
    "shop.payments.reconciliation.jobs.handle_events": timedelta(minutes=1),
    "shop.orders.placing.reminders.remind_of_payment": timedelta(minutes=1),
    "shop.payments.refunds.services.give_back_what_is_owed": timedelta(minutes=1),
    "shop.messaging.delivery.tidy_outbox": timedelta(minutes=1),
    "shop.orders.shipping.services.complete_delivered": timedelta(hours=1),
    "shop.orders.drafts.services.forget_old_drafts": timedelta(days=1),
    "shop.payments.reconciliation.jobs.reconcile": timedelta(minutes=1),
    "shop.payments.reconciliation.jobs.follow_refunds": timedelta(minutes=10),
    "shop.payments.reconciliation.lost_orders.give_back_lost_payments": timedelta(minutes=10),
    "shop.cart.coupons.announce_beginnings_and_ends": timedelta(minutes=1),
    "shop.catalog.stock.notifications.notify_of_return_to_stock": timedelta(minutes=1),
    "shop.catalog.stock.notifications.warn_of_low_stock": timedelta(minutes=10),
    "shop.catalog.stock.services.mend_availability": timedelta(minutes=10),
    "shop.catalog.batches.services.renew_last_days": timedelta(hours=1),
    "shop.catalog.batches.services.end_sales": timedelta(hours=1),
    "shop.orders.batches.shortage.refund_short_orders": timedelta(minutes=10),
    "shop.orders.batches.recalls.send_recall_notices": timedelta(minutes=1),
    "shop.catalog.bulk_edit.services.apply_due_changes": timedelta(minutes=1),
    "shop.catalog.tasks.request_pictures": timedelta(minutes=1),
    "shop.catalog.tasks.request_fetches": timedelta(minutes=1),
    "shop.catalog.tasks.take_up_lost_refreshes": timedelta(minutes=10),
    "shop.catalog.products.popularity.count_popularity": timedelta(days=1),
    "shop.search.facets.store.keep_snapshot": timedelta(minutes=1),
    "shop.search.engines.services.index": timedelta(minutes=1),
    "shop.care.complaints.services.remind_of_complaints": timedelta(minutes=10),
    "shop.reviews.invitations.services.invite_to_review": timedelta(hours=1),
    "shop.pharmacy.jobs.announce_prescriptions": timedelta(minutes=1),
    "shop.pharmacy.jobs.warn_of_late_prescriptions": timedelta(minutes=10),
    "shop.pharmacy.jobs.forget_old_prescriptions": timedelta(days=1),
    "shop.pharmacy.refills.reminders.send_refill_reminders": timedelta(minutes=10),
    "shop.pharmacy.refills.services.forget_old_refills": timedelta(days=1),
    "shop.care.newsletter.services.forget_unconfirmed": timedelta(days=1),
    "shop.markets.exchange_rates.warn_of_old_rates": timedelta(days=1),
    "shop.jobs.files.remove_left_files": timedelta(minutes=1),
    "shop.limits.services.forget_expired": timedelta(hours=1),
    "shop.search.query_log.forget_old_searches": timedelta(days=1),
    "shop.invalidation.services.forget_old_changes": timedelta(minutes=10),
    "shop.ops.scheduler.keep_statistics": timedelta(hours=1),
    "shop.accounts.otp.services.forget_old_codes": timedelta(hours=1),
    "shop.accounts.sessions.sign_ins.forget_ended": timedelta(days=1),
    "shop.accounts.auth.tokens.forget_expired": timedelta(days=1),
    "shop.accounts.wishlist.notices.send_wishlist_notices": timedelta(minutes=10),
    "shop.accounts.wishlist.services.forget_old_wishlists": timedelta(days=1),
    "shop.accounts.points.expiry.expire_points": timedelta(hours=1),
    "shop.accounts.points.expiry.notify_of_expiring_points": timedelta(hours=6),
}

# Jobs whose function has another name today. Rows, dashboards and the previous release know them by the first.
JOB_FUNCTIONS = {
    "shop.payments.refunds.services.give_back_what_is_owed": "shop.payments.refunds.services.issue_due_refunds",
    "shop.payments.reconciliation.lost_orders.give_back_lost_payments": (
        "shop.payments.reconciliation.lost_orders.refund_lost_payments"
    ),
    "shop.orders.drafts.services.forget_old_drafts": "shop.orders.drafts.services.delete_old_drafts",
    "shop.pharmacy.jobs.forget_old_prescriptions": "shop.pharmacy.jobs.delete_old_prescriptions",
    "shop.pharmacy.refills.services.forget_old_refills": "shop.pharmacy.refills.services.delete_old_refills",
    "shop.care.newsletter.services.forget_unconfirmed": "shop.care.newsletter.services.delete_unconfirmed",
    "shop.limits.services.forget_expired": "shop.limits.services.delete_expired_counters",
    "shop.search.query_log.forget_old_searches": "shop.search.query_log.delete_old_searches",
    "shop.invalidation.services.forget_old_changes": "shop.invalidation.services.delete_old_changes",
    "shop.accounts.otp.services.forget_old_codes": "shop.accounts.otp.services.delete_expired_codes",
    "shop.accounts.sessions.sign_ins.forget_ended": "shop.accounts.sessions.sign_ins.delete_ended",
    "shop.accounts.auth.tokens.forget_expired": "shop.accounts.auth.tokens.delete_expired_tokens",
    "shop.accounts.wishlist.services.forget_old_wishlists": "shop.accounts.wishlist.services.delete_old_wishlists",
}

if DEMO or DEBUG:
    SCHEDULED_JOBS["shop.demo.tasks.request_drawings"] = timedelta(minutes=1)

# Copies of the whole shop, made by the clock where a folder is named (shop/ops/backup.py).
BACKUP_DIR = env.str("BACKUP_DIR", default="")
BACKUP_KEEP = env.int("BACKUP_KEEP", default=30)
if BACKUP_DIR:
    _is_embedded = DATABASES["default"]["ENGINE"].endswith("sqlite3")
    SCHEDULED_JOBS["shop.ops.backup.keep_copy"] = timedelta(minutes=1) if _is_embedded else timedelta(hours=1)

# --- Files ----------------------------------------------------------------------------------
STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "var" / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
MEDIA_URL = "/media/"
MEDIA_ROOT = DATA_DIR / "media"
_OURS_ALONE = {"file_permissions_mode": 0o600, "directory_permissions_mode": 0o700}
STORAGES = {
    # A picture's name holds the hash of its content: what is written again is the same, or was cut off.
    "default": {"BACKEND": "shop.http.media.AtomicFileStorage", "OPTIONS": {"allow_overwrite": True, **_OURS_ALONE}},
    # What has no address of its own: photos that customers sent.
    "private": {
        "BACKEND": "shop.http.media.AtomicFileStorage",
        "OPTIONS": {"location": DATA_DIR / "private", "base_url": None, **_OURS_ALONE},
    },
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG or TESTING
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}
if FILES_BUCKET:
    STORAGES["default"] = {
        "BACKEND": "shop.http.buckets.PublicBucket",
        "OPTIONS": {"bucket_name": FILES_BUCKET, "base_url": FILES_URL},
    }
if PRIVATE_FILES_BUCKET:
    STORAGES["private"] = {
        "BACKEND": "shop.http.buckets.PrivateBucket",
        "OPTIONS": {"bucket_name": PRIVATE_FILES_BUCKET},
    }
WHITENOISE_MANIFEST_STRICT = True
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = (*Compressor.SKIP_COMPRESS_EXTENSIONS, "map")  # for developers only
WHITENOISE_ALLOW_ALL_ORIGINS = False  # nobody else's page needs them
WHITENOISE_USE_FINDERS = DEBUG or TESTING
WHITENOISE_AUTOREFRESH = DEBUG or TESTING  # else each client of a test lists all files anew


def WHITENOISE_IMMUTABLE_FILE_TEST(path: str, url: str) -> bool:  # noqa: N802 (a setting)
    """Names with a content hash: Django's manifest (.0a1b2c3d4e5f.) or esbuild's (-ABCD1234.)."""
    import re

    return bool(re.search(r"\.[0-9a-f]{12}\.|-[A-Z0-9]{8}\.(js|css)\Z", url))


# --- Addresses: shop/http/middleware.py redirects to the canonical spelling
APPEND_SLASH = False

# --- Limits and safety --------------------------------------------------------------------------
DATA_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024  # larger ones wait on disk
BODY_SECONDS = env.int("BODY_SECONDS", default=30)  # a body of which nothing comes for so long is given up
MULTIPART_MAX_BYTES = 41 * 1024 * 1024
IMPORT_MAX_BYTES = 64 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2000
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "strict-origin-when-cross-origin"
X_FRAME_OPTIONS = "DENY"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"  # the pay page widens it: banks open windows of their own
SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", default=31536000) if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.bool("HSTS_SUBDOMAINS", default=False)  # every host below the shop's has https
SECURE_HSTS_PRELOAD = env.bool("HSTS_PRELOAD", default=False)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS and TRUSTED_PROXY_COUNT else None
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
COOKIE_PREFIX = "__Host-" if HTTPS else ""
SESSION_ENGINE = "shop.accounts.sessions.store"
SESSION_COOKIE_NAME = f"{COOKIE_PREFIX}session"
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_NAME = f"{COOKIE_PREFIX}csrf"
CSRF_FAILURE_VIEW = "shop.http.middleware.confirm_submission"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:", *sorted({IMAGE_HOST, FILES_ORIGIN} - {SHOP_URL, ""})],
        "object-src": [NONE],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "form-action": [SELF],
        "report-uri": "/csp-report/",  # shop/ops/csp_reports.py
    }
}
# What the pay page needs besides: the provider's script, its window in a frame or, where that cannot
# open, as a page that a form leads to.
_PROVIDER = ["{0.scheme}://{0.netloc}".format(urlsplit(url)) for url in (RAZORPAY_API_URL, RAZORPAY_CHECKOUT_URL)]
PAY_PAGE_SOURCES = {
    "script-src": [SELF, _PROVIDER[1]],
    "frame-src": _PROVIDER,
    "form-action": _PROVIDER,
    "connect-src": [SELF, "https://lumberjack.razorpay.com", "https://lumberjack-metrics.razorpay.com"],
    "img-src": ["https://cdn.razorpay.com"],
}
# What no page of the shop asks a browser for. The provider's window may ask for a payment.
_DENIED = (
    "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), "
    "midi=(), usb=()"
)
PERMISSIONS_POLICY = f"{_DENIED}, payment=()"
PAY_PAGE_PERMISSIONS = f'{_DENIED}, payment=(self "{_PROVIDER[0]}" "{_PROVIDER[1]}")'
# The sign-in pages: the form of "Continue with Google" leads there.
GOOGLE_PAGE_SOURCES = {"form-action": [SELF, "https://accounts.google.com"]}

# --- Language, time -----------------------------------------------------------------------------
LANGUAGE_CODE = "en"
TIME_ZONE = "Asia/Kolkata"
USE_TZ = True
USE_I18N = True
FORMAT_MODULE_PATH = "shop.backoffice.formats"
# English first; a location offers those of them that staff switched on (back office, Locations).
_LANGUAGES = env.list("SHOP_LANGUAGES", default=[] if TESTING else ["hi", "ar"])
SHOP_LANGUAGES = ("en", *(code for code in _LANGUAGES if code != "en"))
LANGUAGES = [(code, code) for code in SHOP_LANGUAGES]
LOCALE_PATHS = [BASE_DIR / "shop" / "locale", BASE_DIR / "shop" / "backoffice" / "locale"]
# Of the back office, English first; the cookie of the choice goes to its pages alone.
STAFF_LANGUAGES = ("en", "hi")
LANGUAGE_COOKIE_NAME = f"{'__Secure-' if HTTPS else ''}staff_language"
LANGUAGE_COOKIE_PATH = "/admin/"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_SECURE = HTTPS
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
if unknown := set(SHOP_LANGUAGES) - set(LANG_INFO):
    raise ImproperlyConfigured(f"SHOP_LANGUAGES takes codes such as en,hi,ar, not {', '.join(sorted(unknown))}.")

# --- Admin ------------------------------------------------------------------------------------------
UNFOLD = {
    "SITE_TITLE": SHOP_NAME,
    "SITE_HEADER": SHOP_NAME,
    "SITE_SUBHEADER": gettext_lazy("Back office"),
    "SITE_SYMBOL": "eco",
    "SITE_FAVICONS": [
        {"rel": "icon", "type": "image/svg+xml", "href": lambda request: static("icons/favicon.svg")}
    ],
    "SHOW_HISTORY": True,
    "SHOW_LANGUAGES": True,
    "LANGUAGES": {
        "navigation": "shop.backoffice.languages.choices",
        "action": "shop.backoffice.languages.address",
    },
    "STYLES": [lambda request: static("backoffice/lists.css")],
    "SCRIPTS": [
        lambda request: static("backoffice/roles.js"),
        lambda request: static("backoffice/picker_texts.js"),
        lambda request: static("backoffice/unsaved.js"),
    ],
    "ENVIRONMENT": "shop.reports.navigation.environment",
    "SIDEBAR": {"navigation": "shop.reports.navigation.groups", "show_search": True, "command_search": True},
    "COMMAND": {"search_callback": "shop.reports.back_office_search.find"},
    "DASHBOARD_CALLBACK": "shop.reports.dashboard.fill_dashboard",
    # Leaf for what acts, paper and ink for all else, as in static/css/tokens.css.
    "COLORS": {
        "primary": {
            "50": "#f1f7f3", "100": "#e7f0ea", "200": "#c6ddd0", "300": "#98c3ab", "400": "#5f9f80", "500": "#3a7d5f",
            "600": "#1f5a41", "700": "#1a4d38", "800": "#143d2c", "900": "#0f2e21", "950": "#081a13",
        },
        "base": {
            "50": "#faf7f1", "100": "#f3eee4", "200": "#e6e0d4", "300": "#d3cbbb", "400": "#99a09a", "500": "#5b645e",
            "600": "#49514c", "700": "#363d39", "800": "#272d2a", "900": "#1d2320", "950": "#121614",
        },
    },
}  # fmt: skip

# --- Logs, figures, errors ---------------------------------------------------------------------------
# JSON for programs, where nobody looks at it as it comes; then each request has its line, too.
LOG_FORMAT = env.str("LOG_FORMAT", default="text" if DEMO or DEBUG or TESTING or sys.stderr.isatty() else "json")
if LOG_FORMAT not in ("json", "text"):
    raise ImproperlyConfigured("LOG_FORMAT is json or text.")
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")  # without one there are no figures
SENTRY_DSN = env.str("SENTRY_DSN", default="")
SENTRY_ENVIRONMENT = env.str("SENTRY_ENVIRONMENT", default="demo" if DEMO else "production")
SHOP_RELEASE = env.str("SHOP_RELEASE", default="")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"request_id": {"()": "shop.http.request_log.RequestIdFilter"}},
    "formatters": {
        "text": {
            "()": "shop.http.request_log.TextLines",
            "format": "%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s",
        },
        "json": {"()": "shop.http.request_log.JsonLines"},
    },
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT, "filters": ["request_id"]},
    },
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="INFO")},
    "loggers": {
        "django.request": {"level": "ERROR"},
        "shop.startup": {"level": "WARNING"},  # what the shop is allowed to lack is said at each start
        "shop.request": {"level": "INFO" if LOG_FORMAT == "json" else "WARNING"},
        "fontTools": {"level": "WARNING"},
        "botocore": {"level": "WARNING"},
        "urllib3": {"level": "WARNING"},  # would tell the addresses of calls, which hold keys
    },
}
if TESTING:
    os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "1")  # the browser's driver keeps an event loop
