"""Where a person may be sent back to: a path on this site and nothing else."""

import re
from urllib.parse import unquote

HOME = "/"
MAX_LENGTH = 2000
_ODD = re.compile(r"[\x00-\x1f\x7f-\x9f\\\u2028\u2029]")


def safe_path(path: str | None) -> str:
    """`wanted` if it is a path on this site, else "/".

    Browsers read //x, /\\x and a path with a tab or line break in it as another host, and a proxy
    may decode once more than we do, so every decoding of the path has to be harmless too.
    """
    if not path or len(path) > MAX_LENGTH:
        return HOME
    decoded = path.partition("?")[0].partition("#")[0]
    for _ in range(4):
        if not decoded.startswith("/") or "//" in decoded or _ODD.search(decoded):
            return HOME
        decoded, before = unquote(decoded), decoded
        if decoded == before:
            return HOME if _ODD.search(path) else path
    return HOME
