"""What a test waits for on a page of the browser."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page


@contextmanager
def answered(page: Page) -> Iterator[None]:
    """What is sent in the block has its answer when the block ends, by a script or by a form.

    A page whose network is idle says less: it was idle before the click, too.
    """
    with page.expect_response(lambda response: response.request.method == "POST"):
        yield
