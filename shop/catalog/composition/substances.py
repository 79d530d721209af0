"""Which names stand for one substance. The search app, which keeps the list of them, tells."""

import re
from collections.abc import Callable
from functools import lru_cache

MAX_KEY = 120
SubstanceNamer = Callable[[str], str]
_BRACKET = re.compile(r"\A([^()]++)\(([^()]++)\)")
_SIGNS = re.compile(r"[\s()\[\],./&-]+")
_namers: list[SubstanceNamer] = []


def register_substance_namer(namer: SubstanceNamer) -> None:
    """`namer` gives one name for all names of a substance, and an empty text for a name that it does not know. It never
    makes one of two salts: their strengths are not the same."""
    _namers[:] = [namer]
    substance_key.cache_clear()


@lru_cache(maxsize=10_000)
def substance_key(name: str) -> str:
    """The same for all names of one substance. A name that says two, such as "Vitamin B6 (Pyridoxine)" or "Paracetamol/
    Acetaminophen", is that substance if both are."""
    return (_known(name) or _agreed(name) or _SIGNS.sub(" ", name.lower()).strip() or name.lower())[:MAX_KEY]


def _known(name: str) -> str:
    return _namers[0](name) if _namers else ""


def _agreed(name: str) -> str:
    found = _BRACKET.fullmatch(name)
    names = list(found.groups()) if found else name.split("/")
    keys = {_known(one) for one in names}
    return keys.pop() if len(names) > 1 and len(keys) == 1 else ""
