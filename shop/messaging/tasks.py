from django_tasks import task

from .delivery import Outcome, deliver, send_one_waiting


@task()
def deliver_message(message_id: int) -> str:
    """One message, and with it one of those that nobody hurried for: they leave steadily, not all at
    once in the clock's round."""
    outcome = deliver(message_id)
    if outcome != Outcome.FAILED:
        send_one_waiting()
    return outcome.value
