"""What editors change."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from shop.html import clean_linked_html
from shop.invalidation.models import Change
from shop.invalidation.services import invalidate
from shop.translated import ENGLISH, clean_translation, with_changes

from .models import Page, PageVersion

WORDS = ("title", "summary", "text")


@transaction.atomic
def change_page(page_id: int, *, title: str, summary: str, text: str, author_id: int | None) -> Page:
    """Give a page new words, sanitised, and keep them as a version; the same words again change nothing."""
    page = Page.objects.select_for_update().get(pk=page_id)
    words = {"title": title.strip(), "summary": summary.strip(), "text": clean_linked_html(text)}
    if words == {name: getattr(page, name) for name in words}:
        return page
    _keep(page, ENGLISH, words, author_id, **words)
    return page


@transaction.atomic
def translate_page(page_id: int, language: str, words: Mapping[str, str], *, author_id: int | None) -> Page:
    """Give a page these of its words in another language, and keep what it says in it as a version; an empty one is
    taken away, the same words again change nothing. Locks the page."""
    page = Page.objects.select_for_update().get(pk=page_id)
    cleaned = {name: clean_translation(Page, name, text) for name, text in words.items()}
    translations = with_changes(page.translations, {language: cleaned})
    if translations != page.translations:
        said = dict.fromkeys(WORDS, "") | translations.get(language, {})
        _keep(page, language, said, author_id, translations=translations)
    return page


def _keep(page: Page, language: str, words: dict[str, str], author_id: int | None, **columns: Any) -> None:
    now = timezone.now()
    Page.objects.filter(pk=page.pk).update(**columns, changed_at=now)
    invalidate(Change.Kind.SHOP)
    PageVersion.objects.create(page=page, language=language, author_id=author_id, created_at=now, **words)
    page.refresh_from_db()
