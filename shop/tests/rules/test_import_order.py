"""Imports run one way, a package holds at most fifteen modules, and names are those of the field (shop/README.md)."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

SHOP = Path(__file__).resolve().parents[2]
MAX_MODULES = 15
APPS = [
    "invalidation", "limits", "jobs", "messaging", "company", "markets", "catalog", "search", "accounts", "cart",
    "orders", "payments", "care", "reviews", "pharmacy", "content", "reports", "demo", "ops",
]  # fmt: skip
# What every app may use, and what sees every app.
BASE = [
    "errors", "money", "text", "html", "kept_texts", "translated", "prepared", "rows", "commands", "http", "backoffice",
]  # fmt: skip
TOP = ["settings", "urls", "api", "startup", "wsgi", "conftest", "bench", "tests", "locale"]
# Words that are no names here: metaphors, and what the field calls otherwise (CONTRIBUTING.md, Vocabulary).
NOT_NAMES = {
    "atlas", "chore", "chores", "desk", "desks", "door", "doors", "endings", "errand", "hear", "heard", "hears",
    "hurry", "keeper", "leaving", "letter", "letters", "longest", "maker", "most", "owe", "owes", "postman",
    "proof", "proofs", "reception", "room", "rooms", "screen", "screens", "sought", "telling", "till", "told",
    "twin", "twins",
}  # fmt: skip
# The name of a role and its variable; columns whose names staff's forms, the export and kept changes of rows hold;
# a table and a column that staff see.
KEPT_NAMES = {"ORDER_DESK", "ORDER_DESK_EMAIL", "maker", "most_inr", "Chore", "chore"}
# QuerySets stand in queries.py and are the managers of models.py: the two are one layer. google_views.py
# is views, and so on.
LAYERS = {"models": 0, "queries": 0, "services": 1, "forms": 2, "views": 3, "api": 3, "admin": 3}


def test_every_module_has_its_place():
    placed = {*APPS, *BASE, *TOP, "__init__"}
    assert {path.stem for path in SHOP.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()} <= placed


def test_no_package_holds_more_than_fifteen_modules():
    folders = [SHOP, *(path for path in SHOP.rglob("*") if path.is_dir() and path.name != "migrations")]
    counts = {folder.relative_to(SHOP).as_posix(): len(modules_in(folder)) for folder in folders}
    assert {folder: count for folder, count in counts.items() if count > MAX_MODULES} == {}


def modules_in(folder: Path) -> list[Path]:
    return [file for file in folder.glob("*.py") if file.name not in ("__init__.py", "conftest.py")]


def test_a_sixteenth_module_is_found(tmp_path):
    for number in range(MAX_MODULES + 1):
        (tmp_path / f"module{number}.py").touch()
    assert len(modules_in(tmp_path)) > MAX_MODULES


def test_names_are_those_of_the_field():
    apart = {"migrations", "tests", "bench", "demo", "conftest.py"}
    files = [file for file in SHOP.rglob("*.py") if not apart & {*file.parts}]
    found = {
        (file.relative_to(SHOP).as_posix(), name) for file in files for name in odd_names(file.stem, file.read_text())
    }
    assert found == set()


@pytest.mark.parametrize(
    "source",
    [
        "def open_door(): pass",
        "class Keeper: pass",
        "MOST_LINES = 3",
        "def f(told): pass",
        "class A:\n    sought = 1",
        "class A:\n    told: int",
    ],
)
def test_an_odd_name_is_found(source):
    assert len(odd_names("module", source)) == 1 and odd_names("keeper", "") == ["keeper"]


def odd_names(module: str, source: str) -> list[str]:
    """Names of a module, of its functions, classes, parameters, constants and class attributes (such as the fields of
    models) that hold a word of NOT_NAMES."""
    names = [module]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.append(node.name)
            if isinstance(node, ast.ClassDef):
                names += _attributes_of(node)
        elif isinstance(node, ast.arg):
            names.append(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id.isupper():
            names.append(node.id)
    return [name for name in dict.fromkeys(names) if _words(name) & NOT_NAMES and name not in KEPT_NAMES]


def _attributes_of(node: ast.ClassDef) -> list[str]:
    """Names that the body of a class assigns or declares."""
    targets: list[ast.expr] = []
    for statement in node.body:
        if isinstance(statement, ast.Assign):
            targets += statement.targets
        elif isinstance(statement, ast.AnnAssign):
            targets.append(statement.target)
    return [name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)]


def _words(name: str) -> set[str]:
    return set(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().split("_"))


@pytest.mark.parametrize("app", APPS)
def test_an_app_imports_only_from_apps_before_it(app):
    later = {*APPS[APPS.index(app) + 1 :], *TOP}
    assert not [(module, seen) for module, seen in _imports_of(app) if seen.split(".")[1] in later]


@pytest.mark.parametrize("package", BASE)
def test_the_base_imports_from_no_app(package):
    above = {*APPS, *TOP}
    assert not [(module, seen) for module, seen in _imports_of(package) if seen.split(".")[1] in above]


@pytest.mark.parametrize("app", APPS)
def test_inside_an_app_no_layer_imports_a_higher_one(app):
    modules = [module for module in _modules_of(app) if _kind(module) in LAYERS]
    climbs = [
        (module, seen)
        for module in modules
        for seen in _reached_from(module, app)
        if LAYERS.get(_kind(seen), 0) > LAYERS[_kind(module)]
    ]
    assert not climbs


def _modules_of(app: str) -> list[str]:
    files = [file for file in (SHOP / app).rglob("*.py") if not {"tests", "migrations", "conftest.py"} & {*file.parts}]
    return [".".join(file.relative_to(SHOP.parent).with_suffix("").parts) for file in files]


def _kind(module: str) -> str:
    return module.split(".")[-1].split("_")[-1]


def _imports_of(package: str) -> Iterator[tuple[str, str]]:
    """(module, what it imports from the shop) for every file of a package but its tests and migrations."""
    home = SHOP / package
    files = home.rglob("*.py") if home.is_dir() else [home.with_suffix(".py")]
    for file in files:
        parts = file.relative_to(SHOP.parent).with_suffix("").parts
        if not {"tests", "migrations", "conftest"} & {*parts}:
            module = ".".join(parts)
            for seen in _read_imports(module):
                yield module, seen


def _reached_from(module: str, app: str) -> set[str]:
    """Modules of the same app that a module imports, itself or through others of them."""
    reached: set[str] = set()
    waiting = [module]
    while waiting:
        for seen in _read_imports(waiting.pop()):
            if seen.startswith(f"shop.{app}.") and seen not in reached:
                reached.add(seen)
                waiting.append(seen)
    return reached - {module}


@cache
def _read_imports(module: str) -> frozenset[str]:
    """Modules of the shop that a module's text imports, inside functions too."""
    file = _file_of(module)
    if file is None:
        return frozenset()
    package = module if file.name == "__init__.py" else module.rpartition(".")[0]
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, package)
            found |= {f"{base}.{alias.name}" if _file_of(f"{base}.{alias.name}") else base for alias in node.names}
    return frozenset(name for name in found if name.startswith("shop."))


def _absolute(node: ast.ImportFrom, package: str) -> str:
    if not node.level:
        return node.module or ""
    above = package.split(".")[: len(package.split(".")) - node.level + 1]
    return ".".join([*above, *([node.module] if node.module else [])])


def _file_of(module: str) -> Path | None:
    path = SHOP.parent / Path(*module.split("."))
    candidates = (path.with_suffix(".py"), path / "__init__.py")
    return next((file for file in candidates if file.is_file()), None)
