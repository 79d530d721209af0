"""No page shows a broken picture while the demo's pictures are being drawn."""

import re

import pytest
from django.core.files.storage import default_storage
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from shop.catalog.models import Picture
from shop.catalog.pictures.services import complete_renditions

from .. import painting, pending, tasks
from ..catalogue import reading
from ..drawing.art import concern
from ..services import load_demo
from ..shelves import ShelfArt

MEDIA = re.compile(r"/media/pictures/[0-9a-f]{2}/([0-9a-f]{16})/")


@pytest.fixture
def waiting(db, settings, tmp_path):
    """Three pictures of the demo with their rows and without files; the last is no picture of the demo."""
    settings.MEDIA_ROOT, settings.DEMO = tmp_path, True
    known = list(ShelfArt(reading.products()).paintings.values())
    signs = [one for one in known if one.size == (200, 200)][:3]
    stranger = painting.Painting(concern("leaf", "#123456"), "")
    rows = painting.add_rows([*signs, stranger])
    return [rows[one.digest] for one in (*signs, stranger)]


def media(picture, name="200.webp"):
    return f"/media/pictures/{picture.digest[:2]}/{picture.digest}/{name}"


def is_drawn(picture):
    return default_storage.exists(str(picture.file))


def test_a_picture_is_drawn_when_a_browser_asks_for_it(client, waiting):
    answer = client.get(media(waiting[1]))
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/webp")
    assert "immutable" in answer["Cache-Control"]
    assert b"".join(answer.streaming_content)[8:12] == b"WEBP"
    assert [is_drawn(picture) for picture in waiting] == [False, True, False, False]


def test_a_picture_whose_folder_has_the_whole_hash_is_drawn_there(client, waiting):
    for picture in waiting[:2]:
        file = f"pictures/{picture.digest[:2]}/{picture.digest}{'ab' * 24}/source.jpg"
        Picture.objects.filter(pk=picture.pk).update(file=file)
    first, second = Picture.objects.order_by("pk")[:2]
    assert client.get(f"/media/{first.file.name.replace('source.jpg', '200.webp')}").status_code == 200
    assert pending.draw_next(1) and is_drawn(second)
    assert not pending.draw_next(2)  # the third, and then there is nothing left to do


def test_while_others_are_drawn_the_placeholder_stands_in_and_is_not_kept(client, waiting, monkeypatch):
    monkeypatch.setattr(pending, "MAX_WAIT", 0.01)
    with pending._drawing:
        answer = client.get(media(waiting[0]))
    assert (answer.status_code, answer["Location"]) == (302, "/static/icons/placeholder.svg")
    assert answer["Cache-Control"] == "no-store"
    assert client.get(media(waiting[0])).status_code == 200


def test_what_is_no_picture_of_the_demo_is_not_found(client, waiting, settings):
    assert client.get(media(waiting[3])).status_code == 404
    assert client.get(media(Picture(digest="0" * 64))).status_code == 404
    pending.draw_next(1)
    assert client.get(media(waiting[0], "999.webp")).status_code == 404
    settings.DEMO = settings.DEBUG = False
    assert client.get(media(waiting[1])).status_code == 404
    assert not is_drawn(waiting[1])


def test_the_worker_draws_in_the_order_of_the_rows_and_goes_on_after_a_stop(waiting):
    assert pending.draw_next(2)
    assert [is_drawn(picture) for picture in waiting] == [True, True, False, False]
    assert not pending.draw_next(2)
    assert [is_drawn(picture) for picture in waiting] == [True, True, True, False]
    assert not pending.draw_next(2)


def test_a_picture_that_is_to_be_completed_is_drawn_before(waiting):
    complete_renditions(waiting[0].pk)
    assert Picture.objects.get(is_complete=True) == waiting[0]
    assert default_storage.exists(media(waiting[0], "200.avif").removeprefix("/media/"))


def test_the_clock_sets_the_worker_to_it_once(waiting):
    DBTaskResult.objects.all().delete()
    tasks.request_drawings()
    tasks.request_drawings()
    asked = DBTaskResult.objects.filter(task_path=tasks.draw_pictures.module_path)
    assert asked.count() == 1
    asked.update(status="RUNNING", started_at=timezone.now() - tasks.LOST_AFTER)  # and its worker was killed
    tasks.request_drawings()
    assert asked.count() == 2


def test_what_home_page_and_first_listings_show_is_drawn_first(client, db, undrawn):
    load_demo()
    first = {one.digest for one in pending.first_paintings()}
    for path in ("/en-in/", "/en-us/", "/en-in/products/ayurveda/", "/en-in/products/unani/"):
        shown = set(MEDIA.findall(client.get(path).content.decode()))
        assert len(shown) > 20
        assert shown <= first, path
    assert len(first) < Picture.objects.count()


def test_every_picture_of_the_demo_can_be_drawn(db, undrawn):
    load_demo()
    assert [picture.alt for picture in Picture.objects.all() if pending._painting_of(picture) is None] == []
