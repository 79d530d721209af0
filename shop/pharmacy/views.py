"""The pictures of a customer's own prescriptions."""

from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from shop.accounts.requests import CustomerRequest

from .access import opens
from .models import PrescriptionPage


@require_safe
@login_required
def prescription_page(request: CustomerRequest, pk: int) -> FileResponse:
    """One picture to who uploaded it, for as long as its address is good; another's is missing."""
    page = get_object_or_404(PrescriptionPage, pk=pk, prescription__customer=request.user)
    return picture_answer(page, key=request.GET.get("key", ""), viewer_id=request.user.pk)


def picture_answer(page: PrescriptionPage, *, key: str, viewer_id: int) -> FileResponse:
    """The file, kept by nobody on its way; raises Http404 once its address has ended."""
    if not opens(key, page.pk, viewer_id):
        raise Http404
    response = FileResponse(page.file.open("rb"), content_type="image/jpeg", filename=f"prescription-{page.pk}.jpg")
    response["Cache-Control"] = "private, no-store"
    return response
