"""Which market a call names, where the shop delivers, and the rates that markets follow."""

from decimal import Decimal

from django.dispatch import Signal
from django.utils.translation import gettext

from shop.errors import Invalid, ShopError
from shop.money import INR

from .market import Market
from .models import Currency, Rate
from .queries import market_registry

MAX_CHANGE = Decimal("0.2")
SMALLEST_RATE = Decimal("0.0000000001")
MAX_RATE = Decimal(10) ** 9
# Sent with `request` and `language` when a shopper picks one that the location offers.
language_picked = Signal()


def market_named(deliver_to: int | None, currency: str | None, *, fallback: Market) -> Market:
    """The market of a call's `deliver_to` (location id) and `currency` (code).

    Without deliver_to it is `fallback`; without currency the location's own. Raises Invalid (422)
    for a location the shop does not deliver to or a currency it does not show.
    """
    markets = market_registry()
    location = markets.locations.get(deliver_to or fallback.location_id)
    if location is None:
        raise Invalid(gettext("We don't deliver there."), fields={"deliver_to": [gettext("Unknown location.")]})
    if currency and currency not in markets.rates:
        raise Invalid(
            gettext("We don't show prices in that currency."), fields={"currency": [gettext("Unknown currency.")]}
        )
    if not currency and location.pk == fallback.location_id:
        currency = fallback.currency
    return markets.market(location, currency).in_language(fallback.language)


class NotServed(ShopError):
    """Nothing can be sent to the address; the message says so (Service.refusal)."""

    code = "not_served"


def set_rate(currency: str, inr: Decimal, source: str, *, force: bool = False) -> Rate:
    """Let one unit of `currency` be `inr` INR from now on; older rates stay as history.

    Kept with ten decimals. Without `force` a change over 20 % is refused. Raises Invalid.
    """
    if not Currency.objects.filter(pk=currency).exists():
        raise Invalid(gettext("We don't have this currency."), fields={"currency": [gettext("Unknown currency.")]})
    if not inr.is_finite() or not SMALLEST_RATE <= inr < MAX_RATE or (currency == INR and inr != 1):
        raise Invalid(
            gettext("A rate must be a number above 0, and the rate of INR is 1."),
            fields={"inr": [gettext("Not a rate.")]},
        )
    inr = inr.quantize(SMALLEST_RATE)
    newest = Rate.objects.filter(currency=currency).order_by("-valid_from", "-id").first()
    if newest and not force and abs(inr - newest.inr) > newest.inr * MAX_CHANGE:
        raise Invalid(
            gettext(
                "%(currency)s would change from ₹%(rate)s by more than 20%%. If that's right, confirm it (--force on "
                "the command line)."
            )
            % {"currency": currency, "rate": f"{newest.inr.normalize():f}"},
            "rate_jumps",
        )
    return Rate.objects.create(currency_id=currency, inr=inr, source=source)
