"""Every mail to customers in the pseudo language, opened as a page of its own: marked, and nothing cut off, over
something else or wider than the window."""

import pytest
from django.utils import translation

from shop.messaging.models import Message
from shop.messaging.services import queue_mail
from shop.messaging.tests.test_languages import TEMPLATES, facts_of

from ..pseudo import spoken_as
from ..pseudo.plain import plain_in
from .conftest import LANGUAGES, MISFITS, WIDTHS

pytestmark = pytest.mark.browser
# The name of the shop, and of the zones in which a time is said.
KNOWN = {"Aushadhi", "IST", "GMT", "PDF"}
WORDS = "हल्दी और शहद का बहुत लंबा नाम"
# What people, products and methods of payment are called; amounts and numbers stay short.
LONG = {"name", "full_name", "item", "article", "facts", "payment", "address", "city", "reason", "discount_name"}


def longer(value, name=""):
    """A sample with names as long as some are."""
    if isinstance(value, dict):
        return {key: longer(part, key) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(longer(part, name) for part in value)
    return WORDS if name in LONG and isinstance(value, str) else value


@pytest.fixture
def page(chromium):
    page = chromium.new_page()
    yield page
    page.close()


@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_mail_is_marked_and_fits(page, settings, language):
    settings.SHOP_LANGUAGES = ("en", *LANGUAGES)
    found = []
    for template in TEMPLATES:
        with spoken_as(language), translation.override(language):
            facts = longer(facts_of(template))
            queue_mail(
                kind=template, to="asha@example.com", subject="", template=template, context=facts, language=language
            )
        html = Message.objects.get(kind=template).html
        found += [f"{template}: plain {text!r}" for text in plain_in(html, KNOWN)]
        page.set_content(html)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 740})
            found += [f"{template} at {width} px: {what}" for what in page.evaluate(MISFITS)]
    assert len(TEMPLATES) > 30
    assert not found, "\n".join(found)
