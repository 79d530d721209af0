"""Killing a process at a chosen moment: a fork of this one does the work, and ends with SIGKILL there."""

import os
import signal
import threading
from collections.abc import Callable
from typing import Any

from django.db import connections


def die(*args: Any, **kwargs: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def die_after(work: Callable[..., Any]) -> Callable[..., Any]:
    def worked(*args: Any, **kwargs: Any) -> None:
        work(*args, **kwargs)
        die()

    return worked


def in_a_process_that_is_killed(work: Callable[[], Any]) -> None:
    """Run `work` in a child; AssertionError unless it was killed on its way.

    There it runs in a thread of its own, which has its own connections to database and provider.
    """
    connections.close_all()
    child = os.fork()
    if child == 0:
        try:
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
        finally:
            os._exit(0)  # it got through: nothing of the parent's test run may go on here
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL, "it was not killed"
