"""Programs that ask a served shop over HTTP, as its own scripts do."""

import requests

PATIENCE = 120  # seconds for an answer, on a machine that has much else to do


class Visitor(requests.Session):
    """One browser's cookies and connection; paths are those of the shop."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self.url = url
        self.trust_env = False
        self.headers["Sec-Fetch-Site"] = "same-origin"

    def ask(self, path: str, **body: object) -> requests.Response:
        """A call with its JSON body."""
        return self.post(self.url + path, json=body, timeout=PATIENCE)

    def submit(self, path: str, **fields: str) -> requests.Response:
        """A form; where it leads is not followed."""
        return self.post(self.url + path, data=fields, timeout=PATIENCE, allow_redirects=False)
