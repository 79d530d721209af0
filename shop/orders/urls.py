from django.urls import path

from . import views
from .invoices import views as invoice_views
from .returns import views as return_views

urlpatterns = [
    path("orders/", views.orders, name="orders"),
    path("order-detail/", views.latest_order, name="latest_order"),
    path("order-detail/<str:number>/", views.order_detail, name="order_detail"),
    path("order-detail/<str:number>/invoice/<int:pk>.pdf", invoice_views.invoice_file, name="invoice_file"),
    path("order-detail/<str:number>/return/<int:pk>/", return_views.return_line, name="return_line"),
    path("order-detail/<str:number>/return-photo/<int:pk>/", return_views.return_photo, name="return_photo"),
    path("order-detail/<str:number>/cancel-items/", return_views.cancel_items, name="cancel_items"),
    path("order-detail/<str:number>/address/", views.order_address, name="order_address"),
    path("order-detail/<str:number>/reorder/", views.order_again, name="order_again"),
    path("order-detail/<str:number>/restore/", views.restore_order, name="restore_order"),
    path("place-order/", views.place_order, name="place_order"),
    path("ordersuccess/", views.order_success, name="order_success"),
    path("ordercancel/", views.order_cancel, name="order_cancel"),
    path("ordercon/", views.order_con, name="order_con"),
    path("ordersummery/", views.order_summary, name="order_summary"),
    path("track/<str:token>/", views.tracked, name="tracked_order"),
    path("trackorders/", views.track_orders, name="track_orders"),
]
