"""A shop that speaks the pseudo language (shop/tests/pseudo) in the place of Hindi and of Arabic, and what of its pages
does not fit or is not said in it."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import Group
from playwright.sync_api import Error

from shop.accounts.models import Customer
from shop.accounts.staff.roles import OWNER, PHARMACIST
from shop.markets.models import Location

from .. import pseudo
from ..conftest import serving
from ..pseudo import texts_of_islands, write_catalogues
from ..pseudo.plain import plain_in, titles_of_rows, words_of_rows
from ..support.belongings import PASSWORD, belongings_of, furnish
from .orders import orders_of_each_status

LANGUAGES = ("hi", "ar")
WIDTHS = (320, 360, 768, 1280)
BUYER, STAFF = "bhavani@example.com", "meera@example.com"
MISFITS = (Path(pseudo.__file__).parent / "misfits.js").read_text()
# What moves is where it ends, and what the page does after a change of its width is done.
SETTLED = """() => {
    for (const motion of document.getAnimations()) motion.cancel();
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""


@pytest.fixture
def asha(transactional_db, real_passwords, india, settings, tmp_path):
    """A customer with everything that one can have, another with an order in each status, and an owner of the shop."""
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.SHOP_LANGUAGES = ("en", *LANGUAGES)
    own = belongings_of("Asha", furnish(), india, phone="+919876500001")
    orders_of_each_status(BUYER, own.shelf, india)
    copytree(settings.DATA_DIR / "private", tmp_path / "private", dirs_exist_ok=True)
    owner = Customer.objects.create_user(STAFF, PASSWORD, name="Meera Nair", is_staff=True)
    owner.groups.add(*Group.objects.filter(name__in=(OWNER, PHARMACIST)))
    Location.objects.update(languages=["en", *LANGUAGES])
    return own


@pytest.fixture
def shop(asha, tmp_path):
    for language in LANGUAGES:
        write_catalogues(tmp_path / "catalogues", language)
    spoken = {"DJANGO_SETTINGS_MODULE": "shop.tests.pseudo.settings", "PSEUDO_LOCALE": str(tmp_path / "catalogues")}
    with serving(tmp_path, WEB_WORKERS="1", SHOP_LANGUAGES="hi,ar", **spoken) as shop:
        yield shop


@dataclass
class Reader:
    """Opens pages in one language and notes what is wrong with them."""

    page: Any
    language: str
    known: set[str]
    titles: list[str]
    found: list[str] = field(default_factory=list)
    read: int = 0

    def open(self, path: str, widths: tuple[int, ...]) -> bool:
        """Whether it was a page: no file, and no part of one that scripts ask for."""
        self.page.set_viewport_size({"width": widths[0], "height": 740})
        try:
            answer = self.page.goto(path, wait_until="load")
        except Error as error:
            if "Download is starting" in str(error):
                return False
            raise
        is_html = answer.headers.get("content-type", "").startswith("text/html")
        if not is_html or not answer.text().lstrip().lower().startswith("<!doctype html>"):
            return False
        self.look(path, widths)
        return True

    def look(self, name: str, widths: tuple[int, ...]) -> None:
        """At the page as it stands."""
        self.read += 1
        self.page.wait_for_load_state("networkidle")
        if (said := self.page.evaluate("document.documentElement.lang")) != self.language:
            self.found.append(f"{self.language} {name}: in {said}")
            return
        plain = sorted({*plain_in(self.page.content(), self.known, self.titles)} - {"(", ")"})
        self.found += [f"{self.language} {name}: plain {text!r}" for text in plain]
        for width in widths:
            self.page.set_viewport_size({"width": width, "height": 740})
            self.page.evaluate(SETTLED)
            self.found += [f"{self.language} {name} at {width} px: {what}" for what in self.page.evaluate(MISFITS)]


@pytest.fixture
def reader(shop, chromium) -> Callable[..., Reader]:
    """reader("ar", "asha@example.com"): as this customer, or as nobody."""
    contexts = []

    def open_reader(language: str, email: str = "") -> Reader:
        context = chromium.new_context(base_url=shop.url, viewport={"width": 320, "height": 740}, locale="en-IN")
        contexts.append(context)
        words = json.dumps(texts_of_islands(language))
        context.route("**/texts/*.json", lambda route: route.fulfill(body=words, content_type="application/json"))
        chosen = {"deliver_to": "IN", "language": language, settings.LANGUAGE_COOKIE_NAME: language}
        context.add_cookies([{"name": name, "value": value, "url": shop.url} for name, value in chosen.items()])
        page = context.new_page()
        page.set_default_timeout(30_000)
        if email:
            page.goto("/signin/")
            page.locator("main input[name=email]").fill(email)
            page.locator("main input[name=password]").fill(PASSWORD)
            page.locator("main input[name=password]").press("Enter")
            page.wait_for_url(lambda url: "/signin/" not in url)
        return Reader(page, language, words_of_rows(), titles_of_rows())

    yield open_reader
    for context in contexts:
        context.close()
