"""The language of the back office: picked by each member of staff, for its pages alone."""

import json

import pytest
from django.contrib.admin.models import LogEntry
from django.forms import modelform_factory
from django.urls import reverse
from django.utils import translation

from shop.accounts.models import Customer
from shop.backoffice import history
from shop.backoffice.forms import StaffForm
from shop.backoffice.library_texts import SCRIPTS
from shop.catalog.models import Brand
from shop.orders.backoffice.tests.test_order_admin import staff

from ..roles import OWNER

pytestmark = pytest.mark.django_db
HOME, LANGUAGE = reverse("admin:index"), reverse("admin:language")


@pytest.fixture
def office():
    """The owner's browser."""
    return staff(OWNER)


def pick(client, language, back=HOME):
    return client.post(LANGUAGE, {"language": language, "next": back})


def lang_of(answer):
    return answer.content.decode().partition('<html lang="')[2].partition('"')[0]


def test_a_choice_is_kept_for_the_back_office_alone(office, settings):
    assert lang_of(office.get(HOME)) == "en"
    answer = pick(office, "hi", back=reverse("admin:orders_order_changelist"))
    assert (answer.status_code, answer.url) == (302, reverse("admin:orders_order_changelist"))
    cookie = answer.cookies[settings.LANGUAGE_COOKIE_NAME]
    assert (cookie["path"], bool(cookie["httponly"]), cookie["samesite"]) == ("/admin/", True, "Lax")
    assert cookie["max-age"] > 300 * 24 * 3600
    assert lang_of(office.get(HOME)) == "hi"
    assert lang_of(office.get("/en-in/")) == "en", "the shop's own pages are not concerned"
    pick(office, "en")
    assert lang_of(office.get(HOME)) == "en"
    assert translation.get_language() == "en", "a request leaves its thread as it was"


def test_a_refusal_says_in_which_language_it_is(office):
    """That page is one of the shop's frame, which has no market in the back office."""
    pick(office, "hi")
    refused = office.get(reverse("admin:accounts_customer_add"))
    assert (refused.status_code, lang_of(refused)) == (403, "hi")


@pytest.mark.parametrize("language", ["ar", "xx", ""])
def test_a_language_that_the_back_office_does_not_speak_is_english(office, language):
    assert pick(office, language).status_code == 302
    assert lang_of(office.get(HOME)) == "en"


def test_a_choice_leads_back_to_this_site_only(office):
    assert pick(office, "hi", back="https://elsewhere.example/").url == "/"
    assert office.get(LANGUAGE).status_code == 405


def test_the_menu_offers_both_by_plain_forms(office):
    page = office.get(HOME).content.decode()
    assert page.count(f'<form action="{LANGUAGE}" method="post"') == 2
    assert 'name="language" type="hidden" value="hi"' in page
    assert "हिंदी" in page


def test_scripts_have_their_texts_in_hindi(office):
    """Of the editor and the calendar, too, which have none of their own."""

    def catalog():
        script = office.get(reverse("admin:jsi18n")).content.decode().partition("newcatalog = ")[2]
        return json.JSONDecoder().raw_decode(script)[0]

    assert catalog()["Merge cells"] == "Merge cells"
    pick(office, "hi")
    found = catalog()
    assert [text for text in SCRIPTS if found[text] == text] == []


def test_who_is_no_staff_does_not_learn_of_it(client):
    client.force_login(Customer.objects.create_user(email="asha@example.com"))
    assert pick(client, "hi").status_code == 404


def test_history_is_kept_in_english_and_read_in_hindi():
    brand = Brand.objects.create(name="Neem House", slug="neem-house")
    with translation.override("hi"):
        form = modelform_factory(Brand, StaffForm, fields=["name"])({"name": "Neem Home"}, instance=brand)
        assert form.is_valid() and form.fields["name"].label == "नाम"
        told = history.describe(form, [], added=False, private=())
    assert told == [{"changed": {"fields": ["Name"], "values": {"Name": ["Neem House", "Neem Home"]}}}]
    entry = LogEntry(change_message=json.dumps(told))
    with translation.override("hi"):
        [part] = history.read(entry)
        assert part.fields == [("नाम", "Neem House", "Neem Home")]
