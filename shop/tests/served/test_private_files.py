"""What the shop keeps is readable for its own user alone, whatever umask it was started with."""

import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from shop.ops.supervisor import manage_command

from ..conftest import environment_of

# As a command, a task or a request of the shop does.
WRITES = """
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import storages
for name in ("default", "private"): storages[name].save("a/b/photo.jpg", ContentFile(b"x"))
settings.MAIL_DIR.mkdir()
(settings.MAIL_DIR / "letter.eml").write_text("Dear Asha")
"""


def start(data: Path, *words: str, code: str = "") -> None:
    environment = environment_of(data, 0) | {"DATABASE_URL": f"sqlite:///{data / 'shop.sqlite3'}"}
    del environment["SECRET_KEY"]  # so that it writes its own
    command = [sys.executable, "-c", code] if code else manage_command(*words)
    done = subprocess.run(
        command, env=environment, cwd=settings.BASE_DIR, umask=0, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def open_to_others(data: Path) -> set[str]:
    places = [data, *data.rglob("*")]
    return {str(place.relative_to(data)) for place in places if place.stat().st_mode & 0o077}


@pytest.mark.parametrize("name", ["a new folder", "an empty folder"])
def test_what_a_command_writes_is_private(db, tmp_path, name):
    data = tmp_path / "data"
    if name == "an empty folder":
        data.mkdir(mode=0o755)
    start(data, "shell", "-c", WRITES)
    start(data, "showmigrations", "markets")  # makes the database
    assert {file.name for file in data.rglob("*")} >= {"photo.jpg", "letter.eml", "shop.sqlite3", "secret_key"}
    assert open_to_others(data) == set()


def test_what_a_web_process_writes_is_private(db, tmp_path):
    """It loads shop.wsgi, and no command."""
    data = tmp_path / "data"
    loads = "import django, os; os.environ['DJANGO_SETTINGS_MODULE'] = 'shop.settings'; django.setup()\n"
    start(data, code=loads + WRITES)
    assert open_to_others(data) == set()


def test_what_an_earlier_release_left_open_is_closed_at_the_next_start(db, tmp_path):
    data = tmp_path / "data"
    (data / "private" / "returns").mkdir(parents=True)
    (data / "private" / "returns" / "photo.jpg").write_bytes(b"x")
    (data / "elsewhere").symlink_to(tmp_path / "outside")
    (tmp_path / "outside").write_text("not the shop's")
    for place in (data, *(data / "private").rglob("*"), data / "private", tmp_path / "outside"):
        place.chmod(0o755)
    start(data, "showmigrations", "markets")
    (data / "elsewhere").unlink()
    assert open_to_others(data) == set()
    assert (tmp_path / "outside").stat().st_mode & 0o777 == 0o755


def test_without_the_umask_files_are_open_to_others(tmp_path):
    code = f"from pathlib import Path; Path({str(tmp_path / 'file')!r}).write_text('x')"
    subprocess.run([sys.executable, "-c", code], umask=0, check=True)
    assert open_to_others(tmp_path) >= {"file"}


def test_the_unit_of_the_readme_starts_the_shop_with_it():
    unit = (
        (settings.BASE_DIR / "docs" / "operations.md").read_text().partition("[Service]")[2].partition("[Install]")[0]
    )
    assert "UMask=0077" in unit.splitlines()
