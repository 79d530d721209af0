"""Copies are complete, cost what is new, and are refused where they are not what they say."""

import json
import shutil
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from shop.limits.models import Counter

from .. import backup
from ..backup import copies_in, keep_copy, make_copy, read_copy, restore_copy
from ..copies import folders as folder_copies
from ..database import copies
from ..database.copies import CopyFailed, count_rows, is_database_empty

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


@pytest.fixture(autouse=True)
def own_database(transactional_db, tmp_path):
    """SQLite's file for one test: what earlier tests left open of the common one would pass for a running shop."""
    if connection.vendor != "sqlite":
        yield
        return
    common, own = connection.settings_dict["NAME"], str(tmp_path / "own.sqlite3")
    with closing(sqlite3.connect(common)) as source, closing(sqlite3.connect(own)) as target:
        source.backup(target)
    connection.close()
    connection.settings_dict["NAME"] = own  # that of every thread
    yield
    connection.close()
    connection.settings_dict["NAME"] = common


@pytest.fixture
def files(settings, tmp_path):
    """Where the shop's files are, with a picture and a photo."""
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.STORAGES = settings.STORAGES | {
        "private": settings.STORAGES["private"] | {"OPTIONS": {"location": tmp_path / "private", "base_url": None}}
    }
    for name in ("media/pictures/ab/320.webp", "private/returns/one.jpg"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_bytes(name.encode())
    return tmp_path


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "copies"


def test_a_copy_is_sound_and_says_what_is_in_it(files, folder, make_variant):
    make_variant()
    copy = make_copy(folder, keep=3)
    manifest = json.loads((copy / "manifest.json").read_text())
    assert manifest["database"]["rows"] == count_rows()
    assert manifest["database"]["rows"]["catalog_variant"] == 1
    assert (manifest["files"]["media"]["count"], manifest["files"]["private"]["count"]) == (1, 1)
    assert "payments.0001_initial" in manifest["migrations"]
    assert (copy / "private/returns/one.jpg").read_bytes() == b"private/returns/one.jpg"
    assert (folder.stat().st_mode & 0o077, copy.stat().st_mode & 0o077) == (0, 0)  # it holds customers' data
    assert read_copy(folder) == (copy, manifest)


def test_so_many_copies_are_kept_and_files_are_shared_among_them(files, folder):
    made = [make_copy(folder, keep=2) for _ in range(3)]
    (files / "media/pictures/ab/320.webp").write_bytes(b"another picture")
    made.append(make_copy(folder, keep=2))
    assert copies_in(folder) == made[:1:-1]
    assert sorted(path.name for path in folder.iterdir()) == sorted(copy.name for copy in made[2:])
    photos = [copy / "private/returns/one.jpg" for copy in made[2:]]
    assert photos[0].stat().st_ino == photos[1].stat().st_ino
    assert photos[0].stat().st_ino != (files / "private/returns/one.jpg").stat().st_ino
    pictures = [(copy / "media/pictures/ab/320.webp").read_bytes() for copy in made[2:]]
    assert pictures == [b"media/pictures/ab/320.webp", b"another picture"]


def test_what_others_keep_in_the_folder_stays(files, folder, monkeypatch):
    monkeypatch.setattr(folder_copies, "STALE", -10)
    for name in ("photos", "site.arriving", "2020-01-01T00-00-00.000000Z.arriving"):
        (folder / name).mkdir(parents=True)
        (folder / name / "manifest.json").write_text("{}")
    made = [make_copy(folder, keep=1) for _ in range(2)]
    assert copies_in(folder) == made[1:]
    assert {path.name for path in folder.iterdir()} == {"photos", "site.arriving", made[1].name}


def test_a_copy_shows_one_moment_while_others_write(files, folder):
    """Rows are written in pairs; no copy holds half a pair."""
    stop_requested, failures = threading.Event(), []

    def write():
        from django.db import transaction
        from django.utils import timezone

        number = 0
        try:
            while not stop_requested.is_set():
                with transaction.atomic():
                    for half in "ab":
                        Counter.objects.create(key=f"{number}{half}", count=1, expires_at=timezone.now())
                number += 1
        except Exception as error:
            failures.append(error)
        finally:
            connection.close()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        copies = [make_copy(folder, keep=9) for _ in range(3)]
    finally:
        stop_requested.set()
        writer.join()
    assert failures == []
    counts = [read_copy(copy)[1]["database"]["rows"]["limits_counter"] for copy in copies]
    assert all(count % 2 == 0 for count in counts) and counts == sorted(counts) and counts[-1] > 0


def test_nothing_is_left_of_a_copy_that_fails(files, folder, monkeypatch):
    def fail(*given):
        raise CopyFailed("The disk is full.")

    monkeypatch.setattr(backup, "copy_database", fail)
    with pytest.raises(CommandError, match=r"No backup was made\. The disk is full\."):
        call_command("backup", str(folder))
    assert list(folder.iterdir()) == []


def test_the_clock_makes_copies_where_a_folder_is_named(files, folder, settings):
    settings.BACKUP_DIR, settings.BACKUP_KEEP = str(folder), 1
    keep_copy()
    keep_copy()
    assert len(copies_in(folder)) == 1


@pytest.mark.parametrize("words", [[], ["--keep", "0", "somewhere"]])
def test_what_backup_cannot_do_it_says(words):
    with pytest.raises(CommandError, match=r"Name a folder|takes a number of 1 or more"):
        call_command("backup", *words)


def cut_a_file(copy):
    (copy / "media/pictures/ab/320.webp").write_bytes(b"")


def lose_a_file(copy):
    (copy / "private/returns/one.jpg").unlink()


def spoil_the_manifest(copy):
    (copy / "manifest.json").write_text("{")


def say_it_is_newer(copy):
    manifest = json.loads((copy / "manifest.json").read_text())
    manifest["migrations"].append("orders.9999_next_year")
    (copy / "manifest.json").write_text(json.dumps(manifest))


def spoil_the_database(copy):
    file = next(copy.glob("shop.*"))
    file.write_bytes(file.read_bytes()[:-1] + b"?")


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (cut_a_file, "files are missing or cut off"),
        (lose_a_file, "files are missing or cut off"),
        (spoil_the_manifest, "cannot be read"),
        (say_it_is_newer, "orders.9999_next_year"),
        (spoil_the_database, "damaged"),
        (shutil.rmtree, "There is no backup"),
    ],
)
def test_a_copy_that_is_not_what_it_says_is_refused_and_nothing_changes(files, folder, harm, words):
    harm(make_copy(folder, keep=1))
    rows = count_rows()
    with pytest.raises(CommandError, match=words):
        call_command("restore", str(folder), "--force")
    assert count_rows() == rows


def test_a_shop_that_is_there_is_not_replaced_by_accident(files, folder):
    make_copy(folder, keep=1)
    with pytest.raises(CommandError, match="Use --force"):
        call_command("restore", str(folder))


def test_a_shop_that_runs_is_not_replaced(files, folder):
    """Another process has the database open."""
    make_copy(folder, keep=1)
    rows, opened, done = count_rows(), threading.Event(), threading.Event()

    def keep_open():
        connection.ensure_connection()
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        opened.set()
        done.wait(60)
        connection.close()

    other = threading.Thread(target=keep_open)
    other.start()
    try:
        opened.wait(60)
        with pytest.raises(CommandError, match="stop it first"):
            call_command("restore", str(folder), "--force")
    finally:
        done.set()
        other.join()
    assert count_rows() == rows


def test_the_shop_becomes_what_the_copy_is(files, folder, make_variant, capsys):
    variant = make_variant(units=7)
    make_copy(folder, keep=1)
    type(variant).objects.filter(pk=variant.pk).update(on_hand=1, received=1)
    shutil.rmtree(files / "private")
    connection.close()
    call_command("restore", str(folder), "--force", "--reconcile")
    variant.refresh_from_db()
    assert variant.on_hand == 7
    assert (files / "private/returns/one.jpg").exists()
    said = capsys.readouterr().out
    assert "Restored" in said and "captured payments have a paid order or a refund: ok" in said
    connection.close()
    call_command("restore", str(folder), "--force")  # twice is the same
    assert "reconcile_payments --all" in capsys.readouterr().out


def test_a_copy_of_another_kind_of_database_is_refused(files, folder):
    copy = make_copy(folder, keep=1)
    manifest = read_copy(copy)[1]
    manifest["database"]["vendor"] = "oracle"
    with pytest.raises(CopyFailed, match="The backup is from oracle"):
        restore_copy(copy, manifest)


def test_a_file_that_is_no_database_is_not_taken_for_an_empty_one(settings, tmp_path, monkeypatch):
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL has no such file")
    broken = tmp_path / "broken.sqlite3"
    broken.write_bytes(b"no database at all" * 100)
    connection.close()
    monkeypatch.setitem(connection.settings_dict, "NAME", str(broken))
    assert not is_database_empty()
    copies._refuse_open_sqlite(broken)
    broken.unlink()
    assert is_database_empty()
    with pytest.raises(sqlite3.OperationalError):
        sqlite3.connect(f"file:{broken}?mode=ro", uri=True)


def test_a_tool_that_is_missing_is_named(monkeypatch):
    monkeypatch.setattr(copies.shutil, "which", lambda name: None)
    monkeypatch.setattr(Path, "glob", lambda self, pattern: iter(()))
    with pytest.raises(CopyFailed, match="apt install postgresql-client"):
        copies.postgres_tool("pg_dump")
