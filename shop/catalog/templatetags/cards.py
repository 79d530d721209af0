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

from shop.catalog.cards import Card, cards_by_id
from shop.changes.following import catch_up, follow
from shop.changes.models import Change
from shop.markets.market import Market

register = template.Library()
MOST_CARDS = 20_000  # about a kilobyte each
SIZES = "(min-width: 1200px) 190px, (min-width: 768px) 30vw, 45vw"

Form = tuple[str, Market, str, bool]  # link prefix, market, sizes, whether pictures are eager


class _KeptCards:
    def __init__(self) -> None:
        self.texts: dict[Form, dict[int, str]] = {}
        self.version = 0

    def hear(self, news: list[Change] | None) -> None:
        self.version += 1
        if news is None or any(change.kind == Change.Kind.SHOP for change in news):
            self.texts.clear()
            return
        for texts in list(self.texts.values()):
            for change in news:
                for pk in change.ids:
                    texts.pop(pk, None)

    def keep(self, form: Form, texts: dict[int, str], version: int) -> None:
        if version != self.version:
            return
        if sum(len(kept) for kept in self.texts.values()) >= MOST_CARDS:
            self.texts.clear()
        self.texts.setdefault(form, {}).update(texts)


_kept = _KeptCards()
follow(_kept.hear)


@register.simple_tag(takes_context=True)
def cards(
    context: RequestContext, products: Iterable[int | Card], *, sizes: str = SIZES, eager: int = 0, item: str = "li"
) -> SafeString:
    """Cards in this order; the pictures of the first `eager` are wanted at once. `item=""` leaves them bare.

    Takes ids of products visible in the market, or cards that were read already; a product that is
    not there any more is left out.
    """
    rows = list(products)
    texts = []
    for part, is_eager in ((rows[:eager], True), (rows[eager:], False)):
        texts += _texts(part, (get_script_prefix(), context["market"], sizes, is_eager))
    if item:
        texts = [f"<{item}>{text}</{item}>" for text in texts]
    return SafeString("\n".join(texts))  # nosec B703 B308 (each was rendered by its template)


def _texts(products: list[int | Card], form: Form) -> list[str]:
    catch_up()
    version = _kept.version
    ids = [product.product.pk if isinstance(product, Card) else product for product in products]
    known = _kept.texts.get(form, {})
    found = {pk: known[pk] for pk in ids if pk in known}
    if missing := [product for pk, product in zip(ids, products, strict=True) if pk not in found]:
        written = _write(missing, form)
        _kept.keep(form, written, version)
        found |= written
    return [found[pk] for pk in ids if pk in found]


def _write(products: list[int | Card], form: Form) -> dict[int, str]:
    _, market, sizes, is_eager = form
    card_template = get_template("catalog/_card.html")
    read = [product for product in products if isinstance(product, Card)]
    read += cards_by_id([product for product in products if not isinstance(product, Card)], market)
    return {card.product.pk: card_template.render({"card": card, "sizes": sizes, "eager": is_eager}) for card in read}
