"""What the tests of the demo share: a demo that is loaded in a second."""

from collections import Counter

import pytest

from . import pending, services
from .catalogue import blog, home, reading


@pytest.fixture
def undrawn(whole_undrawn, monkeypatch):
    """The demo without its pixels, and of its products only some: what stands on shelves, three a brand,
    medicines of Schedules H and H1."""
    plans = few(reading.products())
    monkeypatch.setattr(reading, "products", lambda: plans)


@pytest.fixture
def whole_undrawn(monkeypatch, settings, tmp_path):
    """The demo with all its products, without its pixels and its orders."""
    settings.MEDIA_ROOT = tmp_path
    monkeypatch.setattr(services, "connections", type("Kept", (), {"close_all": staticmethod(lambda: None)}))
    monkeypatch.setattr(services, "draw_all", lambda paintings: None)  # see test_painting.py
    monkeypatch.setattr(services, "load_history", lambda couriers: None)  # see test_history.py
    pending._shelf_paintings.cache_clear()
    yield
    pending._shelf_paintings.cache_clear()


def few(plans):
    shown = [*(banner.things for banner in home.BANNERS), *home.SHELVES.values(), *(post.things for post in blog.POSTS)]
    named = {slug for things in shown for slug in things}
    kept, of_brand = [], Counter()
    for plan in plans:
        of_brand[plan.brand.name] += 1
        is_early = of_brand[plan.brand.name] <= 3
        if plan.slug in named or plan.schedule or is_early or not any(v.units for v in plan.variants):
            kept.append(plan)
    return kept
