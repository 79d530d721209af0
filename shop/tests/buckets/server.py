"""Buckets of a server that speaks S3's API, in place of the shop's folders."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
import requests
from django.apps import apps
from django.core.files.storage import storages

from shop.catalog.templatetags import pictures

PUBLIC, PRIVATE, BACKUPS = "shop-pictures", "shop-private", "shop-backups"
PRIVATE_FIELDS = [
    ("pharmacy.PrescriptionPage", "file"),
    ("reviews.ReviewPhoto", "file"),
    ("reviews.ReviewPhoto", "thumbnail"),
    ("orders.ReturnPhoto", "file"),
    ("catalog.ProductImport", "file"),
]
KEPT_IN_BOTH = pytest.mark.parametrize("kept_in", ["folder", "bucket"], indirect=True)


@dataclass
class Buckets:
    client: Any
    url: str  # of the pictures
    environment: dict[str, str]  # of another process that uses them

    def names(self, bucket: str) -> set[str]:
        return {one["Key"] for one in self.client.list_objects_v2(Bucket=bucket).get("Contents", ())}

    def get(self, address: str) -> requests.Response:
        """As a browser does, who has no keys."""
        return requests.get(address, timeout=10)

    def empty(self, *buckets: str) -> None:
        for bucket in buckets:
            for name in self.names(bucket):
                self.client.delete_object(Bucket=bucket, Key=name)


@contextmanager
def use_buckets(server: str, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Buckets]:
    import boto3  # by the tests of buckets alone

    environment = {
        "AWS_ENDPOINT_URL_S3": server,
        "AWS_ACCESS_KEY_ID": "shop",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    requests.post(f"{server}/moto-api/reset", timeout=10).raise_for_status()
    client = boto3.client("s3")
    for name in (PUBLIC, PRIVATE, BACKUPS):
        client.create_bucket(Bucket=name)
    everybody = {"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": f"arn:aws:s3:::{PUBLIC}/*"}
    client.put_bucket_policy(Bucket=PUBLIC, Policy=json.dumps({"Version": "2012-10-17", "Statement": [everybody]}))
    place_files(settings, monkeypatch, f"{server}/{PUBLIC}")
    yield Buckets(client, f"{server}/{PUBLIC}", environment | {"FILES_BUCKET": PUBLIC, "PRIVATE_FILES_BUCKET": PRIVATE})
    pictures._markup.cache_clear()
    pictures._thumbnail.cache_clear()


def place_files(settings: Any, monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    """What settings make of the environment, which this process does not read anew."""
    from shop.http.buckets import Bucket

    monkeypatch.setattr(Bucket, "retry_after", 0.0)
    settings.FILES_ORIGIN = url.rpartition("/")[0]
    settings.STORAGES = settings.STORAGES | {
        "default": {
            "BACKEND": "shop.http.buckets.PublicBucket",
            "OPTIONS": {"bucket_name": PUBLIC, "base_url": url},
        },
        "private": {"BACKEND": "shop.http.buckets.PrivateBucket", "OPTIONS": {"bucket_name": PRIVATE}},
    }
    for model, name in PRIVATE_FIELDS:  # which know their storage from when they were made
        monkeypatch.setattr(apps.get_model(model)._meta.get_field(name), "storage", storages["private"])
    pictures._markup.cache_clear()
    pictures._thumbnail.cache_clear()
