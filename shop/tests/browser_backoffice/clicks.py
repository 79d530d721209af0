"""Counts what a job takes a member of staff: clicks, and fields typed.

A browser test does its job through a `Job`; whatever it presses past it is noticed at the end. A choice from a list
and a drop of files are a click each. A confirmation ("Apply these 200 changes?") goes through `confirm` and is not
counted, and keys of the keyboard are none.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Error, Locator, Page

# Presses outlast the pages of a job; sessionStorage belongs to the tab.
COUNT_PRESSES = """(() => {
    addEventListener("pointerdown", (event) => {
        if (event.isTrusted) sessionStorage.setItem("presses", 1 + Number(sessionStorage.getItem("presses")));
    }, { capture: true });
})()"""
PRESSES = "Number(sessionStorage.getItem('presses'))"


@dataclass
class Job:
    """One job on a page that already shows the shop: `with Job(page, "One price", most=1) as job: …`.

    At the end it prints its figures, and fails where it took more than `most` clicks, or presses that it did not
    make itself.
    """

    page: Page
    name: str
    most: int
    clicks: int = 0
    confirmations: int = 0
    typed: list[str] = field(default_factory=list)
    _presses: int = 0  # that the browser should have seen

    def __enter__(self) -> "Job":
        self.page.add_init_script(COUNT_PRESSES)
        self.page.evaluate(COUNT_PRESSES)
        self.page.evaluate("sessionStorage.removeItem('presses')")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, *rest: object) -> None:
        if error:
            error.add_note(self._what_is_shown())
            return
        print(self.summary)  # noqa: T201 (the figures of the job)
        seen = self.page.evaluate(PRESSES)
        assert seen == self._presses, f"{self.name}: the page saw {seen} presses, {self._presses} were counted"
        assert self.clicks <= self.most, self.summary

    @property
    def summary(self) -> str:
        fields = f"{len(self.typed)} fields typed" + (f" ({', '.join(self.typed)})" if self.typed else "")
        return f"{self.name}: {self.clicks} clicks of at most {self.most}, {fields}"

    def click(self, what: Locator) -> None:
        what.click()
        self._count()

    def check(self, what: Locator) -> None:
        what.check()
        self._count()

    def confirm(self, what: Locator) -> None:
        """The button that says yes to what was just shown."""
        what.click()
        self.confirmations += 1
        self._presses += 1

    def choose(self, what: Locator, label: str) -> None:
        """From a list of choices."""
        what.select_option(label=label)
        self.clicks += 1

    def fill(self, what: Locator, text: str) -> None:
        """Write into a field that the keyboard reaches."""
        what.fill(text)
        self.typed.append(what.get_attribute("aria-label") or what.get_attribute("name") or "a field")

    def type(self, text: str, *, into: str) -> None:
        """Write where the keyboard is; `into` names the field in the figures."""
        self.page.keyboard.type(text)
        self.typed.append(into)

    def press(self, keys: str) -> None:
        self.page.keyboard.press(keys)

    def drop(self, what: Locator, files: Sequence[Path]) -> None:
        """Files dragged from a folder, or chosen in the browser's own window."""
        what.set_input_files(list(files))
        self.clicks += 1

    def _what_is_shown(self) -> str:
        """Where a job stopped; the presses that reached the page tell a refusal from a press that was lost."""
        try:
            words = self.page.locator(".desk, main").last.inner_text(timeout=1000)
            return f"{self.name}: {self.page.evaluate(PRESSES)} of {self._presses} presses at {self.page.url}\n{words}"
        except Error as failure:
            return f"{self.name}: {failure}"

    def _count(self) -> None:
        self.clicks += 1
        self._presses += 1
