from django_tasks import task

from .models import ProviderEvent
from .webhooks import handle_event


@task()
def handle_provider_event(event_id: str) -> None:
    """When the provider does not answer now, the clock's handle_events comes back to it."""
    event = ProviderEvent.objects.filter(event_id=event_id, handled_at=None).first()
    if event:
        handle_event(event)
