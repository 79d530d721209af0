"""Long answers: few are written at once, and one that is kept is written once, by whichever process comes first."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock

import pytest
from django.conf import settings

from shop.errors import Busy
from shop.http import files
from shop.http.files import file_answer, kept_file

from .kept_files import being_made

AT_ONCE = 4
NAME = "list.txt"


class Writing:
    """A write that waits, and tells how many wait with it."""

    def __init__(self, number=1):
        self.begun, self.may_end, self.number = Event(), Event(), number
        self.times, self.lock = 0, Lock()

    def __call__(self, file):
        file.write(b"new")
        with self.lock:
            self.times += 1
            if self.times == self.number:
                self.begun.set()
        assert self.may_end.wait(20)
        file.write(b"er")


def kept(write=lambda file: file.write(b"new"), seconds=3600.0):
    file = kept_file(NAME, write, seconds=seconds)
    if file is None:
        return None
    with file:
        return file.read()


@pytest.fixture
def pool():
    with ThreadPoolExecutor(AT_ONCE) as pool:
        yield pool


def test_a_kept_file_is_made_once_and_the_others_do_not_wait(pool):
    writing = Writing()
    first = pool.submit(kept, writing)
    assert writing.begun.wait(20)
    others = [pool.submit(kept, writing) for _ in range(AT_ONCE - 1)]
    assert [other.result(20) for other in others] == [None] * len(others)
    writing.may_end.set()
    assert first.result(20) == kept(writing) == b"newer"
    assert writing.times == 1


def test_without_the_lock_each_makes_it(pool, monkeypatch):
    monkeypatch.setattr(files.fcntl, "flock", lambda *_: None)
    writing = Writing(AT_ONCE)
    asked = [pool.submit(kept, writing) for _ in range(AT_ONCE)]
    assert writing.begun.wait(20)  # all of them write
    writing.may_end.set()
    for one in asked:
        one.exception(20)


def test_an_old_file_is_answered_while_a_new_one_is_made(pool):
    assert kept(lambda file: file.write(b"old")) == b"old"
    writing = Writing()
    first = pool.submit(kept, writing, 0)
    assert writing.begun.wait(20)
    assert pool.submit(kept, writing, 0).result(20) == b"old"
    writing.may_end.set()
    assert first.result(20) == b"newer"


def test_a_file_that_cannot_be_written_leaves_the_old_one():
    kept(lambda file: file.write(b"old"))

    def fail(file):
        file.write(b"half")
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        kept(fail, 0)
    assert kept() == b"old"
    assert {file.name for file in (settings.DATA_DIR / "kept").iterdir()} == {NAME, ".lock"}


def test_another_process_has_its_file_taken_and_its_turn_respected():
    code = f"""if True:
        import django
        django.setup()
        from shop.http.files import kept_file
        file = kept_file({NAME!r}, lambda file: file.write(b"of another"), seconds=3600)
        print(file and file.read())
    """
    own = {"SHOP_DATA_DIR": str(settings.DATA_DIR), "DJANGO_SETTINGS_MODULE": "shop.settings", "SHOP_DEMO": "1"}

    def of_another():
        done = subprocess.run([sys.executable, "-c", code], env=os.environ | own, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    with being_made():
        assert of_another() == "None"
    assert of_another() == "b'of another'"
    assert kept() == b"of another"


def written(write):
    return b"".join(file_answer(write, content_type="text/plain").streaming_content)


def test_few_tables_are_written_at_once(pool, monkeypatch):
    monkeypatch.setattr(files, "SLOT_WAIT_SECONDS", 0.1)
    writing = Writing(files.MAX_WRITING)
    first = [pool.submit(written, writing) for _ in range(files.MAX_WRITING)]
    assert writing.begun.wait(20)
    with pytest.raises(Busy, match="Other exports are running"):
        pool.submit(written, writing).result(20)
    writing.may_end.set()
    assert [one.result(20) for one in first] == [b"newer"] * files.MAX_WRITING
    assert written(writing) == b"newer"


def test_failed_export_releases_its_slot(monkeypatch):
    monkeypatch.setattr(files, "SLOT_WAIT_SECONDS", 0.1)
    for _ in range(files.MAX_WRITING + 1):
        with pytest.raises(ZeroDivisionError):
            written(lambda file: 1 / 0)
