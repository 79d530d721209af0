"""The shop's settings with sessions that each process remembers, as no shop with several processes may have them."""

from shop.settings import *  # noqa: F403

SESSION_ENGINE = "django.contrib.sessions.backends.cached_db"
