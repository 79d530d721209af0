"""The editor in which staff write texts: it offers what `clean_html` (with links, `clean_linked_html`) leaves."""

from typing import Any

from django_prose_editor.fields import ProseEditorFormField
from django_prose_editor.widgets import AdminProseEditorWidget

from shop.html import clean_html, clean_linked_html

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


LINKS = {"Link": {"enableTarget": False}}


class RichTextWidget(AdminProseEditorWidget):
    class Media:
        js = ["backoffice/editor_texts.js"]


class RichTextField(ProseEditorFormField):
    """Its cleaned value is sanitised HTML."""

    def __init__(self, *, with_links: bool = False, **kwargs: Any) -> None:
        super().__init__(
            extensions=EXTENSIONS | LINKS if with_links else EXTENSIONS,
            sanitize=clean_linked_html if with_links else clean_html,
            widget=RichTextWidget,
            **kwargs,
        )
