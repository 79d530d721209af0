"""Varnish in front of a served shop, with the configuration that the shop comes with."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from shop.bench.cdn import VCL, varnish_command

from ..conftest import WAIT_SECONDS, await_true
from .needs import lack

XKEY = "libvmod_xkey.so"


def require_varnish() -> str:
    """Its path."""
    path = shutil.which("varnishd", path="/usr/sbin:/usr/local/sbin:/usr/bin") or lack("No Varnish on this machine")
    if not any(Path("/usr/lib").glob(f"**/varnish/vmods/{XKEY}")):
        lack("No vmod xkey for Varnish on this machine (Debian: varnish-modules)")
    return path


@contextmanager
def varnish(folder: Path, *, port: int, shop: int, **replaced: str) -> Iterator[str]:
    """Its address, in front of the shop on that port, until the block ends; `replaced` are values of lines
    `set beresp.… = …` of its configuration."""
    folder.mkdir()
    vcl = VCL.read_text()
    for name, value in replaced.items():
        line = "        set beresp.http.xkey = beresp.http.Surrogate-Key;\n"
        assert line in vcl
        vcl = vcl.replace(line, f"{line}        set beresp.{name.replace('__', '.').replace('_', '-')} = {value};\n")
    command = varnish_command(folder, port=port, shop=shop, vcl=vcl)
    with (folder / "log").open("wb") as log, subprocess.Popen(command, stdout=log, stderr=log) as process:
        try:
            await_true(lambda: process.poll() is not None or "Child launched OK" in (folder / "log").read_text())
            assert process.poll() is None, (folder / "log").read_text()
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(WAIT_SECONDS)
