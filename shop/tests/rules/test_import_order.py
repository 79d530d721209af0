"""Imports run one way: between the rooms, and inside each of them (shop/README.md)."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

SHOP = Path(__file__).resolve().parents[2]
ROOMS = [
    "changes", "limits", "chores", "messaging", "company", "markets", "catalog", "search", "accounts", "cart", "orders",
    "payments", "care", "content", "reports", "demo", "running",
]  # fmt: skip
# What every room may use, and what sees every room.
GROUND = [
    "errors", "money", "actors", "request_log", "calls", "commands", "doors", "media", "backoffice", "history",
    "sheets", "staff_forms", "return_path", "plain_text", "fetching", "redis_cache", "confirmation",
]  # fmt: skip
ROOF = ["settings", "urls", "api", "startup", "wsgi", "conftest", "bench", "tests"]
# QuerySets stand in queries.py and are the managers of models.py: the two are one layer. address_views.py
# is views, and so on.
LAYERS = {"models": 0, "queries": 0, "services": 1, "forms": 2, "views": 3, "api": 3, "admin": 3}


def test_every_module_has_its_place():
    placed = {*ROOMS, *GROUND, *ROOF, "__init__"}
    assert {path.stem for path in SHOP.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()} <= placed


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_from_rooms_before_it(room):
    later = {*ROOMS[ROOMS.index(room) + 1 :], *ROOF}
    assert not [(module, seen) for module, seen in _imports_of(room) if seen.split(".")[1] in later]


@pytest.mark.parametrize("room", GROUND)
def test_the_ground_imports_from_no_room(room):
    above = {*ROOMS, *ROOF}
    assert not [(module, seen) for module, seen in _imports_of(room) if seen.split(".")[1] in above]


@pytest.mark.parametrize("room", ROOMS)
def test_inside_a_room_no_layer_imports_a_higher_one(room):
    modules = [f"shop.{room}.{file.stem}" for file in (SHOP / room).glob("*.py") if _kind(file.stem) in LAYERS]
    climbs = [
        (module, seen)
        for module in modules
        for seen in _reached_from(module)
        if LAYERS.get(_kind(seen), 0) > LAYERS[_kind(module)]
    ]
    assert not climbs


def _kind(module: str) -> str:
    return module.split(".")[-1].split("_")[-1]


def _imports_of(room: str) -> Iterator[tuple[str, str]]:
    """(module, what it imports from the shop) for every file of a room but its tests and migrations."""
    home = SHOP / room
    files = home.rglob("*.py") if home.is_dir() else [home.with_suffix(".py")]
    for file in files:
        parts = file.relative_to(SHOP.parent).with_suffix("").parts
        if not {"tests", "migrations"} & set(parts):
            module = ".".join(parts)
            for seen in _read_imports(module):
                yield module, seen


def _reached_from(module: str) -> set[str]:
    """Modules directly in the same room that a module imports, itself or through others of them."""
    room = module.rpartition(".")[0]
    reached: set[str] = set()
    waiting = [module]
    while waiting:
        for seen in _read_imports(waiting.pop()):
            if seen.rpartition(".")[0] == room and seen not in reached:
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
