"""What a person does in a browser, in the commands of WebDriver, which each browser takes in its own way."""

import time
from abc import ABC, abstractmethod
from typing import Any

START_SECONDS = 120
WAIT_SECONDS = 60
PHONE = {"width": 360, "height": 800}
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
ENTER = "\ue007"
SESSION = {"timeouts": {"pageLoad": WAIT_SECONDS * 1000}}


class Browser(ABC):
    """One window. Texts and selectors find what is seen; everything waits for what it needs."""

    @abstractmethod
    def send(self, command: str, **given: Any) -> Any:
        """What a command answers; AssertionError with what the browser says against it."""

    def open(self, address: str) -> None:
        self.send("Navigate", url=address)

    def run(self, script: str, *given: Any) -> Any:
        return self.send("ExecuteScript", script=script, args=list(given))

    def wait(self, script: str, *given: Any) -> Any:
        """The first answer that is true."""
        until = time.monotonic() + WAIT_SECONDS
        while not (found := self._try(script, *given)):
            assert time.monotonic() < until, f"{script} {given} in vain on {self.run('return document.body.innerText')}"
            time.sleep(0.1)
        return found

    def _try(self, script: str, *given: Any) -> Any:
        try:
            return self.run(script, *given)
        except AssertionError:  # between two pages
            return None

    def see(self, words: str) -> None:
        self.wait("return document.body.innerText.includes(arguments[0])", words)

    def _element(self, selector: str, words: str) -> dict[str, str]:
        found: dict[str, str] = self.wait(
            """return [...document.querySelectorAll(arguments[0])].find((one) => one.checkVisibility()
                && one.getBoundingClientRect().width > 1 && !one.disabled && one.textContent.includes(arguments[1]))""",
            selector,
            words,
        )
        return found

    def press(self, selector: str, words: str = "") -> None:
        until = time.monotonic() + WAIT_SECONDS
        while True:
            element = self._element(selector, words)
            try:
                self.run("arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })", element)
                return self.send("ElementClick", id=element[ELEMENT])
            except AssertionError:  # replaced, covered or moving at this very moment
                if time.monotonic() > until:
                    raise
                time.sleep(0.1)

    def type(self, selector: str, text: str) -> None:
        self.send("ElementSendKeys", id=self._element(selector, "")[ELEMENT], text=text)
