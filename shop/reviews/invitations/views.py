"""The end of invitations to review. The link that only the message holds says whose."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from shop.errors import NotFound
from shop.http.middleware import accepts_posts_of_programs
from shop.markets.requests import MarketRequest

from ..links import customer_of
from .services import stop_invitations

TEMPLATE = "reviews/stop_invitations.html"


@accepts_posts_of_programs
@require_http_methods(["GET", "HEAD", "POST"])
def stop(request: MarketRequest, token: str) -> HttpResponse:
    """The message's link shows one button; a mail program's own button posts here from elsewhere (RFC 8058)."""
    try:
        customer = customer_of(token)
    except NotFound:
        return render(request, TEMPLATE, {"step": "unknown"}, status=400)
    if request.method == "POST":
        stop_invitations(customer)
        return render(request, TEMPLATE, {"step": "stopped"})
    return render(request, TEMPLATE, {"step": "ask"})
