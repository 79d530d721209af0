"""Lighthouse's four scores and what people feel, on a phone as it simulates one: the median of five runs."""

import json
import os
import statistics
import subprocess
from pathlib import Path

from django.conf import settings

from shop.ops.supervisor import WSGI

from .first_load import CHROMIUM_OPTIONS, PAGES, chromium
from .serving import plan_of, serve

RUNS = 5
TRIES = 4
HERE = Path(__file__).parent
SCORES = ("performance", "accessibility", "best-practices", "seo")
NUMBERS = {
    "largest-contentful-paint": ("LCP ms", 0),
    "total-blocking-time": ("TBT ms", 0),
    "cumulative-layout-shift": ("CLS", 3),
}


def measure(data: Path) -> None:
    _install()
    reports = data.parent / "lighthouse"
    reports.mkdir(exist_ok=True)
    paths = {kind: asked["paths"][0] for kind, asked in plan_of(data).items()}
    columns = "".join(f"{name:>16}" for name in SCORES) + "".join(f"{name:>9}" for name, _ in NUMBERS.values())
    print(f"\n{f'Lighthouse, median of {RUNS}':<28}{columns}")
    with serve(WSGI, data) as shop:
        for page in PAGES:
            runs = [_run(f"http://127.0.0.1:{shop.port}{paths[page]}", reports / f"{page}.json") for _ in range(RUNS)]
            _show(page, runs)
    print(f"{'at least; at most':<28}{95:>16}{100:>16}{100:>16}{100:>16}{'':>9}{100:>9}{0.02:>9}")


def _install() -> None:
    """Lighthouse, as the lock file has it; for this part alone."""
    if not (HERE / "node_modules" / ".package-lock.json").exists():
        subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"], cwd=HERE, check=True)


def _run(address: str, report: Path) -> dict:
    """A run now and then cannot record its trace on a busy machine: it is made again."""
    command = ["node", str(HERE / "node_modules/lighthouse/cli/index.js"), address, "--quiet", "--output=json"]
    command += [f"--output-path={report}", f"--chrome-flags=--headless=new {' '.join(CHROMIUM_OPTIONS)}"]
    environment = os.environ | {"CHROME_PATH": chromium()}
    for _ in range(TRIES):
        done = subprocess.run(command, env=environment, cwd=settings.BASE_DIR, capture_output=True, text=True)
        if done.returncode == 0:
            return json.loads(report.read_text())
    raise SystemExit(done.stderr)


def _show(page: str, runs: list[dict]) -> None:
    scores = [statistics.median(run["categories"][name]["score"] * 100 for run in runs) for name in SCORES]
    numbers = [
        (statistics.median(run["audits"][name]["numericValue"] for run in runs), NUMBERS[name][1]) for name in NUMBERS
    ]
    print(f"{page:<28}" + "".join(f"{score:>16.0f}" for score in scores) + "".join(f"{n:>9.{d}f}" for n, d in numbers))
    for name, audit in runs[-1]["audits"].items():
        counted = any(
            name == ref["id"] and ref["weight"] for c in SCORES[1:] for ref in runs[-1]["categories"][c]["auditRefs"]
        )
        if counted and audit["score"] is not None and audit["score"] < 1:
            print(f"    {audit['title']}")
