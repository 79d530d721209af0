"""What customers see of their own account."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from .points import lots_of, sum_of
from .requests import CustomerRequest

ENTRIES_A_PAGE = 20


@require_safe
@login_required
def profile(request: CustomerRequest) -> HttpResponse:
    entries = list(request.user.points_entries.all())
    lots = lots_of(entries)
    context = {
        "balance": sum_of(lots),
        "next_end": next((lot for lot in lots if lot.entry), None),
        "entries": Paginator(entries[::-1], ENTRIES_A_PAGE).get_page(request.GET.get("page")),
    }
    return render(request, "accounts/profile.html", context)
