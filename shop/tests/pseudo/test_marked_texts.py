"""Every page that can be asked for, in the pseudo language (shop/tests/pseudo): whatever reads as plain English was
never marked. For visitors and customers from right to left, for staff from left to right."""

import pytest
from django.conf import settings

from shop.accounts.staff.roles import OWNER
from shop.markets.models import Location

from ..support.access import RouteAccess, Who, all_entries
from ..support.belongings import belongings_of, furnish, staff_of_each_role
from ..walks.walking import ask
from . import LEFT, RIGHT, spoken_as
from .plain import plain_in, titles_of_rows, words_of_rows

pytestmark = pytest.mark.django_db


def test_a_plain_text_is_found():
    page = f"<h1>{LEFT}x{RIGHT} Neem</h1><p lang='en'>Fallback</p><p aria-label='Close'>Save <b>now</b></p><br>"
    assert plain_in(page, {"Neem"}) == ["Close", "Save", "now"]


@pytest.fixture
def world(india, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    settings.SHOP_LANGUAGES = ("en", "hi", "ar")
    Location.objects.update(languages=["en", "hi", "ar"])
    asha = belongings_of("Asha", furnish(), india, phone="+919876500001")
    return asha, next(member for member in staff_of_each_role() if member.role == OWNER)


def pages(*who: Who) -> list[RouteAccess]:
    return [entry for entry in all_entries() if entry.who in who and "GET" in entry.methods and not entry.is_api]


def faults(entries, own, cookies, known, at_least) -> list[str]:
    found: dict[str, list[str]] = {}
    titles = titles_of_rows()
    for entry in entries:
        answer = ask(entry, "GET", own, cookies)
        if answer.headers.get("Content-Type", "").startswith("text/html"):
            found[entry.route] = sorted({*plain_in(answer.body.decode(), known, titles)} - {"(", ")"})
        if answer.status >= 500:
            found[entry.route] = [f"answers {answer.status}"]
    assert len(found) >= at_least
    return [f"{route}: {text!r}" for route, plain in found.items() for text in plain]


def test_no_page_of_visitors_and_customers_has_an_unmarked_text(world):
    asha, _ = world
    known = words_of_rows()
    with spoken_as("ar"):
        found = faults(pages(Who.ANYONE, Who.CUSTOMER), asha, asha.cookies | {"language": "ar"}, known, at_least=80)
    assert not found, "\n".join(found)


def test_no_page_of_staff_has_an_unmarked_text(world):
    asha, owner = world
    known = words_of_rows()
    with spoken_as("hi"):
        chosen = {settings.LANGUAGE_COOKIE_NAME: "hi", "language": "hi"}
        found = faults(pages(Who.STAFF), asha, owner.cookies | chosen, known, at_least=300)
    assert not found, "\n".join(found)
