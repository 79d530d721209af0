"""Where customers are signed in."""

from dataclasses import dataclass
from datetime import datetime
from ipaddress import IPv4Address
from typing import Any

from allauth.usersessions.models import UserSession
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.dispatch import receiver
from django.utils import timezone

from shop.errors import NotFound
from shop.markets.geography.detection import client_address

from ..models import Customer
from ..staff import sessions as staff_sessions
from .store import stored_key
from .user_agents import browser_name

NO_ADDRESS = str(IPv4Address(0))  # where the address of a client is not known
MAX_AGENT_LENGTH = UserSession._meta.get_field("user_agent").max_length


@dataclass(frozen=True)
class SignIn:
    """A browser in which a customer is signed in; `is_here` is the one that asks."""

    pk: int
    browser: str
    address: str
    since: datetime
    is_here: bool


@receiver(user_logged_in)
def note_sign_in(sender: type, request: Any, user: Customer, **kwargs: Any) -> None:
    """Keep where a session began; a client that signed in by token has none."""
    session = getattr(request, "session", None)
    if session is None or session.get(SESSION_KEY) != str(user.pk):
        return
    if session.session_key is None:  # somebody else was signed in there
        session.create()
    staff_sessions.begin(session)
    now = timezone.now()
    facts = {
        "user": user,
        "ip": client_address(request) or NO_ADDRESS,
        "user_agent": request.headers.get("User-Agent", "")[:MAX_AGENT_LENGTH],
        "created_at": now,
        "last_seen_at": now,
    }
    UserSession.objects.update_or_create(session_key=stored_key(session.session_key), defaults=facts)


def sign_ins_of(customer: Customer, *, here: str | None) -> list[SignIn]:
    """Where a customer is signed in now, first in the browser with the session key `here`, then the latest."""
    rows = _open(UserSession.objects.filter(user=customer)).order_by("-created_at", "-pk")
    own_key = stored_key(here) if here else ""
    listed = [
        SignIn(
            pk=row.pk,
            browser=browser_name(row.user_agent),
            address="" if row.ip == NO_ADDRESS else row.ip,
            since=row.created_at,
            is_here=row.session_key == own_key,
        )
        for row in rows
    ]
    return sorted(listed, key=lambda sign_in: not sign_in.is_here)


def end_sign_in(customer: Customer, sign_in_id: int) -> None:
    """Sign a customer out of one browser; raises NotFound for a missing or foreign one."""
    row = UserSession.objects.filter(user=customer, pk=sign_in_id).first()
    if row is None:
        raise NotFound()
    with transaction.atomic():
        Session.objects.filter(session_key=row.session_key).delete()
        row.delete()


def delete_ended() -> int:
    """Delete sessions that expired, and what was kept of sign-ins that ended; a scheduled job."""
    expired, _ = Session.objects.filter(expire_date__lt=timezone.now()).delete()
    open_now = _open(UserSession.objects.all()).values("pk")
    ended, _ = UserSession.objects.exclude(pk__in=open_now).delete()
    return int(expired + ended)


def _open(rows: QuerySet[UserSession]) -> QuerySet[UserSession]:
    """Those whose session lives."""
    living = Session.objects.filter(session_key=OuterRef("session_key"), expire_date__gt=timezone.now())
    return rows.filter(Exists(living))
