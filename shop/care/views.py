"""Writing to the shop. Always private, never cached: the forms hold what the shop knows of the person."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from shop.accounts.pages import form_page
from shop.errors import NotFound, TooMany
from shop.limits.services import client_of
from shop.markets.geography.detection import client_address
from shop.markets.requests import MarketRequest

from .complaints.services import file_complaint, find_complaint
from .enquiries.services import send_enquiry
from .forms import ComplaintForm, ContactForm, TicketForm

MAX_LOOKED_FOR = 100  # characters of a search


@require_http_methods(["GET", "HEAD", "POST"])
def contact_us(request: MarketRequest) -> HttpResponse:
    form = ContactForm(request.POST or None, initial=known_of(request) | _question(request))
    if request.method != "POST" or not form.is_valid():
        return form_page(request, "care/enquiries/contact_us.html", form)
    try:
        enquiry = send_enquiry(**form.message(), client=client_of(client_address(request)))
    except TooMany as refusal:
        return form_page(request, "care/enquiries/contact_us.html", form, refusal)
    form = ContactForm(initial=known_of(request))
    return render(request, "care/enquiries/contact_us.html", {"form": form, "sent": enquiry})


def _question(request: MarketRequest) -> dict[str, str]:
    """A search without results leads here with its words."""
    words = " ".join(request.GET.get("looked_for", "").replace("\x00", " ").split())[:MAX_LOOKED_FOR]
    return {"quote": gettext("I searched for “%(words)s”. Do you have it?") % {"words": words}} if words else {}


@require_http_methods(["GET", "HEAD", "POST"])
def complaint(request: MarketRequest) -> HttpResponse:
    form = ComplaintForm(request.POST or None, initial=known_of(request))
    if request.method != "POST" or not form.is_valid():
        return form_page(request, "care/complaints/complaint.html", form)
    try:
        client = client_of(client_address(request))
        filed = file_complaint(**form.message(), client=client, location_id=request.market.location_id)
    except TooMany as refusal:
        return form_page(request, "care/complaints/complaint.html", form, refusal)
    return render(request, "care/complaints/complaint.html", {"filed": filed})


@require_http_methods(["GET", "HEAD", "POST"])
def complaint_state(request: MarketRequest) -> HttpResponse:
    """How a complaint stands, for whoever knows its number and e-mail address: nothing of the person."""
    form = TicketForm(request.POST or None)
    if request.method != "POST" or not form.is_valid():
        return form_page(request, "care/complaints/complaint_state.html", form)
    try:
        found = find_complaint(**form.cleaned_data, client=client_of(client_address(request)))
    except (NotFound, TooMany) as refusal:
        return form_page(request, "care/complaints/complaint_state.html", form, refusal)
    return render(request, "care/complaints/complaint_state.html", {"complaint": found})


def known_of(request: MarketRequest) -> dict[str, Any]:
    """What a signed-in customer need not type, and the order that the page was opened for."""
    known = {"order_number": request.GET.get("order", "")[:40]}
    if request.user.is_authenticated:
        known |= {"username": request.user.name, "email": request.user.email or "", "mobile": request.user.phone or ""}
    return known
