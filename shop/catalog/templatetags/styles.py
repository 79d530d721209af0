"""{% styles_url %}: the address of the stylesheet as it is now."""

from django import template

from ..stylesheet import style_sheet

register = template.Library()


@register.simple_tag
def styles_url() -> str:
    """The same for every market: without its prefix, so that a browser keeps one copy."""
    return f"/styles-{style_sheet().digest}.css"
