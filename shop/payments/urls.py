from django.urls import path

from . import views

urlpatterns = [
    path("checkout/", views.checkout, name="checkout"),
    path("checkout/address/", views.checkout_address, name="checkout_address"),
    path("pay/<str:number>/", views.pay, name="pay"),
    path("pay/<str:number>/result/", views.pay_result, name="pay_result"),
    path("order-detail/<str:number>/cancel/", views.cancel_order, name="cancel_order"),
    path("DummyPayment/", views.dummy_payment, name="dummy_payment"),
    path("dummypayment/", views.dummy_payment),
    path("payments/callback/", views.payment_callback, name="payment_callback"),
    path("payments/webhook/", views.payment_webhook, name="payment_webhook"),
]
