"""Uploads are checked by content; renditions are made once and shown without a query."""

from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from importlib import import_module
from io import BytesIO
from threading import BoundedSemaphore
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.core.files.storage import default_storage
from django.db import connection
from django.template import Context, Template
from PIL import Image

from shop.errors import Busy, Invalid
from shop.jobs.models import FailedRow

from ... import tasks
from ...models import Picture
from .. import services as pictures


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


def image_bytes(size=(800, 600), kind="PNG", mode="RGB", **options) -> bytes:
    target = BytesIO()
    Image.new(mode, size, "#1f5a41").save(target, kind, **options)
    return target.getvalue()


def files_of(picture: Picture) -> set[str]:
    return set(default_storage.listdir(picture.file.name.rpartition("/")[0])[1])


def show(picture, options="") -> str:
    template = "{% load pictures %}{% picture picture alt='Amla' sizes='50vw' " + options + " %}"
    return Template(template).render(Context({"picture": picture}))


def test_the_first_renditions_are_there_at_once(db):
    picture = pictures.add_picture(image_bytes(), alt="Jar")
    assert files_of(picture) == {"source.jpg", "320.webp", "320.jpg", "640.webp", "640.jpg"}
    assert (picture.width, picture.height, picture.is_complete) == (800, 600, False)


def test_the_same_bytes_are_one_picture(db):
    assert pictures.add_picture(image_bytes()) == pictures.add_picture(image_bytes())


def test_addresses_are_short_and_longer_ones_of_before_name_the_same_picture(db):
    data = image_bytes()
    picture, whole = pictures.add_picture(data), sha256(data).hexdigest()
    assert picture.file.name == f"pictures/{whole[:2]}/{whole[:16]}/source.jpg"
    of_before = f"https://shop.example.com/media/pictures/{whole[:2]}/{whole}/source.jpg"
    for address in (of_before, f"{of_before}#{whole}", pictures.source_address(picture)):
        assert pictures.known_here(pictures.identities_in(address)) == picture
    assert len(pictures.identities_in(f"{of_before}#{whole}")) == 2


def test_pictures_of_before_stay_where_they_are_and_are_known(db):
    data = image_bytes()
    picture, whole = pictures.add_picture(data), sha256(data).hexdigest()
    folder = f"pictures/{whole[:2]}/{whole}"
    Picture.objects.update(digest=whole, file=f"{folder}/source.jpg")
    migration = import_module("shop.catalog.migrations.0028_picture_digest")
    migration.shorten(apps, SimpleNamespace(connection=connection))
    picture = Picture.objects.get()
    assert pictures.add_picture(data) == picture and picture.digest == whole[:16]
    assert f'src="/media/{folder}/640.jpg"' in show(picture)


def test_completing_adds_avif_and_wide_renditions_and_twice_changes_nothing(db):
    picture = pictures.add_picture(image_bytes((1300, 400)))
    pictures.complete_renditions(picture.pk)
    pictures.complete_renditions(picture.pk)
    picture.refresh_from_db()
    assert picture.is_complete
    assert {"320.avif", "640.avif", "1200.avif", "1200.webp", "1200.jpg"} <= files_of(picture)


def test_a_rendition_left_short_is_written_again(db):
    picture = pictures.add_picture(image_bytes())
    name = picture.file.name.replace("source.jpg", "320.jpg")
    whole = default_storage.open(name).read()
    with open(default_storage.path(name), "wb") as short:
        short.write(whole[:10])
    pictures.complete_renditions(picture.pk)
    assert default_storage.open(name).read() == whole


def test_hidden_data_is_left_behind(db):
    exif = Image.Exif()
    exif[0x010E] = "taken at home"
    picture = pictures.add_picture(image_bytes(kind="JPEG", exif=exif))
    with Image.open(default_storage.open(picture.file.name)) as stored:
        assert not stored.getexif()


def test_a_small_picture_is_not_blown_up(db):
    picture = pictures.add_picture(image_bytes((200, 100)))
    assert files_of(picture) == {"source.jpg", "200.webp", "200.jpg"}
    assert f'srcset="{pictures.rendition_url(picture, 200, "webp")}"' in show(picture)


@pytest.mark.parametrize(
    "data",
    [b"", b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"GIF89a" + bytes(40), b"\xff\xd8\xff\xe0" + bytes(30)],
)
def test_other_content_is_refused(db, data):
    with pytest.raises(Invalid):
        pictures.add_picture(data)
    assert not Picture.objects.exists()


def test_a_picture_cut_short_is_refused(db):
    with pytest.raises(Invalid):
        pictures.add_picture(image_bytes(kind="JPEG")[:900])


def test_over_25_megapixels_is_refused_before_decoding(db, monkeypatch):
    huge = image_bytes((5001, 5000), mode="1")
    monkeypatch.setattr("PIL.PngImagePlugin.PngImageFile.load", lambda self: pytest.fail("decoded"))
    with pytest.raises(Invalid, match="25 megapixels"):
        pictures.add_picture(huge)


def test_over_5_megabytes_is_refused(db):
    with pytest.raises(Invalid, match="5 MB"):
        pictures.add_picture(bytes(pictures.MAX_BYTES + 1))


def test_the_tag_offers_avif_only_when_it_is_there(db, django_assert_num_queries):
    picture = pictures.add_picture(image_bytes())
    with django_assert_num_queries(0):
        first = show(picture)
    assert "avif" not in first
    assert 'type="image/webp"' in first and 'width="800" height="600"' in first and 'loading="lazy"' in first
    picture.is_complete = True
    assert 'type="image/avif"' in show(picture)


def test_the_first_picture_of_a_page_loads_eagerly_with_high_priority(db):
    html = show(pictures.add_picture(image_bytes()), "eager=True class='wide'")
    assert 'loading="eager" fetchpriority="high"' in html
    assert 'class="wide"' in html


def test_the_text_of_a_picture_is_escaped(db):
    picture = pictures.add_picture(image_bytes(), alt='"><script>')
    html = Template("{% load pictures %}{% picture picture alt=picture.alt %}").render(Context({"picture": picture}))
    assert "&quot;&gt;&lt;script&gt;" in html


def test_a_picture_beside_its_own_name_is_decoration(db):
    picture = pictures.add_picture(image_bytes(), alt="Amla")
    html = Template("{% load pictures %}{% picture picture %}").render(Context({"picture": picture}))
    assert 'alt=""' in html


def test_without_a_picture_the_tag_shows_the_placeholder():
    assert "icons/placeholder" in show(None)


def test_calls_get_a_whole_address(db, settings):
    settings.IMAGE_HOST = "https://img.example.com"
    picture = pictures.add_picture(image_bytes())
    assert pictures.picture_url(picture, 320).startswith("https://img.example.com/media/pictures/")
    assert pictures.picture_url(picture, 1200).endswith("/640.jpg")
    assert pictures.picture_url(None) is None


def test_the_clock_asks_once_for_what_is_owed(db):
    tasks.request_pictures()
    assert tasks.DBTaskResult.objects.count() == 0
    pictures.add_picture(image_bytes())
    tasks.request_pictures()
    tasks.request_pictures()
    assert tasks.DBTaskResult.objects.count() == 1


@pytest.mark.database
def test_the_worker_goes_on_until_nothing_is_owed(db, monkeypatch):
    monkeypatch.setattr(tasks, "BATCH", 1)
    for width in (100, 101):
        pictures.add_picture(image_bytes((width, 100)))
    tasks.complete_pictures.call()
    assert Picture.objects.filter(is_complete=True).count() == 1
    assert tasks.DBTaskResult.objects.count() == 1
    tasks.complete_pictures.call()
    assert not Picture.objects.filter(is_complete=False).exists()
    assert tasks.DBTaskResult.objects.count() == 1


@pytest.mark.database
def test_a_picture_that_never_succeeds_lets_the_others_by(db):
    broken, whole = (pictures.add_picture(image_bytes((width, 100))) for width in (100, 101))
    default_storage.delete(broken.file.name)
    for _ in range(2):
        pictures.complete_pending(1)
    assert FailedRow.objects.get().row_id == str(broken.pk)
    assert list(Picture.objects.filter(is_complete=True)) == [whole]


def test_one_picture_is_decoded_at_a_time_and_who_waits_too_long_may_try_again(monkeypatch):
    monkeypatch.setattr(pictures, "MAX_WAIT", 0.05)
    with (
        pictures.decoded(image_bytes()),
        ThreadPoolExecutor(1) as other,
        pytest.raises(Busy, match="try again"),
    ):
        other.submit(pictures.store_picture, image_bytes()).result()
    with pictures.decoded(image_bytes()) as image:
        assert image.size == (800, 600)


def test_few_wait_and_others_are_told_at_once(monkeypatch):
    monkeypatch.setattr(pictures, "_queue", BoundedSemaphore(1))
    with pictures.decoded(image_bytes()), ThreadPoolExecutor(1) as other, pytest.raises(Busy):
        other.submit(pictures.store_picture, image_bytes()).result(timeout=5)


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "JPEG"])
def test_a_large_picture_is_decoded_apart_and_kept_smaller(db, monkeypatch, kind):
    monkeypatch.setattr("shop.catalog.pictures.decoder.decode", lambda data: pytest.fail("decoded in this process"))
    picture = pictures.add_picture(image_bytes((3000, 2000), kind=kind))
    assert (picture.width, picture.height) == (2400, 1600)


def test_a_large_picture_cut_short_is_refused(db):
    with pytest.raises(Invalid):
        pictures.add_picture(image_bytes((3000, 2000))[:-400])


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "I;16", "CMYK"])
def test_every_kind_of_pixels_is_read(db, mode):
    kind = "JPEG" if mode == "CMYK" else "PNG"
    target = BytesIO()
    Image.new(mode, (40, 30)).save(target, kind)
    assert pictures.add_picture(target.getvalue()).width == 40
