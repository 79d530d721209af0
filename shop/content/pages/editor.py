"""The editor of pages and posts: texts with something to read, in which the shop fills in values."""

from typing import Any

from django.core.exceptions import ValidationError
from django.utils.html import strip_tags
from django.utils.translation import gettext, gettext_lazy

from shop.backoffice import rich_text

from .placeholders import check_names

FACTS_HELP = gettext_lazy(
    "Use square brackets for values the shop fills in: [return windows] and [shipping fees] in paragraphs of their "
    "own, [return days: wrong-item], [holding time], [code digits], [rupees a point], [shop name], [shop e-mail]."
)


class RichTextField(rich_text.RichTextField):
    """Its cleaned value is sanitised HTML with something to read in it."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("help_text", FACTS_HELP)
        super().__init__(with_links=True, **kwargs)

    def clean(self, value: Any) -> str:
        text = super().clean(value)
        if not strip_tags(text).strip():
            if not self.required:
                return ""
            raise ValidationError(gettext("This text is empty once unsafe tags are removed."))
        check_names(text)
        return text
