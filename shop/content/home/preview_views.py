"""The home page as it will stand at a chosen moment in a chosen market, drafts included; for staff alone."""

from datetime import datetime

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import get_script_prefix, reverse, set_script_prefix
from django.utils import timezone
from django.utils.translation import gettext_lazy

from shop.markets.queries import market_registry

from .services import filled_drafts


class PreviewForm(forms.Form):
    at = forms.DateTimeField(
        label=gettext_lazy("At"),
        required=False,
        widget=forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        error_messages={"invalid": gettext_lazy("Enter a date and time.")},
    )
    market = forms.ChoiceField(label=gettext_lazy("Country"), required=False)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data or None, initial={"at": timezone.localtime(), "market": market_registry().default.code})
        places = sorted(market_registry().locations.values(), key=lambda place: place.name)
        self.fields["market"].choices = [(place.code, place.name) for place in places]  # type: ignore[attr-defined]


def preview_home(request: HttpRequest) -> HttpResponse:
    """For a page of the back office, which checks who asks and lets nobody keep the answer.

    What was typed wrongly is said, and now is shown.
    """
    form = PreviewForm(request.GET)
    chosen = form.cleaned_data if form.is_bound and form.is_valid() else {}
    at: datetime = chosen.get("at") or timezone.now()
    market = market_registry().market(market_registry().by_code[chosen.get("market") or market_registry().default.code])
    request.market = market  # type: ignore[attr-defined]
    back = reverse("admin:content_homerow_changelist")
    outer = get_script_prefix()
    set_script_prefix(market.prefix)  # links lead into that market
    try:
        context = {"rows": filled_drafts(market, at), "form": form, "at": at, "back": back}
        return render(request, "content/home/preview.html", context, status=422 if form.errors else 200)
    finally:
        set_script_prefix(outer)
