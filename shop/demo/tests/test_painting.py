"""Drawing on two cores gives the same files as drawing again, and draws nothing twice."""

import pytest
from django.core.files.storage import default_storage

from .. import painting
from ..catalogue import reading
from ..drawing.art import concern
from ..stocking import product_paintings


@pytest.fixture
def some(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    shot = product_paintings(reading.products()[0])[""]
    return [*shot[:2], painting.Painting(concern("leaf", "#dfeedd"), "Detox", at_once=True)]


def test_paintings_become_pictures_with_their_renditions(db, some):
    pictures = painting.paint_all(some)
    front, detox = pictures[some[0].sha256], pictures[some[2].sha256]
    assert (front.width, front.height, front.is_complete) == (1200, 1200, False)
    assert detox.is_complete
    assert default_storage.exists(f"pictures/{detox.sha256[:2]}/{detox.sha256}/640.avif")


def test_a_second_run_draws_nothing_and_gives_the_same_bytes(db, some, settings, tmp_path, monkeypatch):
    first = {stored.name: default_storage.open(stored.name).read() for stored in map(painting._store, some)}
    settings.MEDIA_ROOT = tmp_path / "again"
    again = {stored.name: default_storage.open(stored.name).read() for stored in map(painting._store, some)}
    assert first == again
    monkeypatch.setattr(painting, "paint", lambda scene: pytest.fail("drawn again"))
    assert [painting._store(one).name for one in some] == list(first)
