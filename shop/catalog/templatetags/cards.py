"""{% cards listing.ids %}: the cards of products, by their ids, each in an <li>.

A card's markup is kept by each process until its product or the shop changes, so that a list of
known products is a join of strings and asks the database nothing.
"""

from collections.abc import Iterable

from django import template
from django.template.context import RequestContext
from django.template.loader import get_template
from django.urls import get_script_prefix
from django.utils.safestring import SafeString

from shop.invalidation.memory import ProductMemory
from shop.invalidation.subscriptions import InvalidationOrder
from shop.markets.market import Market

from ..cards import Card, cards_by_id

register = template.Library()
MAX_CARDS = 20_000  # about a kilobyte each
SIZES = "(min-width: 1200px) 190px, (min-width: 768px) 30vw, 44vw"

Form = tuple[str, Market, str, bool, bool]  # link prefix, market, sizes, with eager pictures, with unit prices


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
    unit_prices: bool = False,
) -> SafeString:
    """Cards in this order; the pictures of the first `eager` are wanted at once. `item=""` leaves them bare;
    `mark=12` makes the place after the twelfth one an address, #from-12.

    Takes ids of products visible in the market, or cards that were read already; a product that is
    not there any more is left out.
    """
    rows = list(products)
    texts = []
    for part, is_eager in ((rows[:eager], True), (rows[eager:], False)):
        texts += _texts(part, (get_script_prefix(), context["market"], sizes, is_eager, unit_prices))
    if item:
        texts = [f"<{item}>{text}</{item}>" for text in texts]
    if 0 < mark < len(texts):
        texts.insert(mark, f'<span class="cards__mark" id="from-{int(mark)}"></span>')
    return SafeString("\n".join(texts))  # nosec B703 B308 (each was rendered by its template)


def _texts(products: list[int | Card], form: Form) -> list[str]:
    version = _kept.version
    ids = [product.product.pk if isinstance(product, Card) else product for product in products]
    found = {pk: text for pk in ids if (text := _kept.get((pk, form))) is not None}
    if missing := [product for pk, product in zip(ids, products, strict=True) if pk not in found]:
        for pk, text in _write(missing, form).items():
            found[pk] = text
            _kept.keep((pk, form), text, shows=[pk], version=version)
    return [found[pk] for pk in ids if pk in found]


def _write(products: list[int | Card], form: Form) -> dict[int, str]:
    _, market, sizes, is_eager, unit_prices = form
    card_template = get_template("catalog/products/_card.html")
    read = [product for product in products if isinstance(product, Card)]
    read += cards_by_id([product for product in products if not isinstance(product, Card)], market)
    context = {"sizes": sizes, "eager": is_eager, "unit_prices": unit_prices}
    return {card.product.pk: card_template.render({"card": card, **context}) for card in read}
