from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class MessagingConfig(AppConfig):
    name = "shop.messaging"

    def ready(self) -> None:
        post_migrate.connect(add_texts, self)


def add_texts(app_config: AppConfig, using: str, **kwargs: Any) -> None:
    """A row for each message whose text can be changed, in each language of the shop, and none for any other message;
    listens to post_migrate."""
    try:
        kwargs["apps"].get_model("messaging", "MessageText")
    except LookupError:  # migrated to before there was one
        return
    from django.conf import settings

    from .models import MessageText
    from .texts import editable_templates

    templates = editable_templates()
    MessageText.objects.using(using).exclude(template__in=templates).delete()
    rows = [
        MessageText(template=template, language=language)
        for template in templates
        for language in settings.SHOP_LANGUAGES
    ]
    MessageText.objects.using(using).bulk_create(rows, ignore_conflicts=True)
