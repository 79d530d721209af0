"""{% fragment "header" %}…{% endfragment %}: markup that is the same on every page of a market.

Each process keeps it by name, market and further arguments until the shop or any product changes. With `shows=ids` it
depends on those products alone, and on how many of them are on hand, as in `{% fragment "product" page.key
shows=page.shows %}`; with `shows=""` on no product. It may show nothing of a person, and of the page only what its
arguments tell.
"""

from collections.abc import Hashable

from django import template
from django.template.base import FilterExpression, NodeList, Parser, Token, token_kwargs
from django.template.context import Context
from django.urls import get_script_prefix

from shop.invalidation.subscriptions import InvalidationOrder, ProductMemory

register = template.Library()
_of_any_product: ProductMemory[str] = ProductMemory(600, order=InvalidationOrder.MARKUP)
_of_few_products: ProductMemory[str] = ProductMemory(600, stock=True, order=InvalidationOrder.MARKUP)


class FragmentNode(template.Node):
    def __init__(self, nodelist: NodeList, arguments: list[FilterExpression], shows: FilterExpression | None) -> None:
        self.nodelist = nodelist
        self.arguments = arguments
        self.shows = shows

    def render(self, context: Context) -> str:
        arguments = [argument.resolve(context) for argument in self.arguments]
        key: Hashable = (get_script_prefix(), context.get("market"), *arguments)
        kept = _of_few_products if self.shows and self.shows.var else _of_any_product
        version = kept.version
        text = kept.get(key)
        if text is None:
            text = self._make(context)
            shows = self.shows.resolve(context) if self.shows else None
            kept.keep(key, text, shows=shows, version=version)
        return text

    def _make(self, context: Context) -> str:
        return self.nodelist.render(context)


@register.tag
def fragment(parser: Parser, token: Token) -> FragmentNode:
    words = token.split_contents()[1:]
    shows = token_kwargs(words[-1:], parser).get("shows")
    arguments = [parser.compile_filter(word) for word in (words[:-1] if shows else words)]
    nodelist = parser.parse(("endfragment",))
    parser.delete_first_token()
    return FragmentNode(nodelist, arguments, shows)
