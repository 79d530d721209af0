"""Copies between folders and buckets are complete, cost what is new, and are refused where they are damaged."""

import gzip
import json
import time

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.core.management import CommandError, call_command
from django.db import connection

from shop.tests.buckets.server import BACKUPS, PRIVATE, PUBLIC

from .. import backup
from ..backup import copies_in, is_empty, make_copy, read_copy
from ..copies import buckets as bucket_copies
from ..copies import places
from ..database.copies import CopyFailed
from .test_backups import files, own_database  # noqa: F401 (fixtures)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]
ADDRESS = f"s3://{BACKUPS}/of/the/shop"
PICTURE, PHOTO = "pictures/ab/320.webp", "returns/one.jpg"


@pytest.fixture
def shop_files(request, settings):
    """The shop's files, with a picture and a photo: in folders, or in buckets."""
    if request.param == "bucket":
        buckets = request.getfixturevalue("buckets")
        storages["default"].save(PICTURE, ContentFile(b"a picture"))
        storages["private"].save(PHOTO, ContentFile(b"a photo"))
        return lambda: buckets.empty(PUBLIC, PRIVATE)
    in_folders = settings.STORAGES
    request.getfixturevalue("buckets")
    settings.STORAGES = in_folders
    folder = request.getfixturevalue("files")

    def lose():
        for name in (f"media/{PICTURE}", f"private/{PHOTO}"):
            (folder / name).unlink()

    return lose


def contents():
    found = []
    for alias, name in (("default", PICTURE), ("private", PHOTO)):
        with storages[alias].open(name) as file:
            found.append(file.read())
    return found


@pytest.mark.parametrize("place", ["folder", "bucket"])
@pytest.mark.parametrize("shop_files", ["folder", "bucket"], indirect=True)
def test_an_empty_shop_becomes_what_the_copy_is(shop_files, place, tmp_path, make_variant, capsys):
    address = ADDRESS if place == "bucket" else str(tmp_path / "copies")
    variant = make_variant(units=7)
    before = contents()
    call_command("backup", address)
    assert "1 copies are kept" in capsys.readouterr().out
    shop_files()
    type(variant).objects.filter(pk=variant.pk).update(on_hand=1, received=1)
    connection.close()
    call_command("restore", address, "--force")
    variant.refresh_from_db()
    assert variant.on_hand == 7 and contents() == before
    assert "2 files" in capsys.readouterr().out
    assert not is_empty()


@pytest.mark.parametrize("shop_files", ["folder", "bucket"], indirect=True)
def test_a_copy_costs_what_is_new_and_what_no_copy_lists_goes(shop_files, buckets, monkeypatch):
    made = [make_copy(ADDRESS, keep=2)]
    pool = {name for name in buckets.names(BACKUPS) if "/files/" in name}
    written = {name: buckets.client.head_object(Bucket=BACKUPS, Key=name)["LastModified"] for name in pool}
    time.sleep(1.1)
    made += [make_copy(ADDRESS, keep=2) for _ in range(2)]
    assert copies_in(ADDRESS) == made[:0:-1]
    assert {name for name in buckets.names(BACKUPS) if "/files/" in name} == pool and len(pool) == 2
    assert written == {name: buckets.client.head_object(Bucket=BACKUPS, Key=name)["LastModified"] for name in pool}
    shop_files()
    make_copy(ADDRESS, keep=1)
    assert {name for name in buckets.names(BACKUPS) if "/files/" in name} == pool, "younger than a day"
    monkeypatch.setattr(bucket_copies, "STALE", -10)
    make_copy(ADDRESS, keep=1)
    assert not {name for name in buckets.names(BACKUPS) if "/files/" in name}
    assert read_copy(ADDRESS)[1]["files"]["media"]["count"] == 0


@pytest.mark.parametrize("shop_files", ["bucket"], indirect=True)
def test_what_others_keep_in_the_bucket_stays(shop_files, buckets, monkeypatch):
    monkeypatch.setattr(bucket_copies, "STALE", -10)
    foreign = {"of/the/shop/photos/x.jpg", "of/the/shop/site/manifest.json", "of/the/shop/files/media/notes.txt"}
    unfinished = "of/the/shop/2020-01-01T00-00-00.000000Z/shop.sqlite3"
    for name in (*foreign, unfinished):
        buckets.client.put_object(Bucket=BACKUPS, Key=name, Body=b"x")
    made = [make_copy(ADDRESS, keep=1) for _ in range(2)]
    assert copies_in(ADDRESS) == made[1:]
    assert foreign <= buckets.names(BACKUPS) and unfinished not in buckets.names(BACKUPS)


@pytest.mark.parametrize("shop_files", ["bucket"], indirect=True)
def test_an_object_that_stands_for_a_folder_is_no_file(shop_files, buckets, tmp_path):
    buckets.client.put_object(Bucket=PUBLIC, Key="pictures/", Body=b"")
    for address in (ADDRESS, tmp_path / "copies"):
        assert read_copy(make_copy(address, keep=1))[1]["files"]["media"]["count"] == 1


@pytest.mark.parametrize("name", ["{folder}/x", "../../x", "a/../../x"])
@pytest.mark.parametrize("shop_files", ["bucket"], indirect=True)
def test_a_name_that_leads_out_of_the_folder_is_refused(shop_files, buckets, name, tmp_path):
    buckets.client.put_object(Bucket=PRIVATE, Key=name.format(folder=tmp_path), Body=b"x")
    for address in (ADDRESS, tmp_path / "home" / "copies"):
        with pytest.raises(CopyFailed, match="leads out of the folder"):
            make_copy(address, keep=1)
    assert not any(path.name == "x" for path in tmp_path.rglob("*"))


def list_what_leads_out(buckets):
    write_list(buckets, gzip.compress(b'[["../../x", 1, 1, "../../x/1-1"]]'))


def write_list(buckets, content):
    name = next(name for name in buckets.names(BACKUPS) if name.endswith("private.json.gz"))
    whole = buckets.client.get_object(Bucket=BACKUPS, Key=name)["Body"].read()
    buckets.client.put_object(Bucket=BACKUPS, Key=name, Body=content or whole[:-9])


def lose_a_content(buckets):
    name = next(name for name in buckets.names(BACKUPS) if "/files/private/" in name)
    buckets.client.delete_object(Bucket=BACKUPS, Key=name)


def cut_a_content(buckets):
    name = next(name for name in buckets.names(BACKUPS) if "/files/media/" in name)
    buckets.client.put_object(Bucket=BACKUPS, Key=name, Body=b"")


def spoil_the_database(buckets):
    name = next(name for name in buckets.names(BACKUPS) if "/shop." in name)
    buckets.client.put_object(Bucket=BACKUPS, Key=name, Body=b"?")


def lose_the_manifest(buckets):
    name = next(name for name in buckets.names(BACKUPS) if name.endswith("manifest.json"))
    buckets.client.delete_object(Bucket=BACKUPS, Key=name)


@pytest.mark.parametrize("shop_files", ["bucket"], indirect=True)
@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (lose_a_content, "files are missing or cut off"),
        (cut_a_content, "files are missing or cut off"),
        (spoil_the_database, "damaged"),
        (lose_the_manifest, "There is no backup"),
        (list_what_leads_out, "leads out of the folder"),
        (lambda buckets: write_list(buckets, b""), "missing or damaged"),
        (lambda buckets: write_list(buckets, b"?"), "missing or damaged"),
        (lambda buckets: write_list(buckets, gzip.compress(b"[")), "missing or damaged"),
        (lambda buckets: write_list(buckets, gzip.compress(b"[1]")), "missing or damaged"),
        (lambda buckets: write_list(buckets, gzip.compress(b'[["x", "1", 1, "x"]]')), "missing or damaged"),
    ],
)
def test_a_copy_that_is_not_what_it_says_is_refused(shop_files, buckets, harm, words):
    make_copy(ADDRESS, keep=1)
    harm(buckets)
    with pytest.raises(CommandError, match=words):
        call_command("restore", ADDRESS, "--force")


@pytest.mark.parametrize("shop_files", ["bucket"], indirect=True)
def test_nothing_is_left_of_a_copy_that_fails(shop_files, buckets, monkeypatch):
    def fail(copy, manifest):
        copy._place.client.get_object(Bucket="no-such-bucket", Key="x")

    monkeypatch.setattr(bucket_copies.BucketCopy, "finish", fail)
    with pytest.raises(CommandError, match=r"No backup was made\. The bucket could not be used.*NoSuchBucket"):
        call_command("backup", ADDRESS)
    assert {name for name in buckets.names(BACKUPS) if "/files/" not in name} == set()
    assert copies_in(ADDRESS) == []


@pytest.mark.parametrize("shop_files", ["bucket"], indirect=True)
def test_what_could_not_be_tidied_up_hides_nothing(shop_files, buckets, monkeypatch):
    """Neither that a copy was made, nor why none was made."""

    def fail(*given, **named):
        raise CopyFailed("It is away.")

    monkeypatch.setattr(bucket_copies.BucketStore, "delete_old", fail)
    with pytest.raises(CommandError, match=r"was made, but older ones were not all removed\. It is away"):
        call_command("backup", ADDRESS)
    assert len(copies_in(ADDRESS)) == 1
    monkeypatch.setattr(bucket_copies.BucketCopy, "remove", fail)
    monkeypatch.setattr(bucket_copies.BucketCopy, "finish", lambda copy, manifest: {}["the first error"])
    with pytest.raises(KeyError, match="the first error"):
        make_copy(ADDRESS, keep=1)


@pytest.mark.parametrize("shop_files", ["folder", "bucket"], indirect=True)
@pytest.mark.parametrize("place", ["folder", "bucket"])
def test_a_file_that_a_copy_lost_meanwhile_is_missed(shop_files, place, tmp_path, monkeypatch):
    address = ADDRESS if place == "bucket" else tmp_path / "copies"
    copy = backup._store_at(make_copy(address, keep=1)).find()
    shop_files()
    monkeypatch.setattr(places.Folder, "download", lambda *given: False)
    monkeypatch.setattr(places.Folder, "bring", lambda *given: False)
    monkeypatch.setattr(bucket_copies.Bucket, "bring", lambda *given: False)
    with pytest.raises(CopyFailed, match=r"one\.jpg is missing in the backup"):
        copy.restore_files("private", backup._files_of("private"))


def test_of_many_files_a_piece_waits_at_most(monkeypatch):
    monkeypatch.setattr(places, "PIECE", 10)
    taken, most = [], []
    rows = (taken.append(number) or number for number in range(95))
    answers = places.at_once(lambda number: number * 2, rows)
    done = [most.append(len(taken) - place) or answer for place, answer in enumerate(answers)]
    assert done == [number * 2 for number in range(95)] and max(most) <= 10


@pytest.mark.parametrize("shop_files", ["bucket"], indirect=True)
def test_one_copy_is_named_by_its_own_address(shop_files):
    first, second = make_copy(ADDRESS, keep=2), make_copy(ADDRESS, keep=2)
    assert read_copy(first)[0] == first and read_copy(ADDRESS)[0] == second
    assert json.dumps(read_copy(first)[1])


@pytest.mark.parametrize("bucket", [PUBLIC, PRIVATE])
@pytest.mark.parametrize("shop_files", ["bucket"], indirect=True)
def test_copies_with_customers_data_are_not_put_beside_the_shops_own_files(shop_files, bucket):
    with pytest.raises(CommandError, match="name another one"):
        call_command("backup", f"s3://{bucket}/copies")
    with pytest.raises(CommandError, match="names no bucket"):
        call_command("backup", "s3://")


def test_without_a_server_the_command_says_so(buckets, monkeypatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:1")
    quick = bucket_copies.client_config(connect_timeout=1, retries={"total_max_attempts": 1})
    monkeypatch.setattr(bucket_copies, "client_config", lambda **changes: quick)
    with pytest.raises(CommandError, match=r"No backup was made\. The bucket could not be used"):
        call_command("backup", ADDRESS)
