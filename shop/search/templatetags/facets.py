"""{% facet_options facet facet.first %}: choices of a facet, each a checkbox with its number of products."""

from collections.abc import Iterable, Sequence

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.text import slugify
from django.utils.translation import gettext, ngettext

from shop.translated import lang

from ..facets.base import CountedFacet, Option

register = template.Library()
# A page holds up to two hundred, so they are written without a template of their own.
OPTION = (
    '<label class="facet__option" id="option-{}-{}"><input type="checkbox" name="{}" value="{}"{}><span{}>{}</span>'
    '<span class="facet__count">{}<span class="sr-only"> {}</span></span></label>'
)
CHECKED = SafeString(" checked")


@register.simple_tag
def facet_options(facet: CountedFacet, options: Iterable[Option]) -> SafeString:
    group = slugify(facet.name)
    return format_html_join(
        "\n",
        OPTION,
        (
            (
                *(group, slugify(option.value), facet.name, option.value, CHECKED if option.is_chosen else ""),
                *(lang(option.label), option.label, option.count, ngettext("product", "products", option.count)),
            )
            for option in options
        ),
    )


@register.simple_tag
def quoted_words(words: Sequence[str]) -> str:
    """“a”, “b” or “c”."""
    quoted = [f"“{each}”" for each in words]
    if len(quoted) < 2:
        return "".join(quoted)
    return gettext("%(words)s or %(last)s") % {"words": ", ".join(quoted[:-1]), "last": quoted[-1]}
