"""What a page of django-oscar costs as a multiple of the same empty view, in the same run (SPEED.md).

For this part alone it is installed beside the data, in a Python of its own. Its products have no pictures, stars or
offers, and its search costs nothing: both are to its advantage.
"""

import os
import subprocess
import sys
from contextlib import ExitStack
from importlib.metadata import version
from itertools import cycle
from pathlib import Path

from django.conf import settings

from ..load import Figures, compose
from ..serving import serve

VERSION = "4.2.1"
PRODUCTS = 10_000
ROUNDS, ROUND_SECONDS = 6, 1
SITE = "shop.bench.oscar.site"
EMPTY = "an empty view"
KNOWN = range(1, 21)  # products that are asked for in turn
PLAN: dict[str, tuple[str, list[str], dict | None]] = {
    "oscar: catalogue": ("GET", ["/catalogue/"], None),
    "oscar: category": ("GET", [f"/catalogue/category/range-{number}_{number + 1}/" for number in range(4)], None),
    "oscar: product": ("GET", [f"/catalogue/product-{number - 1}_{number}/" for number in KNOWN], None),
    "oscar: add to basket": ("POST", [f"/basket/add/{number}/" for number in KNOWN], {"quantity": 1}),
}


def measure(home: Path) -> None:
    data = home / "oscar"
    python = _install(data / "venv")
    surroundings = os.environ | {"OSCAR_DATA": str(data)}
    fill = [str(python), "-m", SITE, str(PRODUCTS)]
    subprocess.run(fill, env=surroundings, cwd=settings.BASE_DIR, check=True)
    with ExitStack() as stack:
        shop = stack.enter_context(serve(f"{SITE}:application", data, python=str(python), OSCAR_DATA=str(data)))
        empty = stack.enter_context(serve("shop.bench.empty:application", data))
        requests = {EMPTY: (empty, cycle([compose(empty.port, "GET", "/")]))} | {
            kind: (shop, cycle([compose(shop.port, method, path, form) for path in paths]))
            for kind, (method, paths, form) in PLAN.items()
        }
        figures = {kind: Figures() for kind in requests}
        for server, asked in requests.values():
            server.ask(asked, Figures(), seconds=ROUND_SECONDS)
        for _ in range(ROUNDS):
            for kind, (server, asked) in requests.items():
                server.ask(asked, figures[kind], seconds=ROUND_SECONDS)
    print(
        f"\n{f'django-oscar {VERSION}, {PRODUCTS:,} products':<44}{'cost ms':>10}{'median ms':>11}{'times empty':>13}"
    )
    for kind, figure in figures.items():
        times = figure.cost_ms / figures[EMPTY].cost_ms
        print(f"{kind:<44}{figure.cost_ms:>10.2f}{figure.percentile_ms(50):>11.2f}{times:>13.1f}")


def _install(place: Path) -> Path:
    python = place / "bin" / "python"
    marker = place / ".installed"
    if not marker.exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(place)], check=True)
        packages = [f"django-oscar[sorl-thumbnail]=={VERSION}", f"granian=={version('granian')}"]
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *packages], check=True)
        marker.touch()
    return python
