from django_tasks import task

from .providers.webhooks import handle_event, waiting_events


@task(priority=60)
def handle_provider_event(event_id: str) -> None:
    """It comes before imports and pictures.

    When the provider does not answer now, the clock's handle_events comes back to it."""
    event = waiting_events().filter(event_id=event_id).first()
    if event:
        handle_event(event)
