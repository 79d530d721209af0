"""`make bench`: every figure of the shop, one part after another; `make bench PARTS=costs` prints fewer."""

import os
import sys
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "shop.settings")

from django.conf import settings

from . import admin, cdn, costs, first_load, imports, interactions, lighthouse, scale
from .oscar import peer
from .serving import manage, prepare_demo, prepare_import

ALSO = ["listing, filtered", "product, first time"]  # beside the kinds that have a limit
PEER = "oscar"  # measured when asked for by name
REAL_FILE = "wellness/bigbasket-products-27k.csv.gz"


def main() -> None:
    asked = sys.argv[1:] or [name for name in PARTS if name != PEER]
    home = settings.DATA_DIR / "bench"
    prepare_demo(home / "demo")
    for name in asked:
        PARTS[name](home)


def _costs(home: Path) -> None:
    costs.compare("the demo shop", home / "demo", kinds=[*ALSO, *costs.LIMITS])
    if file := _real_file():
        prepare_import(home / "imported", file)
        kinds = ["listing", "product", "search", *ALSO]
        costs.compare("27,000 imported products", home / "imported", kinds=kinds)


def _import(home: Path) -> None:
    if file := _real_file():
        imports.measure(home, file)


def _real_file() -> Path | None:
    real = os.environ.get("SHOP_TEST_DATA")
    return Path(real).resolve() / REAL_FILE if real else None


PARTS = {
    "costs": _costs,
    "hops": lambda home: manage(home / "demo", "shell", "-v0", "-c", "from shop.bench import hops; hops.show()"),
    "scale": scale.compare,
    "import": _import,
    "first-load": lambda home: first_load.measure(home / "demo"),
    "interactions": lambda home: interactions.measure(home / "demo"),
    "lighthouse": lambda home: lighthouse.measure(home / "demo"),
    "admin": admin.measure,
    "cdn": lambda home: cdn.measure(home / "demo"),
    PEER: peer.measure,
}


if __name__ == "__main__":
    main()
