"""Invoices and credit notes for the order desk: looked at, downloaded, never changed."""

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from shop.backoffice.admin import ReadOnlyAdmin, rupees

from ..models import Invoice
from .views import pdf_answer


@admin.register(Invoice)
class InvoiceAdmin(ReadOnlyAdmin):
    list_display = ("number", "kind", "order", rupees("total_inr", gettext_lazy("total")), "issued_at", "pdf")
    list_filter = ("kind", "issued_at")  # no date hierarchy: see OrderAdmin
    list_select_related = ("order",)
    search_fields = ("number", "order__number")
    found_as = ("kind", "order", "issued_at")
    ordering = ("-id",)
    fields = ("number", "kind", "order", "reference", "total_inr", "issued_at", "pdf")

    @admin.display(description=gettext_lazy("PDF"))
    def pdf(self, invoice: Invoice) -> SafeString:
        address = reverse("admin:orders_invoice_pdf", args=[invoice.pk])
        return format_html('<a href="{}">{}.pdf</a>', address, invoice.number)

    def get_urls(self) -> list[URLPattern]:
        download = path("<int:pk>/pdf/", self.admin_site.admin_view(self.download), name="orders_invoice_pdf")
        return [download, *super().get_urls()]

    def download(self, request: HttpRequest, pk: int) -> HttpResponse:
        invoice = get_object_or_404(Invoice, pk=pk)
        if not self.has_view_permission(request, invoice):
            return HttpResponse(status=403)
        return pdf_answer(invoice)
