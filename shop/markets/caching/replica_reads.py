"""Which requests read the replica (shop/invalidation/replica.py), and who reads the primary for a while."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from shop.http.middleware import SAFE_METHODS
from shop.invalidation.replica import MAX_LAG_SECONDS, has_failed, is_visitors_read, replica
from shop.invalidation.subscriptions import EVERY_SECONDS, look_at_replica

WROTE_COOKIE = "wrote"
# As long as the replica may lack what was written: it is given up a second after it is too late, and as much again for
# the time that a request takes.
WROTE_SECONDS = round(MAX_LAG_SECONDS + 2 * EVERY_SECONDS) + 3
# Posts that change nothing that their sender could look for.
UNSEEN = ("/api/searches/", "/csp-report/", "/payments/webhook/")


def visitors_read(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Read the replica in a view that only reads what everybody may see, also where it is called by POST.

    What meets an error there is asked again of the primary, from the start: a part that was left out would be kept.
    """

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        request.is_visitors_read = True  # type: ignore[attr-defined]
        if not settings.HAS_REPLICA or WROTE_COOKIE in request.COOKIES:
            return view(request, *args, **kwargs)
        look_at_replica()
        token = is_visitors_read.set(True)
        try:
            response = view(request, *args, **kwargs)
        except Exception:
            if not has_failed():
                raise
        else:
            if not has_failed():
                return response
        finally:
            is_visitors_read.reset(token)
        replica.give_up()
        return view(request, *args, **kwargs)

    return wrapped


class WroteMiddleware:
    """Marks the browser of whoever changed something: for WROTE_SECONDS their pages are read from the primary. Kept
    pages are theirs, too, which are no older than a second more than the replica."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        path = request.path_info
        response = self.get_response(request)
        is_read = request.method in SAFE_METHODS or getattr(request, "is_visitors_read", False)
        if not is_read and response.status_code < 400 and not path.startswith(UNSEEN):
            response.set_cookie(
                WROTE_COOKIE, "1", max_age=WROTE_SECONDS, secure=settings.HTTPS, httponly=True, samesite="Lax"
            )
        return response
