"""Every page of the demo that a link leads to answers, from the home page on."""

import re
from collections import deque

import pytest

from shop.catalog.models import Product

from .. import services

LINK = re.compile(r'href="(/[^"#?]+)')


@pytest.mark.full
@pytest.mark.parametrize("market", ["en-in", "hi-in", "ar-ae"])
def test_every_link_of_the_demo_leads_somewhere(whole_undrawn, db, client, settings, market, figure):
    settings.SHOP_LANGUAGES = ("en", "hi", "ar")
    services.load_demo()
    waiting, known, broken = deque([f"/{market}/"]), {f"/{market}/"}, {}
    while waiting:
        path = waiting.popleft()
        answer = client.get(path, follow=True)
        if answer.status_code != 200:
            broken[path] = answer.status_code
        if answer["Content-Type"].startswith("text/html"):
            found = {link for link in LINK.findall(answer.content.decode()) if link.startswith(f"/{market}/")}
            waiting.extend(sorted(found - known))
            known |= found
    products = Product.objects.filter(is_published=True).count()
    figure(f"{len(broken)} of {len(known)} pages broken", "none")
    assert broken == {}
    assert sum(path.startswith(f"/{market}/product/") for path in known) >= products > 500
