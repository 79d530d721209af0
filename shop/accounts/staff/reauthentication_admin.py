"""Pages of the back office that give or take access: who saves them confirms first who it is."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext

from shop.backoffice.admin import BackOfficeAdmin
from shop.backoffice.forms import AS_SHOWN

from ..auth.reauthentication import ReauthenticationNeeded, require_reauthentication
from ..auth.reauthentication_views import ask_to_reauthenticate, sent_before

Action = Callable[[Any, HttpRequest, QuerySet[Any]], HttpResponse | None]


def with_reauthentication(action: Action) -> Action:
    """An action of a list that does nothing before reauthentication."""

    @wraps(action)
    def guarded(model_admin: Any, request: HttpRequest, rows: QuerySet[Any]) -> HttpResponse | None:
        try:
            require_reauthentication(request)
        except ReauthenticationNeeded as needed:
            return ask_to_reauthenticate(request, needed)
        return action(model_admin, request, rows)

    return guarded


class ReauthenticationAdmin(BackOfficeAdmin):
    """Where saving raises ReauthenticationNeeded nothing is written; after reauthentication the form is shown as it was
    sent."""

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        sent = sent_before(request) if request.method == "GET" else None
        if sent is not None:
            messages.warning(request, gettext("Nothing is saved yet. Please check and save again."))
        request.sent_before = sent  # type: ignore[attr-defined]
        answer = super().changeform_view(request, object_id, form_url, extra_context)
        refusal = getattr(request, "save_refusal", None)
        return ask_to_reauthenticate(request, refusal) if isinstance(refusal, ReauthenticationNeeded) else answer

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form = super().get_form(request, obj, change, **kwargs)
        sent = getattr(request, "sent_before", None)
        return form if sent is None else type(form.__name__, (_SentBefore, form), {"sent": sent})

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        answer = super().render_change_form(request, context, *args, **kwargs)
        if shown := (getattr(request, "sent_before", None) or {}).get(AS_SHOWN):
            context[AS_SHOWN] = answer.context_data[AS_SHOWN] = shown
        return answer


class _SentBefore:
    """Of a form: what was sent before reauthentication, to be looked at and sent again."""

    sent: QueryDict

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **({"data": self.sent} | kwargs))
