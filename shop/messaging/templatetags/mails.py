"""{{ number|strong }} stands out in a mail's HTML, {{ shop_email|mail_link }} is a link there; in its plain text both
are what they are. So a sentence has one translation for both."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.filter(needs_autoescape=True)
def strong(value: object, autoescape: bool = True) -> SafeString | str:
    return format_html('<strong class="number">{}</strong>', value) if autoescape else str(value)


@register.filter(needs_autoescape=True)
def mail_link(address: str, autoescape: bool = True) -> SafeString | str:
    return format_html('<a href="mailto:{0}">{0}</a>', address) if autoescape else address
