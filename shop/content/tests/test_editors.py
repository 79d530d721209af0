"""What editors work with: links, fact markers, versions that are compared and restored, rows that show nothing."""

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from shop.accounts.models import Customer
from shop.accounts.staff.roles import CONTENT_EDITOR
from shop.html import clean_html, clean_linked_html

from ..models import HomeRow, Page, PageVersion
from ..pages.editor import RichTextField
from ..pages.placeholders import check_names
from ..pages.versions import difference, restore_version
from ..services import change_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def editor():
    person = Customer.objects.create_user("editor@example.com", "pw", name="Meera", is_staff=True)
    person.groups.add(Group.objects.get(name=CONTENT_EDITOR))
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(person)
    return client


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ('<p><a href="/faq/">FAQ</a></p>', '<p><a href="/faq/" rel="noopener">FAQ</a></p>'),
        ('<a href="mailto:a@b.in" onclick="x()">m</a>', '<a href="mailto:a@b.in" rel="noopener">m</a>'),
        ('<a href="javascript:alert(1)">x</a>', '<a rel="noopener">x</a>'),
        ('<a href="data:text/html,x">x</a>', '<a rel="noopener">x</a>'),
        ("<p>x<script>alert(1)</script></p>", "<p>x</p>"),
    ],
)
def test_texts_of_editors_may_link_and_nothing_more(written, kept):
    assert clean_linked_html(written) == kept
    assert clean_linked_html(kept) == kept
    assert RichTextField().clean(f"<p>a</p>{written}") == f"<p>a</p>{kept}"
    assert "<a" not in clean_html(written)


@pytest.mark.parametrize("marker", ["[retrun windows]", "[return days: nonsense]", "[price]", "[shop phone]"])
def test_a_marker_that_the_shop_does_not_know_is_refused_at_the_field(editor, marker):
    with pytest.raises(ValidationError, match="Unknown placeholder"):
        check_names(f"<p>Within {marker}.</p>")
    page = Page.objects.get(slug="about")
    url = reverse("admin:content_page_change", args=[page.pk])
    shown = editor.get(url).context["adminform"].form
    data = {"title": page.title, "summary": page.summary, "text": f"<p>{marker}</p>"}
    rows = {"versions-TOTAL_FORMS": "0", "versions-INITIAL_FORMS": "0"}
    answer = editor.post(url, data | rows)
    assert shown and "text" in answer.context["adminform"].form.errors
    page.refresh_from_db()
    assert marker not in page.text


@pytest.mark.parametrize(
    "text", ["<p>[return windows]</p>", "<p>[shop name], [holding time], [return days: damaged]</p>"]
)
def test_what_the_shop_knows_may_be_named(text):
    check_names(text)


def test_a_table_needs_a_paragraph_of_its_own():
    with pytest.raises(ValidationError, match="paragraph of its own"):
        check_names("<p>See [return windows] here.</p>")


def test_versions_are_compared_word_by_word():
    old = PageVersion(title="About", summary="One", text="<p>We sell oils &amp; herbs.</p><p>Since 2010.</p>")
    new = PageVersion(title="About us", summary="One", text="<p>We sell oils &amp; teas.</p><p>Since 2010.</p>")
    found = difference(old, new)
    assert "About <ins>us</ins>" in found
    assert "We sell oils &amp; <del>herbs.</del> <ins>teas.</ins> ¶ Since 2010. ¶" in found
    assert difference(old, old) == "No change."
    hostile = PageVersion(title="About", summary="One", text="<p>&lt;script&gt;</p>")
    first, second = (
        PageVersion(title="A", summary="", text=f'<p><a href="{link}" rel="noopener">Ask us</a></p>')
        for link in ("/contactus/", "https://evil.example/?a=1&amp;b=<i>")
    )
    moved = "<del>(/contactus/)</del> <ins>(https://evil.example/?a=1&amp;b=&lt;i&gt;)</ins>"
    assert moved in difference(first, second)
    assert "<script>" not in difference(old, hostile)


def test_a_version_comes_back_and_todays_text_stays_among_them(editor):
    page = Page.objects.get(slug="about")
    first = page.versions.create(title=page.title, summary=page.summary, text="<p>The first.</p>")
    change_page(page.pk, title=page.title, summary=page.summary, text="<p>The second.</p>", author_id=None)
    url = reverse("admin:content_page_restore", args=[first.pk])
    shown = editor.get(reverse("admin:content_page_change", args=[page.pk])).content.decode()
    assert f'formaction="{url}"' in shown and "<del>first.</del> <ins>second.</ins>" in shown
    assert editor.get(url).status_code == 405
    assert editor.post(url).status_code == 302
    page.refresh_from_db()
    assert page.text == "<p>The first.</p>"
    newest = page.versions.first()
    assert newest.text == page.text and page.versions.filter(text="<p>The second.</p>").exists()
    assert newest.author.email == "editor@example.com"
    assert "Restored the version of" in LogEntry.objects.get(object_id=str(page.pk)).change_message
    assert editor.post(url).status_code == 302
    assert LogEntry.objects.filter(object_id=str(page.pk)).count() == 1
    restore_version(first, author_id=None)
    assert page.versions.first() == newest  # the same words again are no new version


def test_a_row_that_shows_nothing_says_so(editor, make_variant):
    HomeRow.objects.all().delete()
    listed = reverse("admin:content_homerow_changelist")
    data = {"kind": "products", "title": "For winter", "text": "", "is_published": "on", "position": "0"}
    answer = editor.post(reverse("admin:content_homerow_add"), data, follow=True)
    assert "nothing to show yet" in answer.content.decode()
    assert "Nothing" in editor.get(listed).content.decode()
    row = HomeRow.objects.get()
    row.products.add(make_variant().product)
    page = editor.get(listed).content.decode()
    assert "Ready" in page and "Nothing" not in page
