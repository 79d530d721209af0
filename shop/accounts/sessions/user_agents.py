"""What a browser is, in words, from what it says of itself."""

from django.utils.translation import gettext

# The first that is found counts: many call themselves Chrome or Safari besides.
BROWSERS = (
    ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet"), ("UCBrowser/", "UC Browser"),
    ("MiuiBrowser/", "Mi Browser"), ("Firefox/", "Firefox"), ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"), ("Safari/", "Safari"),
)  # fmt: skip
SYSTEMS = (
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("CrOS", "ChromeOS"),
    ("Macintosh", "Mac"), ("Linux", "Linux"),
)  # fmt: skip


def browser_name(user_agent: str) -> str:
    """Browser and system as far as they are known: Chrome on Android."""
    browser = _first(BROWSERS, user_agent) or gettext("Unknown browser")
    system = _first(SYSTEMS, user_agent)
    if not system:
        return browser
    return gettext("%(browser)s on %(system)s") % {"browser": browser, "system": system}


def _first(known: tuple[tuple[str, str], ...], user_agent: str) -> str:
    return next((name for mark, name in known if mark in user_agent), "")
