import pytest
from django.apps import apps
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from shop.accounts.models import Customer
from shop.accounts.roles import CONTENT_EDITOR
from shop.changes import following
from shop.content.models import Page, PageVersion
from shop.content.services import change_page
from shop.content.starting_pages import STARTING_PAGES, load_pages

pytestmark = pytest.mark.django_db
FACTS = {
    "terms_conditions": [
        "Using the shop",
        "governed by the law of India",
        "liability is limited",
        "refuse, cancel or limit any order",
        "change at any time without notice",
        "under 18",
        "parent or guardian",
    ],
    "returnspolicy": [
        "wrong item or the wrong size7 days",
        "missing from the parcel2 days",
        "damaged, defective or past its date2 days",
        "return pickup is free",
        "within 30 days of receiving",
        "up to 25 %",
        "Only the items concerned",
        "coupon",
    ],
    "privacypolicy": [
        "Personal data",
        "Financial data",
        "Technical data",
        "Health-related data",
        "How we collect it",
        "What we use it for",
        "Who sees it",
        "access",
        "corrected",
        "withdraw your consent",
        "By using the shop you agree",
        "under 18",
        "parent or guardian",
        "servers in India",
        "as long as your consent lasts",
        "for tax",
    ],
    "shippingpolicy": ["within 2 days", "2 days after that", "import duty", "value of your cart"],
    "cancellationpolicy": ["until it is shipped", "30 minutes", "through the payment provider"],
    "about": ["Ayurvedic", "The maker is named"],
}


@pytest.fixture(autouse=True)
def pages(db):
    load_pages(apps)  # a flush removes them


@pytest.mark.parametrize("slug", STARTING_PAGES)
def test_a_page_tells_its_facts_under_its_title_with_the_way_home(client, slug):
    answer = client.get(f"/en-in/{slug}/")
    page = answer.content.decode()
    words = strip_tags(page).replace("\n", "")
    assert [fact for fact in FACTS[slug] if fact not in words] == []
    assert f"<h1>{STARTING_PAGES[slug][0].replace('&', '&amp;')}</h1>" in page
    assert '<a href="/en-in/">Home</a>' in page and "Last changed on" in words
    assert "public" in answer["Cache-Control"] and not answer.cookies


@pytest.mark.parametrize(
    "path", ["Terms_Conditions", "ShippingPolicy", "ReturnsPolicy/", "PrivacyPolicy", "CancellationPolicy", "About"]
)
@pytest.mark.parametrize("prefix", ["/", "/en-us/"])
def test_the_spelling_in_capitals_leads_to_the_page_for_ever(client, prefix, path):
    answer = client.get(prefix + path)
    assert (answer.status_code, answer["Location"]) == (301, f"{prefix}{path.lower().rstrip('/')}/")
    assert client.get(answer["Location"]).context["page"].slug == path.lower().rstrip("/")


def test_the_footer_of_every_page_links_all_of_them(client):
    foot = client.get("/en-in/").content.decode().partition("<footer")[2]
    assert [slug for slug in STARTING_PAGES if f'href="/en-in/{slug}/"' not in foot] == []
    assert all(way in foot for way in ("UPI", "Cards", "Net banking", "Wallets"))


def test_social_links_and_company_facts_stand_where_the_shop_has_them(client, settings):
    assert "Follow us" not in client.get("/en-in/").content.decode()
    settings.SOCIAL_LINKS = {"Photos": "https://photos.example/shop"}
    settings.COMPANY = {
        "legal_name": "Leaf Ltd",
        "address": "1 Road",
        "cin": "C1",
        "gstin": "G1",
        "grievance_officer": "A",
        "phone": "+91 1",
        "lut": "",
    }
    settings.LICENCES = ["L-20", "L-21"]
    following.forget_everything()  # as a process that started with these settings
    assert (
        '<a href="https://photos.example/shop" rel="noopener me">Photos</a>' in client.get("/en-in/").content.decode()
    )
    facts = strip_tags(client.get("/en-in/about/").content.decode())
    assert [
        fact for fact in ("Leaf Ltd", "C1", "G1", "L-20", "L-21", "Grievance officer", "+91 1") if fact not in facts
    ] == []


def test_every_change_is_kept_with_time_and_author_and_the_text_is_cleaned(customer):
    page = Page.objects.get(slug="about")
    before = page.changed_at
    words = {"title": "About", "summary": "Us.", "text": "<p onclick='x()'>New</p><script>x()</script>"}
    change_page(page.pk, author_id=customer.pk, **words)
    page.refresh_from_db()
    assert (page.title, page.text, page.changed_at > before) == ("About", "<p>New</p>", True)
    newest, first = page.versions.all()
    assert (newest.author, newest.text, newest.created_at) == (customer, "<p>New</p>", page.changed_at)
    assert first.author is None and "makers" in first.text
    change_page(page.pk, author_id=customer.pk, **words)
    assert page.versions.count() == 2


def test_an_editor_changes_words_in_the_admin_and_the_page_shows_them(client):
    member = Customer.objects.create_user("editor@example.com", "pw", name="Editor", is_staff=True)
    member.groups.add(Group.objects.get(name=CONTENT_EDITOR))
    office = Client(headers={"sec-fetch-site": "same-origin"})
    office.force_login(member)
    page = Page.objects.get(slug="shippingpolicy")
    url = reverse("admin:content_page_change", args=[page.pk])
    rows = {"versions-TOTAL_FORMS": "0", "versions-INITIAL_FORMS": "0"}
    words = {"title": "Shipping", "summary": "By boat.", "text": "<h2>Boats</h2><img src=x onerror=x()>"} | rows
    assert office.post(url, words).status_code == 302
    assert "<h2>Boats</h2>" in client.get("/en-in/shippingpolicy/").content.decode()
    assert PageVersion.objects.filter(page=page, author=member, text="<h2>Boats</h2>").count() == 1
    assert "Boats" in office.get(url).content.decode()
    refused = office.post(url, words | {"text": "<script>x()</script>"})
    assert "Nothing is left of this text to read." in refused.content.decode()
    assert office.get(reverse("admin:content_page_delete", args=[page.pk])).status_code == 403


def test_the_shipped_texts_need_no_cleaning_and_are_loaded_once():
    for page in Page.objects.all():
        text = page.text
        change_page(page.pk, title=page.title, summary=page.summary, text=text, author_id=None)
    load_pages(apps)
    assert PageVersion.objects.count() == len(STARTING_PAGES)
