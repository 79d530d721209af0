"""What a request says about its host, at the web server itself: refused, or without effect (C26)."""

import socket

import pytest

PATIENCE = 60


@pytest.fixture(autouse=True)
def one_product(transactional_db, make_variant):
    """An empty shop would fetch the demo catalogue first."""
    make_variant()


@pytest.fixture
def answer_to(running_shop):
    """answer_to(lines): what the served shop answers to the lines of a request."""
    host, _, port = running_shop.url.removeprefix("http://").partition(":")

    def ask(*lines: str) -> str:
        with socket.create_connection((host, int(port)), timeout=PATIENCE) as connection:
            connection.sendall("\r\n".join([*lines, "Connection: close", "", ""]).encode())
            answer = b""
            while read := connection.recv(65536):
                answer += read
        return answer.decode(errors="replace")

    ask.own = f"Host: {host}:{port}"
    return ask


def test_foreign_hosts_are_refused_or_have_no_effect(answer_to):
    usual = answer_to("GET /en-in/signin/ HTTP/1.1", answer_to.own)
    assert usual.startswith("HTTP/1.1 200")
    refused = [
        answer_to("GET /en-in/signin/ HTTP/1.1", "Host: evil.example"),
        answer_to("GET /en-in/signin/ HTTP/1.1", "Host: evil.example", answer_to.own),
        answer_to("GET /en-in/signin/ HTTP/1.1", answer_to.own, "Host: evil.example"),
        answer_to("GET /en-in/signin/ HTTP/1.1", "Host: 127.0.0.1@evil.example"),
        answer_to("GET /en-in/signin/ HTTP/1.1"),
    ]
    without_effect = [
        answer_to("GET http://evil.example/en-in/signin/ HTTP/1.1", answer_to.own),
        answer_to("GET http://evil.example/en-in/SignIn HTTP/1.1", answer_to.own),  # is redirected
        answer_to("GET /en-in/SignIn HTTP/1.1", answer_to.own, "X-Forwarded-Host: evil.example"),
        answer_to("GET /en-in/profile/ HTTP/1.1", answer_to.own, "X-Forwarded-Host: evil.example"),
    ]
    assert [answer.split("\r\n")[0] for answer in refused if not answer.startswith("HTTP/1.1 400")] == []
    assert [answer for answer in refused + without_effect if "evil.example" in answer] == []
    assert {answer[9:10] for answer in without_effect} <= {"2", "3", "4"}
