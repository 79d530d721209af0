"""The shop's routes with four faults, which the walk through the doors must find."""

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path

from shop.accounts.models import Address
from shop.orders.models import Order
from shop.urls import handler404, urlpatterns  # noqa: F401


def order_of_anybody(request: HttpRequest, number: str) -> HttpResponse:
    """A page without its guard."""
    order = Order.objects.filter(number=number).first()
    if order is None:
        raise Http404
    return HttpResponse(order.address["full_name"])


def address_of_anybody_deleted(request: HttpRequest, address_id: int) -> HttpResponse:
    """Looks like a refusal, and did it."""
    Address.objects.filter(pk=address_id).delete()
    raise Http404


def faq_for_any_site(request: HttpRequest) -> HttpResponse:
    """Lets every page of the world read it with the visitor's cookies."""
    origin = request.headers.get("Origin", "*")
    return HttpResponse("questions", headers={"Access-Control-Allow-Origin": origin})


urlpatterns = [
    path("faq/", faq_for_any_site),
    path("order-detail/<str:number>/", order_of_anybody),
    path("address/<int:address_id>/delete/", address_of_anybody_deleted),
    path("forgotten/<int:pk>/", order_of_anybody),
    *urlpatterns,
]
