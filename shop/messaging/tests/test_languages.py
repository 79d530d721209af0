"""Mails and SMS in Hindi and Arabic: no English is left in any, and an SMS is counted as it is sent."""

import re
from urllib.parse import urlsplit

import pytest
from django.utils import translation

from ..channels.sms import _filled_in
from ..languages import FOR_STAFF, IN_ENGLISH
from ..models import Message
from ..services import queue_mail, queue_sms
from ..sms_length import is_unicode, sms_parts, sms_units
from ..texts import FOLDER, sample_of, shipped

pytestmark = pytest.mark.django_db
PLAIN = {"number": "1-2", "minutes": 10, "left": 1}
MOBILE = "+919876543210"
TEMPLATES = sorted(
    name
    for name in {path.name.split(".")[0] for path in FOLDER.glob("*.txt")}
    if not name.startswith(("_", *IN_ENGLISH)) and "staff" not in name
)
# What is the same in every language: addresses, and names of zones.
KEPT = re.compile(r"https?://\S+|[\w.]+@[\w.]+|Aushadhi|\b(IST|GMT|pdf)\b")


@pytest.fixture(autouse=True)
def languages(settings):
    settings.SHOP_LANGUAGES = ("en", "hi", "ar")


def foreign(value):
    """A sample without a word of English."""
    if isinstance(value, dict):
        return {name: foreign(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(foreign(part) for part in value)
    return "कखग" if isinstance(value, str) and not value.startswith("http") else value


def facts_of(template):
    return foreign(sample_of(template)) | PLAIN | {"kind": "refund", "changed": "email"} | code_of(template)


def bare_facts_of(template):
    """Nothing that the text can do without."""
    complaint = {"name": "क", "number": "1", "acknowledge_by": None, "resolve_by": None}
    needed = {"complaint": complaint, "location_id": 1, "held_until": None, "address": {}}
    return PLAIN | needed | ({"points": 1} if template == "points_end" else {}) | code_of(template)


def code_of(template):
    return {"code": "123456"} if template.endswith("_code") else {}


def words_of(html):
    return re.sub(r"<(style|title).*?</\1>|<[^>]+>", " ", html, flags=re.DOTALL)


@pytest.mark.parametrize("language", ["hi", "ar"])
@pytest.mark.parametrize("template", TEMPLATES)
def test_no_english_is_left(template, language):
    """Also of the other branch of its conditions."""
    about = {"kind": template, "template": template, "language": language}
    for context in (facts_of(template), bare_facts_of(template)):
        queue_mail(to="a@example.com", subject="", context=context, **about)
        texts = [Message.objects.last().text, words_of(Message.objects.last().html)]
        if shipped(template).sms:
            queue_sms(to=MOBILE, context=context, **about)
            texts.append(Message.objects.last().text.partition("\n\n@")[0])
        for text in texts:
            assert re.findall(r"[A-Za-z]{2,}", KEPT.sub("", text)) == [], text


@pytest.mark.parametrize(("language", "direction"), [("en", "ltr"), ("hi", "ltr"), ("ar", "rtl")])
def test_the_html_says_language_and_direction(language, direction):
    queue_mail(
        kind="refunded", to="a@example.com", subject="", template="refunded", context={"amount": "<b>", "number": "1"},
        language=language,
    )  # fmt: skip
    html = Message.objects.get().html
    assert f'<html lang="{language}" dir="{direction}">' in html
    assert f'class="sheet" lang="{language}" dir="{direction}"' in html
    assert '<strong class="number">&lt;b&gt;</strong>' in html and "<b>" not in html


@pytest.mark.parametrize("language", ["en", "hi", "ar"])
@pytest.mark.parametrize("template", [name for name in TEMPLATES if name.endswith("_code")])
def test_a_code_takes_two_sms_at_most(settings, template, language):
    settings.SHOP_URL = "https://www.aushadhi.example"
    queue_sms(kind=template, to=MOBILE, template=template, context={"code": "123456", "minutes": 10}, language=language)
    text = Message.objects.get().text
    assert text.endswith(f"\n\n@{urlsplit(settings.SHOP_URL).hostname} #123456")
    assert sms_parts(text) <= (2 if language == "en" else 3), text


@pytest.mark.parametrize(
    ("text", "wide", "units", "parts"),
    [
        ("a" * 160, False, 160, 1),
        ("a" * 161, False, 161, 2),
        ("a" * 306, False, 306, 2),
        ("a" * 307, False, 307, 3),
        ("€" * 80, False, 160, 1),
        ("€" * 81, False, 162, 2),
        ("क" * 70, True, 70, 1),
        ("क" * 71, True, 71, 2),
        ("क" * 134, True, 134, 2),
        ("क" * 135, True, 135, 3),
        ("₹" + "a" * 70, True, 71, 2),
        ("😀" * 35, True, 70, 1),
        ("😀" * 36, True, 72, 2),
    ],
)
def test_an_sms_is_counted_as_it_is_sent(text, wide, units, parts):
    assert (is_unicode(text), sms_units(text), sms_parts(text)) == (wide, units, parts)


# --- Texts registered in India (DLT) ----------------------------------------------------------------


def sent_sms(to=MOBILE, language="hi"):
    context = {"code": "123456", "minutes": 10}
    queue_sms(kind="sign_in_code", to=to, template="sign_in_code", context=context, language=language)
    return Message.objects.last()


@pytest.mark.parametrize(
    ("templates", "to", "language"),
    [
        ({}, MOBILE, "hi"),
        ({"sign_in_code": "1107"}, MOBILE, "en"),  # the Hindi text is not registered: operators would drop it
        ({"sign_in_code": "1107"}, "+971501234567", "hi"),
        ({"sign_in_code": "1107", "sign_in_code:hi": "1108"}, MOBILE, "hi"),
    ],
)
def test_an_sms_to_india_is_in_a_language_that_is_registered(settings, templates, to, language):
    settings.SMS_DLT_TEMPLATES = templates
    message = sent_sms(to)
    assert message.language == language and ("कोड" in message.text) == (language == "hi")


def test_what_is_lazy_comes_in_the_language_that_is_sent(settings):
    settings.SMS_DLT_TEMPLATES = {"refunded": "1107"}
    context = {"number": "1", "amount": "1", "where": translation.gettext_lazy("Banks take up to seven working days.")}
    queue_sms(kind="refunded", to=MOBILE, template="refunded", context=context, language="hi")
    assert Message.objects.get().text.endswith("Banks take up to seven working days.")


@pytest.mark.parametrize(("language", "template", "wide"), [("hi", "1108", "1"), ("en", "1107", "0")])
def test_the_provider_is_told_the_template_of_the_language(settings, language, template, wide):
    settings.SMS_DLT_TEMPLATES = {"sign_in_code": "1107", "sign_in_code:hi": "1108"}
    settings.SMS_HEADERS = {"Content-Type": "application/json"}
    settings.SMS_BODY = '{"t": "{dlt_template}", "unicode": "{unicode}"}'
    assert _filled_in(sent_sms(language=language))["data"] == f'{{"t": "{template}", "unicode": "{wide}"}}'


def test_mails_to_staff_have_names_that_say_so():
    assert {name for name in FOR_STAFF if not list(FOLDER.glob(f"{name}*"))} == set()
