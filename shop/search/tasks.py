"""Background work of searches, done by `manage.py worker`."""

from typing import Any

from django.conf import settings
from django.db import transaction
from django_tasks import task
from django_tasks_db.models import DBTaskResult

from shop.invalidation.models import Change

from .engines.services import index_on_server


@task(priority=50)
def send_changes() -> None:
    """Tell the search server what changed."""
    index_on_server()


def request_changes(sender: type[Change], instance: Change, **_: Any) -> None:
    """Set the worker to a change as soon as it is committed, where there is a search server."""
    if settings.SEARCH_SERVER_URL and instance.kind == Change.Kind.PRODUCT:
        transaction.on_commit(_enqueue)


def _enqueue() -> None:
    if not DBTaskResult.objects.filter(status="READY", task_path=send_changes.module_path).exists():
        send_changes.enqueue()
