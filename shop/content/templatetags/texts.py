"""{{ page.text|with_facts }}: an editor's text, with the facts that it names in square brackets."""

from django import template
from django.utils.safestring import SafeString

from ..pages.placeholders import fill_in

register = template.Library()


@register.filter
def with_facts(text: str) -> SafeString:
    return fill_in(text)
