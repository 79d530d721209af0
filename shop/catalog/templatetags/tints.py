"""{% tints_url %}: the address of the category colours as they are now."""

from django import template

from shop.catalog.tints import tint_sheet

register = template.Library()


@register.simple_tag
def tints_url() -> str:
    """The same for every market: without its prefix, so that a browser keeps one copy."""
    return f"/tints-{tint_sheet().digest}.css"
