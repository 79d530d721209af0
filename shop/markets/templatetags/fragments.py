"""{% fragment "header" %}…{% endfragment %}: markup that is the same on every page of a market.

Each process keeps it by name, market and further arguments until the shop or a product changes. It
may show nothing of a person and nothing of the page; `{% fragment "row" row.pk %}` tells apart.
"""

from collections.abc import Hashable
from typing import Any

from django import template
from django.template.base import FilterExpression, NodeList, Parser, Token
from django.template.context import Context
from django.urls import get_script_prefix
from django.utils.safestring import SafeString

from shop.changes.following import catch_up, follow
from shop.changes.models import Change

register = template.Library()
MOST_FRAGMENTS = 600


class _Fragments:
    def __init__(self) -> None:
        self.texts: dict[Hashable, SafeString] = {}
        self.version = 0

    def hear(self, news: list[Change] | None) -> None:
        if news is None or any(change.kind != Change.Kind.STOCK for change in news):
            self.version += 1
            self.texts.clear()

    def keep(self, key: Hashable, text: SafeString, version: int) -> None:
        if version == self.version:
            if len(self.texts) >= MOST_FRAGMENTS:
                self.texts.clear()
            self.texts[key] = text


_fragments = _Fragments()
follow(_fragments.hear)


class FragmentNode(template.Node):
    def __init__(self, nodelist: NodeList, arguments: list[FilterExpression]) -> None:
        self.nodelist = nodelist
        self.arguments = arguments

    def render(self, context: Context) -> SafeString:
        key = (get_script_prefix(), context.get("market"), *(each.resolve(context) for each in self.arguments))
        catch_up()
        text = _fragments.texts.get(key)
        if text is None:
            version = _fragments.version
            text = self.nodelist.render(context)
            _fragments.keep(key, text, version)
        return text


@register.tag
def fragment(parser: Parser, token: Token) -> FragmentNode:
    _, *words = token.split_contents()
    arguments: list[Any] = [parser.compile_filter(word) for word in words]
    nodelist = parser.parse(("endfragment",))
    parser.delete_first_token()
    return FragmentNode(nodelist, arguments)
