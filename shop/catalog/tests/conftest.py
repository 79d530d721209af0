import os
from pathlib import Path

import pytest


@pytest.fixture
def test_data():
    """The folder of real files that SHOP_TEST_DATA names."""
    named = os.environ.get("SHOP_TEST_DATA", "")
    folder = Path(named).resolve()
    if named and folder.is_dir():
        return folder
    if os.environ.get("REQUIRE_ALL") == "1":
        pytest.fail("SHOP_TEST_DATA names no folder of real files")
    return pytest.skip("SHOP_TEST_DATA names no folder of real files")
