"""Every regular expression of the project, texts that make a careless one slow, and how long it takes over them."""

import ast
import importlib
import itertools
import json
import pkgutil
import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

from django import forms
from django.apps import apps
from django.core.validators import RegexValidator
from django.urls import get_resolver

import shop
from shop.accounts.addresses.rules import _pincodes_of_states, address_rules
from shop.api import api
from shop.markets.geography.countries import LOCATIONS

Expression = re.Pattern[str]
Found = Iterator[tuple[str, Expression | None]]  # where it stands, and what it is

SHOP = Path(shop.__file__).parent
FUNCTIONS = {"compile": 1, "split": 3, "sub": 4, "subn": 4} | dict.fromkeys(
    ("search", "match", "fullmatch", "findall", "finditer"), 2
)  # of `re`, with the place of their flags
ENDLESS = 8  # repetitions that count as any number
LENGTH = 100_000
LIMIT = 0.05  # seconds of a processor that adds up a million numbers in ADDITIONS
ADDITIONS = 0.045
MORE_TRIES = 6
MAX_TEXTS = 400
ENDINGS = ("", "\x00", "!", "\n", " ")


# --- Where they are --------------------------------------------------------------------------


def all_expressions() -> Found:
    """Expressions without their repetitions; None where one is not known before the shop runs."""
    known: set[tuple[str, int]] = set()
    for place, found in itertools.chain(
        _of_sources(), _of_modules(), _of_validators(), _of_routes(), _of_schemas(), _of_countries()
    ):
        if found is not None and isinstance(found.pattern, bytes):
            found = re.compile(found.pattern.decode("latin-1"), found.flags | re.ASCII)
        if found is None:
            yield place, None
        elif (found.pattern, found.flags) not in known:
            known.add((found.pattern, found.flags))
            yield place, found


def _of_sources() -> Found:
    for file in sorted(SHOP.rglob("*.py")):
        if {"tests", "migrations", "bench", "conftest.py"} & set(file.parts):
            continue
        module = ".".join(file.relative_to(SHOP.parent).with_suffix("").parts).removesuffix(".__init__")
        for line, pattern, flags in written_in(file.read_text()):
            yield f"{module}:{line} {ast.unparse(pattern)}", _evaluated(module, pattern, flags)


def written_in(source: str) -> Iterator[tuple[int, ast.expr, ast.expr | None]]:
    """(line, expression, flags) of each call that takes a regular expression, whatever `re` is called there."""
    tree = ast.parse(source)
    imported = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    of_module = {
        name.asname or name.name
        for node in imported
        if isinstance(node, ast.Import)
        for name in node.names
        if name.name == "re"
    }
    alone = {
        name.asname or name.name: name.name
        for node in imported
        if isinstance(node, ast.ImportFrom) and node.module == "re"
        for name in node.names
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        named = {word.arg or "": word.value for word in node.keywords}
        match node.func:
            case ast.Attribute(value=ast.Name(id=module), attr=function) if module in of_module:
                pass
            case ast.Name(id=name) if name in alone:
                function = alone[name]
            case _:
                function = ""
        if function in FUNCTIONS:
            place = FUNCTIONS[function]
            flags = named.get("flags") or (node.args[place] if len(node.args) > place else None)
            yield node.lineno, named.get("pattern") or node.args[0], flags
        else:
            words = [word for word in named if word in ("pattern", "regex") or word.endswith(("__regex", "__iregex"))]
            yield from ((node.lineno, named[word], None) for word in words)


def _evaluated(module: str, pattern: ast.expr, flags: ast.expr | None) -> Expression | None:
    def value_of(node: ast.expr) -> Any:
        code = compile(ast.Expression(node), module, "eval")
        return eval(code, dict(vars(importlib.import_module(module))))

    try:
        found = value_of(pattern)
        return found if isinstance(found, re.Pattern) else re.compile(found, value_of(flags) if flags else 0)
    except NameError:
        return None


def _of_modules() -> Found:
    """What modules and their classes hold, also in tables, whoever compiled it."""
    for found in pkgutil.walk_packages([str(SHOP)], "shop."):
        if not {"tests", "migrations", "bench", "conftest", "wsgi"} & set(found.name.split(".")):
            module = importlib.import_module(found.name)
            for name, value in vars(module).items():
                is_own_class = isinstance(value, type) and value.__module__ == module.__name__
                for held in vars(value).values() if is_own_class else [value]:
                    yield from ((f"{found.name}.{name}", one) for one in _held(held))


def _held(value: Any) -> Iterator[Expression]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, RegexValidator):
        yield re.compile(value.regex.pattern, value.regex.flags)  # type: ignore[union-attr]
    elif isinstance(value, dict | list | tuple | set | frozenset):
        for part in itertools.chain(value.values(), value) if isinstance(value, dict) else value:
            yield from _held(part)


def _of_validators() -> Found:
    own = [model for model in apps.get_models() if model.__module__.startswith("shop.")]
    fields: list[Any] = [field for model in own for field in model._meta.local_fields]
    forms_of_ours = [form for form in _subclasses(forms.BaseForm) if form.__module__.startswith("shop.")]
    fields += [field for form in forms_of_ours for field in form.base_fields.values()]
    for field in fields:
        for validator in field.validators:
            if isinstance(validator, RegexValidator) and (
                type(validator) is RegexValidator or type(validator).__module__.startswith("shop.")
            ):
                yield from ((f"validator of {field!r}", one) for one in _held(validator))


def _subclasses(of: type) -> set[Any]:
    return {of}.union(*(_subclasses(one) for one in of.__subclasses__()))


def _of_routes() -> Found:
    def walk(patterns: list[Any], before: str) -> Found:
        for route in patterns:
            yield f"route {before}{route.pattern}", route.pattern.regex
            yield from walk(getattr(route, "url_patterns", []), before + str(route.pattern))

    return walk(get_resolver().url_patterns, "")


def _of_schemas() -> Found:
    def walk(value: Any, place: str) -> Found:
        if isinstance(value, dict):
            if isinstance(value.get("pattern"), str):
                yield f"schema {place}", re.compile(value["pattern"])
            for name, part in value.items():
                yield from walk(part, f"{place}/{name}")
        elif isinstance(value, list):
            for part in value:
                yield from walk(part, place)

    return walk(json.loads(json.dumps(api.get_openapi_schema(), default=str)), "")


def _of_countries() -> Found:
    """What postal codes look like, in each country that the shop knows."""
    for code in {row[1] for row in LOCATIONS}:
        for pattern in address_rules(code).pincode_patterns:
            yield f"postal code of {code}", re.compile(pattern)
        for state, found in _pincodes_of_states(code).items():
            yield f"postal code of {state} in {code}", found


# --- Texts that make one slow -----------------------------------------------------------------


def hostile_texts(pattern: str, flags: int, length: int) -> list[str]:
    """Of about this length: its characters again and again, alone and in pairs; what it repeats, behind what stands
    before it and with an end that does not fit; and near matches, one after the other."""
    tree = parser.parse(pattern, flags & ~re.DEBUG)
    letters = list(dict.fromkeys([*_letters(tree), "a", "1", " "]))[:16]
    whole = _sample(tree)
    pumps = list(dict.fromkeys(_pumps(tree, "")))[:40]
    units = [*letters, *("".join(pair) for pair in itertools.combinations(letters[:10], 2))]
    units += [whole, whole[:-1], whole[1:], f"{whole} ", *(before + pump for before, pump in pumps)]
    units += [before + pump * 50 for before, pump in pumps]
    texts = [_filled(unit, length) + end for unit in units for end in ENDINGS[:2]]
    texts += [before + _filled(pump, length) + end for before, pump in pumps for end in ENDINGS]
    texts += [before + _filled(letter, length) + "\x00" for before, _ in pumps for letter in letters]
    return list(dict.fromkeys(texts))[:MAX_TEXTS]


def _filled(unit: str, length: int) -> str:
    return unit * (length // len(unit)) if unit else ""


def _letters(tree: Any) -> Iterator[str]:
    """What its characters and classes take, one or two of each."""
    for code, given in tree:
        if code is codes.IN:
            yield from _of_class(given)
        elif code in (codes.LITERAL, codes.NOT_LITERAL):
            yield chr(given) if code is codes.LITERAL else _other_than([given])
        else:
            for inside in _inside(code, given):
                yield from _letters(inside)


def _pumps(tree: Any, before: str) -> Iterator[tuple[str, str]]:
    """(what stands before it, what it repeats) of each part that may come any number of times."""
    for code, given in tree:
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT) and given[1] >= ENDLESS:
            yield from ((before, one) for one in [_sample(given[2]), *_letters(given[2])] if one)
        for inside in _inside(code, given):
            yield from _pumps(inside, before)
        before += _sample([(code, given)])


def _sample(tree: Any) -> str:
    """Something that it takes, or nearly takes."""
    text = ""
    for code, given in tree:
        if code is codes.LITERAL:
            text += chr(given)
        elif code is codes.NOT_LITERAL:
            text += _other_than([given])
        elif code is codes.ANY:
            text += "x"
        elif code is codes.IN:
            text += next(_of_class(given), "")
        elif code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            text += _sample(given[2]) * max(1, min(given[0], 100))
        elif code is codes.BRANCH:
            text += _sample(given[1][0])
        elif code not in (codes.ASSERT, codes.ASSERT_NOT):
            text += "".join(_sample(inside) for inside in _inside(code, given))
    return text


def _inside(code: Any, given: Any) -> list[Any]:
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
        return [given[2]]
    if code is codes.SUBPATTERN:
        return [given[-1]]
    if code is codes.BRANCH:
        return list(given[1])
    if code in (codes.ASSERT, codes.ASSERT_NOT):
        return [given[1]]
    return [given] if code is codes.ATOMIC_GROUP else []


OF_CATEGORY = {
    codes.CATEGORY_DIGIT: "17",
    codes.CATEGORY_WORD: "a_1",
    codes.CATEGORY_SPACE: " \n",
    codes.CATEGORY_NOT_DIGIT: "a ",
    codes.CATEGORY_NOT_WORD: " -",
    codes.CATEGORY_NOT_SPACE: "a.",
}


def _of_class(given: Any) -> Iterator[str]:
    if given and given[0][0] is codes.NEGATE:
        yield _other_than([what for code, what in given[1:] if code is codes.LITERAL])
        return
    for code, what in given:
        if code is codes.LITERAL:
            yield chr(what)
        elif code is codes.RANGE:
            yield from map(chr, what)
        elif code is codes.CATEGORY:
            yield from OF_CATEGORY[what]


def _other_than(taken: list[int]) -> str:
    return next(letter for letter in "ax1 -" if ord(letter) not in taken)


# --- How long it takes -------------------------------------------------------------------------


class TooSlow(Exception):
    pass


@contextmanager
def _ended_after(seconds: float) -> Iterator[None]:
    """Of a processor: what others do on the machine does not count, and nothing hangs."""

    def end(number: int, frame: object) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def slowness() -> float:
    """How many times slower than the processor of LIMIT this one is right now; at least 1."""
    start = time.process_time()
    total = 0
    for number in range(1_000_000):
        total += number
    return max(1.0, (time.process_time() - start) / ADDITIONS)


AT_START = slowness()


def seconds(function: Callable[[], object]) -> float:
    """Of the processor of LIMIT, for a call that ends at four times the limit."""
    start = time.process_time()
    with suppress(TooSlow), _ended_after(4 * LIMIT * AT_START):
        function()
    taken = time.process_time() - start
    return taken if taken <= LIMIT else taken / slowness()


def seconds_of(expression: Expression, text: str) -> float:
    """To look for it everywhere in a text, and to compare it with the whole."""
    return seconds(lambda: (expression.sub("", text), expression.fullmatch(text)))


def slowest(expression: Expression, length: int = LENGTH) -> tuple[float, str]:
    """(seconds, beginning of the text) at a length, of the texts that are the slowest at an eighth of it. Of three
    tries the fastest counts; above the limit there are more, as a busy machine slows each of them."""
    tried: list[tuple[float, str]] = []
    for text in hostile_texts(expression.pattern, expression.flags, length // 8):
        tried.append((seconds_of(expression, text), text))
        if tried[-1][0] > LIMIT:
            break
    found = (0.0, "")
    for taken, text in sorted(tried, reverse=True)[:3]:
        grown = text if taken > LIMIT else _grown(text)
        fastest = min(seconds_of(expression, grown) for _ in range(3))
        for _ in range(MORE_TRIES):
            if fastest <= LIMIT:
                break
            fastest = min(fastest, seconds_of(expression, grown))
        found = max(found, (fastest, text[:40]))
    return found


def _grown(text: str) -> str:
    """Eight times as long: its middle, which repeats, comes more often."""
    start, end = len(text) // 4, len(text) // 4 * 3
    return text[:start] + text[start:end] * 15 + text[end:]
