"""The menu of the back office's languages; shop/markets/middleware.py reads what a member of staff picked.

It is no language of the shop: Django's own cookie keeps it, and is sent to the back office alone. Whatever the
language, what is written into rows and logs stays English, and customers are written to in theirs.
"""

from typing import Any

from django.conf import settings
from django.conf.locale import LANG_INFO
from django.http import HttpRequest
from django.urls import reverse

ENGLISH = settings.STAFF_LANGUAGES[0]


def choices(request: HttpRequest) -> list[dict[str, Any]]:
    """Each in its own name, for the menu below the sidebar (settings.UNFOLD)."""
    return [LANG_INFO[code] for code in settings.STAFF_LANGUAGES]


def address(request: HttpRequest) -> str:
    """Where the menu sends its choice to (shop/accounts/staff/site.py)."""
    return reverse("admin:language")
