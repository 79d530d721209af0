"""{% guarded row %}…{% endguarded %}: a part of a page that may be broken without taking the page with it.

What raises is logged with what it was about, and nothing of it is shown.
"""

import logging

from django import template
from django.template.base import FilterExpression, NodeList, Parser, Token
from django.template.context import Context

logger = logging.getLogger(__name__)
register = template.Library()


class GuardedNode(template.Node):
    def __init__(self, nodelist: NodeList, about: FilterExpression) -> None:
        self.nodelist = nodelist
        self.about = about

    def render(self, context: Context) -> str:
        try:
            with context.push():
                return self.nodelist.render(context)
        except Exception:
            logger.exception("left out of the page: %s", self.about.resolve(context))
            return ""


@register.tag
def guarded(parser: Parser, token: Token) -> GuardedNode:
    about = parser.compile_filter(token.split_contents()[1])
    nodelist = parser.parse(("endguarded",))
    parser.delete_first_token()
    return GuardedNode(nodelist, about)
