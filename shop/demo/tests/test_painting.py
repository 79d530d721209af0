"""Drawing on two cores gives the same files as drawing again, and draws nothing twice."""

import pytest
from django.core.files.storage import default_storage

from shop.catalog.models import Picture

from .. import painting
from ..catalogue import reading
from ..drawing.art import concern
from ..stocking import product_paintings


@pytest.fixture
def some(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    shot = product_paintings(reading.products()[0])[""]
    return [*shot[:2], painting.Painting(concern("leaf", "#dfeedd"), "Detox", at_once=True)]


def test_rows_come_before_their_files_and_in_the_order_of_the_paintings(db, some):
    pictures = painting.add_rows([some[2], *some])
    front = pictures[some[0].digest]
    assert (front.width, front.height, front.is_complete) == (1200, 1200, False)
    assert list(Picture.objects.order_by("pk")) == [pictures[some[at].digest] for at in (2, 0, 1)]
    assert not default_storage.exists(str(front.file))


def test_paintings_become_pictures_with_their_renditions(db, some):
    pictures = painting.add_rows(some)
    painting.draw_all(some)
    assert all(default_storage.exists(str(picture.file)) for picture in pictures.values())
    complete = Picture.objects.get(is_complete=True)
    assert complete.digest == some[2].digest
    assert default_storage.exists(f"pictures/{complete.digest[:2]}/{complete.digest}/640.avif")


def test_a_second_run_draws_nothing_and_gives_the_same_bytes(some, settings, tmp_path, monkeypatch):
    names = [painting.file_name(one.digest) for one in some]
    runs = []
    for run in ("first", "again"):
        settings.MEDIA_ROOT = tmp_path / run
        for one in some:
            painting.draw(one)
        runs.append([default_storage.open(name).read() for name in names])
    assert runs[0] == runs[1]
    monkeypatch.setattr(painting, "paint", lambda scene: pytest.fail("drawn again"))
    monkeypatch.setattr(painting, "rasterise", lambda *args: pytest.fail("drawn again"))
    for one in some:
        painting.draw(one)
