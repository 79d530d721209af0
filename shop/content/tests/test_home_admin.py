"""The editors' screens of the home page: order, pictures cut to their forms, and the menu."""

from datetime import timedelta
from io import BytesIO

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from shop.accounts.models import Customer
from shop.accounts.staff.roles import CATALOGUE_MANAGER, CONTENT_EDITOR
from shop.catalog.models import Category, Picture

from ..models import Banner, HomeRow

pytestmark = pytest.mark.django_db
LIST, ADD = "admin:content_banner_changelist", "admin:content_banner_add"
GIVEN = {
    "title": "Monsoon", "button": "Shop now", "link": "/products/ayurveda/", "background": "#143d2c", "position": "0",
    "is_published": "on", "starts_at_0": "2026-11-01", "starts_at_1": "08:00", "ends_at_0": "", "ends_at_1": "",
}  # fmt: skip


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def member_of():
    def sign_in(role):
        member = Customer.objects.create_user(f"{role[:4]}@example.com".lower(), "pw", is_staff=True)
        member.groups.add(Group.objects.get(name=role))
        client = Client(headers={"sec-fetch-site": "same-origin"})
        client.force_login(member)
        return client

    return sign_in


@pytest.fixture
def editor(member_of):
    return member_of(CONTENT_EDITOR)


def png(width, height, name="rain.png"):
    target = BytesIO()
    Image.new("RGB", (width, height), "teal").save(target, "PNG")
    target.seek(0)
    target.name = name
    return target


def test_one_upload_becomes_both_cuts(editor):
    assert editor.post(reverse(ADD), GIVEN | {"upload": png(1000, 1000)}).status_code == 302
    banner = Banner.objects.get()
    assert (banner.image.width, banner.image.height) == (1000, 283)
    assert (banner.mobile_image.width, banner.mobile_image.height) == (748, 1000)
    assert timezone.localtime(banner.starts_at).hour == 8


def test_phones_may_get_a_picture_of_their_own(editor):
    files = {"upload": png(3600, 1200), "upload_mobile": png(1600, 2140, "phone.png")}
    editor.post(reverse(ADD), GIVEN | files)
    banner = Banner.objects.get()
    assert (banner.image.width, banner.image.height) == (1800, 510)
    assert (banner.mobile_image.width, banner.mobile_image.height) == (800, 1070)


def test_a_banner_without_picture_or_with_a_file_that_is_none_is_refused_at_the_field(editor):
    missing = editor.post(reverse(ADD), GIVEN)
    assert "Choose a picture or upload one." in missing.text and 'value="Monsoon"' in missing.text
    odd = png(10, 10)
    odd.truncate(20)
    assert "Use a JPEG, PNG or WebP picture." in editor.post(reverse(ADD), GIVEN | {"upload": odd}).text
    wrong = editor.post(reverse(ADD), GIVEN | {"upload": png(900, 900), "link": "https://elsewhere.example"})
    assert "Write a path on this site" in wrong.text
    assert (Banner.objects.count(), Picture.objects.count()) == (0, 0)


def test_the_list_shows_both_cuts_and_how_things_stand(editor):
    editor.post(reverse(ADD), GIVEN | {"upload": png(1000, 1000)})
    page = editor.get(reverse(LIST)).text
    assert page.count('<img src="/media/pictures/') == 2
    assert 'data-ordering-field="position"' in page and "Everywhere" in page
    Banner.objects.update(ends_at=timezone.now() - timedelta(minutes=1))
    assert "Ended" in editor.get(reverse(LIST)).text


def test_dragging_orders_rows_and_a_draft_goes_on_with_one_tick(editor):
    first = HomeRow.objects.create(kind="text", title="First", text="1", position=0)
    second = HomeRow.objects.create(kind="text", title="Second", text="2", position=1, is_published=False)
    data = {"form-TOTAL_FORMS": "2", "form-INITIAL_FORMS": "2", "_save": "Save"}
    for index, (row, position) in enumerate([(first, 1), (second, 0)]):
        data |= {f"form-{index}-id": row.pk, f"form-{index}-position": position, f"form-{index}-is_published": "on"}
    assert editor.post(reverse("admin:content_homerow_changelist"), data).status_code == 302
    page = editor.get("/en-in/").text
    assert page.index("Second") < page.index("First")


def test_the_menu_is_ordered_by_dragging_and_a_tick_gives_a_row_on_the_home_page(editor, client, make_variant):
    HomeRow.objects.create(kind="categories")
    make_variant()
    ayurveda = Category.objects.get()
    unani = Category.objects.create(name="Unani", slug="unani", position=1)
    Category.objects.create(name="Tonics", slug="tonics", parent=ayurveda)
    screen = reverse("admin:content_menuentry_changelist")
    assert "Tonics" not in editor.get(screen).text
    data = {"form-TOTAL_FORMS": "2", "form-INITIAL_FORMS": "2", "_save": "Save", "form-0-is_featured": "on"}
    for index, (row, position) in enumerate([(ayurveda, 1), (unani, 0)]):
        data |= {f"form-{index}-id": row.pk, f"form-{index}-position": position}
    assert editor.post(screen, data).status_code == 302
    page = client.get("/en-in/").text
    header = page[page.index("<header") : page.index("<main")]
    assert header.index("Unani") < header.index("Ayurveda")
    assert 'section-title__more" href="/en-in/products/ayurveda/"' in page
    assert editor.get(reverse("admin:content_menuentry_add")).status_code == 403


# --- Preview --------------------------------------------------------------------------------------

PREVIEW = "admin:content_homerow_preview"


def test_the_preview_shows_drafts_at_a_moment_and_in_a_market(editor, client):
    text = {"kind": "text", "title": "", "is_published": True}
    HomeRow.objects.create(**text | {"text": "Draft", "is_published": False})
    HomeRow.objects.create(**text, text="Diwali", starts_at=timezone.now() + timedelta(days=2))
    HomeRow.objects.create(**text, text="Dollars").locations.add(22)
    words = ("Draft", "Diwali", "Dollars")

    def seen(**query):
        page = editor.get(reverse(PREVIEW), query)
        assert {"private", "no-store"} <= set(page["Cache-Control"].split(", "))
        main = page.text[page.text.index("<main") : page.text.index("</main>")]
        return [word for word in words if word in main]

    assert seen() == ["Draft", "Dollars"], "the market of who names none"
    assert seen(market="IN") == ["Draft"]
    later = timezone.localtime() + timedelta(days=3)
    assert seen(at=f"{later:%Y-%m-%dT%H:%M}", market="IN") == ["Draft", "Diwali"]
    assert seen(market="US") == ["Draft", "Dollars"]
    assert 'href="/en-us/' in editor.get(reverse(PREVIEW), {"market": "US"}).text
    assert not [word for word in words if word in client.get("/en-in/").text]


def test_the_preview_says_what_it_does_not_understand(editor):
    for query in ({"at": "tomorrow"}, {"market": "XX"}, {"at": "\x00"}):
        answer = editor.get(reverse(PREVIEW), query)
        assert answer.status_code == 422 and "field--error" in answer.text


def test_the_preview_is_for_editors_alone(client, member_of, customer):
    assert client.get(reverse(PREVIEW)).status_code == 302
    assert member_of(CATALOGUE_MANAGER).get(reverse(PREVIEW)).status_code == 403
    client.force_login(customer)
    assert client.get(reverse(PREVIEW)).status_code == 404
