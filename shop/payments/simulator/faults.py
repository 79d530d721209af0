"""Makes the next calls go wrong: `plan("POST", "/v1/orders", "lost_answer")`."""

import re
from dataclasses import dataclass

from django.db import transaction

from ..models import SimulatedRecord
from .records import new_id

# What may go wrong with one call, and whether the work is done all the same.
WORK_DONE = {
    "lost_answer": True,  # the client waits until its time limit
    "cut_off": True,  # the connection breaks half way through the answer
    "refused": False,  # nothing listens
    "busy": False,  # 429
    "error": False,  # 500
    "html": False,  # a proxy's 502 page
    "nonsense": True,  # an amount as text
}


@dataclass(frozen=True, slots=True)
class Fault:
    name: str

    @property
    def work_is_done(self) -> bool:
        return WORK_DONE[self.name]


def plan(method: str, path_pattern: str, name: str, *, times: int = 1) -> None:
    """Let the next `times` calls that match fail in this way."""
    WORK_DONE[name]  # a misspelt fault is a KeyError here, not a passing test
    body = {"id": new_id("fault"), "method": method, "path": path_pattern, "name": name}
    for number in range(times):
        SimulatedRecord.objects.create(id=f"{body['id']}{number}", account="", kind="fault", body=body)


def next_fault(method: str, path: str) -> Fault | None:
    """The planned fault of this call, used up by asking."""
    if not SimulatedRecord.objects.filter(kind="fault").exists():
        return None
    with transaction.atomic():
        for record in SimulatedRecord.objects.select_for_update().filter(kind="fault"):
            if record.body["method"] == method and re.fullmatch(record.body["path"], path):
                record.delete()
                return Fault(record.body["name"])
    return None
