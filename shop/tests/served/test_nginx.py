"""nginx in front of a served shop, with the configuration that compose.yaml gives it."""

import json
import re
import socket
import ssl
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
import urllib3
from django.conf import settings

from ..conftest import Shop, await_true, free_port, serving
from ..support.nginx import nginx, require_nginx

CONF = settings.BASE_DIR / "shop" / "ops" / "nginx.conf"
SLOW_CLIENTS = 100
TOKEN = "the token of the tests"


@dataclass
class Front:
    """The shop behind nginx."""

    shop: Shop
    url: str
    plain: str
    folder: Path

    def ask(self, path: str, method: str = "GET", **more):
        pool = urllib3.PoolManager(cert_reqs="CERT_NONE", assert_hostname=False)
        return pool.request(method, self.url + path, retries=False, redirect=False, timeout=60, **more)

    def lines(self) -> list[dict]:
        """What nginx wrote about its requests."""
        return [json.loads(line) for line in (self.folder / "access.log").read_text().splitlines()]


@pytest.fixture
def front(transactional_db, make_variant, tmp_path):
    require_nginx()
    make_variant()
    port, tls_port, plain_port = free_port(), free_port(), free_port()
    folder = tmp_path / "nginx"
    folder.mkdir()
    _write_certificate(folder)
    conf = CONF.read_text()
    for there, here in {
        "server app:8000 ": f"server 127.0.0.1:{port} ",
        "listen 443 ssl": f"listen 127.0.0.1:{tls_port} ssl",
        "listen 80 ": f"listen 127.0.0.1:{plain_port} ",
        "/etc/nginx/certs": str(folder),
        "/dev/stdout": f"{folder}/access.log",
        "rate=50r/s": "rate=1r/s",  # a flood is one on a slow machine, too
    }.items():
        assert there in conf
        conf = conf.replace(there, here)
    url = f"https://127.0.0.1:{tls_port}"
    given = {"SHOP_URL": url, "TRUSTED_PROXY_COUNT": "1", "METRICS_TOKEN": TOKEN, "LOG_FORMAT": "json"}
    with serving(tmp_path, port=port, **given) as shop, nginx(folder, conf, port=tls_port):
        yield Front(shop, url, f"http://127.0.0.1:{plain_port}", folder)


def _write_certificate(folder: Path) -> None:
    subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    files = ["-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *files, *subject]
    subprocess.run(command, check=True, capture_output=True)


def test_the_shop_behind_nginx(front):
    check_pages_and_compression(front)
    check_static_files(front)
    check_ids_and_addresses(front)
    check_what_is_not_public(front)
    check_bodies(front)
    check_slow_clients(front)
    check_figures(front)
    check_paths_in_the_log(front)
    check_a_flood(front)


def check_pages_and_compression(front):
    for encoding in ("br", "gzip"):
        page = front.ask("/en-in/", headers={"Accept-Encoding": encoding}, decode_content=False, preload_content=True)
        assert (page.status, page.headers["Content-Encoding"]) == (200, encoding)
    plain = front.ask("/en-in/", headers={"Accept-Encoding": "identity"})
    assert b"<html" in plain.data and "Content-Encoding" not in plain.headers
    # Once, and by the shop: nginx adds none of its own.
    assert plain.headers.getlist("Strict-Transport-Security") == ["max-age=31536000"]
    assert "nginx/" not in plain.headers.get("Server", "")
    redirect = urllib3.PoolManager().request("POST", f"{front.plain}/en-in/cart/", redirect=False)
    assert (redirect.status, redirect.headers["Location"]) == (308, "https://127.0.0.1/en-in/cart/")


def check_static_files(front):
    page = front.ask("/en-in/").data.decode()
    address = re.search(r'/static/[^"\s>]+\.(?:css|js)', page)[0]
    style = front.ask(address, headers={"Accept-Encoding": "br"}, decode_content=False)
    assert (style.status, style.headers["Content-Encoding"]) == (200, "br")
    assert "immutable" in style.headers["Cache-Control"]


def check_ids_and_addresses(front):
    """The shop's log and nginx's name a request alike; no client invents an id, an address or a host."""
    invented = {"X-Request-Id": "00000000000000000000000000000000", "X-Forwarded-For": "203.0.113.9"}
    answer = front.ask("/en-in/no-such-page/", headers=invented)
    given = answer.headers["X-Request-Id"]
    assert answer.status == 404 and re.fullmatch("[0-9a-f]{32}", given) and set(given) != {"0"}
    # Both write of a request once it is over, which whoever asked may know before.
    await_true(lambda: given in {line["request_id"] for line in front.lines()})
    await_true(lambda: given in _logged_by_the_shop(front))
    line = _logged_by_the_shop(front)[given]
    assert (line["method"], line["path"], line["status"]) == ("GET", "/en-in/no-such-page/", 404)
    assert front.ask("/en-in/", headers={"Host": "evil.example.com"}).status == 400
    assert front.ask("/en-in/", headers={"X-Forwarded-Host": "evil.example.com"}).status == 200
    # A form with the origin of the shop's own address is taken: the scheme is known through the proxy.
    call = {"Content-Type": "application/json", "Origin": front.url}
    body = json.dumps({"query": "balm"}).encode()
    assert front.ask("/search/", "POST", headers=call, body=body).status == 200


def _logged_by_the_shop(front):
    """Lines of the shop's log by request id; a line that is still being written is left out."""
    written = (front.shop.data / "log").read_text().rpartition("\n")[0].splitlines()
    lines = [json.loads(line) for line in written if line.startswith("{")]
    return {line["request_id"]: line for line in lines if "request_id" in line}


def check_what_is_not_public(front):
    assert front.ask("/healthz").status == 200
    for path in ("/metrics", "/readyz"):
        assert front.ask(path, headers={"Authorization": f"Bearer {TOKEN}"}).status == 404


def check_bodies(front):
    """100 MB are refused by their announced length; what the shop itself refuses comes as it says it."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    host, port = front.url.removeprefix("https://").split(":")
    with context.wrap_socket(socket.create_connection((host, int(port)), timeout=60)) as sent:
        sent.sendall(f"POST /search/ HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Length: {100 * 2**20}\r\n\r\n".encode())
        assert sent.recv(20).startswith(b"HTTP/1.1 413")
    call = {"Content-Type": "application/json", "Origin": front.url}
    answer = front.ask("/search/", "POST", headers=call, body=b" " * (300 * 1024))
    assert (answer.status, json.loads(answer.data)["code"]) == (413, "too_large")


def check_slow_clients(front):
    """They hang on nginx with half a request each; the shop answers the others."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    host, port = front.url.removeprefix("https://").split(":")
    slow = []
    try:
        for _ in range(SLOW_CLIENTS):
            client = context.wrap_socket(socket.create_connection((host, int(port)), timeout=60))
            client.sendall(f"POST /search/ HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Length: 100\r\n\r\n{{".encode())
            slow.append(client)
        for _ in range(10):
            assert front.ask("/en-in/cart/").status == 200
    finally:
        for client in slow:
            client.close()


def check_figures(front):
    """Read where the app is; both workers' counts are in each answer."""
    at_app = urllib3.PoolManager()
    told = at_app.request("GET", f"{front.shop.url}/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    said = told.data.decode()
    counted = re.search(r'shop_requests_total\{method="GET",route="cart",status="200"\} (\d+)', said)
    assert counted and int(counted[1]) == 10
    assert "shop_request_seconds_bucket" in said and "shop_rows_readable 1.0" in said


def check_paths_in_the_log(front):
    secret = "honeycombs-and-keys"
    for path in (f"/en-in/search/{secret}/", f"/Search/x/{secret}", f"//newsletter//leave/{secret}/"):
        front.ask(path)
    front.ask("/en-in/cart/?last-one")
    await_true(lambda: "/en-in/cart/" in front.lines()[-1]["path"])
    assert secret not in (front.folder / "access.log").read_text()
    assert "/en-in/search/…" in {line["path"] for line in front.lines()}


def check_a_flood(front):
    """Of more than anybody asks for from one address part is refused, but none of the assets."""
    with ThreadPoolExecutor(8) as pool:
        pages = list(pool.map(lambda _: front.ask("/en-in/cart/").status, range(500)))
        assets = list(pool.map(lambda _: front.ask("/static/icons/favicon.svg").status, range(250)))
    assert set(pages) <= {200, 429} and pages.count(429) > 100
    assert set(assets) == {200}
