"""Files in buckets of a server that speaks S3's API, in place of folders (FILES_BUCKET, PRIVATE_FILES_BUCKET).

Pages hold addresses and ask a bucket nothing. What does ask waits for a server that is away only so long, holds few of
a process's places meanwhile, and then leaves it alone for a while.
"""

import logging
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from functools import cached_property
from tempfile import SpooledTemporaryFile
from threading import BoundedSemaphore
from typing import Any
from urllib.parse import urlsplit

import boto3
from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.core.files.base import File
from storages.backends.s3 import S3Storage
from storages.utils import clean_name

from shop.errors import FilesUnavailable

logger = logging.getLogger(__name__)
CONNECT_SECONDS, READ_SECONDS, TRIES = 3, 10, 2
FILE_SECONDS = 60.0  # for all of one file
BACKOFF_SECONDS = 10.0  # after a failure in which a server that is away is not asked
MAX_WAITING = 2  # of the few places of a web process (shop/ops/request_buffering.py), so that pages have the others
SLOT_WAIT_SECONDS = 1.0  # that somebody waits for one of them
IN_MEMORY = 1024 * 1024  # of a file that is read; a larger one waits on disk
YEAR_SECONDS = 365 * 24 * 3600
SIGNED_SECONDS = 60
PROBE_SECONDS = 30.0
LARGE, PIECE = 8 * 1024 * 1024, 16 * 1024  # bytes
_slots = BoundedSemaphore(MAX_WAITING)
_slots_of_large = BoundedSemaphore(MAX_WAITING - 1)  # so that the others need not wait for a large file


def client_config(**changes: Any) -> Config:
    """Bounded waits, and checksums only where S3 itself asks for them: other servers do not know the newer ones."""
    return Config(
        **{
            "connect_timeout": CONNECT_SECONDS,
            "read_timeout": READ_SECONDS,
            "retries": {"total_max_attempts": TRIES, "mode": "standard"},
            "signature_version": "s3v4",
            "request_checksum_calculation": "when_required",
            "response_checksum_validation": "when_required",
        }
        | changes
    )


class _InTime(File):  # type: ignore[type-arg]
    """A file that is read for FILE_SECONDS at most."""

    def __init__(self, content: "File[Any]") -> None:
        super().__init__(content, content.name)
        self._content = content
        self._end = time.monotonic() + FILE_SECONDS

    def read(self, *given: int) -> Any:
        _refuse_after(self._end)
        return self._content.read(*given)


def _refuse_after(end: float) -> None:
    """No reason to leave the server alone: others may be quicker."""
    if time.monotonic() > end:
        logger.error("the server of the buckets took over %s seconds for a file", FILE_SECONDS)
        raise FilesUnavailable()


class Bucket(S3Storage):  # type: ignore[misc]
    """Raises FileNotFoundError for a file that is not there, else FilesUnavailable. A file is there whole or not at
    all: S3 gives an object its name when all of it has come."""

    retry_after = 0.0  # of this process, for all buckets

    def __init__(self, **options: Any) -> None:
        super().__init__(
            **{
                "client_config": client_config(),
                "transfer_config": TransferConfig(use_threads=False),
            }
            | options
        )
        self._asked_again_at = 0.0
        self._trouble = ""

    def trouble(self) -> str:
        """What is wrong with the bucket, in words, asked at most twice a minute; empty where nothing is."""
        if time.monotonic() >= self._asked_again_at:
            self._asked_again_at = time.monotonic() + PROBE_SECONDS
            try:
                self._prober.head_bucket(Bucket=self.bucket_name)
                self._trouble = ""
            except (ClientError, BotoCoreError) as error:
                self._trouble = f"The bucket {self.bucket_name} cannot be reached ({type(error).__name__})."
        return self._trouble

    @cached_property
    def _prober(self) -> Any:
        config = client_config(connect_timeout=1, read_timeout=2, retries={"total_max_attempts": 1})
        return boto3.client("s3", config=config)

    def exists(self, name: str) -> bool:
        with _asked():
            return bool(super().exists(name))

    def size(self, name: str) -> int:
        with _asked():
            return int(super().size(name))

    def delete(self, name: str) -> None:
        try:
            with _asked():
                super().delete(name)
        except FilesUnavailable:
            logger.error("%s was not deleted from the bucket %s", name, self.bucket_name)
            raise

    def _open(self, name: str, mode: str = "rb") -> "File[Any]":
        """Read to the end at once, by one request: what fails does so before an answer has begun."""
        if mode != "rb":
            raise ValueError("A file of a bucket is opened to be read, as bytes.")
        end = time.monotonic() + FILE_SECONDS
        with _asked():
            answer = self._object(name)
            file = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 (who opened it closes it)
            with closing(answer["Body"]) as body, _slot_of_large(answer["ContentLength"]):
                for piece in body.iter_chunks(PIECE):
                    _refuse_after(end)
                    file.write(piece)
        file.seek(0)
        return File(file, name)

    def _object(self, name: str) -> dict[str, Any]:
        try:
            answer: dict[str, Any] = self.connection.meta.client.get_object(
                Bucket=self.bucket_name, Key=self._normalize_name(clean_name(name))
            )
        except ClientError as error:
            if error.response["ResponseMetadata"]["HTTPStatusCode"] == 404:
                raise FileNotFoundError(name) from error
            raise
        return answer

    def _save(self, name: str, content: "File[Any]") -> str:
        with _slot_of_large(content.size), _asked():
            return str(super()._save(name, _InTime(content)))


class PublicBucket(Bucket):
    """Files that everybody reads at `base_url`, by names that hold the hash of their content."""

    def __init__(self, *, base_url: str, **options: Any) -> None:
        address = urlsplit(base_url)
        super().__init__(
            **{
                "custom_domain": f"{address.netloc}{address.path}".rstrip("/"),
                "url_protocol": f"{address.scheme}:",
                "querystring_auth": False,
                "object_parameters": {"CacheControl": f"public, max-age={YEAR_SECONDS}, immutable"},
            }
            | options
        )


class PrivateBucket(Bucket):
    """Files that the shop's own views hand out; an address that is signed for one ends within a minute."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            **{
                "file_overwrite": False,
                "querystring_expire": SIGNED_SECONDS,
                "object_parameters": {"CacheControl": "private, no-store"},
            }
            | options
        )


@contextmanager
def _asked() -> Iterator[None]:
    _refuse_while_it_rests()
    with _slot(_slots):
        _refuse_while_it_rests()  # since whoever had the turn failed
        try:
            yield
        except ClientError as error:
            status = error.response["ResponseMetadata"]["HTTPStatusCode"]
            _back_off(error, seconds=BACKOFF_SECONDS if status >= 500 else 0)
            raise FilesUnavailable() from error
        except BotoCoreError as error:
            _back_off(error, seconds=BACKOFF_SECONDS)
            raise FilesUnavailable() from error


def _refuse_while_it_rests() -> None:
    if time.monotonic() < Bucket.retry_after:
        raise FilesUnavailable()


@contextmanager
def _slot(slots: BoundedSemaphore) -> Iterator[None]:
    if not slots.acquire(timeout=SLOT_WAIT_SECONDS):
        raise FilesUnavailable()
    try:
        yield
    finally:
        slots.release()


def _slot_of_large(size: int) -> AbstractContextManager[None]:
    return _slot(_slots_of_large) if size > LARGE else nullcontext()


def _back_off(error: Exception, *, seconds: float) -> None:
    logger.error("the server of the buckets failed: %s", error)
    Bucket.retry_after = max(Bucket.retry_after, time.monotonic() + seconds)
