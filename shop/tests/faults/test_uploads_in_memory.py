"""What the worst pictures, queries and bodies that are accepted take of a web worker's memory, many at once."""

import http.client
import json
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.urls import reverse
from PIL import Image

from shop.cart.services import add_to_cart, open_cart
from shop.catalog.pictures import decoder
from shop.orders.conftest import new_address
from shop.orders.models import OrderLine, ReturnPhoto, ReturnRequest
from shop.orders.placing.services import confirm_order, place_order
from shop.orders.placing.values import PlaceOrder
from shop.orders.shipping.services import deliver_all, ship

from ..conftest import free_port, serving

AT_ONCE = 8
MAX_GROWTH = 150  # MB above the usual
KINDS = {
    "PNG": {},
    "WEBP": {"quality": 1, "method": 0},
    "JPEG": {"quality": 10, "progressive": True, "subsampling": 0},
}
# What a worker would do without a queue, in a process of its own.
WITHOUT_QUEUE = """
import re, sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shop.catalog.pictures.decoder import decode
def peak(): return int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) // 1024
data = Path(sys.argv[1]).read_bytes()
usual = peak()
with ThreadPoolExecutor(8) as threads: list(threads.map(decode, [data] * 8))
print(peak() - usual)
"""


def large(kind: str) -> bytes:
    """25 megapixels in less than 5 MB."""
    small = Image.effect_noise((50, 50), 60).convert("RGB")
    target = BytesIO()
    small.resize((5000, 5000), Image.Resampling.NEAREST).save(target, kind, **KINDS[kind])
    assert target.tell() < 5 * 1024 * 1024
    return target.getvalue()


@pytest.fixture
def running_shop(transactional_db, tmp_path):
    """One web worker, with the secret that this process signs sessions with."""
    with serving(tmp_path, port=free_port(), WEB_WORKERS="1") as shop:
        yield shop


@pytest.fixture
def line(transactional_db, india, customer, make_variant) -> OrderLine:
    """A delivered line of four."""
    new_address(customer)
    add_to_cart(open_cart(customer), variant_id=make_variant("100", units=9).pk, quantity=4, market=india)
    address = customer.addresses.get()
    order = place_order(PlaceOrder(customer=customer, cart=open_cart(customer), address=address, market=india))
    confirm_order(order, actor="shop")
    ship(order, actor="staff:1")
    deliver_all(order, actor="staff:1")
    return order.lines.get()


def ask(url: str, session: str, line: OrderLine, photo: bytes) -> int:
    fields = {"reason": "damaged", "kind": "refund", "quantity": "1", "note": "", "seen": "0"}
    upload = BytesIO(photo)
    upload.name = "photo"
    body = encode_multipart(BOUNDARY, fields | {"photos": upload})
    headers = {
        "Content-Type": MULTIPART_CONTENT,
        "Sec-Fetch-Site": "same-origin",
        "Cookie": f"{settings.SESSION_COOKIE_NAME}={session}",
    }
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=120)
    connection.request("POST", reverse("return_line", args=[line.order.number, line.pk]), body, headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    assert "signin" not in answer.getheader("Location", "")
    return answer.status


def memory(pid: int, field: str) -> int:
    """In MB: VmRSS as it is, VmHWM at its highest."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition(f"{field}:")[2].split()[0]) // 1024


@pytest.mark.parametrize("kind", KINDS)
def test_eight_large_pictures_at_once_take_a_worker_little(line, running_shop, customer, figure, kind):
    browser = Client()
    browser.force_login(customer)
    session = browser.cookies[settings.SESSION_COOKIE_NAME].value
    small = BytesIO()
    Image.new("RGB", (1200, 1200), "green").save(small, "PNG")
    assert ask(running_shop.url, session, line, small.getvalue()) == 302  # what is loaded once is loaded
    ReturnPhoto.objects.all().delete()
    ReturnRequest.objects.all().delete()
    usual = {pid: memory(pid, "VmRSS") for pid in running_shop.web_server()}
    for pid in usual:
        Path(f"/proc/{pid}/clear_refs").write_text("5")  # its highest is from now on
    data = large(kind)
    with ThreadPoolExecutor(AT_ONCE) as threads:
        answers = list(threads.map(lambda _: ask(running_shop.url, session, line, data), range(AT_ONCE)))
    growth = max(memory(pid, "VmHWM") - before for pid, before in usual.items())
    figure(f"{AT_ONCE} of 25 megapixels as {kind}: {growth} MB", f"{MAX_GROWTH} MB")
    assert growth <= MAX_GROWTH
    assert set(answers) <= {302, 422, 503}  # asked, asked already, busy
    assert ReturnPhoto.objects.count() == answers.count(302) == 1


QUERIES = 3000  # pages of some 20 KB, so that the page cache is filled


def large_bodies() -> list[tuple[str, str, bytes]]:
    """What is read to its end: as large as may be, refused or answered."""
    padded = json.dumps({"category": "none", "page": 1}).encode().ljust(255 * 1024)
    deep = json.dumps({"category": "none", "extra": [["x" * 10] * 20] * 900}).encode()
    file = BytesIO(bytes(5 * 1024 * 1024 - 1))
    file.name = "photo"
    files = encode_multipart(BOUNDARY, {"full_name": "Asha", "photos": [file] * 8})
    form = ("/en-in/contactus/", MULTIPART_CONTENT, files)
    calls = [("/get-category-products/", "application/json", body) for body in (padded, deep)]
    return [*calls, form] * 8


def send(url: str, method: str, path: str, body: bytes = b"", kind: str = "") -> int:
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=120)
    headers = {"Sec-Fetch-Site": "same-origin"} | ({"Content-Type": kind} if kind else {})
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


def test_long_queries_and_large_bodies_take_a_worker_little(line, running_shop, figure):
    url = running_shop.url
    assert send(url, "GET", "/en-in/search/oil/") == 200
    queries = [f"/en-in/search/oil{number}/?x={'y' * 490}" for number in range(QUERIES)]
    usual = {pid: memory(pid, "VmRSS") for pid in running_shop.web_server()}
    for pid in usual:
        Path(f"/proc/{pid}/clear_refs").write_text("5")
    with ThreadPoolExecutor(AT_ONCE) as threads:
        pages = Counter(threads.map(lambda path: send(url, "GET", path), queries))
        bodies = Counter(threads.map(lambda given: send(url, "POST", given[0], given[2], given[1]), large_bodies()))
    growth = max(memory(pid, "VmHWM") - before for pid, before in usual.items())
    figure(f"{QUERIES:,} queries and 24 bodies of 256 KB and 40 MB: {growth} MB", f"{MAX_GROWTH} MB")
    assert growth <= MAX_GROWTH
    assert (set(pages), set(bodies)) == ({200}, {200, 422})


def test_without_a_queue_large_pictures_take_far_more(tmp_path):
    (tmp_path / "picture").write_bytes(large("PNG"))
    command = [sys.executable, "-c", WITHOUT_QUEUE, str(tmp_path / "picture")]
    grown = subprocess.run(command, cwd=settings.BASE_DIR, capture_output=True, text=True, check=True).stdout
    assert int(grown) > 2 * MAX_GROWTH


def test_a_process_of_its_own_decodes_as_this_one_does(tmp_path):
    image = Image.linear_gradient("L").resize((3000, 1500)).convert("RGBA")
    exif = Image.Exif()
    exif[0x0112] = 6  # lies on its side
    target = BytesIO()
    image.save(target, "PNG", exif=exif)
    command = [sys.executable, "-I", decoder.__file__]
    apart = decoder.unpack(subprocess.run(command, input=target.getvalue(), capture_output=True).stdout)
    here = decoder.decode(target.getvalue())
    assert (here.mode, here.size) == (apart.mode, apart.size) == ("RGBA", (1200, 2400))
    assert here.tobytes() == apart.tobytes()
