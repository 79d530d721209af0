"""The facts of the company: from the environment, until staff write others."""

import pytest
from django.contrib.auth.models import Group
from django.core.exceptions import ImproperlyConfigured
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from shop import startup
from shop.accounts.models import Customer
from shop.accounts.staff.roles import CATALOGUE_MANAGER, OWNER

from ..facts import company_facts
from ..models import Company

ENVIRONMENT = {
    "legal_name": "Leaf Ltd",
    "address": "1 Road\nPune",
    "cin": "C1",
    "gstin": "29AAAPL2356Q1Z8",
    "lut": "",
    "grievance_officer": "A. Rao",
    "phone": "",
}


@pytest.fixture(autouse=True)
def environment(settings, db):
    settings.COMPANY = ENVIRONMENT
    settings.LICENCES = ["L-1"]
    settings.SOCIAL_LINKS = {}


def office(role):
    member = Customer.objects.create_user("desk@example.com", "pw", name="Desk", is_staff=True)
    member.groups.add(Group.objects.get(name=role))
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(member)
    return client


def test_what_staff_leave_blank_comes_from_the_environment():
    assert company_facts().legal_name == "Leaf Ltd"
    row = Company.objects.create(phone="+91 80 5550", licences="L-2\nL-3")
    facts = company_facts()
    assert (facts.legal_name, facts.phone, facts.licences) == ("Leaf Ltd", "+91 80 5550", ["L-2", "L-3"])
    row.delete()
    assert (company_facts().phone, company_facts().licences) == ("", ["L-1"])


def test_staff_start_from_the_environment_and_every_page_shows_what_they_write(client, make_variant):
    make_variant()
    assert "Leaf Ltd" in client.get("/en-in/product/product-1/").content.decode()
    editor = office(OWNER)
    form = editor.get(reverse("admin:company_company_add")).context["adminform"].form
    assert (form.initial["legal_name"], form.initial["licences"]) == ("Leaf Ltd", "L-1")
    words = form.initial | {"legal_name": "Twig Ltd", "social_links": "Photos=https://photos.example/twig"}
    assert editor.post(reverse("admin:company_company_add"), words).status_code == 302
    panel = client.get("/en-in/product/product-1/").content.decode().partition('class="trust"')[2]
    assert "Twig Ltd" in panel and "Leaf Ltd" not in panel
    assert 'href="https://photos.example/twig"' in panel
    about = strip_tags(client.get("/en-in/about/").content.decode())
    assert [fact for fact in ("Twig Ltd", "C1", "A. Rao", "L-1") if fact not in about] == []


def test_there_is_one_company():
    Company.objects.create(legal_name="Leaf Ltd")
    assert office(OWNER).get(reverse("admin:company_company_add")).status_code == 403
    with pytest.raises(IntegrityError), transaction.atomic():
        Company.objects.create(legal_name="Twig Ltd")


def test_only_those_who_may_edit_content_change_it():
    assert office(CATALOGUE_MANAGER).get(reverse("admin:company_company_add")).status_code == 403


@pytest.mark.parametrize("links", ["Photos", "=https://a.example", "Photos=http://a.example", "X=javascript:x()"])
def test_a_social_link_is_a_name_and_an_https_address(links):
    answer = office(OWNER).post(reverse("admin:company_company_add"), {"social_links": links})
    assert answer.context["adminform"].form.errors.keys() == {"social_links"}
    assert not Company.objects.exists()


@pytest.mark.parametrize("number", ["29AAAPL2356Q1Z9", "29AAAPL2356Q1Z", "00AAAPL2356Q1Z8", "07AAAAA0000A1Z5"])
def test_a_gstin_must_fit_together(number):
    answer = office(OWNER).post(reverse("admin:company_company_add"), {"gstin": number})
    assert answer.context["adminform"].form.errors.keys() == {"gstin"}
    assert not Company.objects.exists()


def test_the_facts_cost_no_query_once_they_are_known(client, django_assert_num_queries):
    company_facts()
    with django_assert_num_queries(0):
        assert company_facts().legal_name == "Leaf Ltd"


def test_a_real_shop_starts_with_its_facts_from_either_place(settings, monkeypatch):
    settings.TESTING = False
    settings.COMPANY = ENVIRONMENT | {"cin": "", "gstin": ""}
    monkeypatch.setenv("SECRET_KEY", "x")
    monkeypatch.setenv("SHOP_URL", "https://shop.example")
    settings.RAZORPAY_KEY_ID, settings.RAZORPAY_KEY_SECRET = "rzp_live_key", "secret"
    settings.HTTPS = settings.ALLOW_NO_MAIL = True
    with pytest.raises(ImproperlyConfigured, match="Set COMPANY_CIN, COMPANY_GSTIN before"):
        startup.assert_configured()
    Company.objects.create(cin="C2", gstin="G2")
    startup.assert_configured()
