"""A foreign server on loopback, and what the world's names stand for, as a test says."""

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

PAUSE_SECONDS = 0.02
Answer = Callable[[socket.socket], None] | bytes


class ForeignServer:
    """Answers each path with bytes, or as a function does with the connection; notes who asked for what."""

    def __init__(self, certificate: Path | None = None) -> None:
        self.answers: dict[str, Answer] = {}
        self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER) if certificate else None
        if self._tls and certificate:
            self._tls.load_cert_chain(certificate)
        self.asked: list[str] = []
        self.hosts: list[str] = []
        self.broken_off = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._listen, daemon=True).start()

    def at(self, path: str, host: str = "127.0.0.1") -> str:
        return f"{'https' if self._tls else 'http'}://{host}:{self.port}{path}"

    def close(self) -> None:
        self._listener.close()

    def _listen(self) -> None:
        while True:
            try:
                caller, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(caller,), daemon=True).start()

    def _serve(self, caller: socket.socket) -> None:
        with caller:
            try:
                caller = self._tls.wrap_socket(caller, server_side=True) if self._tls else caller
                lines = caller.recv(65536).decode("latin-1").split("\r\n")
                path = lines[0].partition(" ")[2].partition(" ")[0]
                self.asked.append(path)
                self.hosts += [line.partition(": ")[2] for line in lines if line.lower().startswith("host:")]
                answer = self.answers.get(path, status(404))
                if callable(answer):
                    answer(caller)
                else:
                    caller.sendall(answer)
            except OSError:
                self.broken_off.set()


@contextmanager
def foreign_server(certificate: Path | None = None) -> Iterator[ForeignServer]:
    server = ForeignServer(certificate)
    try:
        yield server
    finally:
        server.close()


def write_certificate(file: Path, name: str) -> None:
    """A certificate for `name` that vouches for itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    file.write_bytes(certificate.public_bytes(pem) + secret)


def ok(body: bytes, kind: str = "image/png") -> bytes:
    return f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


def status(code: int) -> bytes:
    return f"HTTP/1.1 {code} So\r\nContent-Length: 0\r\n\r\n".encode()


def redirect(target: str) -> bytes:
    return f"HTTP/1.1 302 Found\r\nLocation: {target}\r\nContent-Length: 0\r\n\r\n".encode()


def drip(start: bytes) -> Answer:
    """`start` at once, and then a byte every little while, without end."""

    def answer(caller: socket.socket) -> None:
        caller.sendall(start)
        while True:
            threading.Event().wait(PAUSE_SECONDS)
            caller.sendall(b"a")

    return answer


def flood(start: bytes) -> Answer:
    """`start`, and then bytes as fast as they are taken."""

    def answer(caller: socket.socket) -> None:
        caller.sendall(start)
        while True:
            caller.sendall(b"a" * 65536)

    return answer


class Names:
    """What names stand for, one answer after the other, the last for ever; other names as the system has them."""

    def __init__(self, monkeypatch) -> None:
        self.asked: list[str] = []
        self._answers: dict[str, list[str]] = {}
        self._real = socket.getaddrinfo
        monkeypatch.setattr(socket, "getaddrinfo", self._resolve)

    def say(self, name: str, *addresses: str) -> None:
        self._answers[name] = list(addresses)

    def _resolve(self, host, port, *args, **kwargs):
        self.asked.append(host)
        answers = self._answers.get(host)
        if answers:
            host = answers.pop(0) if len(answers) > 1 else answers[0]
        return self._real(host, port, *args, **kwargs)
