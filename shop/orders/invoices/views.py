"""Invoices and credit notes as files, for the customer they were written to."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from shop.accounts.requests import CustomerRequest

from ..models import Invoice


@require_safe
@login_required
def invoice_file(request: CustomerRequest, number: str, pk: int) -> HttpResponse:
    own = Invoice.objects.filter(order__customer=request.user, order__number=number)
    return pdf_answer(get_object_or_404(own, pk=pk))


def pdf_answer(invoice: Invoice) -> HttpResponse:
    from .pdf import draw_invoice  # a library of fonts and shapes that few processes ever need

    name = invoice.number.replace("/", "-")
    disposition = f'attachment; filename="{name}.pdf"'
    return HttpResponse(
        draw_invoice(invoice),
        headers={
            "Content-Type": "application/pdf",
            "Content-Disposition": disposition,
            "Cache-Control": "private, no-store",
        },
    )
