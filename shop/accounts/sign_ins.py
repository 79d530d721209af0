"""Where customers are signed in."""

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef
from django.utils import timezone


def forget_ended() -> int:
    """Delete sessions that expired, and what was kept of sign-ins that ended; a chore of the clock."""
    expired, _ = Session.objects.filter(expire_date__lt=timezone.now()).delete()
    still_open = Session.objects.filter(session_key=OuterRef("session_key"))
    ended, _ = UserSession.objects.exclude(Exists(still_open)).delete()
    return expired + ended
