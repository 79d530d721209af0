"""PDFs of strangers are drawn in a process that has little of everything."""

import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO

import pytest
from PIL import Image

from shop.catalog.pictures import services
from shop.errors import Busy, Invalid
from shop.pharmacy import pdf, uploads
from shop.pharmacy.uploads import read_uploads, render_pdf

from .conftest import pdf_of


def a_pdf(objects):
    """A PDF of these objects, the first being its catalogue; readers find objects without a table."""
    body = b"".join(b"%d 0 obj %s endobj\n" % (number, text) for number, text in enumerate(objects, 1))
    return b"%PDF-1.7\n" + body + b"trailer << /Root 1 0 R /Size %d >>\n%%%%EOF" % (len(objects) + 1)


def one_page(box):
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d %d] >>" % box
    return a_pdf([b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>", page])


def test_each_page_is_a_picture():
    pictures = [Image.open(BytesIO(data)) for data in render_pdf(pdf_of(3))]
    assert [picture.format for picture in pictures] == ["JPEG"] * 3
    assert all(max(picture.size) <= pdf.MAX_SIDE for picture in pictures)


def test_a_page_as_large_as_a_house_is_drawn_small():
    (data,) = render_pdf(one_page((14_400, 14_400)))
    assert max(Image.open(BytesIO(data)).size) <= pdf.MAX_SIDE


@pytest.mark.parametrize("data", [b"", b"%PDF-1.7", b"%PDF-1.7\n" + b"\0" * 500, pdf_of(1)[:300]])
def test_what_is_no_pdf_is_said(data):
    with pytest.raises(Invalid, match=r"can't open this PDF|take a photo"):
        render_pdf(data)


def test_too_many_pages_are_said():
    with pytest.raises(Invalid, match="up to 5"):
        render_pdf(pdf_of(6))


@pytest.mark.parametrize(
    "limited, source",
    [
        ("memory", "x = bytearray(2 * 1024 ** 3)"),
        ("files", "open('/tmp/prescription-test', 'wb', buffering=0).write(b'x' * 10)"),
        ("time", "import resource; resource.setrlimit(resource.RLIMIT_CPU, (1, 1))\nwhile True: pass"),
    ],
)
def test_the_process_has_limits(limited, source):
    code = f"import runpy; runpy.run_path({pdf.__file__!r})['limit']()\n{source}\nprint('went on')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=30, check=False)
    assert done.returncode != 0 and b"went on" not in done.stdout, limited


def test_the_limits_hold_while_pages_are_drawn():
    """What `main` calls to draw pages tells the limits that it has then."""
    code = f"""
import importlib.util, json, resource
spec = importlib.util.spec_from_file_location("pdf", {pdf.__file__!r})
pdf = importlib.util.module_from_spec(spec)
spec.loader.exec_module(pdf)
names = ("RLIMIT_AS", "RLIMIT_CPU", "RLIMIT_FSIZE", "RLIMIT_CORE")
pdf.render = lambda data: [json.dumps([resource.getrlimit(getattr(resource, name)) for name in names]).encode()]
pdf.main()
"""
    done = subprocess.run([sys.executable, "-c", code], input=b"", capture_output=True, timeout=30, check=True)
    (said,) = pdf.unpack(done.stdout)
    assert json.loads(said) == [[most, most] for most in (pdf.MAX_ADDRESS_SPACE, pdf.MAX_SECONDS, 0, 0)]


def test_a_busy_machine_asks_to_try_again_and_does_not_blame_the_pdf(monkeypatch):
    monkeypatch.setattr(uploads, "MAX_SECONDS", 0.01)
    with pytest.raises(Busy):
        render_pdf(pdf_of(1))
    monkeypatch.undo()
    assert len(render_pdf(pdf_of(1))) == 1


def test_one_pdf_is_rendered_one_waits_and_the_rest_are_refused_at_once():
    with uploads._rendering, ThreadPoolExecutor(1) as pool:
        assert uploads._queue.acquire(blocking=False)  # whose PDF is rendered
        waiting = pool.submit(render_pdf, pdf_of(1))
        while uploads._queue._value:
            assert not waiting.done()
        began = time.monotonic()
        with pytest.raises(Busy):
            render_pdf(pdf_of(1))
        assert time.monotonic() - began < 1
        uploads._queue.release()
        uploads._rendering.release()
        assert len(waiting.result(timeout=uploads.MAX_SECONDS)) == 1
        uploads._rendering.acquire()
    assert (uploads._queue._value, uploads._rendering._value) == (uploads.MAX_QUEUE, 1)


def test_pdfs_take_no_place_beside_pictures_that_wait():
    places = [services._queue.acquire(blocking=False) for _ in range(services.MAX_QUEUE)]
    try:
        assert all(places)
        with pytest.raises(Busy):
            render_pdf(pdf_of(1))
    finally:
        for _ in places:
            services._queue.release()
    assert len(render_pdf(pdf_of(1))) == 1


def test_all_pdfs_of_a_request_share_their_time(monkeypatch):
    given = []

    def took_eight_seconds(*args, timeout, **kwargs):
        given.append(round(timeout))
        if timeout < 8:
            raise subprocess.TimeoutExpired("pdf", timeout)
        clock.append(clock[-1] + 8)
        return subprocess.CompletedProcess([], 0, stdout=pdf.LENGTH.pack(0))

    clock = [0.0]
    monkeypatch.setattr(uploads.time, "monotonic", lambda: clock[-1])
    monkeypatch.setattr(uploads.subprocess, "run", took_eight_seconds)
    monkeypatch.setattr(uploads, "read_photo", lambda *_: None)
    with pytest.raises(Busy):
        read_uploads([b"%PDF-"] * 3)
    assert given == [20, 12, 4]


def test_nothing_is_read_beyond_the_most_pages(monkeypatch):
    read = []
    monkeypatch.setattr(uploads, "read_photo", lambda *args: read.append(args))
    with pytest.raises(Invalid, match="up to 5"):
        read_uploads([pdf_of(4), pdf_of(2), pdf_of(5)])
    assert len(read) == 4
