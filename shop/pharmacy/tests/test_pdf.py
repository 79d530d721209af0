"""PDFs of strangers are drawn in a process that has little of everything."""

import json
import subprocess
import sys
from io import BytesIO

import pytest
from PIL import Image

from shop.errors import Busy, Invalid
from shop.pharmacy import pdf, uploads
from shop.pharmacy.uploads import render_pdf

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
