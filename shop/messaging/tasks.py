from django_tasks import task

from .delivery import deliver


@task()
def deliver_message(message_id: int) -> str:
    return deliver(message_id).value
