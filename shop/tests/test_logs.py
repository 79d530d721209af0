"""Log lines: one object each, with an id that goes along, and nothing secret in any of them."""

import io
import json
import logging
import re

import pytest
from django.conf import settings
from django.test import Client
from django.urls import get_resolver

from shop.accounts.models import Customer
from shop.http.request_log import (
    MAX_LOGGED_TEXT,
    JsonLines,
    RequestIdFilter,
    TextLines,
    enter_task,
    logged_path,
    new_task_number,
    own_id,
    request_id,
)
from shop.messaging.delivery import send_due
from shop.ops.scheduler import run_due_jobs

PASSWORD = "honey-and-amla-2026"
PHONE = "+919876543210"


@pytest.fixture
def lines():
    """lines(): every line that was written so far, as a program reads it."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(JsonLines())
    handler.addFilter(RequestIdFilter())
    root, own = logging.getLogger(), logging.getLogger("shop.request")
    levels = root.level, own.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    own.setLevel(logging.INFO)
    yield lambda: [json.loads(line) for line in written.getvalue().splitlines()]
    root.removeHandler(handler)
    root.setLevel(levels[0])
    own.setLevel(levels[1])


def test_each_request_has_its_line(db, client, lines):
    answer = client.get("/en-in/no-such-page/?utm=secret-word")
    line = next(line for line in lines() if line["message"] == "request")
    assert (line["method"], line["path"], line["status"]) == ("GET", "/en-in/no-such-page/", 404)
    assert line["request_id"] == answer["X-Request-Id"]
    assert line["milliseconds"] > 0 and line["level"] == "INFO" and line["logger"] == "shop.request"
    assert line["time"].endswith(("Z", "+00:00"))
    assert "secret-word" not in json.dumps(lines())


KEY = "x9Zq-7Lw_secret-of-the-mail"


@pytest.mark.parametrize(
    ("path", "logged"),
    [
        (f"/newsletter/confirm/{KEY}/", "/newsletter/…"),
        (f"/en-in/newsletter/leave/{KEY}/", "/en-in/newsletter/…"),
        (f"//en-in//newsletter//leave//{KEY}", "//en-in//newsletter//…"),
        (f"/NewsLetter/leave/{KEY}", "/NewsLetter/…"),
        (f"/newsletter/{KEY}/", "/newsletter/…"),
        (f"/track/ORD-ABC123XYZ.{KEY}/", "/track/…"),
        (f"/review/12.{KEY}/", "/review/…"),
        (f"/en-in/review-invitations/12.{KEY}/", "/en-in/review-invitations/…"),
        (f"/en-in/refill/12.{KEY}/end/", "/en-in/refill/…"),
        (f"/hi-in/wishlist/shared/{KEY}/", "/hi-in/wishlist/shared/…"),
        (f"/p/7k4m-q9xd-2h8t{KEY}/pay/", "/p/…"),
        (f"/hi-in/P/{KEY}/", "/hi-in/P/…"),
        ("/en-in/search/piles cream/", "/en-in/search/…"),
        ("/hi-in/search/piles cream/", "/hi-in/search/…"),
        (f"/staff/join/{KEY}/", "/staff/join/…"),
        (f"/kok-in/track/ORD-ABC123XYZ.{KEY}/", "/kok-in/track/…"),
        ("/en-in/Search/piles cream", "/en-in/Search/…"),
        ("/search/piles\ncream/x/", "/search/…"),
        ("/search/", "/search/"),
        ("/api/pincode/560001/", "/api/pincode/…/"),
        ("/verify-otp/482913", "/verify-otp/…"),
        ("/en-in/no-such-page/ravi.iyer@example.com/", "/en-in/no-such-page/r…@example.com/"),
        ("/x/9876543210/", "/x/…10/"),
        ("/en-in/product/neem-soap-500-mg/", "/en-in/product/neem-soap-500-mg/"),
        ("/order-detail/ORD-AB12CD34E/", "/order-detail/ORD-AB12CD34E/"),
        ("/admin/orders/order/12345/change/", "/admin/orders/order/12345/change/"),
        ("/x/" * 300, "/x/" * 33 + "/ … /" + "x/" + "/x/" * 32),
    ],
)
def test_a_logged_path_tells_no_key_no_words_and_no_code(path, logged):
    found = logged_path(path)
    assert found == logged or (len(path) > 400 and len(found) <= 203), found


def test_what_a_page_is_asked_for_in_its_path_is_in_no_line(db, lines):
    client = Client(headers={"sec-fetch-site": "same-origin"}, raise_request_exception=False)
    for path in (f"/newsletter/confirm/{KEY}/", f"/en-in/newsletter/leave/{KEY}", f"/NEWSLETTER/leave/{KEY}/"):
        client.get(path)
        client.post(path)
    for path in ("/search/honeycombs/", "/en-in/Search/honeycombs", "/en-in/search/x/honeycombs/"):
        client.get(path)
    said = json.dumps(lines())
    assert len([line for line in lines() if line["message"] == "request"]) >= 9
    assert KEY not in said and "honeycombs" not in said


# What a path may tell: names of things that the shop shows to everybody, and numbers that open nothing by themselves.
PUBLIC = {"slug", "path", "number", "name", "country", "language", "section", "digest", "url", "kind", "step"}
TOLD = PUBLIC | {"object_id", "content_type_id"}


def test_every_route_s_text_is_public_or_left_out():
    """A new route whose address holds a key is found here."""

    def walk(patterns, before):
        for route in patterns:
            yield before + str(route.pattern), route.pattern
            yield from walk(getattr(route, "url_patterns", []), before + str(route.pattern))

    routes = [(route, re.findall(r"<(?:(\w+):)?(\w+)>", route)) for route, _ in walk(get_resolver().url_patterns, "")]
    left_out = [
        route
        for route, arguments in routes
        if {name for kind, name in arguments if kind != "int"} - TOLD
        and KEY not in logged_path("/" + re.sub(r"<[^>]*>", KEY, route))
    ]
    told = [
        route
        for route, arguments in routes
        if {name for kind, name in arguments if kind != "int"} - TOLD and route not in left_out
    ]
    assert len(left_out) >= 3
    assert told == ["api/pincode/<pincode>/"], "six digits, which are left out"


def test_a_line_is_of_a_bounded_length(lines):
    logging.getLogger("shop.test").error("x" * 300_000)
    logging.getLogger("shop.test").error("begins%sends", "x" * 100_000)
    first, second = lines()[-2:]
    assert len(first["message"]) < MAX_LOGGED_TEXT + 10
    assert second["message"].startswith("begins") and second["message"].endswith("ends")


def test_who_asks_is_a_number(db, client, lines):
    customer = Customer.objects.create(email="ravi.iyer@example.com", name="Ravi Iyer", password="!")
    client.force_login(customer, settings.AUTHENTICATION_BACKENDS[0])
    client.get("/en-in/profile/")
    line = next(line for line in lines() if line["message"] == "request")
    assert line["customer"] == customer.pk
    assert "ravi" not in json.dumps(lines()).lower()


@pytest.mark.parametrize(
    ("proxies", "given", "taken"),
    [
        (1, "0123456789abcdef0123456789abcdef", "0123456789abcdef0123456789abcdef"),
        (1, "01234567-89AB-cdef-0123-456789abcdef", "0123456789abcdef0123456789abcdef"),
        (1, "0123", ""),
        (1, "0123456789abcdef\u2028{}", ""),
        (1, "x" * 5000, ""),
        (0, "0123456789abcdef0123456789abcdef", ""),
    ],
)
def test_only_a_trusted_proxy_s_id_of_the_right_form_is_taken_over(db, client, settings, proxies, given, taken):
    settings.TRUSTED_PROXY_COUNT = proxies
    found = client.get("/robots.txt", headers={"X-Request-Id": given})["X-Request-Id"]
    assert found == taken if taken else len(found) == 16 and found not in given


def test_a_task_goes_on_under_its_request_s_id():
    request_id.set("00112233445566778899aabbccddeeff")
    number = new_task_number()
    request_id.set("-")
    enter_task(str(number))
    assert request_id.get() == "0011223344556677"
    request_id.set("-")
    assert new_task_number() != new_task_number()


def test_a_message_is_sent_under_the_id_of_its_request(db, client, lines, settings):
    settings.EMAIL_BACKEND, settings.EMAIL_PORT = "shop.messaging.channels.mail.SmtpBackend", 1  # nobody listens there
    answer = client.post(
        "/user-register/",
        {"user_name": "Ravi Iyer", "email_id": "ravi.iyer@example.com", "password": PASSWORD},
        content_type="application/json",
        headers={"Sec-Fetch-Site": "same-origin"},
    )
    assert answer.status_code == 200, answer.content
    assert send_due() == (0, False)
    [line] = [line for line in lines() if "sign_up_code" in line["message"]]
    assert line["request_id"] == answer["X-Request-Id"]


def test_each_job_has_an_id_of_its_own(db, settings, monkeypatch):
    seen = []
    settings.SCHEDULED_JOBS = dict.fromkeys(
        ["first", "second"], settings.SCHEDULED_JOBS["shop.payments.reconciliation.jobs.expire_holds"]
    )
    monkeypatch.setattr("shop.ops.scheduler._run", lambda name: seen.append(request_id.get()) or "")
    request_id.set("-")
    run_due_jobs()
    assert len(set(seen)) == 2 and "-" not in seen and request_id.get() == "-"
    with own_id():
        assert request_id.get() not in seen


SECRETS = {
    "a password": ("password=hunter2secret&x=1", "hunter2secret"),
    "one in JSON": ('{"password": "hunter2secret", "a": 1}', "hunter2secret"),
    "one in Python": ("{'otp_code': '123456'}", "123456"),
    "a code": ("the code is 482913", "482913"),
    "a cookie": ("Cookie: __Host-session=abcdefgh12345; other=zyxwvu98765", "abcdefgh12345"),
    "a token": ("Authorization: Bearer abcdefghijklmnop", "abcdefghijklmnop"),
    "a signature": (f"got {'0a' * 32} for it", "0a" * 32),
    "a named one": ("razorpay_signature=deadbeef12", "deadbeef12"),
    "a query": ("GET https://sms.example.com/send?to=1&key=abcd1234 failed", "abcd1234"),
    "an address": ("refused: ravi.iyer@example.com", "ravi.iyer"),
    "a mobile number": ("no SMS to +919876543210.", "9876543210"),
    "one without its country": ("no SMS to 9876543210 today", "9876543210"),
    "one of another country": ("no SMS to +1 415 555 0132", "415 555 01"),
}


@pytest.mark.parametrize(("text", "secret"), SECRETS.values(), ids=SECRETS)
def test_a_secret_is_left_out_of_a_line(text, secret):
    record = logging.LogRecord("x", logging.ERROR, "", 1, "%s", (text,), None)
    record.request_id = "-"
    for formatter in (JsonLines(), TextLines("%(message)s")):
        line = formatter.format(record)
        assert secret not in line
        assert "…" in line


def test_what_is_no_secret_stays():
    text = "payment pay_Q1w2e3r4t5y6u7 of ORD-AB12CD34E, 29900 paise, 3 units in 1732199123.5 s, status 404"
    record = logging.LogRecord("x", logging.ERROR, "", 1, text, (), None)
    record.request_id = "-"
    assert json.loads(JsonLines().format(record))["message"] == text


def test_a_traceback_tells_no_secret_either(lines):
    try:
        raise ValueError(f"could not send to {PHONE} with password={PASSWORD}")
    except ValueError:
        logging.getLogger("shop.test").exception("failed")
    line = lines()[-1]
    assert "ValueError" in line["traceback"] and "…10" in line["traceback"]
    assert PASSWORD not in json.dumps(line) and PHONE not in json.dumps(line)


def test_signing_up_and_in_leaves_nothing_secret_in_the_log(transactional_db, lines):
    client = Client(headers={"Sec-Fetch-Site": "same-origin"}, raise_request_exception=False)
    call = {"content_type": "application/json"}
    client.post("/user-register/", {"user_name": "R", "mobile_no": PHONE[3:], "password": PASSWORD}, **call)
    client.post("/verify-otp/", {"mobile_no": PHONE[3:], "otp_code": "482913"}, **call)
    client.post("/user-login/", {"mobile_no": PHONE[3:], "password": PASSWORD}, **call)
    client.post("/user-login/", "{broken", **call)
    client.get("/en-in/profile/", headers={"Authorization": "Bearer tok_abcdefghijkl"})
    said = json.dumps(lines())
    assert len([line for line in lines() if line["message"] == "request"]) == 5
    for secret in (PASSWORD, PHONE[3:], "482913", "tok_abcdefghijkl"):
        assert secret not in said
