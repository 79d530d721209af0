"""How long a sign-in of staff lasts: twelve hours at most, and two without use. Customers' last as long as their
cookie."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib import messages
from django.contrib.auth import middleware
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy

MAX_AGE, IDLE = timedelta(hours=12), timedelta(hours=2)
NOTED_EVERY = timedelta(minutes=1)  # a use; so that pages that only read do not write each time
BEGAN, USED = "began_at", "used_at"
OVER = gettext_lazy("Staff are signed out after 2 hours of inactivity, or 12 hours in all. Please sign in again.")


def begin(session: Any) -> None:
    """Note when somebody signed in; of customers too, who may be made staff meanwhile."""
    session[BEGAN] = session[USED] = timezone.now().timestamp()


def is_over(began: datetime, used: datetime) -> bool:
    """Whether a sign-in of staff has lasted too long."""
    now = timezone.now()
    return began <= now - MAX_AGE or used <= now - IDLE


def user_of(request: HttpRequest) -> Any:
    """The session's user, nobody where a session of staff has lasted too long: that one is ended."""
    user: Any = middleware.get_user(request)
    if not getattr(user, "is_staff", False):
        return user
    session = request.session
    began, used = (datetime.fromtimestamp(session.get(name, 0), UTC) for name in (BEGAN, USED))
    if is_over(began, used):
        return _end(request)
    if used < timezone.now() - NOTED_EVERY:
        session[USED] = timezone.now().timestamp()
        type(user).objects.filter(pk=user.pk).update(last_seen_at=timezone.now())
    return user


def _end(request: Any) -> AnonymousUser:
    request.session.flush()
    request.signed_out = True  # sessions/sign_out.py
    nobody = AnonymousUser()
    request.user = request._cached_user = nobody
    messages.warning(request, OVER, fail_silently=True)
    return nobody
