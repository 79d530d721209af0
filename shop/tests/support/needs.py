"""What a machine may lack for some tests: they are skipped with one line, with REQUIRE_ALL=1 they fail."""

import os
import shutil
from pathlib import Path
from typing import NoReturn

import psycopg
import pytest

# The shell first: it draws the same pages, and has no window to draw around them.
CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
NO_REAL_FILES = "none"
ALL_REQUIRED = os.environ.get("REQUIRE_ALL") == "1"


def lack(what: str) -> NoReturn:
    if ALL_REQUIRED:
        pytest.fail(f"{what}, and REQUIRE_ALL=1", pytrace=False)
    pytest.skip(what)


def chromium_path() -> str:
    named = os.environ.get("CHROMIUM", "")
    found = named or next((path for name in CHROMIUMS if (path := shutil.which(name))), None)
    return found or lack("No Chromium on this machine (CHROMIUM= names one)")


def named_data_folder() -> Path | None:
    """The folder of real files that SHOP_TEST_DATA names, if it names one."""
    named = os.environ.get("SHOP_TEST_DATA", "")
    return Path(named).resolve() if named and Path(named).is_dir() else None


def real_data_folder() -> Path:
    """The same for a test that cannot run without it.

    The files are not part of the project: where they cannot be had, SHOP_TEST_DATA=none skips the tests that read
    them, also with REQUIRE_ALL=1.
    """
    if os.environ.get("SHOP_TEST_DATA") == NO_REAL_FILES:
        pytest.skip("SHOP_TEST_DATA=none")
    return named_data_folder() or lack("SHOP_TEST_DATA names no folder of real files")


def redis_url() -> str:
    return os.environ.get("TEST_REDIS_URL") or lack("TEST_REDIS_URL names no Redis")


def require_database() -> None:
    """End a run on a PostgreSQL that does not answer, before its first test."""
    url = os.environ.get("DATABASE_URL", "")
    if not url.startswith("postgres"):
        return
    try:
        psycopg.connect(url, connect_timeout=3).close()
    except psycopg.OperationalError:
        said = "PostgreSQL does not answer at TEST_POSTGRES_URL"
        pytest.exit(f"{said}, and REQUIRE_ALL=1" if ALL_REQUIRED else f"{said}: skipped", 1 if ALL_REQUIRED else 0)
