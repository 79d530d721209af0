"""{% stars product.rating %}: an average in hundredths of a star, as five stars and in words."""

from django import template
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

register = template.Library()


def rating_words(hundredths: int) -> str:
    """With one decimal, which whole numbers go without: 4.3, 5."""
    tenths = (hundredths + 5) // 10
    return number_format(tenths / 10, 1 if tenths % 10 else 0)


@register.filter
def average(hundredths: int) -> str:
    return rating_words(hundredths)


@register.simple_tag
def stars(hundredths: int) -> SafeString:
    """Drawn to the half star; `static/css/catalog/rating.css` has the widths."""
    halves = (hundredths + 25) // 50
    words = gettext("%(stars)s out of 5 stars") % {"stars": rating_words(hundredths)}
    return format_html('<span class="stars stars--{}" role="img" aria-label="{}"></span>', halves, words)
