"""python -m shop.locale update (make messages), compile (make build) or check (make check)."""

import sys

from .catalogues import compile_all, problems, update

if sys.argv[1:] == ["update"]:
    update()
elif sys.argv[1:] == ["compile"]:
    compile_all()
elif found := problems():
    sys.exit("\n".join(found))
