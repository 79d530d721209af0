"""The server of the buckets is away, or hangs: pages go on, uploads are refused in words, nothing typed is lost."""

import logging
import socket
import threading
import time
from contextlib import suppress
from multiprocessing import get_context

import pytest
from botocore.response import StreamingBody
from django.contrib.admin.models import LogEntry
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from shop.catalog.import_export.services import work_on
from shop.catalog.models import Picture, ProductImport, Variant
from shop.catalog.pictures.services import add_picture, complete_pending
from shop.catalog.pictures.tests.test_pictures import image_bytes
from shop.errors import Busy, FilesUnavailable
from shop.http import buckets as buckets_module
from shop.http.buckets import LARGE, Bucket, client_config
from shop.jobs.models import FailedRow
from shop.pharmacy.services import add_pages
from shop.pharmacy.tests.conftest import photo

from ..backoffice.test_back_office import form_of
from ..conftest import WAIT_SECONDS
from .server import PRIVATE, place_files

pytestmark = pytest.mark.django_db
WORDS = "store or open files right now"


@pytest.fixture
def away(buckets, settings, monkeypatch):
    """away(): from now on nobody listens where the buckets were."""

    def leave(address="http://127.0.0.1:1", patience=0.5):
        monkeypatch.setenv("AWS_ENDPOINT_URL_S3", address)
        monkeypatch.setattr(buckets_module, "CONNECT_SECONDS", patience)
        monkeypatch.setattr(buckets_module, "READ_SECONDS", patience)
        place_files(settings, monkeypatch, buckets.url)

    return leave


class SilentServer:
    """Takes requests and never answers. What asked it is counted, since a busy machine makes every clock wrong."""

    def __init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._requests: list[socket.socket] = []
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    def wait_for_requests(self, count: int) -> None:
        self._listening.settimeout(WAIT_SECONDS)
        self._requests += [self._listening.accept()[0] for _ in range(count)]

    def was_asked(self) -> bool:
        """Since the last time."""
        self._listening.setblocking(False)
        before = len(self._requests)
        with suppress(BlockingIOError):
            while True:
                self._requests.append(self._listening.accept()[0])
        return len(self._requests) > before

    def end(self) -> None:
        for each in (self._listening, *self._requests):
            each.close()


@pytest.fixture
def silent_server():
    server = SilentServer()
    yield server
    server.end()


def test_pages_go_on_and_say_what_is_wrong_to_probes_only(away, client, make_variant):
    variant = make_variant()
    add_picture(image_bytes((400, 400), kind="PNG"))
    away()
    for path in ("/en-in/", "/en-in/products/ayurveda/", f"/en-in/product/{variant.product.slug}/"):
        assert client.get(path).status_code == 200
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json()["buckets"].startswith("The bucket shop-pictures cannot be reached (EndpointConnectionError).")


def test_probes_find_nothing_wrong_with_a_server_that_is_there(buckets, client):
    assert client.get("/readyz").json()["buckets"] == "ok"


def test_a_probe_asks_a_server_that_hangs_once(away, silent_server, client):
    away(silent_server.url)
    client.get("/readyz")
    assert silent_server.was_asked()
    assert client.get("/readyz").json()["buckets"] != "ok"
    assert not silent_server.was_asked()


def test_an_upload_by_staff_is_refused_in_words_and_what_was_typed_is_kept(away, desk):
    away()
    file = SimpleUploadedFile("jam.png", image_bytes((400, 400), kind="PNG"), "image/png")
    answer = desk.post(reverse("admin:catalog_picture_add"), {"upload": file, "alt": "Jam of rose petals"})
    page = answer.content.decode()
    assert WORDS in page and "Jam of rose petals" in page
    assert not Picture.objects.exists()


def test_a_certificate_is_refused_at_its_field(away, desk, make_variant):
    product = make_variant().product
    url = reverse("admin:catalog_product_change", args=[product.pk])
    typed = form_of(desk.get(url)) | {"dosage": "One capsule after dinner."}
    away()
    file = SimpleUploadedFile("report.pdf", b"%PDF-1.4 lead: not detected", "application/pdf")
    answer = desk.post(url, typed | {"lab_certificate": file})
    assert answer.status_code == 200 and WORDS in answer.text and "One capsule after dinner." in answer.text
    product.refresh_from_db()
    assert not product.lab_certificate


def test_a_prescription_is_refused_in_words_and_answered_with_503(away, customer, client):
    page = add_pages(customer, [photo("navy")]).pages.get()
    away()
    with pytest.raises(Busy, match=WORDS):
        add_pages(customer, [photo("red")])
    assert list(customer.prescriptions.get().pages.all()) == [page]
    from shop.pharmacy.checkout import page_url

    client.force_login(customer)
    client.raise_request_exception = False
    answer = client.get(page_url(page, customer.pk))
    assert answer.status_code == 503 and answer["Cache-Control"] == "no-store"


def test_what_the_worker_could_not_do_is_no_fault_of_the_picture(away):
    add_picture(image_bytes((1300, 1300), kind="PNG"))
    away()
    with pytest.raises(FilesUnavailable):
        complete_pending(5)
    assert not FailedRow.objects.exists()


def ask():
    with pytest.raises(FilesUnavailable):
        storages["private"].exists("x")


def test_a_server_that_hangs_is_left_alone_for_a_while(away, silent_server, monkeypatch):
    monkeypatch.setattr(buckets_module, "BACKOFF_SECONDS", WAIT_SECONDS)
    away(silent_server.url)
    ask()
    assert silent_server.was_asked()
    for _ in range(20):
        ask()
    assert not silent_server.was_asked()


def test_without_the_rest_each_waits_anew(away, silent_server, monkeypatch):
    monkeypatch.setattr(buckets_module, "BACKOFF_SECONDS", 0.0)
    away(silent_server.url)
    for _ in range(2):
        ask()
        assert silent_server.was_asked()


def test_few_places_wait_for_a_server_that_hangs(away, silent_server, monkeypatch):
    """The first two wait for it; who comes then waits for them a second at most, and does not ask."""
    monkeypatch.setattr(buckets_module, "SLOT_WAIT_SECONDS", 0.1)
    monkeypatch.setattr(buckets_module, "BACKOFF_SECONDS", 0.0)
    away(silent_server.url, patience=WAIT_SECONDS)
    first = [threading.Thread(target=ask) for _ in range(2)]
    for thread in first:
        thread.start()
    silent_server.wait_for_requests(2)
    for _ in range(2):
        ask()
    assert not silent_server.was_asked()
    assert all(thread.is_alive() for thread in first)
    silent_server.end()
    for thread in first:
        thread.join()


ROWS = b"handle,sku,name,selling_price,actual_price,stock\nsoap,S-1,Soap,90,100,7\ntea,T-1,Tea,120,100,3\n"


def upload(desk):
    body = {"file": SimpleUploadedFile("stock.csv", ROWS), "format": "", "currency": "INR"}
    return desk.post(reverse("admin:catalog_productimport_add"), body)


def test_an_import_ends_with_its_counts_though_its_report_is_not_stored(away, desk, buckets, settings, monkeypatch):
    url = upload(desk)["Location"]
    kept = ProductImport.objects.get()
    work_on(kept.pk)
    desk.post(url)
    away()
    work_on(kept.pk)
    kept.refresh_from_db()
    assert (kept.state, kept.counts["created"], kept.counts["refused"]) == ("done", 1, 1)
    assert Variant.objects.get().sku == "S-1" and "1 created, 1 refused" in LogEntry.objects.get().change_message
    assert "The report could not be stored" in kept.problem
    page = desk.get(url)
    assert page.status_code == 200 and WORDS in page.text and "The report could not be stored" in page.text
    refused = desk.get(reverse("admin:catalog_productimport_refused_rows", args=[kept.pk]), follow=True)
    assert refused.status_code == 200 and WORDS in refused.text
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", buckets.environment["AWS_ENDPOINT_URL_S3"])
    place_files(settings, monkeypatch, buckets.url)
    assert "above the actual price" in desk.get(url).text  # the check's own report is still there


def test_a_report_is_read_once_a_page(buckets, desk, monkeypatch):
    url = upload(desk)["Location"]
    work_on(ProductImport.objects.get().pk)
    opened, real = [], Bucket._open
    monkeypatch.setattr(Bucket, "_open", lambda self, name, mode="rb": opened.append(name) or real(self, name, mode))
    assert "above the actual price" in desk.get(url).text
    assert [name.rpartition("/")[2] for name in opened] == ["report.csv"]


def test_an_upload_that_cannot_be_read_leaves_no_file(buckets, desk, monkeypatch):
    def fail(self, name, mode="rb"):
        raise FilesUnavailable()

    monkeypatch.setattr(Bucket, "_open", fail)
    answer = upload(desk)
    assert answer.status_code == 422 and WORDS in answer.text
    assert buckets.names(PRIVATE) == set() and not ProductImport.objects.exists()


def test_what_was_not_deleted_is_logged(away, caplog):
    away()
    with caplog.at_level(logging.ERROR), pytest.raises(FilesUnavailable):
        storages["private"].delete("prescriptions/x.jpg")
    assert "prescriptions/x.jpg was not deleted from the bucket shop-private" in caplog.text


def test_a_refusal_of_the_server_is_no_reason_to_leave_it_alone(buckets):
    missing = Bucket(bucket_name="no-such-bucket")
    with pytest.raises(FilesUnavailable):
        missing.save("x", ContentFile(b"x"))
    assert storages["private"].exists("x") is False
    assert client_config().connect_timeout == 3


def test_a_rest_is_not_cut_short_by_a_refusal(buckets, monkeypatch):
    with pytest.raises(FilesUnavailable), buckets_module._asked():
        monkeypatch.setattr(Bucket, "retry_after", time.monotonic() + 60)
        Bucket(bucket_name="no-such-bucket").bucket.Object("x").put(Body=b"x")
    with pytest.raises(FilesUnavailable):
        storages["private"].exists("x")


def test_who_waited_for_a_turn_does_not_ask_a_server_that_failed_meanwhile(buckets, monkeypatch):
    monkeypatch.setattr(buckets_module, "SLOT_WAIT_SECONDS", 10)
    seconds = []

    def ask():
        with pytest.raises(FilesUnavailable):
            storages["private"].exists("x")
        seconds.append(time.monotonic())

    waiting = threading.Thread(target=ask)
    with buckets_module._slot(buckets_module._slots), buckets_module._slot(buckets_module._slots):
        waiting.start()
        time.sleep(0.2)
        assert waiting.is_alive()
        monkeypatch.setattr(Bucket, "retry_after", time.monotonic() + 60)
    waiting.join(10)
    assert len(seconds) == 1


def test_a_file_is_opened_by_one_request(buckets, monkeypatch):
    storage, asked = storages["private"], []
    storage.save("x", ContentFile(b"content"))
    events = storage.connection.meta.client.meta.events
    events.register("before-call", lambda **facts: asked.append(facts["model"].name))
    with storage.open("x") as file:
        assert (file.read(), file.size, file.name) == (b"content", 7, "x")
    assert asked == ["GetObject"]
    with pytest.raises(FileNotFoundError):
        storage.open("y")


def test_one_file_takes_so_long_at_most(buckets, monkeypatch):
    storage = storages["private"]
    storage.save("x", ContentFile(b"content"))
    monkeypatch.setattr(buckets_module, "FILE_SECONDS", -1.0)
    for act in (lambda: storage.open("x"), lambda: storage.save("y", ContentFile(b"content"))):
        with pytest.raises(FilesUnavailable):
            act()
    assert buckets.names("shop-private") == {"x"}


def test_large_files_leave_a_slot_free(buckets, monkeypatch):
    monkeypatch.setattr(buckets_module, "SLOT_WAIT_SECONDS", 0.1)
    storage = storages["private"]
    with buckets_module._slot_of_large(LARGE + 1), buckets_module._asked():
        storage.save("small", ContentFile(b"a prescription"))
        with pytest.raises(FilesUnavailable):
            storage.save("large", ContentFile(b"x" * (LARGE + 1)))
    storage.save("large", ContentFile(b"x" * (LARGE + 1)))
    assert storage.open("large").size == LARGE + 1


def test_without_slots_of_their_own_large_files_take_all(buckets, monkeypatch):
    monkeypatch.setattr(buckets_module, "SLOT_WAIT_SECONDS", 0.1)
    monkeypatch.setattr(buckets_module, "_slots_of_large", threading.BoundedSemaphore(2))
    large, asked = buckets_module._slot_of_large, buckets_module._asked
    with large(LARGE + 1), asked(), large(LARGE + 1), asked(), pytest.raises(FilesUnavailable):
        storages["private"].save("small", ContentFile(b"a prescription"))


def test_what_is_cut_off_is_no_file(buckets, monkeypatch):
    storage = storages["private"]
    storage.save("x", ContentFile(b"content"))
    cut = lambda body, size: iter([body.read(3), body._verify_content_length()])  # noqa: E731
    monkeypatch.setattr(StreamingBody, "iter_chunks", cut)
    with pytest.raises(FilesUnavailable):
        storage.open("x")


def refuse(number):
    raise FilesUnavailable()


def test_a_refusal_comes_out_of_a_pool_of_processes():
    """One that cannot be read back is waited for without end."""
    with get_context("fork").Pool(1) as pool, pytest.raises(FilesUnavailable, match=WORDS):
        pool.map_async(refuse, [1]).get(timeout=20)
