"""Facts that editors' texts name in square brackets, so that no text says anything else than the shop does.

[return windows] in a paragraph of its own is a table of all reasons, [shipping fees] one of the fees by country;
[return days: wrong-item] is "7 days".
"""

import re
from decimal import Decimal

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils import translation
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

from shop.accounts.otp.services import OTP_DIGITS
from shop.accounts.points.services import RUPEES_A_POINT
from shop.catalog.products.return_windows import return_windows
from shop.markets.market import Market
from shop.markets.queries import market_registry, slabs_of
from shop.translated import ENGLISH, Fallback

NAMED = re.compile(
    r"<p>\s*\[return windows\]\s*</p>"
    r"|<p>\s*\[(shipping fees)\]\s*</p>"
    r"|\[(return days: *[a-z0-9-]+|holding time|code digits|rupees a point|shop name|shop e-mail)\]"
)
MARKED = re.compile(r"\[([^\[\]<>]{1,80})\]")
DAYS = "return days:"
TABLES = ("return windows", "shipping fees")


def fill_in(text: str) -> SafeString:
    """Sanitised HTML with the facts in the places that name them, in the language of the text: English in one that fell
    back to it. What nothing is known of stays as written."""
    if isinstance(text, Fallback):
        with translation.override(ENGLISH):
            return fill_in(str(text))
    facts = _facts()
    filled = NAMED.sub(lambda place: facts.get(_key(place[1] or place[2]), place[0]), text)
    return SafeString(filled)  # nosec B703 B308 (sanitised when it was written, and the facts are the shop's own)


def check_names(text: str) -> None:
    """ValidationError where a text has something in square brackets that the shop does not know, or a table where
    there is no place for it."""
    facts = _facts()
    unknown = [f"[{name}]" for name in MARKED.findall(text) if _key(name) not in facts]
    if unknown:
        known = ", ".join(f"[{name}]" for name in facts)
        raise ValidationError(
            gettext("Unknown placeholder: %(unknown)s. Use one of these: %(known)s.")
            % {"unknown": ", ".join(dict.fromkeys(unknown)), "known": known}
        )
    rest = NAMED.sub("", text)
    for name in TABLES:
        if f"[{name}]" in rest:
            raise ValidationError(gettext("Put [%(name)s] in a paragraph of its own.") % {"name": name})


def _key(name: str | None) -> str:
    return re.sub(r": *", ": ", name) if name else "return windows"


def _facts() -> dict[str, str]:
    windows = return_windows(is_returnable=True, max_days=None)
    return {
        "return windows": _windows_table([(reason.words, days) for reason, days in windows]),
        "shipping fees": _fees_table(),
        "holding time": _minutes(settings.HOLD_MINUTES),
        "code digits": str(OTP_DIGITS),
        "rupees a point": str(RUPEES_A_POINT),
        "shop name": format_html("{}", settings.SHOP_NAME),
        "shop e-mail": format_html("{}", settings.SHOP_EMAIL),
        **{f"{DAYS} {reason.slug}": _in_words(days) for reason, days in windows},
    }


def _fees_table() -> str:
    """What shipping costs in the countries that the shop is known in, each in its own currency."""
    markets = market_registry()
    known = [markets.market(location) for location in markets.listed() if location.is_indexed]
    rows = format_html_join("", "<tr><td>{}</td><td>{}</td></tr>", ((one.country, _fees_in(one)) for one in known))
    head = format_html("<thead><tr><th>{}</th><th>{}</th></tr></thead>", gettext("Country"), gettext("Shipping"))
    return f"<table>{head}<tbody>{rows}</tbody></table>"


def _fees_in(market: Market) -> str:
    """Such as: under ₹499.00: ₹49.00; from ₹499.00: ₹29.00; from ₹999.00: free."""
    slabs = slabs_of(market)
    starts = [Decimal(0), *(tier for tier, _ in slabs)]
    fees = [(start, cost) for start, (_, cost) in zip(starts, slabs, strict=False)]
    words = []
    for place, (start, cost) in enumerate(fees):
        price = market.display(cost) if cost else gettext("free")
        if start:
            words.append(gettext("from %(amount)s: %(price)s") % {"amount": market.display(start), "price": price})
        elif len(fees) > 1:
            amount = market.display(fees[1][0])
            words.append(gettext("under %(amount)s: %(price)s") % {"amount": amount, "price": price})
        else:
            words.append(price)
        if not cost and place:
            break
    return "; ".join(words) or gettext("free")


def _windows_table(windows: list[tuple[str, int]]) -> str:
    rows = format_html_join(
        "",
        "<tr><td>{}</td><td>{}</td></tr>",
        ((name, _days_of_delivery(days)) for name, days in windows),
    )
    titles = (gettext("What happened"), gettext("Tell us within"))
    head = format_html("<thead><tr><th>{}</th><th>{}</th></tr></thead>", *titles)
    return f"<table>{head}<tbody>{rows}</tbody></table>"


def _in_words(days: int) -> str:
    return ngettext("%(count)s day", "%(count)s days", days) % {"count": days}


def _days_of_delivery(count: int) -> str:
    return ngettext("%(count)s day of delivery", "%(count)s days of delivery", count) % {"count": count}


def _minutes(count: int) -> str:
    return ngettext("%(count)s minute", "%(count)s minutes", count) % {"count": count}
