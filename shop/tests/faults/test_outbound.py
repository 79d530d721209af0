"""Addresses of strangers: public servers only, also behind redirects and changing names; nothing endless or slow."""

import socket
import threading
import time

import pytest

from shop.errors import Invalid
from shop.http import outbound
from shop.http.outbound import NoAnswer, fetch

from ..conftest import WAIT_SECONDS
from ..support.foreign_server import Names, drip, flood, foreign_server, ok, redirect, status, write_certificate

MOST = 1024 * 1024
START = b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n"


@pytest.fixture
def server(monkeypatch):
    """On loopback, which the test alone allows."""
    monkeypatch.setattr(outbound, "ALLOW_LOOPBACK", True)
    with foreign_server() as server:
        yield server


@pytest.fixture
def guarded():
    """On loopback, and not to be reached."""
    with foreign_server() as server:
        server.answers["/a.png"] = ok(b"secret")
        yield server


@pytest.fixture
def names(monkeypatch):
    return Names(monkeypatch)


@pytest.fixture
def soon(monkeypatch):
    """The limit of time, shortened."""
    monkeypatch.setattr(outbound, "SECONDS", 0.5)


def refusal(address, kind=Invalid):
    with pytest.raises(kind) as caught:
        fetch(address, max_bytes=MOST)
    return caught.value


def test_what_a_public_server_sends_is_returned_whole(server):
    server.answers["/a%20b.png?v=1"] = ok(b"x" * 300_000)
    assert fetch(server.at("/a b.png?v=1#part"), max_bytes=MOST) == b"x" * 300_000
    assert server.hosts == [f"127.0.0.1:{server.port}"]


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1", "localhost", "127.1", "2130706433", "0x7f000001", "017700000001", "0", "0.0.0.0", "[::1]", "[::]",
        "[::ffff:127.0.0.1]", "[::127.0.0.1]", "user:word@127.0.0.1",
    ],
)  # fmt: skip
def test_loopback_is_refused_however_it_is_written(guarded, host):
    assert refusal(guarded.at("/a.png", host)).code == "not_public"
    assert guarded.asked == []


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1.", "１２７.0.0.1", "①②⑦.0.0.1", "[::1%25lo]", "localhost%00.example", "127.0.0.1%2f", "a\\@127.0.0.1"],
)
def test_odd_spellings_of_loopback_reach_nobody(guarded, host):
    assert refusal(guarded.at("/a.png", host))
    assert guarded.asked == []


@pytest.mark.parametrize(
    "host",
    [
        "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "192.0.0.8", "198.18.0.1",
        "224.0.0.1", "240.0.0.1", "255.255.255.255", "167837955", "[fe80::1]", "[fc00::1]", "[fec0::1]", "[ff02::1]",
        "[2002:a00:1::]", "[64:ff9b::a00:1]", "[::ffff:10.0.0.1]", "[::10.0.0.1]", "[2001:db8::1]", "[2001::1]",
    ],
)  # fmt: skip
def test_what_is_not_public_is_refused_before_anything_is_sent(host, monkeypatch):
    connected = []
    monkeypatch.setattr(socket.socket, "connect", lambda self, address: connected.append(address))
    assert refusal(f"http://{host}/a.png").code == "not_public"
    assert refusal(f"https://{host}/a.png").code == "not_public"
    assert connected == []


def test_a_name_that_stands_for_a_private_server_is_refused(guarded, names):
    names.say("pictures.example", "127.0.0.1")
    assert refusal(guarded.at("/a.png", "pictures.example")).code == "not_public"
    assert guarded.asked == []


def test_a_name_is_asked_for_once_so_that_it_cannot_change_before_the_connection(server, names):
    server.answers["/a.png"] = ok(b"picture")
    names.say("pictures.example", "127.0.0.1", "10.0.0.1")
    assert fetch(server.at("/a.png", "pictures.example"), max_bytes=MOST) == b"picture"
    assert names.asked.count("pictures.example") == 1
    assert server.hosts == [f"pictures.example:{server.port}"]


def test_a_name_that_changes_to_a_private_server_is_refused_at_the_redirect(server, names):
    names.say("pictures.example", "127.0.0.1", "10.0.0.1")
    server.answers["/a.png"] = redirect("/b.png")
    server.answers["/b.png"] = ok(b"secret")
    assert refusal(server.at("/a.png", "pictures.example")).code == "not_public"
    assert (names.asked.count("pictures.example"), server.asked) == (2, ["/a.png"])


@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("http://10.0.0.1/", "not_public"),
        ("http://169.254.169.254/latest/meta-data/", "not_public"),
        ("//192.168.0.1/", "not_public"),
        ("http://[::ffff:10.0.0.1]/", "not_public"),
        ("file:///etc/passwd", "no_address"),
        ("gopher://127.0.0.1/", "no_address"),
    ],
)
def test_a_redirect_leads_to_public_servers_only(server, target, code):
    server.answers["/a.png"] = redirect(target)
    assert refusal(server.at("/a.png")).code == code


def test_few_redirects_are_followed(server):
    server.answers |= {f"/{number}": redirect(f"/{number - 1}") for number in range(1, 9)}
    server.answers["/0"] = ok(b"picture")
    assert fetch(server.at("/3"), max_bytes=MOST) == b"picture"
    assert refusal(server.at("/4")).code == "too_many_redirects"


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/passwd", "ftp://example.com/a.png", "data:image/png;base64,AAAA", "/a.png", "a.png", "", "http://",
        "http:///a.png", "http://[", "http://example.com:99999/", "javascript:alert(1)", "//example.com/a.png",
    ],
)  # fmt: skip
def test_what_is_no_web_address_is_refused(address):
    assert refusal(address).code == "no_address"


@pytest.mark.parametrize("host", ["a" * 70 + ".example", "no-such-name.invalid"])
def test_a_name_that_nobody_has_is_refused_in_words(host, names):
    names.say("no-such-name.invalid", "no such name")
    assert refusal(f"http://{host}/").message


def test_the_environment_names_no_proxy_for_it(server, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://10.0.0.1:3128")
    server.answers["/a.png"] = ok(b"picture")
    assert fetch(server.at("/a.png"), max_bytes=MOST) == b"picture"


@pytest.mark.parametrize(
    ("code", "kind"), [(404, Invalid), (403, Invalid), (204, Invalid), (503, NoAnswer), (429, NoAnswer)]
)
def test_other_answers_are_told(server, code, kind):
    server.answers["/a.png"] = status(code)
    told = refusal(server.at("/a.png"))
    assert (type(told), told.message) == (kind, f"The server answered {code}.")


def test_what_says_that_it_is_too_large_is_not_read(server):
    server.answers["/a.png"] = START + b"Content-Length: %d\r\n\r\n" % (MOST + 1)
    assert refusal(server.at("/a.png")).message == "The file is larger than 1 MB."


@pytest.mark.parametrize(
    "start", [START + b"\r\n", START + b"Transfer-Encoding: chunked\r\n\r\n4000000\r\n", START + b"X-Long: "]
)
def test_what_never_ends_is_cut(server, start):
    server.answers["/a.png"] = flood(start)
    assert refusal(server.at("/a.png")).code in ("too_large", "no_answer")
    assert server.broken_off.wait(WAIT_SECONDS)


def test_the_body_of_a_redirect_is_not_read(server):
    server.answers["/a.png"] = flood(b"HTTP/1.1 302 Found\r\nLocation: /b.png\r\n\r\n")
    server.answers["/b.png"] = ok(b"picture")
    assert fetch(server.at("/a.png"), max_bytes=MOST) == b"picture"


def test_compressed_answers_are_not_unpacked(server):
    server.answers["/a.png"] = START + b"Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\x1f\x8b\x08\x00"
    assert fetch(server.at("/a.png"), max_bytes=MOST) == b"\x1f\x8b\x08\x00"


DRIPS = {
    "its status": b"",
    "its headers": START + b"X-Slow: ",
    "its body": START + b"\r\n",
    "the length of a chunk": START + b"Transfer-Encoding: chunked\r\n\r\n",
    "what it said the length of": START + b"Content-Length: 1000000\r\n\r\n",
}


@pytest.mark.parametrize("start", DRIPS.values(), ids=DRIPS)
def test_what_comes_drop_by_drop_is_cut_in_time(server, soon, start):
    server.answers["/a.png"] = drip(start)
    began = time.monotonic()
    assert refusal(server.at("/a.png"), NoAnswer).code == "too_slow"
    assert time.monotonic() - began < 1.5
    assert server.broken_off.wait(WAIT_SECONDS)
    _no_thread_is_left()


def test_a_silent_server_and_redirects_share_one_time(server, soon):
    def late(caller):
        threading.Event().wait(0.3)
        caller.sendall(redirect("/a.png"))

    server.answers["/a.png"] = late
    began = time.monotonic()
    assert refusal(server.at("/a.png"), NoAnswer).code == "too_slow"
    assert time.monotonic() - began < 0.8


def test_a_name_server_that_does_not_answer_costs_no_more(soon, monkeypatch):
    woken = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **kwargs: woken.wait(20))
    began = time.monotonic()
    assert refusal("http://pictures.example/a.png", NoAnswer).code == "too_slow"
    assert time.monotonic() - began < 0.8
    woken.set()
    _no_thread_is_left()


def test_what_connects_after_its_time_is_cut_at_once(server, soon, monkeypatch):
    """The name is answered when nobody waits any more."""
    server.answers["/a.png"] = drip(START + b"\r\n")
    real = socket.getaddrinfo

    def slowly(*args, **kwargs):
        threading.Event().wait(0.3)
        return real(*args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", slowly)
    refusal(server.at("/a.png", "localhost"), NoAnswer)
    _no_thread_is_left()


@pytest.fixture
def safe_server(monkeypatch, tmp_path, names):
    """Speaks TLS as pictures.example; other.example leads to it too."""
    monkeypatch.setattr(outbound, "ALLOW_LOOPBACK", True)
    names.say("pictures.example", "127.0.0.1")
    names.say("other.example", "127.0.0.1")
    write_certificate(tmp_path / "own.pem", "pictures.example")
    with foreign_server(tmp_path / "own.pem") as server:
        server.answers["/a.png"] = ok(b"picture")
        yield server


@pytest.fixture
def trusted(monkeypatch, tmp_path):
    monkeypatch.setattr("requests.adapters.DEFAULT_CA_BUNDLE_PATH", str(tmp_path / "own.pem"))


def test_https_is_spoken_with_the_name_though_the_address_is_dialled(safe_server, trusted):
    assert fetch(safe_server.at("/a.png", "pictures.example"), max_bytes=MOST) == b"picture"


def test_a_certificate_of_another_name_is_refused(safe_server, trusted):
    assert refusal(safe_server.at("/a.png", "other.example")).code == "no_answer"
    assert "/a.png" not in safe_server.asked


def test_a_certificate_that_nobody_vouches_for_is_refused(safe_server):
    assert refusal(safe_server.at("/a.png", "pictures.example")).code == "no_answer"
    assert "/a.png" not in safe_server.asked


def test_what_drips_through_tls_is_cut_too(safe_server, trusted, soon):
    safe_server.answers["/a.png"] = drip(START + b"\r\n")
    assert refusal(safe_server.at("/a.png", "pictures.example"), NoAnswer).code == "too_slow"
    assert safe_server.broken_off.wait(WAIT_SECONDS)
    _no_thread_is_left()


def test_a_handshake_that_never_ends_is_cut(server, soon):
    began = time.monotonic()
    server.answers[""] = drip(b"")
    assert refusal(f"https://127.0.0.1:{server.port}/", NoAnswer).code in ("too_slow", "no_answer")
    assert time.monotonic() - began < 1.5
    _no_thread_is_left()


@pytest.mark.full
@pytest.mark.parametrize("start", DRIPS.values(), ids=DRIPS)
def test_ten_seconds_are_ten_seconds(server, start):
    server.answers["/a.png"] = drip(start)
    began = time.monotonic()
    assert refusal(server.at("/a.png"), NoAnswer).code == "too_slow"
    assert 9.9 < time.monotonic() - began < 10.5


def _no_thread_is_left():
    until = time.monotonic() + 5
    while any(thread.name == "fetch" for thread in threading.enumerate()):
        assert time.monotonic() < until
        time.sleep(0.02)
