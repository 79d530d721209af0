"""What editors change."""

from django.db import transaction
from django.utils import timezone

from shop.html import clean_html
from shop.invalidation.models import Change
from shop.invalidation.services import invalidate

from .models import Page, PageVersion


@transaction.atomic
def change_page(page_id: int, *, title: str, summary: str, text: str, author_id: int | None) -> Page:
    """Give a page new words, sanitised, and keep them as a version; the same words again change nothing."""
    page = Page.objects.select_for_update().get(pk=page_id)
    words = {"title": title.strip(), "summary": summary.strip(), "text": clean_html(text)}
    if words == {name: getattr(page, name) for name in words}:
        return page
    now = timezone.now()
    Page.objects.filter(pk=page.pk).update(**words, changed_at=now)
    invalidate(Change.Kind.SHOP)
    PageVersion.objects.create(page=page, author_id=author_id, created_at=now, **words)
    page.refresh_from_db()
    return page
