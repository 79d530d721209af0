"""Pictures in a bucket: pages, calls and feeds name its addresses, browsers fetch them there, and no page asks it."""

import json
import re
import subprocess
import sys

import pytest
from django.conf import settings as shop_settings
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from shop.catalog.models import Picture, VariantImage
from shop.catalog.pictures.services import add_picture, complete_renditions, picture_url, source_address
from shop.catalog.pictures.tests.test_pictures import image_bytes
from shop.catalog.services import refresh_products
from shop.http.buckets import Bucket

from .server import PUBLIC

pytestmark = pytest.mark.django_db
ADDRESS = re.compile(r"""(?:src|srcset|content|href)="(https?://[^" ]+/pictures/[^" ]+)""")


@pytest.fixture
def product(buckets, make_variant):
    variant = make_variant()
    picture = add_picture(image_bytes((800, 800), kind="PNG"), alt="Jam")
    VariantImage.objects.create(variant=variant, picture=picture, position=1)
    refresh_products([variant.product_id])
    return variant.product


@pytest.fixture
def calls(monkeypatch):
    """What the bucket is asked while the test looks."""
    import botocore.client

    asked, real = [], botocore.client.BaseClient._make_api_call

    def make(client, operation, parameters):
        asked.append(operation)
        return real(client, operation, parameters)

    monkeypatch.setattr(botocore.client.BaseClient, "_make_api_call", make)
    return asked


def test_an_upload_by_staff_is_fetched_from_the_bucket(buckets, desk, make_variant, client):
    variant = make_variant()
    file = SimpleUploadedFile("jam.png", image_bytes((800, 800), kind="PNG"), "image/png")
    answer = desk.post(reverse("admin:catalog_picture_add"), {"upload": file, "alt": "Jam"})
    picture = Picture.objects.get()
    assert answer.status_code == 302
    VariantImage.objects.create(variant=variant, picture=picture, position=1)
    refresh_products([variant.product_id])
    page = client.get("/en-in/products/ayurveda/").content.decode()
    addresses = set(ADDRESS.findall(page))
    assert addresses and all(address.startswith(f"{buckets.url}/pictures/") for address in addresses)
    for address in addresses:
        found = buckets.get(address)
        assert found.status_code == 200
        assert found.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert found.headers["Content-Type"].startswith("image/")


def test_every_address_is_the_buckets_and_has_no_host_before_it(product, buckets, client, settings):
    settings.IMAGE_HOST = "https://img.example.com"
    picture = Picture.objects.get()
    complete_renditions(picture.pk)
    picture.refresh_from_db()
    assert picture_url(picture, 320) == f"{buckets.url}/{str(picture.file).rpartition('/')[0]}/320.jpg"
    assert source_address(picture) == f"{buckets.url}/{picture.file}"
    page = client.get(f"/en-in/product/{product.slug}/").content.decode()
    call = client.post("/get-product/", {"product": product.slug}, "application/json").content.decode()
    feed = b"".join(client.get("/feeds/merchant-in.xml").streaming_content).decode()
    assert f'<link rel="preconnect" href="{buckets.url.rpartition("/")[0]}">' in page
    for said in (page, call, feed):
        assert buckets.url in said and "/media/" not in said and "img.example.com" not in said


def test_pages_ask_the_bucket_nothing(product, client, calls):
    for path in ("/", "/en-in/", "/en-in/products/ayurveda/", f"/en-in/product/{product.slug}/", "/en-in/cart/"):
        assert client.get(path).status_code == 200
    assert calls == []
    default_storage.exists("x")
    assert calls == ["HeadObject"], "the calls are counted"


def test_what_is_there_already_is_not_sent_again_and_what_was_cut_off_is(product, buckets, calls):
    picture = Picture.objects.get()
    name = f"{str(picture.file).rpartition('/')[0]}/320.webp"
    whole = default_storage.open(name).read()
    buckets.client.put_object(Bucket=PUBLIC, Key=name, Body=whole[:10])
    calls.clear()
    complete_renditions(picture.pk)
    assert default_storage.open(name).read() == whole
    before = calls.count("PutObject")
    Picture.objects.update(is_complete=False)
    complete_renditions(picture.pk)
    assert calls.count("PutObject") == before and "DeleteObject" not in calls


def test_an_address_from_before_leads_to_the_bucket(product, buckets, client):
    picture = Picture.objects.get()
    answer = client.get(f"/media/{picture.file}")
    assert (answer.status_code, answer["Location"]) == (301, f"{buckets.url}/{picture.file}")
    assert buckets.get(answer["Location"]).content == default_storage.open(str(picture.file)).read()


@pytest.mark.parametrize("path", ["../x", "a/../../x", "%00", "x" * 1900, "//evil.example/x", "\\\\evil.example"])
def test_no_address_leads_anywhere_else(buckets, client, path):
    answer = client.get(f"/media/{path}")
    assert answer.status_code == 404 or answer["Location"].startswith((f"{buckets.url}/", "/"))


def settings_of(**environment):
    """What a process with this environment has."""
    code = (
        "import django, json, sys; from django.conf import settings as s; django.setup();"
        "from django.core.files.storage import default_storage as d;"
        "print(json.dumps([s.CONTENT_SECURITY_POLICY['DIRECTIVES']['img-src'], s.STORAGES['private']['BACKEND'],"
        "d.url('a b.jpg'), sorted({'boto3', 'botocore', 'storages'} & set(sys.modules))]))"
    )
    own = {"PATH": "/usr/bin", "DJANGO_SETTINGS_MODULE": "shop.settings", "SHOP_DEMO": "1"} | environment
    done = subprocess.run(
        [sys.executable, "-c", code], env=own, capture_output=True, text=True, cwd=shop_settings.BASE_DIR
    )
    return json.loads(done.stdout) if done.returncode == 0 else done.stderr


def test_without_buckets_nothing_of_them_is_loaded(tmp_path):
    sources, backend, url, loaded = settings_of(SHOP_DATA_DIR=str(tmp_path))
    assert (sources, backend, url) == (["'self'", "data:"], "shop.http.media.AtomicFileStorage", "/media/a%20b.jpg")
    assert loaded == []


@pytest.mark.parametrize(
    ("environment", "origin", "url"),
    [
        ({"AWS_ENDPOINT_URL": "http://10.0.0.9:9000/"}, "http://10.0.0.9:9000", "http://10.0.0.9:9000/pics/a%20b.jpg"),
        (
            {"AWS_DEFAULT_REGION": "ap-south-1"},
            "https://pics.s3.ap-south-1.amazonaws.com",
            "https://pics.s3.ap-south-1.amazonaws.com/a%20b.jpg",
        ),
        ({"FILES_URL": "https://cdn.example/x/"}, "https://cdn.example", "https://cdn.example/x/a%20b.jpg"),
    ],
    ids=["endpoint", "region", "address"],
)
def test_settings_alone_name_the_buckets(tmp_path, environment, origin, url):
    own = {"SHOP_DATA_DIR": str(tmp_path), "FILES_BUCKET": "pics", "PRIVATE_FILES_BUCKET": "photos"}
    sources, backend, found, loaded = settings_of(**own, **environment)
    assert (sources, backend, found) == (["'self'", "data:", origin], "shop.http.buckets.PrivateBucket", url)
    assert "boto3" in loaded


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({"FILES_BUCKET": "one", "PRIVATE_FILES_BUCKET": "one"}, "must be another one"),
        ({"FILES_BUCKET": "one", "FILES_URL": "cdn.example"}, "FILES_URL is a whole address"),
        ({"FILES_BUCKET": "one", "FILES_URL": "cdn.example:8080"}, "FILES_URL is a whole address"),
        ({"FILES_BUCKET": "one", "AWS_ENDPOINT_URL_S3": "minio:9000"}, "AWS_ENDPOINT_URL_S3 is a whole address"),
        ({"AWS_ENDPOINT_URL": "//minio:9000"}, "AWS_ENDPOINT_URL_S3 is a whole address"),
    ],
)
def test_settings_that_cannot_be_meant_are_refused(tmp_path, environment, words):
    assert words in settings_of(SHOP_DATA_DIR=str(tmp_path), **environment)


def test_a_bucket_waits_for_a_server_only_so_long(buckets):
    config = Bucket(bucket_name="x").client_config
    assert (config.connect_timeout, config.read_timeout, config.retries["total_max_attempts"]) == (3, 10, 2)
