"""In which language a message is written: its customer's, of those that the shop speaks."""

from typing import TYPE_CHECKING

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import get_language

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise  # the stubs alone know it

    LazyText = _StrPromise
else:
    LazyText = Promise

ENGLISH = "en"  # every text has it
# Kinds of messages to staff, whose pages are English.
FOR_STAFF = ("desk_", "low_stock", "sms_budget", "staff_")
IN_ENGLISH = (*FOR_STAFF, "payment_dispute")
INDIA = "+91"


def spoken(language: str | None) -> str:
    """`language` where the shop speaks it, else English: one may have been switched off since somebody chose it."""
    return language if language and language in settings.SHOP_LANGUAGES else ENGLISH


def language_now() -> str:
    """That of the page or call that is answered; English in a worker."""
    return spoken(get_language())


def language_of_mail(kind: str, language: str | None) -> str:
    """`language`, else that of now; English for staff."""
    return ENGLISH if kind.startswith(IN_ENGLISH) else spoken(language or language_now())


def language_of_sms(kind: str, to: str, language: str | None) -> str:
    """As of a mail; English to a mobile of India where only the English text of this kind is registered (DLT): the
    operators there drop every other one."""
    wanted = language_of_mail(kind, language)
    is_ruled = to.startswith(INDIA) and kind in settings.SMS_DLT_TEMPLATES
    return wanted if not is_ruled or dlt_template(kind, wanted) else ENGLISH


def dlt_template(kind: str, language: str) -> str:
    """The id that a text of this kind is registered under; empty without one."""
    name = kind if language == ENGLISH else f"{kind}:{language}"
    return str(settings.SMS_DLT_TEMPLATES.get(name, ""))
