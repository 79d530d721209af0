"""Sessions in the database under a hash of their key: who reads the table, or a copy of it, signs in as nobody.

Named by settings.SESSION_ENGINE.
"""

from hashlib import sha256
from typing import Any

from asgiref.sync import sync_to_async
from django.contrib.sessions.backends import db
from django.utils import timezone


def stored_key(session_key: str) -> str:
    """What the tables keep of the key in a cookie: 160 bits, as many as their columns hold."""
    return sha256(session_key.encode()).hexdigest()[:40]


class SessionStore(db.SessionStore):
    """`session_key` is the cookie's; no statement holds it."""

    def _get_session_from_db(self) -> Any:
        key = stored_key(self.session_key or "")
        kept = self.model.objects.filter(session_key=key, expire_date__gt=timezone.now())
        session = kept.first()
        if session is None:
            self._session_key = None
        return session

    def exists(self, session_key: str) -> bool:
        return super().exists(stored_key(session_key))

    def create_model_instance(self, data: dict[str, Any]) -> Any:
        session = super().create_model_instance(data)
        session.session_key = stored_key(session.session_key)
        return session

    def delete(self, session_key: str | None = None) -> None:
        if key := session_key or self.session_key:
            super().delete(stored_key(key))

    async def _aget_session_from_db(self) -> Any:
        return await sync_to_async(self._get_session_from_db)()

    async def aexists(self, session_key: str) -> bool:
        return await sync_to_async(self.exists)(session_key)

    async def acreate_model_instance(self, data: dict[str, Any]) -> Any:
        return await sync_to_async(self.create_model_instance)(data)

    async def adelete(self, session_key: str | None = None) -> None:
        await sync_to_async(self.delete)(session_key)
