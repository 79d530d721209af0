"""Texts of mails and SMS that staff change: what is sent then, what is refused, and that a message always leaves."""

import re
from datetime import UTC, datetime

import pytest
from django.apps import apps
from django.contrib.admin import site
from django.contrib.auth.models import Group
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation

from shop.accounts.models import Customer
from shop.accounts.staff.roles import CONTENT_EDITOR
from shop.invalidation import subscriptions

from ..apps import add_texts
from ..models import Message, MessageText
from ..safe_templates import problems_of, render_text, shown_in
from ..services import queue_mail, queue_sms
from ..texts import FOLDER, NEEDED, editable_templates, sample_of, shipped

pytestmark = pytest.mark.django_db
CONTEXT = {
    "name": "Asha <Rao>",
    "number": "ORD-1",
    "amount": "₹5.00",
    "where": "To the card.",
    "track_url": "https://a.example/t",
}


def refunded(language=None, **more):
    facts = CONTEXT | more
    queue_mail(
        kind="refunded", to="a@example.com", subject="Refund", template="refunded", context=facts, language=language
    )
    return Message.objects.order_by("pk").last()


def write(**parts):
    row = MessageText.objects.get(template="refunded", language="en")
    for name, text in parts.items():
        setattr(row, name, text)
    row.save(update_fields=list(parts))
    subscriptions.check_at_once()
    return row


@pytest.fixture
def editor(db):
    member = Customer.objects.create_user("e@example.com", "pw", name="Editor", is_staff=True)
    member.groups.add(Group.objects.get(name=CONTENT_EDITOR))
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(member)
    return client


@pytest.fixture
def page(editor):
    """page(text="…"): the answer to the form of the refund mail, as a browser sends it."""

    def send(template="refunded", **sent):
        row = MessageText.objects.get(template=template)
        url = reverse("admin:messaging_messagetext_change", args=[row.pk])
        shown = editor.get(url).text
        as_shown = re.search(r'name="as_shown" value="([^"]*)"', shown)[1]
        return editor.post(url, {"subject": "", "text": "", "sms": "", "as_shown": as_shown} | sent)

    return send


def test_each_message_for_customers_has_its_row_and_none_with_a_code():
    names = set(MessageText.objects.values_list("template", flat=True))
    assert names == set(editable_templates())
    assert {"order_placed", "order_shipped", "refunded", "enquiry_answer"} <= names
    assert not {name for name in names if "desk" in name or "code" in name or name.startswith("_")}
    assert not {name for name in names if name.startswith("staff")}


def test_no_editor_rewords_a_notice_about_the_security_of_an_account():
    words = "If this wasn't you"
    notices = {path.name.split(".")[0] for path in FOLDER.glob("*.txt") if words in path.read_text()}
    assert {"password_changed", "passkey_added", "second_factor_added", "account_closed"} <= notices
    # Of one order, and of a subscription: nobody's account.
    assert notices & set(editable_templates()) == {"order_address", "newsletter_confirm"}


def test_no_text_of_staff_takes_the_link_of_an_invitation_elsewhere():
    MessageText.objects.create(template="staff_invitation", text="https://evil.example/?{{ join_url }}")
    subscriptions.check_at_once()
    facts = {"name": "", "role": "Owner", "join_url": "https://shop.example/staff/join/abc/", "days": 3}
    queue_mail(kind="staff_invitation", to="m@example.com", subject="Join", template="staff_invitation", context=facts)
    assert "evil.example" not in Message.objects.get().text
    add_texts(apps.get_app_config("messaging"), "default", apps=apps)
    assert not MessageText.objects.filter(template="staff_invitation").exists()


def test_what_staff_wrote_is_sent_with_the_variables_filled_in():
    assert "We're refunding ₹5.00" in refunded().text
    write(
        subject="Money for {{ number }}",
        text="Dear {{ name }},\n\n{{ amount }} {% if number %}for {{ number }}{% endif %}.",
        sms="{{ amount }} back",
    )
    mail = refunded()
    assert (mail.subject, mail.text) == ("Money for ORD-1", "Dear Asha <Rao>,\n\n₹5.00 for ORD-1.\n")
    assert "Dear Asha &lt;Rao&gt;,</p>" in mail.html and "<Rao>" not in mail.html
    queue_sms(kind="refunded", to="+919876543210", template="refunded", context=CONTEXT)
    assert Message.objects.get(channel="sms").text == "₹5.00 back"
    write(subject="", text="", sms="")
    assert "We're refunding ₹5.00" in refunded().text


def test_a_part_that_is_left_empty_is_the_shipped_one():
    write(subject="Money")
    mail = refunded()
    assert mail.subject == "Money" and "We're refunding ₹5.00" in mail.text


def test_a_message_leaves_whatever_somebody_wrote():
    write(text="{{ number|date:5|join }}{% if", subject="")
    assert "We're refunding ₹5.00" in refunded().text


def test_oversized_custom_text_falls_back_to_default():
    write(text="{{ name }}" * 500)
    assert "We're refunding ₹5.00" in refunded(name="n" * 200).text
    assert refunded(name="n").text.startswith("nnn")
    write(sms="{{ name }}" * 90)
    queue_sms(kind="refunded", to="+919876543210", template="refunded", context=CONTEXT | {"name": "n" * 20})
    assert len(Message.objects.get(channel="sms").text) < 300


@pytest.mark.parametrize(("language", "text"), [("en", "5 March\n"), ("hi", "5 मार्च तक\n")])
def test_each_language_has_its_text_and_dates_whatever_the_page(settings, language, text):
    settings.SHOP_LANGUAGES = ("en", "hi")
    MessageText.objects.filter(template="order_delivered").update(text="{{ at|date:'j F' }}")
    MessageText.objects.create(template="order_delivered", language="hi", text="{{ at|date:'j F' }} तक")
    subscriptions.check_at_once()
    facts = {"at": datetime(2026, 3, 5, tzinfo=UTC)}
    with translation.override("hi" if language == "en" else "en"):
        queue_mail(
            kind="order_delivered", to="a@example.com", subject="x", template="order_delivered", context=facts,
            language=language,
        )  # fmt: skip
    assert Message.objects.get().text == text


def test_a_language_without_a_text_of_staff_has_the_shipped_one(settings):
    settings.SHOP_LANGUAGES = ("en", "hi")
    write(text="Dear {{ name }}")
    assert "रिफ़ंड कर रहे हैं" in refunded(language="hi").text and refunded().text.startswith("Dear Asha")


def test_each_language_of_the_shop_has_rows(settings):
    settings.SHOP_LANGUAGES = ("en", "hi")
    add_texts(apps.get_app_config("messaging"), "default", apps=apps)
    rows = MessageText.objects.filter(language="hi")
    assert set(rows.values_list("template", flat=True)) == set(editable_templates())


def test_the_shipped_text_of_a_language_shows_its_words_and_variables(settings):
    own = shipped("order_shipped", "hi")
    assert own.text.startswith("{% if name %}नमस्ते {{ name }},{% else %}नमस्ते,{% endif %}")
    assert "ऑर्डर {{ number }} भेज दिया गया है" in own.text and "translate" not in own.text
    assert own.known == shipped("order_shipped").known
    assert "{{ window.days }} days of delivery" in shipped("order_placed").text
    assert "{{ number }} has been cancelled" in shipped("order_cancelled").text


def test_an_sms_of_too_many_parts_gives_way_to_the_shipped_one():
    write(sms="{{ name }} ₹")
    queue_sms(kind="refunded", to="+919876543210", template="refunded", context=CONTEXT | {"name": "n" * 480})
    assert Message.objects.get(channel="sms").text.startswith("Aushadhi: we're refunding")


def test_texts_are_remembered_and_forgotten_when_they_change():
    refunded()
    with CaptureQueriesContext(connection) as queries:
        refunded()
    assert not [query for query in queries if "messaging_messagetext" in query["sql"]]
    write(text="New {{ number }}")
    assert refunded().text == "New ORD-1\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Hello {{ nam }}", "There is no variable “nam” in this message."),
        ("Hello {{ name", "Hello {{ name"),
        ("{% if name %}", "This text has a mistake"),
        ("{% include 'emails/base.html' %}", "“include” can&#x27;t be used here."),
        ("{% load static %}", "“load” can&#x27;t be used here."),
        ("{{ name|safe }}", "“|safe” can&#x27;t be used here."),
        ("{{ name.__class__ }}", "This text has a mistake"),
        ("{{ settings.SECRET_KEY }}", "There is no variable “settings.SECRET_KEY”"),
        ("{% for one in name %}a{% endfor %}", "“for” can&#x27;t loop over “name”"),
        ("{% for one in 'aaaa' %}a{% endfor %}", "“for” can&#x27;t loop over"),
        ("{{ name|join:amount }}", "“|join” takes a list and up to 20 characters in quotes, once."),
        ("{{ name|join:'aaaaaaaaaaaaaaaaaaaaa' }}", "“|join” takes a list"),
        ("{{ 'abc'|join:'a' }}", "“|join” takes a list"),
        ("{{ name|join:'a'|join:'b' }}", "“|join” takes a list"),
        ("{% if " + "not " * 1400 + "name %}a{% endif %}", "This text has too many nested conditions."),
    ],
)
def test_a_mistake_is_said_at_its_field_and_nothing_is_saved(page, text, said):
    answer = page(text=text)
    if said == text:  # that is plain text
        assert answer.status_code == 302
        return
    assert answer.status_code == 200 and said in answer.text
    assert not MessageText.objects.get(template="refunded").text


@pytest.mark.parametrize(("template", "needed"), NEEDED.items())
def test_a_text_keeps_what_its_message_is_there_for(page, template, needed):
    own = shipped(template)
    for name, text in [("text", own.text), ("sms", own.sms)]:
        if text:
            assert needed in shown_in(text)
            refused = page(template, **{name: f"Hello{{% if {needed} %}}!{{% endif %}}"})
            assert refused.status_code == 200 and f"Keep {{{{ {needed} }}}} in this text." in refused.text
    assert page(template, text=f"Hello, {{{{ {needed} }}}}").status_code == 302


def test_the_preview_shows_what_is_typed_and_saves_nothing(page):
    answer = page(text="Dear {{ name }}, {{ amount }} for {{ number }}", _preview="1")
    assert answer.status_code == 200 and "This is a preview. Nothing is saved yet." in answer.text
    assert "Dear Asha Rao, ₹250.00 for ORD-SAMPLE123" in answer.text and "‹shop_name›" not in answer.text
    assert not MessageText.objects.get(template="refunded").text
    assert page(text="Dear {{ name }}").status_code == 302
    assert MessageText.objects.get(template="refunded").text == "Dear {{ name }}"


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("{% for line in lines %}{% for line in lines %}a{% endfor %}{% endfor %}", "nested in another"),
        (
            "{% for line in lines %}{% if a %}{% for a in groups %}b{% endfor %}{% endif %}{% endfor %}",
            "nested in another",
        ),
        ("{% for line in lines %}a{% empty %}{% for a in name %}b{% endfor %}{% endfor %}", "can't loop over “name”"),
        ("{% for line in lines|join:'a' %}a{% endfor %}", "can't loop over “lines|join:'a'”"),
        ("{% for group in groups %}{% for window in group.windows %}a{% endfor %}{% endfor %}", ""),
        ("{% for group in groups %}{{ group.names|join:', ' }}{% endfor %}", ""),
    ],
)
def test_loops_go_over_lists_and_stand_within_each_other_only_for_parts_of_a_row(source, problem):
    known = ["name", "a", "lines", "groups", "group.windows", "group.names"]
    found = list(problems_of(source, known, ["lines", "groups", "group.windows"]))
    assert problem in found[0] if problem else not found


@pytest.mark.parametrize("template", editable_templates())
def test_each_shipped_text_keeps_the_rules_for_its_loops(template):
    own = shipped(template)
    words = ("“for”", "“|join”")
    problems = problems_of(own.text, own.known, list(own.loops.values()))
    assert not [problem for problem in problems if problem.startswith(words)]


@pytest.mark.parametrize("template", editable_templates())
def test_each_shipped_text_names_its_variables_and_has_a_preview(editor, template):
    row = MessageText.objects.get(template=template)
    answer = editor.get(reverse("admin:messaging_messagetext_change", args=[row.pk]))
    assert answer.status_code == 200 and "Variables" in answer.text
    own = shipped(template)
    whole = "".join(f"{{{{ {path} }}}}" for path in own.variables if path.split(".")[0] not in str(own.loops))
    assert list(problems_of(whole, own.known)) == []
    assert "{{" not in render_text(own.text, sample_of(template))


def test_a_form_names_each_variable_once(editor):
    row = MessageText.objects.get(template="refunded")
    named = site._registry[MessageText].variables(row)
    for name in ("shop_name", "shop_url", "shop_email", "amount"):
        assert named.count(f"{{{{ {name} }}}}") == 1, name
