"""What files that start the shop may name: its variables and its commands."""

import re
from collections.abc import Sequence

from django.conf import settings
from django.core.management import load_command_class

BASE = settings.BASE_DIR


def known_variables() -> set[str]:
    """Those of the handbook's table, which has every one that the settings read (test_source_rules.py)."""
    rows = re.findall(r"^\| (`.*?) \|", (BASE / "docs" / "configuration.md").read_text(), re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`([A-Z][A-Z0-9_]+)`", row)}


def assert_command_of_the_shop(words: Sequence[str]) -> None:
    """`python manage.py …` with a command of the shop, or migrate, and options that it takes."""
    commands = {path.stem for path in (BASE / "shop" / "ops" / "management" / "commands").glob("*.py")}
    assert [*words[:2]] == ["python", "manage.py"] and words[2] in {*commands, "migrate"}
    call = load_command_class("django.core" if words[2] == "migrate" else "shop.ops", words[2])
    options = call.create_parser("manage.py", words[2]).parse_args([*words[3:]])
    if words[2] == "worker":
        assert {*options.queues.split(",")} <= {"messages", *settings.TASK_QUEUES}
