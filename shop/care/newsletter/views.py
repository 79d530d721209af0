"""The newsletter's pages. The key of a link, which only a mail holds, is the proof of who asks."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from shop.accounts.pages import form_page
from shop.errors import NotFound, TooMany
from shop.http.middleware import accepts_posts_of_programs
from shop.limits.services import client_of
from shop.markets.geography.detection import client_address
from shop.markets.requests import MarketRequest

from ..forms import NewsletterForm
from .services import (
    CONSENT_TEXTS,
    CURRENT_TEXT,
    ask_for_newsletter,
    confirm_newsletter,
    find_subscription,
    leave_newsletter,
)

TEMPLATE = "care/newsletter/newsletter.html"


@require_http_methods(["GET", "HEAD", "POST"])
def newsletter(request: MarketRequest) -> HttpResponse:
    form = NewsletterForm(request.POST or None)
    agreed = gettext(CONSENT_TEXTS[CURRENT_TEXT])
    if request.method != "POST" or not form.is_valid():
        return form_page(request, TEMPLATE, form, step="ask", agreed=agreed)
    email = form.cleaned_data["email"]
    try:
        ask_for_newsletter(email=email, client=client_of(client_address(request)))
    except TooMany as refusal:
        return form_page(request, TEMPLATE, form, refusal, step="ask", agreed=agreed)
    return render(request, TEMPLATE, {"step": "asked", "email": email})


@require_http_methods(["GET", "HEAD", "POST"])
def newsletter_confirm(request: MarketRequest, key: str) -> HttpResponse:
    """A button behind the link: programs that look into mails follow links, too."""
    try:
        row = confirm_newsletter(key) if request.method == "POST" else find_subscription(key)
    except NotFound as refusal:
        return _unknown(request, refusal)
    is_on = request.method == "POST" or row.confirmed_at is not None
    context = {
        "step": "on" if is_on else "confirm",
        "email": row.email,
        "agreed": gettext(CONSENT_TEXTS[row.text_version]),
    }
    return render(request, TEMPLATE, context)


@accepts_posts_of_programs
@require_http_methods(["GET", "HEAD", "POST"])
def newsletter_leave(request: MarketRequest, key: str) -> HttpResponse:
    """The link of a newsletter shows one button; a mail program's own button posts here from elsewhere (RFC 8058)."""
    try:
        if request.method == "POST":
            return render(request, TEMPLATE, {"step": "left", "email": leave_newsletter(key)})
        return render(request, TEMPLATE, {"step": "leave", "email": find_subscription(key).email})
    except NotFound as refusal:
        return _unknown(request, refusal)


def _unknown(request: MarketRequest, refusal: NotFound) -> HttpResponse:
    return render(request, TEMPLATE, {"step": "unknown", "words": refusal.message}, status=400)
