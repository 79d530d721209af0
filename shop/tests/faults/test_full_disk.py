"""The disk is full under the database, then under pictures, mails and logs: what cannot be kept is refused in
words, nothing stays half-written, and with room again the shop goes on by itself (RELIABILITY.md 44 and 2.4)."""

import itertools
import os
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import datetime
from email import message_from_bytes
from io import BytesIO
from pathlib import Path
from random import Random, sample
from types import SimpleNamespace

import pytest
from django.conf import settings as shop_settings
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.handlers.wsgi import WSGIHandler
from django.core.management import call_command
from django.db import connection, connections
from django.test import Client, RequestFactory
from django.urls import reverse
from honcho.printer import Message as PrinterLine
from honcho.printer import Printer
from PIL import Image

from shop.cart.models import Cart, CartLine
from shop.catalog.models import Picture
from shop.http.media import AtomicFileStorage
from shop.messaging.delivery import Outcome, deliver
from shop.messaging.models import Message
from shop.messaging.services import queue_mail
from shop.ops.request_buffering import RequestBuffer
from shop.ops.supervisor import FaultTolerantPrinter
from shop.orders.models import ReturnPhoto, ReturnRequest

from ..conftest import Shop, await_true, free_port, serving
from ..served.visitors import PATIENCE, Visitor
from ..support.belongings import belongings_of, furnish
from ..support.buyers import Answered, Buyer, new_buyers
from ..support.clusters import Cluster, default_database, own_cluster
from ..support.consistency import assert_ledger_matches, assert_responses_persisted, drain_queues
from ..support.provider import StandIn, stand_in
from ..support.small_disk import SmallDisk, database_on, own_mounts
from ..support.staff import editor_client
from .test_crashed_database import new_variants
from .test_killed_workers import assert_the_file_is_sound, buy

PAGES = ("/en-in/", "/search/balm/", "/product/balm-1/", "/sitemap.xml", "/faq/", "/signin/", "/cart/")
BUYERS, ROUNDS = 10, 5
ORDERS, REFUSALS = 30, 50  # between two strokes


def noise(side: int) -> bytes:
    """A picture that no encoder makes small."""
    target = BytesIO()
    Image.frombytes("RGB", (side, side), Random(side).randbytes(side * side * 3)).save(target, "PNG")
    return target.getvalue()


def files_of(disk: SmallDisk) -> set[str]:
    return {str(path.relative_to(disk.folder)) for path in disk.folder.rglob("*") if path.is_file()} - {"ballast"}


# --- The database ---------------------------------------------------------------------------------


@own_mounts(megabytes=64)
def test_calls_and_forms_are_refused_in_words_and_pages_go_on(disk, transactional_db, make_product, make_variant):
    variant = make_variant(product=make_product("Balm 1"))
    browser = Client(headers={"sec-fetch-site": "same-origin"}, raise_request_exception=False)
    call = {"data": {"product": variant.pk}, "content_type": "application/json"}
    with database_on(disk):
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # else there is room in the log
        disk.fill()
        assert [(path, browser.get(path).status_code) for path in PAGES] == [(path, 200) for path in PAGES]
        called, submitted = browser.post("/add-to-cart/", **call), browser.post("/cart/add/", {"variant": variant.pk})
        assert (called.status_code, called.json()["code"]) == (503, "unavailable")
        assert (submitted.status_code, "Please try again" in submitted.text) == (503, True)
        assert not Cart.objects.exists() and not CartLine.objects.exists()
        disk.free()
        assert browser.post("/add-to-cart/", **call).status_code == 200
        assert browser.post("/cart/add/", {"variant": variant.pk}).status_code == 302
        assert CartLine.objects.get().variant == variant
        assert_the_file_is_sound()


@own_mounts(megabytes=8)
def test_a_form_that_finds_no_room_is_refused_as_a_page(disk, transactional_db, monkeypatch):
    """It waits on the disk until all of it has come (shop/ops/request_buffering.py)."""
    monkeypatch.setattr(tempfile, "tempdir", str(disk.folder))
    office, statuses = RequestBuffer(WSGIHandler()), []

    def submit() -> str:
        upload = SimpleUploadedFile("leaf.png", noise(700))
        request = RequestFactory(headers={"sec-fetch-site": "same-origin"}).post("/contactus/", {"photo": upload})
        environ = request.environ | {"wsgi.input": BytesIO(request.read())}
        return b"".join(office(environ, lambda status, *_: statuses.append(int(status[:3])))).decode()

    disk.fill()
    assert "Please try again" in submit()
    disk.free()
    assert "Please try again" not in submit()
    assert statuses == [503, 200]
    office.places.submit(connections.close_all).result()


# --- Pictures, photos and mails ---------------------------------------------------------------------


@pytest.fixture
def files_on(settings, monkeypatch):
    """files_on(disk): pictures, photos and mails are kept there."""

    def move(disk: SmallDisk) -> None:
        settings.EMAIL_BACKEND = "shop.messaging.channels.mail.FileBackend"
        settings.MEDIA_ROOT, settings.MAIL_DIR = disk.folder / "media", disk.folder / "mail"
        private = AtomicFileStorage(location=disk.folder / "private", base_url=None)
        monkeypatch.setattr(ReturnPhoto._meta.get_field("file"), "storage", private)

    return move


@own_mounts(megabytes=8)
def test_of_an_upload_or_a_mail_nothing_is_left_but_what_is_owed(disk, transactional_db, india, files_on):
    files_on(disk)
    asha = belongings_of("Asha", furnish(), india, phone="+919876500001")
    customer = Client(headers={"sec-fetch-site": "same-origin"}, raise_request_exception=False)
    customer.cookies.load(asha.cookies)
    office = editor_client()
    office.raise_request_exception = False

    def add_picture() -> int:
        upload = SimpleUploadedFile("leaf.png", noise(700))
        return office.post(reverse("admin:catalog_picture_add"), {"upload": upload, "alt": "A leaf"}).status_code

    def ask_for_return() -> int:
        photos = [SimpleUploadedFile("small.png", noise(40)), SimpleUploadedFile("large.png", noise(700))]
        form = {"reason": "wrong-item", "kind": "refund", "quantity": "1", "seen": "1", "photos": photos}
        return customer.post(reverse("return_line", args=[asha.order, asha.line]), form).status_code

    queue_mail(
        kind="test", to="asha@example.com", subject="Hello", template="sign_up_code", context={"code": "1" * 20_000}
    )
    mail, before = Message.objects.get(kind="test"), files_of(disk)
    disk.fill(leaving=5)
    assert (add_picture(), ask_for_return(), deliver(mail.pk)) == (503, 503, Outcome.FAILED)
    assert files_of(disk) == before
    assert (Picture.objects.count(), ReturnRequest.objects.count(), ReturnPhoto.objects.count()) == (1, 1, 1)
    disk.free()
    Message.objects.filter(pk=mail.pk).update(next_try_at=mail.created_at)
    assert (add_picture(), ask_for_return(), deliver(mail.pk)) == (302, 302, Outcome.SENT)
    assert deliver(mail.pk) == Outcome.NOT_DUE
    assert (Picture.objects.count(), ReturnRequest.objects.count(), ReturnPhoto.objects.count()) == (2, 2, 3)


@own_mounts(megabytes=8)
def test_without_a_temporary_name_a_file_is_left_cut_off(disk):
    disk.fill(leaving=5)
    for storage, left in ((AtomicFileStorage, []), (FileSystemStorage, ["cut.png"])):
        with pytest.raises(OSError, match="No space left"):
            storage(location=disk.folder / storage.__name__).save("cut.png", ContentFile(noise(700)))
        assert os.listdir(disk.folder / storage.__name__) == left


def test_without_patience_a_line_that_cannot_be_written_ends_the_printer():
    line = PrinterLine(type="line", data="A line", time=datetime.now(), name="web", colour=None)
    full = open("/dev/full", "w")  # noqa: SIM115 (to close it fails, too)
    FaultTolerantPrinter(full).write(line)
    with pytest.raises(OSError, match="No space left"):
        Printer(full).write(line)
    with suppress(OSError):
        full.close()


# --- All of it, served --------------------------------------------------------------------------------


@contextmanager
def fresh_database(disk: SmallDisk) -> Iterator[Cluster | SimpleNamespace]:
    """An empty shop's, on the small disk."""
    if shop_settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        with default_database(NAME=str(disk.folder / "shop.sqlite3")):
            call_command("migrate", verbosity=0)
            yield SimpleNamespace(is_running=lambda: True)
        return
    folder = disk.folder / "cluster"
    folder.mkdir()
    with own_cluster(folder) as cluster:
        yield cluster


def data_of(disk: SmallDisk) -> Path:
    """The shop's own folder: it lets nobody else in, and PostgreSQL is somebody else."""
    folder = disk.folder / "data"
    folder.mkdir(exist_ok=True)
    return folder


class Shoppers:
    """Customers who buy, one order after the other, and an editor who adds pictures, until it is over."""

    def __init__(self, shop: Shop, provider: StandIn, variants, answered: Answered) -> None:
        self.gallery = Gallery(shop)
        self.provider, self.variants = provider, variants
        self.buyers = new_buyers(shop.url, BUYERS, answered)
        self.over = threading.Event()

    @contextmanager
    def buying(self) -> Iterator[None]:
        with ThreadPoolExecutor(BUYERS + 1) as pool:
            busy = [pool.submit(self._buy, buyer) for buyer in self.buyers]
            busy.append(pool.submit(self.gallery.grow, self.over))
            try:
                yield
            finally:
                self.over.set()
            for one in busy:
                one.result()

    def _buy(self, buyer: Buyer) -> None:
        while not self.over.is_set():
            buy(buyer, self.provider, sample(self.variants, k=2))


class Gallery:
    """Pictures that an editor adds, each again until it is taken."""

    def __init__(self, shop: Shop) -> None:
        self.address = shop.url + reverse("admin:catalog_picture_add")
        self.browser = Visitor(shop.url)
        self.browser.cookies.set(shop_settings.SESSION_COOKIE_NAME, editor_client().session.session_key)
        self.statuses: Counter[int] = Counter()
        self.in_words = 0

    def grow(self, over: threading.Event) -> None:
        for side in itertools.count(300):
            while not over.is_set() and self._add(noise(side)) != 302:
                over.wait(0.2)
            if over.is_set():
                return

    def _add(self, picture: bytes) -> int:
        answer = self.browser.post(
            self.address,
            data={"alt": "Noise"},
            files={"upload": ("noise.png", picture)},
            allow_redirects=False,
            timeout=PATIENCE,
        )
        self.statuses[answer.status_code] += 1
        self.in_words += "Please try again" in answer.text
        return answer.status_code

    def assert_whole(self, disk: SmallDisk) -> None:
        """Each that was taken is there and can be read; nothing else is, but what has its name already."""
        assert self.statuses.keys() == {302, 503} and self.in_words == self.statuses[503], self.statuses
        assert Picture.objects.count() >= self.statuses[302]
        files = [file for file in (data_of(disk) / "media").rglob("*") if file.is_file()]
        for file in files:
            Image.open(file).load()
        assert {data_of(disk) / "media" / str(picture.file) for picture in Picture.objects.all()} <= set(files)


def assert_each_mail_is_there(disk: SmallDisk) -> None:
    """None is missing or half there. One that left while the database could not note it leaves once more,
    under the same id."""
    mails = [message_from_bytes(file.read_bytes()) for file in (data_of(disk) / "mail").iterdir()]
    assert len({mail["Message-ID"] for mail in mails}) == Message.objects.exclude(sent_at=None).count()
    assert not [mail for mail in mails if not mail.is_multipart()]


@pytest.mark.database
@pytest.mark.full
@own_mounts(megabytes=400)
def test_shoppers_outlast_a_full_disk(disk, django_db_blocker, tmp_path, figure):
    port, answered, pages = free_port(), Answered(), Counter()
    with (
        django_db_blocker.unblock(),
        fresh_database(disk) as database,
        stand_in(tmp_path, shop_port=port) as provider,
    ):
        variants = new_variants(6, 10_000)
        own = {"METRICS_TOKEN": "the token", "TMPDIR": str(disk.folder)}
        with serving(data_of(disk), port=port, **own, **provider.settings) as shop:
            processes, shoppers = shop.processes(), Shoppers(shop, provider, variants, answered)
            with shoppers.buying():
                for _ in range(ROUNDS):
                    enough = len(answered.paid) + ORDERS
                    await_true(lambda enough=enough: len(answered.paid) >= enough)
                    disk.fill()
                    enough = answered.unable.total() + REFUSALS
                    await_true(lambda enough=enough: answered.unable.total() >= enough)
                    visitor = Visitor(shop.url)
                    pages.update(visitor.get(shop.url + path, timeout=PATIENCE).status_code for path in PAGES)
                    disk.free()
                    if not database.is_running():
                        database.start()
            drain_queues(shop, provider)
            shop.manage("check_shop")
            assert shop.processes() == processes
            assert_responses_persisted(answered)
            assert_ledger_matches(provider)
            assert_the_file_is_sound()
            assert_each_mail_is_there(disk)
            shoppers.gallery.assert_whole(disk)
        figure(
            f"refused {dict(answered.unable)}, uploads {dict(shoppers.gallery.statuses)}, pages {dict(pages)}, "
            f"{len(answered.paid)} orders paid around {ROUNDS} full disks",
            "503 only; no restart",
        )
    assert answered.unable.keys() == {503}
    assert answered.broken == 0
