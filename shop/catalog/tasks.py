"""Background work of the catalogue, done by `manage.py worker`."""

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django_tasks import task
from django_tasks.base import Task
from django_tasks_db.models import DBTaskResult

from .import_export import services as import_desk
from .models import Category, Picture, Product
from .pictures import fetching
from .pictures import services as pictures
from .services import refresh_products

BATCH = 8
LOST_AFTER = timedelta(minutes=10)


@task(priority=-50, queue_name="pictures")
def complete_pictures() -> None:
    """A few pictures at a time, after everything more urgent, until none is left."""
    if pictures.complete_pending(BATCH):
        complete_pictures.enqueue()


def request_pictures() -> None:
    """Scheduled job: set the worker to the pictures that lack renditions, unless it is already at them."""
    if Picture.objects.filter(is_complete=False).exists() and not is_under_way(complete_pictures):
        complete_pictures.enqueue()


@task(priority=-50, queue_name="pictures")
def fetch_pictures() -> None:
    """A few at a time, after everything more urgent, until none is due."""
    if fetching.fetch_due(BATCH):
        fetch_pictures.enqueue()


def request_fetches() -> None:
    """After an import, and a scheduled job: set the worker to the pictures that imports named."""
    if fetching.pictures_due().exists() and not is_under_way(fetch_pictures):
        fetch_pictures.enqueue()


def is_under_way(work: "Task[Any, Any]", lost_after: timedelta = LOST_AFTER) -> bool:
    """Waiting or running; a run that began long ago died with its worker."""
    recent = Q(status="RUNNING", started_at__gt=timezone.now() - lost_after)
    return DBTaskResult.objects.filter(Q(status="READY") | recent, task_path=work.module_path).exists()


@task(priority=-50)
def refresh_category(pk: int) -> None:
    """Bring what search finds products by up to date, after their category was renamed, moved, hidden or shown."""
    if category := Category.objects.filter(pk=pk).first():
        inside = Product.objects.in_categories(Category.objects.within(category))
        refresh_products(inside.values_list("pk", flat=True))


def take_up_lost_refreshes() -> None:
    """Scheduled job: what a worker was at when it died is queued again. Pictures have jobs of their own, and
    imports are begun again by staff."""
    begun = timezone.now() - LOST_AFTER
    lost = DBTaskResult.objects.filter(status="RUNNING", started_at__lt=begun, task_path=refresh_category.module_path)
    with transaction.atomic():
        for dead in lost.select_for_update():
            refresh_category.enqueue(*dead.args_kwargs["args"])
            dead.delete()


@task(queue_name="imports")
def work_on_import(pk: int) -> None:
    """Count the rows of an uploaded product file, or import them."""
    import_desk.work_on(pk)
    request_fetches()
