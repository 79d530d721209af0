"""How many items each carousel shows at each width, in a real browser (the specification's constants)."""

import pytest
from django.conf import settings

pytestmark = pytest.mark.browser
SHOWN = {  # kind: items at 360, 500, 800, 1000, 1280 px
    "cards": [2, 3, 3, 4, 6],
    "chips": [3, 4, 5, 6, 9],
    "concerns": [3, 3, 4, 5, 7],
    "brands": [3, 3, 6, 6, 9],
    "wide": [1, 1, 1, 1, 1],
}


@pytest.mark.parametrize("kind", SHOWN)
def test_a_carousel_shows_so_many_items(chromium, kind):
    page = chromium.new_page()
    page.set_content(f'<div class="carousel carousel--{kind}"></div>')
    page.add_style_tag(path=settings.BASE_DIR / "static/islands/shop.css")
    shown = []
    for width in (360, 500, 800, 1000, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        style = "getComputedStyle(document.querySelector('.carousel')).getPropertyValue('--shown')"
        shown.append(int(page.evaluate(style)))
    page.close()
    assert shown == SHOWN[kind]
