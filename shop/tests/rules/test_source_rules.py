"""What no tool checks for us: templates fit for the content policy, lock files that name no address."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import unfold
from django.conf import settings

PAGES = [
    path
    for path in sorted((settings.BASE_DIR / "templates").rglob("*.html"))
    if "emails" not in path.relative_to(settings.BASE_DIR).parts  # mail programs know no style sheets
]
INLINE = {
    "style": r"<style\b|\sstyle\s*=",
    "script": r"<script\b(?![^>]*\ssrc=)(?![^>]*type=\"application/(?:ld\+)?json\")",
    "handler": r"\son[a-z]+\s*=|\shx-on\b|javascript:",
}


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(settings.BASE_DIR / "templates").as_posix())
def test_a_template_holds_nothing_inline(page):
    text = re.sub(r"\{#.*?#\}|\{% comment %\}.*?\{% endcomment %\}", "", page.read_text(), flags=re.DOTALL)
    assert [kind for kind, pattern in INLINE.items() if re.search(pattern, text, re.IGNORECASE)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(settings.BASE_DIR / "templates").as_posix())
def test_a_note_in_a_template_ends_in_its_line(page):
    """Else it is shown to whoever reads the page."""
    assert [line for line in page.read_text().splitlines() if line.count("{#") != line.count("#}")] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(settings.BASE_DIR / "templates").as_posix())
def test_the_modules_that_a_template_names_exist(page):
    named = re.findall(r"[\w/]+\.py\b", page.read_text())
    assert [name for name in named if not (settings.BASE_DIR / name).is_file()] == []


@pytest.fixture(scope="module")
def named_classes():
    """Every class that a style of ours, of a mail or of Unfold names, or that a script or a test looks for."""
    root = settings.BASE_DIR
    sheets = [*(root / "static").rglob("*.css"), Path(unfold.__file__).parent / "static/unfold/css/styles.css"]
    scripts = [
        path
        for folder, ending in (("static/backoffice", "*.js"), ("islands", "*.ts*"), ("shop", "test_*.py"))
        for path in (root / folder).rglob(ending)
        if "node_modules" not in path.parts
    ]
    mails = "".join(path.read_text() for path in (root / "templates" / "emails").rglob("*.html"))
    texts = [*(path.read_text() for path in (*sheets, *scripts)), *re.findall(r"<style.*?</style>", mails, re.DOTALL)]
    return {name.replace("\\", "") for text in texts for name in re.findall(r"\.((?:[\w-]|\\.)+)", text)}


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(settings.BASE_DIR / "templates").as_posix())
def test_every_class_of_a_template_is_named_elsewhere(page, named_classes):
    """Else its author believed in a style that is not there."""
    values = re.findall(r'\sclass="((?:\{[{%].*?[}%]\}|[^"{])*)"', page.read_text())
    whole = [re.sub(r"[\w-]+-\{[{%].*?[}%]\}(?:[\w-]*\{%.*?%\})*", " ", value) for value in values]  # not tint-{{ … }}
    used = {name for value in whole for name in re.sub(r"\{[{%].*?[}%]\}", " ", value).split()}
    assert sorted(used - named_classes) == []


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_python_requirements_are_pinned_and_name_no_address(name):
    lines = [line.split(";")[0].strip() for line in (settings.BASE_DIR / name).read_text().splitlines()]
    pins = [line for line in lines if line and not line.startswith("#")]
    assert [pin for pin in pins if not re.fullmatch(r"[A-Za-z0-9._-]+(\[[a-z,]+\])?==[A-Za-z0-9.+!]+", pin)] == []


@pytest.mark.parametrize("folder", ["islands", "shop/bench"])
def test_a_javascript_lock_names_no_address(folder):
    lock = json.loads((settings.BASE_DIR / folder / "package-lock.json").read_text())
    assert [name for name, package in lock["packages"].items() if "resolved" in package] == []
    assert [name for name, package in lock["packages"].items() if name and "integrity" not in package] == []


def test_the_readme_names_every_variable_that_settings_read():
    read = re.findall(r"""env\.\w+\(\s*"([A-Z_]+)\"""", (settings.BASE_DIR / "shop" / "settings.py").read_text())
    table = (settings.BASE_DIR / "docs" / "configuration.md").read_text()
    assert [name for name in read if f"`{name}`" not in table] == []


def test_tables_leave_the_shop_through_the_history():
    """Staff export with `send_table`, which records it."""
    shop = settings.BASE_DIR / "shop"
    answers = re.compile(r"\b(?:csv_answer|xlsx_answer|ANSWERS\[)")
    allowed = {"backoffice/spreadsheets.py", "backoffice/admin.py"}
    files = [file for file in shop.rglob("*.py") if "tests" not in file.parts]
    files = [file for file in files if str(file.relative_to(shop)) not in allowed]
    assert [str(path.relative_to(shop)) for path in files if answers.search(path.read_text())] == []


def test_many_rows_are_read_page_by_page():
    """Where cursors are the client's own, as behind a pooler, `.iterator()` has the whole answer in memory."""
    shop = settings.BASE_DIR / "shop"
    apart = {"migrations", "tests", "bench", "conftest.py"}  # a migration of long ago stays as it is
    files = [path for path in shop.rglob("*.py") if not apart & {*path.relative_to(shop).parts}]
    assert [str(path.relative_to(shop)) for path in files if ".iterator(" in path.read_text()] == []


def test_no_answer_is_sent_while_it_is_made():
    """The web server ends one that fails half-way as if it were whole (shop/http/files.py)."""
    shop = settings.BASE_DIR / "shop"
    files = [path for path in shop.rglob("*.py") if "tests" not in path.parts]
    assert [str(path.relative_to(shop)) for path in files if "StreamingHttpResponse(" in path.read_text()] == []


# Saves of rows that are new, or that are no rows of the database.
WHOLE_SAVES = re.compile(r"\b(?!super\(\))[a-z_.]+\.save\((?:using=self\._?db|commit)?\)")
NEW_ROWS = {"accounts/models.py", "orders/placing/snapshot.py"}


def test_no_existing_row_is_written_whole():
    """Whoever writes a whole row brings back what others changed since it was read: name the columns."""
    shop = settings.BASE_DIR / "shop"
    files = [
        path for path in shop.rglob("*.py") if not {"tests", "migrations", "simulator", "conftest.py"} & {*path.parts}
    ]
    found = {
        f"{path.relative_to(shop)}: {line.strip()}"
        for path in files
        for line in path.read_text().splitlines()
        if WHOLE_SAVES.search(line) and str(path.relative_to(shop)) not in NEW_ROWS
    }
    assert found == set()


def dates_at_collection(source: str) -> Iterator[str]:
    """Calls for today's date outside of functions: in constants, and in what decorators are given."""
    outer: list[ast.AST] = [*ast.parse(source).body]
    while outer:
        node = outer.pop()
        if isinstance(node, ast.FunctionDef):
            outer += node.decorator_list
        elif not isinstance(node, ast.Lambda):
            outer += ast.iter_child_nodes(node)
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith((".localdate", ".today")):
            yield ast.unparse(node)


def test_no_test_keeps_the_date_of_its_collection():
    """Midnight may pass until it runs."""
    shop = settings.BASE_DIR / "shop"
    found = {str(path.relative_to(shop)): [*dates_at_collection(path.read_text())] for path in shop.rglob("test_*.py")}
    assert {path: calls for path, calls in found.items() if calls} == {}
    assert [*dates_at_collection("@mark(timezone.localdate())\ndef test(): timezone.localdate()")] != []


def test_what_was_signed_before_a_module_moved_stays_valid():
    """Codes, puzzles, staff forms and cached values of the release before are read by this one, and by both at once."""
    shop = settings.BASE_DIR / "shop"
    salt = re.compile(r"(?:salt=|SALT = |salted_hmac\()\"(shop\.[\w.]+)\"")
    files = [path for path in shop.rglob("*.py") if "tests" not in path.parts]
    found = {name for path in files for name in salt.findall(path.read_text())}
    assert found == {
        "shop.accounts.codes",
        "shop.accounts.puzzles",
        "shop.orders.drafts.hash",
        "shop.orders.drafts.link",
        "shop.orders.tracking",
        "shop.pharmacy.page",
        "shop.staff_forms",
        "shop.redis_cache",
    }
