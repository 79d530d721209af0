"""Which letters the bytes of a text file are: UTF-8, UTF-16 or the old Windows encoding."""

import codecs
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import IO

CHUNK = 1 << 16
MAX_PIECE = 16_000_000
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
BROKEN = re.compile("[\udc80-\udcff]")  # a byte that `surrogateescape` could not read
BROKEN_16 = re.compile("[\ud800-\udfff\ufffd]")
SHIFTED = re.compile("[\u0a00\u0d00]")  # line ends of UTF-16 that is read from the middle of a letter
_RUN = re.compile(rb"[\x80-\xff]+")


@dataclass(frozen=True, slots=True)
class Encoding:
    """How to decode; `is_whole` is False where some bytes cannot be, so that their lines must be looked for."""

    codec: str
    errors: str = "strict"
    is_whole: bool = True
    remark: str = ""

    @property
    def broken(self) -> "re.Pattern[str]":
        return BROKEN_16 if self.codec == "utf-16" else BROKEN

    @property
    def label(self) -> str:
        return {"utf-16": "UTF-16", "cp1252": "cp1252"}.get(self.codec, "UTF-8")


class BrokenText(Exception):
    """The bytes are no text, for the reason in the message."""


def find_encoding(opened: Callable[[], AbstractContextManager[IO[bytes]]], ends: bytes) -> Encoding:
    """The old Windows encoding only if most of what is other than ASCII is not UTF-8. Raises BrokenText.

    `ends` are the bytes that end a line (in JSON, which may be one line, also an object).
    """
    with opened() as stream:
        start = stream.read(4)
    if start.startswith(UTF_16):
        with opened() as stream:
            _check_utf_16(stream)
        return Encoding("utf-16", "surrogatepass", is_whole=False)
    with opened() as stream:
        if _is_utf_8(stream):
            return Encoding("utf-8-sig")
    good = bad = 0  # lines
    good_runs = bad_runs = 0
    with opened() as stream:
        for piece in _pieces(stream, ends):
            if not piece.isascii():
                is_good = _reads_as_utf_8(piece)
                good, bad = good + is_good, bad + (not is_good)
                for run in _RUN.findall(piece):
                    reads = _reads_as_utf_8(run)
                    good_runs, bad_runs = good_runs + reads, bad_runs + (not reads)
    if bad_runs > good_runs and not start.startswith(codecs.BOM_UTF8):
        lines = f"{bad} of its {good + bad} lines with letters other than A to Z"
        remark = f"read in the old Windows encoding (cp1252): {lines} are not UTF-8"
        return Encoding("cp1252", "surrogateescape", is_whole=False, remark=remark)
    return Encoding("utf-8-sig", "surrogateescape", is_whole=False)


def _check_utf_16(stream: IO[bytes]) -> None:
    decoder = codecs.getincrementaldecoder("utf-16")("surrogatepass")
    try:
        while chunk := stream.read(CHUNK):
            if SHIFTED.search(decoder.decode(chunk)):
                raise BrokenText("a byte of its UTF-16 text is missing")
        decoder.decode(b"", final=True)
    except UnicodeError as error:
        raise BrokenText("its UTF-16 text ends within a letter") from error


def _is_utf_8(stream: IO[bytes]) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        while chunk := stream.read(CHUNK):
            decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _reads_as_utf_8(piece: bytes) -> bool:
    try:
        piece.decode()
    except UnicodeDecodeError:
        return False
    return True


def _pieces(stream: IO[bytes], ends: bytes) -> Iterator[bytes]:
    end = re.compile(b"[" + re.escape(ends) + b"]+")
    parts: list[bytes] = []
    held = 0
    while chunk := stream.read(CHUNK):
        first, *others = end.split(chunk)
        parts.append(first)
        held += len(first)
        if others:
            yield b"".join(parts)
            yield from others[:-1]
            parts = [others[-1]]
            held = len(others[-1])
        elif held > MAX_PIECE:
            yield b"".join(parts)
            parts, held = [], 0
    yield b"".join(parts)
