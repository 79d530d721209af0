import re

from django.conf import settings

from shop.markets.geography.countries import LOCATIONS

STATIC = settings.BASE_DIR / "static"


def test_the_sprite_holds_the_icons_that_pages_and_islands_name():
    drawn = set(re.findall(r'<symbol id="([a-z-]+)"', (STATIC / "icons/sprite.svg").read_text()))
    pages = "".join(path.read_text() for path in (settings.BASE_DIR / "templates").rglob("*.html"))
    islands = "".join(path.read_text() for path in (settings.BASE_DIR / "islands").glob("*/*.tsx"))
    named = set(re.findall(r'{% icon "([a-z-]+)"', pages)) | set(re.findall(r'icon_name="([a-z-]+)"', pages))
    named |= set(re.findall(r'<Icon name="([a-z-]+)"', islands))
    assert named <= drawn
    assert [name for name in sorted(drawn) if not re.search(f'["#]{name}"', pages + islands)] == []


def test_every_country_has_a_flag():
    missing = [code for _, code, *_ in LOCATIONS if not (STATIC / f"flags/{code.lower()}.svg").exists()]
    assert missing == []
