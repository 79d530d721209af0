"""What customers see of their own account."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from shop.errors import NotFound

from .endings import end_sign_ins
from .points import lots_of, sum_of
from .requests import CustomerRequest
from .sign_ins import end_sign_in, sign_ins_of
from .tokens import revoke_token, tokens_of

ENTRIES_A_PAGE = 20


@require_safe
@login_required
def profile(request: CustomerRequest) -> HttpResponse:
    context = _points_of(request) | _sign_ins_of(request)
    return render(request, "accounts/profile.html", context)


@require_POST
@login_required
def sign_in_end(request: CustomerRequest, sign_in_id: int) -> HttpResponse:
    try:
        end_sign_in(request.user, sign_in_id)
    except NotFound as error:
        raise Http404 from error
    return _changed_sign_ins(request, "Signed out there")


@require_POST
@login_required
def sign_ins_end_others(request: CustomerRequest) -> HttpResponse:
    """Every other browser, and every program."""
    end_sign_ins(request.user, keep_session=request.session.session_key or "")
    return _changed_sign_ins(request, "Signed out everywhere else")


@require_POST
@login_required
def token_revoke(request: CustomerRequest, token_id: int) -> HttpResponse:
    try:
        revoke_token(request.user, token_id)
    except NotFound as error:
        raise Http404 from error
    return _changed_sign_ins(request, "Token revoked")


def _changed_sign_ins(request: CustomerRequest, words: str) -> HttpResponse:
    messages.success(request, words)
    return HttpResponseRedirect(reverse("profile") + "#sign-ins")


def _points_of(request: CustomerRequest) -> dict[str, Any]:
    entries = list(request.user.points_entries.all())
    lots = lots_of(entries)
    return {
        "balance": sum_of(lots),
        "next_end": next((lot for lot in lots if lot.entry), None),
        "entries": Paginator(entries[::-1], ENTRIES_A_PAGE).get_page(request.GET.get("page")),
    }


def _sign_ins_of(request: CustomerRequest) -> dict[str, Any]:
    sign_ins, tokens = sign_ins_of(request.user, here=request.session.session_key), tokens_of(request.user)
    return {
        "sign_ins": sign_ins,
        "tokens": tokens,
        "is_elsewhere": bool(tokens) or not all(sign_in.is_here for sign_in in sign_ins),
    }
