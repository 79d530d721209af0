"""Facts that editors' texts name in square brackets, so that no text says anything else than the shop does.

[return windows] in a paragraph of its own is a table of all reasons; [return days: wrong-item] is "7 days".
"""

import re

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from shop.accounts.otp.services import OTP_DIGITS
from shop.accounts.points.services import RUPEES_A_POINT
from shop.catalog.products.return_windows import return_windows

NAMED = re.compile(
    r"<p>\s*\[return windows\]\s*</p>"
    r"|\[(return days: *[a-z0-9-]+|holding time|code digits|rupees a point|shop name|shop e-mail)\]"
)
DAYS = "return days:"


def fill_in(text: str) -> SafeString:
    """Sanitised HTML with the facts in the places that name them; what nothing is known of stays as written."""
    facts = _facts()
    filled = NAMED.sub(lambda place: facts.get(_key(place[1]), place[0]), text)
    return SafeString(filled)  # nosec B703 B308 (sanitised when it was written, and the facts are the shop's own)


def check_names(text: str) -> None:
    """ValidationError where a text names the days of a reason that there is not."""
    facts = _facts()
    unknown = [place[0] for place in NAMED.finditer(text) if _key(place[1]) not in facts]
    if unknown:
        known = ", ".join(f"[{name}]" for name in facts if name.startswith(DAYS))
        raise ValidationError(f"There is no return reason called {', '.join(unknown)}. There are {known}.")


def _key(name: str | None) -> str:
    return re.sub(r": *", ": ", name) if name else "return windows"


def _facts() -> dict[str, str]:
    windows = return_windows(is_returnable=True, max_days=None)
    return {
        "return windows": _windows_table([(reason.name, days) for reason, days in windows]),
        "holding time": f"{settings.HOLD_MINUTES} minutes",
        "code digits": str(OTP_DIGITS),
        "rupees a point": str(RUPEES_A_POINT),
        "shop name": format_html("{}", settings.SHOP_NAME),
        "shop e-mail": format_html("{}", settings.SHOP_EMAIL),
        **{f"{DAYS} {reason.slug}": _in_words(days) for reason, days in windows},
    }


def _windows_table(windows: list[tuple[str, int]]) -> str:
    rows = format_html_join(
        "", "<tr><td>{}</td><td>{} of delivery</td></tr>", ((name, _in_words(days)) for name, days in windows)
    )
    head = "<thead><tr><th>What happened</th><th>Tell us within</th></tr></thead>"
    return f"<table>{head}<tbody>{rows}</tbody></table>"


def _in_words(days: int) -> str:
    return "1 day" if days == 1 else f"{days} days"
