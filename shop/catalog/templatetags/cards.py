"""{% cards listing.ids %}: the cards of products, by their ids, each in an <li>.

A card's markup is kept by each process until its product or the shop changes, so that a list of
known products is a join of strings and asks the database nothing.
"""

from collections.abc import Iterable, Iterator
from datetime import date

from django import template
from django.template.context import RequestContext
from django.template.loader import get_template
from django.urls import get_script_prefix
from django.utils.safestring import SafeString

from shop.invalidation.subscriptions import InvalidationOrder, ProductMemory
from shop.markets.geography.local_time import delivery_starts
from shop.markets.market import Market

from ..cards import Card, cards_by_id

register = template.Library()
MAX_CARDS = 20_000  # about a kilobyte each
SIZES = "(min-width: 1200px) 190px, (min-width: 768px) 30vw, 44vw"

# Link prefix, market, sizes, with eager pictures, the day that dates count from.
Form = tuple[str, Market, str, bool, date]
Wanted = tuple[int | Card, Form]


_kept: ProductMemory[str] = ProductMemory(MAX_CARDS, order=InvalidationOrder.MARKUP)


@register.simple_tag(takes_context=True)
def cards(
    context: RequestContext,
    products: Iterable[int | Card],
    *,
    sizes: str = SIZES,
    eager: int = 0,
    item: str = "li",
    mark: int = 0,
    soon: Iterable[int] = (),
) -> SafeString:
    """Cards in this order; the pictures of the first `eager` are wanted at once. `item=""` leaves them bare;
    `mark=12` makes the place after the twelfth one an address, #from-12.

    Cards of the products `soon`, which the page asks for next, are read along.

    Takes ids of products visible in the market, or cards that were read already; a product that is
    not there any more is left out.
    """
    prefix, market = get_script_prefix(), context["market"]
    today = delivery_starts(market)
    wanted: list[Wanted] = [
        (product, (prefix, market, sizes, at < eager, today)) for at, product in enumerate(products)
    ]
    later: list[Wanted] = [(pk, (prefix, market, sizes, False, today)) for pk in soon]
    texts = _texts(wanted, later, market)
    if item:
        texts = [f"<{item}>{text}</{item}>" for text in texts]
    if 0 < mark < len(texts):
        texts.insert(mark, f'<span class="cards__mark" id="from-{int(mark)}"></span>')
    return SafeString("\n".join(texts))  # nosec B703 B308 (each was rendered by its template)


def _texts(wanted: list[Wanted], later: list[Wanted], market: Market) -> list[str]:
    version = _kept.version
    found = {key: text for key in map(_key, [*wanted, *later]) if (text := _kept.get(key)) is not None}
    if missing := [one for one in [*wanted, *later] if _key(one) not in found]:
        for key, text in _write(missing, market):
            found[key] = text
            _kept.keep(key, text, shows=[key[0]], version=version)
    return [found[key] for key in map(_key, wanted) if key in found]


def _key(wanted: Wanted) -> tuple[int, Form]:
    product, form = wanted
    return (product.product.pk if isinstance(product, Card) else product), form


def _write(missing: list[Wanted], market: Market) -> Iterator[tuple[tuple[int, Form], str]]:
    """Cards that are not kept; those that nobody has read yet are read together."""
    card_template = get_template("catalog/products/_card.html")
    read = {product.product.pk: product for product, _ in missing if isinstance(product, Card)}
    unread = [product for product, _ in missing if not isinstance(product, Card)]
    read |= {card.product.pk: card for card in (cards_by_id(unread, market) if unread else ())}
    for pk, form in map(_key, missing):
        if pk in read:
            _, _, sizes, is_eager, _ = form
            context = {"card": read[pk], "sizes": sizes, "eager": is_eager}
            yield (pk, form), card_template.render(context)
