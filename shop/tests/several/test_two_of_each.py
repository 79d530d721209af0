"""Two clocks and two workers, as processes of their own: every job, task and email once; what a killed one had begun
is taken up by the other. And workers with queues of their own."""

import os
import signal
import subprocess
import time
from collections import Counter
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from django.db import connection

from shop.messaging.models import Message
from shop.ops import scheduler
from shop.ops.supervisor import manage_command

from ..conftest import await_true, environment_of, free_port

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]
TASKS, MAILS = 30, 20
PATIENCE = {"quick": 2.0 + 3.0, "real": 30.0 + 5.0}  # the lease of a job, and what two cores need


class Processes:
    def __init__(self, folder: Path) -> None:
        self.folder, self.notes = folder, folder / "notes"
        self.notes.touch()
        self.started: list[subprocess.Popen] = []

    def start(self, *words: str, **environment: str) -> subprocess.Popen:
        own = {"NOTES": str(self.notes), "DJANGO_SETTINGS_MODULE": "shop.tests.two_of_each.settings", "QUICK": "1"}
        environment = environment_of(self.folder, free_port(), **own | environment)
        with (self.folder / f"log-{len(self.started)}").open("wb") as log:
            self.started.append(
                subprocess.Popen(manage_command(*words), env=environment, stdout=log, stderr=subprocess.STDOUT)
            )
        return self.started[-1]

    def noted(self, what: str) -> list[tuple[str, int, float]]:
        rows = [line.split() for line in self.notes.read_text().splitlines()]
        return [(name, int(pid), float(at)) for name, pid, at in rows if name.startswith(what)]

    def last_pid(self, what: str) -> int:
        return self.noted(what)[-1][1]

    @contextmanager
    def taking_long(self, what: str):
        """Jobs, tasks or emails of that name do not end in this block."""
        (self.folder / what).touch()
        try:
            yield
        finally:
            (self.folder / what).unlink()

    def kill(self, pid: int) -> float:
        assert pid in [process.pid for process in self.started]
        os.kill(pid, signal.SIGKILL)
        return time.time()

    def end(self) -> None:
        for process in self.started:
            process.kill()
            process.wait()


@pytest.fixture
def processes(tmp_path):
    if connection.vendor == "sqlite":
        pytest.skip("Several machines need PostgreSQL")
    processes = Processes(tmp_path)
    yield processes
    processes.end()


def queue_mail(to, kind="short"):
    Message.objects.create(channel="mail", kind=kind, to=to, subject="Hello", text="Hello")


def enqueue(name, *arguments):
    """A task of the processes' own app, which this process does not have."""
    from shop.tests.two_of_each import tasks

    getattr(tasks, name).enqueue(*arguments)


def test_each_task_runs_once_with_two_workers(processes, figure):
    for number in range(TASKS):
        enqueue("short_task", number)
        if number < MAILS:
            queue_mail(str(number))
    began = time.time()
    clocks = [processes.start("clock") for _ in range(2)]
    workers = [processes.start("worker") for _ in range(2)]
    await_true(lambda: len(processes.noted("task-")) >= TASKS and len(processes.noted("mail-")) >= MAILS)
    await_true(lambda: {pid for _, pid, _ in processes.noted("each_second")} == {clock.pid for clock in clocks}
               or len(processes.noted("each_second")) > 6)  # fmt: skip
    done = Counter(name for name, _, _ in processes.noted("task-") + processes.noted("mail-"))
    assert set(done.values()) == {1} and len(done) == TASKS + MAILS
    assert {pid for _, pid, _ in processes.noted("task-")} <= {worker.pid for worker in workers}
    at = sorted(at for _, _, at in processes.noted("each_second"))
    assert min(after - before for before, after in pairwise(at)) >= 1.0
    assert len(processes.noted("long_job")) == 1
    figure(f"{len(done)} tasks and mails, {len(at)} runs of a job in {time.time() - began:.0f} s: each once", "once")


@pytest.mark.parametrize("lease", ["quick", pytest.param("real", marks=pytest.mark.full)])
def test_the_other_clock_takes_up_what_a_killed_one_had_begun(processes, figure, lease):
    with processes.taking_long("long_job"):
        for _ in range(2):
            processes.start("clock", QUICK="1" if lease == "quick" else "")
        await_true(lambda: processes.noted("long_job"))
        killed = processes.kill(first := processes.last_pid("long_job"))
        await_true(lambda: processes.last_pid("long_job") != first)
        took = processes.noted("long_job")[-1][2] - killed
    figure(f"taken up {took:.1f} s after the kill", f"{PATIENCE[lease]:.0f} s")
    assert took < PATIENCE[lease]


def test_the_other_worker_takes_up_a_mail_and_a_task(processes):
    queue_mail("slow@example.com", kind="long")
    with processes.taking_long("long_mail"), processes.taking_long("long_task"):
        processes.start("clock")
        for _ in range(2):
            processes.start("worker")
        await_true(lambda: processes.noted("mail-slow") and processes.noted("long_task"))
        mailing, working = processes.last_pid("mail-slow"), processes.last_pid("long_task")
        killed = processes.kill(working)
        await_true(lambda: processes.last_pid("long_task") != working)
        assert processes.noted("long_task")[-1][2] - killed < PATIENCE["quick"]
        if mailing != working:
            processes.start("worker")
            processes.kill(mailing)
        await_true(lambda: processes.last_pid("mail-slow") != mailing)
    await_true(lambda: Message.objects.exclude(sent_at=None).count() == 1)


def test_a_long_import_holds_up_neither_mails_nor_tasks_of_other_queues(processes):
    enqueue("long_import")
    with processes.taking_long("long_import"):
        importer = processes.start("worker", "--queues", "imports")
        await_true(lambda: processes.noted("long_import"))
        queue_mail("at-once@example.com")
        enqueue("short_task", 1)
        time.sleep(1.5)
        assert not processes.noted("mail-") and not processes.noted("task-")  # the importer leaves them alone
        other = processes.start("worker", "--queues", "messages,default")
        await_true(lambda: processes.noted("mail-") and processes.noted("task-"))
        assert processes.last_pid("mail-") == processes.last_pid("task-") == other.pid
        assert processes.last_pid("long_import") == importer.pid and len(processes.noted("long_import")) == 1


def test_the_real_times_are_what_the_handbook_says():
    """docs/operations.md: a scheduled job within 45 seconds, a message within three minutes, pictures within eleven."""
    from shop.catalog.tasks import LOST_AFTER
    from shop.messaging.delivery import MAX_PAUSE
    from shop.ops.management.commands.clock import LOOK_SECONDS

    job = scheduler.LEASE.total_seconds() + LOOK_SECONDS
    assert (job, MAX_PAUSE.total_seconds(), LOST_AFTER.total_seconds()) == (45, 3 * 60, 10 * 60)
