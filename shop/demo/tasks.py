"""Background work of the demo, done by `manage.py worker`."""

from datetime import timedelta

from django_tasks import task

from shop.catalog.models import Picture
from shop.catalog.tasks import is_under_way

from .pending import draw_next

BATCH = 8
LOST_AFTER = timedelta(minutes=1)  # a batch takes seconds; drawn twice at once, a picture is the same


@task(priority=-40, queue_name="pictures")
def draw_pictures() -> None:
    """A few at a time, before the further renditions of those that are drawn, until none is left."""
    if draw_next(BATCH):
        draw_pictures.enqueue()


def request_drawings() -> None:
    """Scheduled job: set the worker to the pictures that are not drawn yet, unless it is already at them."""
    if Picture.objects.filter(is_complete=False).exists() and not is_under_way(draw_pictures, LOST_AFTER):
        draw_pictures.enqueue()
