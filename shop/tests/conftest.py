"""A whole shop as its own processes, and a phone's browser in front of it."""

import email
import email.policy
import fcntl
import itertools
import os
import re
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Container, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import IO
from urllib.parse import quote

import pytest
from django.conf import settings
from django.db import connection
from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

from shop.catalog.models import Picture, Product
from shop.catalog.pictures.services import StoredPicture, digest_of, store_image
from shop.invalidation.models import Change
from shop.invalidation.services import invalidate
from shop.invalidation.subscriptions import EVERY_SECONDS
from shop.ops.supervisor import manage_command
from shop.tests.support.codes import IN_TEXT

from .support.needs import chromium_path, lack

PHONE = {"width": 360, "height": 740}
TABLET = 768
EVERYWHERE = "BARRIERS_EVERYWHERE"
WIDTHS = (320, 360, 768, 1024, 1280)
TEXT_SIZES = (16, 32)  # px, the browser's and twice that
# What fades in is half transparent, and a toast may leave while axe looks at it: motion is skipped,
# and what is not there any more has no colours.
AXE_RUN = """async () => {
    for (const motion of document.getAnimations()) motion.cancel();
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    const isThere = ({ target }) => target.length > 1 || document.querySelector(target[0]);
    for (const rule of violations) rule.nodes = rule.nodes.filter(isThere);
    return { violations };
}"""
AXE = settings.BASE_DIR / "islands" / "node_modules" / "axe-core" / "axe.min.js"
PHARMACY = {"COMPANY_PHARMACY_LICENCE": "KA-20-123", "COMPANY_PHARMACIST": "K. Nair, KPC 1"}
LASTING = pytest.StashKey["SharedShop"]()
START_SECONDS = 180
WAIT_SECONDS = 60
LAST_LINES = 40
FIRST_PORT, PORTS_EACH = 12_000, 4_000  # five test processes stay below what the system hands out


@dataclass
class Shop:
    """A shop that is served as `make serve` serves it, from the test database."""

    url: str
    data: Path
    parent: subprocess.Popen
    environment: dict[str, str]
    gone: set[int] = field(default_factory=set)  # products of the tests before

    def forget_what_was(self) -> None:
        """Between two tests the rows are gone, which nobody announces."""
        for kind in ("mail", "sms"):
            shutil.rmtree(self.data / kind, ignore_errors=True)
        if self.gone:
            invalidate(Change.Kind.PRODUCT, {*self.gone, *Product.objects.values_list("pk", flat=True)})
            invalidate(Change.Kind.SHOP)
            self.gone.clear()
            time.sleep(2 * EVERY_SECONDS)

    def manage(self, *words: str) -> str:
        """What a command of the shop says; AssertionError with it when the command fails."""
        return manage(self.environment, *words)

    def processes(self) -> dict[int, str]:
        """Everything that runs under the parent: process id and command line."""
        listed = subprocess.run(
            ["ps", "-ww", "-A", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True
        )
        rows = [
            (int(pid), int(ppid), args)
            for pid, ppid, args in (row.split(None, 2) for row in listed.stdout.splitlines())
        ]
        found: dict[int, str] = {}
        parents = {self.parent.pid}
        while parents:
            children = {pid: args for pid, ppid, args in rows if ppid in parents}
            found |= children
            parents = set(children)
        return found

    def web_server(self) -> dict[int, str]:
        """The web server with its workers."""
        return {pid: args for pid, args in self.processes().items() if "granian" in args and "watchdog" not in args}

    def mailed_code(self, to: str, *, after: str = "") -> str:
        """The code in the newest mail to an address, which comes after the one with another code."""
        return self._newest_code(f"mail/*-{to.replace('@', '-at-')}.eml", _text_of_mail, after)

    def texted_code(self, to: str, *, after: str = "") -> str:
        """The same for the newest SMS to a number, such as +919876543210."""
        return self._newest_code(f"sms/*-{to}.txt", Path.read_text, after)

    def _newest_code(self, files: str, read: Callable[[Path], str], after: str) -> str:
        until = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < until:
            for file in sorted(self.data.glob(files), reverse=True):
                if found := IN_TEXT.search(read(file)):
                    if found[0] == after:
                        break
                    return found[0]
            time.sleep(0.1)
        raise AssertionError(f"no code in {files}")


def manage(environment: dict[str, str], *words: str) -> str:
    """What a command of a shop says; AssertionError with it when the command fails."""
    done = subprocess.run(manage_command(*words), env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


class SharedShop:
    """Serves the shop for tests that follow one another, from when the first of them has filled it."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.pictures: dict[str, StoredPicture] = {}
        self._open = ExitStack()
        self._shop: Shop | None = None

    def get(self) -> Shop:
        self._shop = self._shop or self._open.enter_context(serving(self.data, WEB_WORKERS="1", **PHARMACY))
        return self._shop

    def end(self) -> None:
        self._shop = None
        self._open.close()


@pytest.fixture(scope="session")
def shared_shop(tmp_path_factory, pytestconfig):
    pytestconfig.stash[LASTING] = SharedShop(tmp_path_factory.mktemp("shop"))
    return pytestconfig.stash[LASTING]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item, nextitem):
    """The lasting shop ends before others' tests, also those that serve a `running_shop` of their own: its worker
    would take up the tasks that theirs are to do, under other settings. It ends whatever the teardown finds."""
    try:
        return (yield)
    finally:
        is_asked_for = nextitem is not None and "shared_shop" in nextitem.fixturenames
        if LASTING in item.config.stash and not is_asked_for:
            item.config.stash[LASTING].end()


@pytest.fixture
def running_shop(transactional_db, shared_shop, make_product):
    """Web, worker and clock as processes of their own, for all tests that ask for them one after the other."""
    if not (settings.STATIC_ROOT / "staticfiles.json").exists():
        lack("The assets are not collected (make var/static/.collected)")
    # An empty shop would load the demo: it opens with a product that is gone before anybody looks.
    placeholder = None if Product.objects.exists() else make_product("Placeholder")
    shop = shared_shop.get()
    if placeholder:
        shop.gone.add(placeholder.pk)
        for row in (placeholder, placeholder.brand, placeholder.category):
            row.delete()
    shop.forget_what_was()
    yield shop
    shop.gone |= set(Product.objects.values_list("pk", flat=True))


@contextmanager
def serving(data: Path, *, port: int = 0, **environment: str) -> Iterator[Shop]:
    """The shop of the test database, served as `make serve` serves it, with its files in `data`."""
    port = port or free_port()
    own = environment_of(data, port, **environment)
    assert own["SHOP_DEMO"] == "0" or Product.objects.exists(), "an empty shop would load the demo, for minutes"
    connection.close()
    with (data / "log").open("wb") as log:
        parent = subprocess.Popen(
            manage_command("serve"), env=own, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
        )
    try:
        wait_for(" is open at ", data / "log", parent)
        yield Shop(f"http://127.0.0.1:{port}", data, parent, own)
    except AssertionError as failure:
        failure.add_note("The shop's last words:\n" + "\n".join((data / "log").read_text().splitlines()[-LAST_LINES:]))
        raise
    finally:
        parent.send_signal(signal.SIGINT)
        parent.wait(WAIT_SECONDS)
    assert free_port(port) == port, "the web server outlived its parent"


def environment_of(data: Path, port: int, **more: str) -> dict[str, str]:
    """That of a shop of the test database, whether it runs or not, with the secret of this process: both read each
    other's sessions, and both derive the simulated provider's keys from it."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("SHOP_", "DJANGO_"))}
    own |= {"DATABASE_URL": database_url(), "SHOP_DATA_DIR": str(data), "SHOP_DEMO": "1", "PORT": str(port)}
    return own | {"SECRET_KEY": settings.SECRET_KEY} | more


def database_url() -> str:
    """The test database, as another process names it."""
    named = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{named['NAME']}"
    person = ":".join(quote(part, safe="") for part in (named["USER"], named["PASSWORD"]) if part)
    return f"postgres://{person}@{named['HOST']}:{named['PORT']}/{named['NAME']}"


@pytest.fixture(scope="session")
def chromium():
    path = chromium_path()
    expect.set_options(timeout=WAIT_SECONDS * 1000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path,
            args=["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-dev-shm-usage", "--no-first-run"],
        )
        browser.on("context", lambda context: context.set_default_timeout(WAIT_SECONDS * 1000))
        yield browser
        browser.close()


@pytest.fixture
def open_phone(chromium, running_shop):
    """open_phone(scripts=True, width=360, refusals={422}): a page of a shopper in India.

    Whatever the console complains about, and every refusal of the content policy, fails the test; so
    does every answer of 400 and above, but for the refusals that the test wants to see.
    """
    complaints: list[str] = []
    contexts = []

    def open_page(*, scripts=True, width=PHONE["width"], refusals=()):
        context = chromium.new_context(
            base_url=running_shop.url,
            viewport=PHONE | {"width": width},
            locale="en-IN",
            java_script_enabled=scripts,
            has_touch=width < TABLET,
        )
        context.set_default_timeout(WAIT_SECONDS * 1000)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: _note_words(said, complaints, refusals))
        page.on("pageerror", lambda error: _note_error(str(error), complaints))
        page.on("requestfailed", lambda request: _note_break(request, complaints))
        page.on("response", lambda answer: _note_failure(answer, complaints, refusals))
        return page

    yield open_page
    for context in contexts:
        if complaints:
            complaints += [_last_words(page) for page in context.pages]
        context.close()
    assert complaints == []


@pytest.fixture(scope="session")
def barriers():
    """barriers(page): what axe finds on a page as it stands, as "rule: elements"; its rules are those of WCAG 2.2 AA
    and good practice. With BARRIERS_EVERYWHERE (`make prove`) also at every width and with text at 200 %, and what is
    wider than the window, but for the back office, whose tests name their widths themselves."""
    source = AXE.read_text()

    def find(page):
        page.evaluate(source)
        return find_everywhere(page) if everywhere and "/admin/" not in page.url else find_here(page)

    def find_here(page):
        found = page.evaluate(AXE_RUN)["violations"]
        return [f"{rule['id']}: {node['target']} {node['html'][:120]}" for rule in found for node in rule["nodes"]]

    def find_everywhere(page):
        found = []
        before, settings = page.viewport_size, page.context.new_cdp_session(page)
        for width, size in itertools.product(WIDTHS, TEXT_SIZES):
            page.set_viewport_size({"width": width, "height": before["height"]})
            settings.send("Page.setFontSizes", {"fontSizes": {"standard": size, "fixed": size}})
            wide = page.evaluate("document.documentElement.scrollWidth") - width
            here = [*find_here(page), *([f"{wide} px wider than the window"] if wide > 0 else [])]
            found += [f"{width} px, text of {size} px: {what}" for what in here]
        settings.send("Page.setFontSizes", {"fontSizes": {"standard": TEXT_SIZES[0], "fixed": TEXT_SIZES[0]}})
        page.set_viewport_size(before)
        return found

    everywhere = EVERYWHERE in os.environ
    return find


def pytest_collection_modifyitems(config, items):
    """The proof at every width is of the tests that look for barriers."""
    if EVERYWHERE in os.environ:
        without = [item for item in items if "barriers" not in item.fixturenames]
        config.hook.pytest_deselected(items=without)
        items[:] = [item for item in items if "barriers" in item.fixturenames]


@pytest.fixture
def picture(transactional_db, settings, shared_shop):
    """picture("#e7f0ea"): a plain square with all its renditions, where the running shop finds it."""
    settings.MEDIA_ROOT = shared_shop.data / "media"

    def make(colour):
        digest = digest_of(colour.encode())
        if digest not in shared_shop.pictures:  # its files stay when the row is gone
            image = Image.new("RGB", (800, 800), colour)
            shared_shop.pictures[digest] = store_image(image, digest=digest, complete=True)
        stored = shared_shop.pictures[digest]
        fields = {"file": stored.name, "width": stored.width, "height": stored.height, "is_complete": True}
        return Picture.objects.get_or_create(digest=digest, defaults={**fields, "alt": colour})[0]

    return make


@pytest.fixture
def disk():
    """A small disk, for a test that is marked with `own_mounts`."""
    from .support.small_disk import SmallDisk

    with TemporaryDirectory(prefix="shop-disk-") as folder:
        Path(folder).chmod(0o755)  # a database runs as somebody else
        yield SmallDisk(Path(folder))


def free_port(wanted: int = 0) -> int:
    """A port that nobody listens on, or OSError if that is not so of the wanted one.

    Not one of those that the system hands out: it could give it to somebody else before it is used, and
    two web servers may listen on one port without either noticing. Each test process has its own range, and
    claims its ports against those of other runs on this machine.
    """
    for port in [wanted] if wanted else filter(_claim_port, itertools.islice(_own_ports, PORTS_EACH)):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                if wanted:
                    raise
                continue
        return port
    raise OSError(f"none of {PORTS_EACH} ports is free")


def _ports_of_this_process() -> Iterator[int]:
    number = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    ports = range(FIRST_PORT + number * PORTS_EACH, FIRST_PORT + (number + 1) * PORTS_EACH)
    return itertools.cycle([*ports[(start := os.getpid() % PORTS_EACH) :], *ports[:start]])


_own_ports = _ports_of_this_process()
_claims: dict[int, IO[bytes]] = {}


def _claim_port(port: int) -> bool:
    """Whether no other process claims the port; it is kept until this process ends."""
    if port in _claims:
        return True
    try:
        claim = (Path(gettempdir()) / f"shop-tests-port-{port}").open("ab")
        fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    _claims[port] = claim
    return True


def is_listening(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def await_true(fact: Callable[[], bool]) -> None:
    until = time.monotonic() + WAIT_SECONDS
    while not fact():
        assert time.monotonic() < until
        time.sleep(0.1)


def wait_for(words: str, log: Path, process: subprocess.Popen) -> None:
    """Until a process has said these words; AssertionError with its log when it ends or takes too long."""
    until = time.monotonic() + START_SECONDS
    while words not in log.read_text():
        if process.poll() is not None or time.monotonic() > until:
            raise AssertionError(f"no {words!r}:\n{log.read_text()}")
        time.sleep(0.1)


# Chromium calls it an error that a page came without the transition that its styles ask for.
TRANSITIONS_NOT_SHOWN = (
    "ViewTransition opt-in disabled",  # the staff's pages have none
    "Transition was aborted because of invalid state. Viewport size changed",  # the test turned the phone
    "Transition was aborted because of invalid state. Page already revealed",  # a busy machine was late to begin it
)


def _note_error(said: str, complaints: list[str]) -> None:
    if not any(words in said for words in TRANSITIONS_NOT_SHOWN):
        complaints.append(said)


def _note_break(request, complaints: list[str]) -> None:
    """A request that leaving its page cut short is no fault."""
    if request.failure != "net::ERR_ABORTED":
        complaints.append(f"{request.url}: {request.failure}")


def _last_words(page: Page) -> str:
    """Where a page of a failed test stands, and which errors it shows."""
    errors = page.locator("[role=alert]:visible, .field__error:visible").all_inner_texts()
    return f"left at {page.url}, showing {errors}"


def _text_of_mail(file: Path) -> str:
    mail = email.message_from_bytes(file.read_bytes(), policy=email.policy.default)
    return mail.get_body(("plain",)).get_content()


def _note_words(said, complaints: list[str], refusals: Container[int]) -> None:
    """Complaints of the console; that of an answer's status is _note_failure's matter."""
    answered = re.match(r"Failed to load resource: the server responded with a status of (\d+)", said.text)
    if said.type in ("error", "warning") and not (answered and int(answered[1]) in refusals):
        complaints.append(said.text)


def _note_failure(answer, complaints: list[str], refusals: Container[int]) -> None:
    if answer.status >= 400 and answer.status not in refusals:
        complaints.append(f"{answer.request.method} {answer.url}: {answer.status}")
