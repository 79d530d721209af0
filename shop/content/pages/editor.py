"""The editor in which staff write texts: what it offers is what `clean_html` leaves."""

from typing import Any

from django.core.exceptions import ValidationError
from django.utils.html import strip_tags
from django_prose_editor.fields import ProseEditorFormField
from django_prose_editor.widgets import AdminProseEditorWidget

from shop.html import clean_html

from .placeholders import check_names

EXTENSIONS = {
    "Heading": {"levels": [2, 3]},
    "Bold": True,
    "Italic": True,
    "Underline": True,
    "Subscript": True,
    "Superscript": True,
    "BulletList": True,
    "OrderedList": True,
    "ListItem": True,
    "Blockquote": True,
    "HardBreak": True,
    "Table": True,
    "TableRow": True,
    "TableHeader": True,
    "TableCell": True,
    "HTML": True,
}
FACTS_HELP = (
    "Use square brackets for values the shop fills in: [return windows] in a paragraph of its own, "
    "[return days: wrong-item], [holding time], [code digits], [rupees a point], [shop name], [shop e-mail]."
)


class RichTextField(ProseEditorFormField):
    """Its cleaned value is sanitised HTML with something to read in it."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("help_text", FACTS_HELP)
        super().__init__(extensions=EXTENSIONS, sanitize=clean_html, widget=AdminProseEditorWidget, **kwargs)

    def clean(self, value: Any) -> str:
        text = super().clean(value)
        if not strip_tags(text).strip():
            raise ValidationError("This text has nothing left to read.")
        check_names(text)
        return text
