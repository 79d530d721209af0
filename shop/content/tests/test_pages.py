from hashlib import sha256

import pytest
from django.apps import apps
from django.urls import reverse
from django.utils.html import strip_tags

from shop.accounts.points.services import RUPEES_A_POINT
from shop.catalog.models import ReturnReason
from shop.invalidation import subscriptions
from shop.tests.support.staff import editor_client

from ..models import Page, PageVersion
from ..pages.initial import STARTING_PAGES, load_pages, renew_pages
from ..services import change_page

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
        "not medical advice",
        "charged in Indian rupees",
        "7 days for a wrong item or size, 2 days for a missing one, 2 days for damaged",
        "free pickup, settled within 30 days",
        "Only the items concerned",
        f"1 point for every ₹{RUPEES_A_POINT}",
        "up to 10% of the cart",
        "expire 12 months after",
        "acknowledged within 48 hours and settled within one month",
    ],
    "returnspolicy": [
        "Wrong item or size7 days of delivery",
        "Missing item2 days of delivery",
        "Damaged, defective or expired2 days of delivery",
        "return pickup is free",
        "within 30 days of receiving",
        "up to 25%",
        "Only the items concerned",
        "coupon",
        "refund or the replacement",
        "reasons of health and hygiene",
        "acknowledged within 48 hours and settled within one month",
        "points earned with a refunded item are deducted",
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
        "We do not sell your data to anyone",
        "authorities, where the law requires it",
        "orders and invoices stay",
        "no trackers",
    ],
    "shippingpolicy": [
        "within 2 days",
        "2 days after that",
        "import duty",
        "value of your cart",
        "refused at the door",
        "a missing one within 2 days of delivery",
        "when your order is placed, each time a parcel is shipped, and when all of it has been delivered",
        "Until we start packing your order you can change the address",
    ],
    "cancellationpolicy": [
        "until it is shipped",
        "refuse the package at the door",
        "30 minutes",
        "through the payment provider",
        "limit its quantities",
        "Points you spent on it are returned",
    ],
    "about": ["Ayurvedic", "We name the manufacturer"],
}


@pytest.mark.parametrize("slug", STARTING_PAGES)
def test_a_page_tells_its_facts_under_its_title_with_the_way_home(client, slug):
    answer = client.get(f"/en-in/{slug}/")
    page = answer.content.decode()
    words = strip_tags(page).replace("\n", "")
    assert [fact for fact in FACTS[slug] if fact not in words] == []
    assert f"<h1>{STARTING_PAGES[slug][0].replace('&', '&amp;')}</h1>" in page
    assert '<a href="/en-in/">Home</a>' in page and "Last updated on" in words
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
    assert [slug for slug in (*STARTING_PAGES, "faq", "blog") if f'href="/en-in/{slug}/"' not in foot] == []
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
    subscriptions.reset()  # as a process that started with these settings
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
    assert first.author is None and "manufacturers" in first.text
    change_page(page.pk, author_id=customer.pk, **words)
    assert page.versions.count() == 2


def test_an_editor_changes_words_in_the_admin_and_the_page_shows_them(client):
    office = editor_client()
    page = Page.objects.get(slug="shippingpolicy")
    url = reverse("admin:content_page_change", args=[page.pk])
    rows = {"versions-TOTAL_FORMS": "0", "versions-INITIAL_FORMS": "0"}
    words = {"title": "Shipping", "summary": "By boat.", "text": "<h2>Boats</h2><img src=x onerror=x()>"} | rows
    assert office.post(url, words).status_code == 302
    assert "<h2>Boats</h2>" in client.get("/en-in/shippingpolicy/").content.decode()
    assert PageVersion.objects.filter(page=page, author__email="editor@example.com", text="<h2>Boats</h2>").count() == 1
    assert "Boats" in office.get(url).content.decode()
    refused = office.post(url, words | {"text": "<script>x()</script>"})
    assert "This text is empty once unsafe tags are removed." in refused.content.decode()
    assert office.get(reverse("admin:content_page_delete", args=[page.pk])).status_code == 403


def test_windows_and_times_of_the_policies_are_those_that_the_shop_keeps(client, settings):
    settings.HOLD_MINUTES = 45
    ReturnReason.objects.filter(slug="wrong-item").update(days=10, name="Not what was ordered")
    subscriptions.reset()
    words = {slug: strip_tags(client.get(f"/en-in/{slug}/").content.decode()) for slug in STARTING_PAGES}
    assert "Not what was ordered10 days of delivery" in words["returnspolicy"]
    assert "10 days for a wrong item" in words["terms_conditions"]
    assert "reserve your items for 45 minutes" in words["cancellationpolicy"]
    assert not [slug for slug, text in words.items() if "[return" in text or "[holding" in text or "7 days" in text]


def test_new_starting_texts_reach_only_pages_that_no_editor_changed():
    kept, changed = Page.objects.filter(slug__in=["about", "returnspolicy"]).order_by("slug")
    Page.objects.update(text="<p>Former</p>")
    PageVersion.objects.all().delete()
    change_page(changed.pk, title=changed.title, summary=changed.summary, text="<p>Ours</p>", author_id=None)
    former = sha256(b"<p>Former</p>").hexdigest()
    for _ in range(2):
        renew_pages(apps, {"about": former, "returnspolicy": former})
    kept.refresh_from_db()
    changed.refresh_from_db()
    assert "manufacturers" in kept.text and kept.versions.get().text == kept.text
    assert changed.text == "<p>Ours</p>" and changed.versions.count() == 1
    assert Page.objects.get(slug="privacypolicy").text == "<p>Former</p>"


def test_the_shipped_texts_need_no_cleaning_and_are_loaded_once():
    for page in Page.objects.all():
        text = page.text
        change_page(page.pk, title=page.title, summary=page.summary, text=text, author_id=None)
    load_pages(apps)
    assert PageVersion.objects.count() == len(STARTING_PAGES)


def test_no_policy_promises_what_the_shop_does_not_do(client):
    """Messages at four steps, an address until shipping, a word of each delay: none of that exists."""
    words = " ".join(strip_tags(client.get(f"/en-in/{slug}/").content.decode()) for slug in (*STARTING_PAGES, "faq"))
    gone = ("We write to you at each of them", "change them until the order is shipped", "we tell you when one of them")
    assert [promise for promise in gone if promise in words] == []
