"""The shop's settings with sessions that each process remembers, as no shop with several processes may have them."""

from django.contrib.sessions.backends import cached_db

from shop.accounts.sessions import store as session_store
from shop.settings import *  # noqa: F403

SESSION_ENGINE = "shop.tests.faults.remembered_sessions"


class SessionStore(cached_db.SessionStore, session_store.SessionStore):
    pass
