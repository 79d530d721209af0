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


@pytest.mark.parametrize(
    "facts, at_first",
    [
        ({}, {"1"}),
        ({"java_script_enabled": False}, {"1", "2"}),
        ({"reduced_motion": "reduce"}, {"1", "2"}),  # where nothing moves, nothing would fetch it later
    ],
)
def test_pictures_of_later_slides_wait_until_the_slides_move(chromium, facts, at_first):
    asked, looks = set(), (settings.BASE_DIR / "static/islands/shop.css").read_text()
    pictures = [f'<img loading="lazy" width="800" height="560" src="/{number}.png">' for number in (1, 2)]
    slides = "".join(f'<li><a class="banner"><picture>{picture}</picture></a></li>' for picture in pictures)
    carousel = f'<div class="carousel carousel--wide"><ul class="carousel__track">{slides}</ul></div>'
    context = chromium.new_context(viewport={"width": 360, "height": 800}, **facts)
    page = context.new_page()

    def answer(route):
        name = route.request.url.rpartition("/")[2]
        if not name:
            return route.fulfill(content_type="text/html", body=f"<style>{looks}</style>{carousel}")
        asked.add(name.removesuffix(".png"))
        return route.fulfill(status=404)

    page.route("http://shop.example/**", answer)
    page.goto("http://shop.example/")
    page.wait_for_timeout(500)
    assert asked == at_first
    if "java_script_enabled" not in facts:
        page.locator(".carousel").evaluate("carousel => carousel.dataset.carouselPlays = ''")
        page.wait_for_timeout(500)
        assert asked == {"1", "2"}
    context.close()
