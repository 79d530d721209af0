from django.urls import path

from . import views
from .checkout import views as checkout_views
from .drafts import views as draft_views

urlpatterns = [
    path("checkout/", checkout_views.checkout, name="checkout"),
    path("checkout/choose/", checkout_views.checkout_choose, name="checkout_choose"),
    path("checkout/reductions/", checkout_views.checkout_reductions, name="checkout_reductions"),
    path("checkout/address/", checkout_views.checkout_address, name="checkout_address"),
    path("checkout/deliver-to/", checkout_views.checkout_deliver, name="checkout_deliver"),
    path("pay/<str:number>/", views.pay, name="pay"),
    path("pay/<str:number>/result/", views.pay_result, name="pay_result"),
    path("pay/<str:number>/check/", views.check_payment, name="check_payment"),
    path("order-detail/<str:number>/cancel/", views.cancel_order, name="cancel_order"),
    path("DummyPayment/", views.dummy_payment, name="dummy_payment"),
    path("dummypayment/", views.dummy_payment),
    path("p/<str:token>/", draft_views.draft_link, name="draft_link"),
    path("p/<str:token>/pay/", draft_views.draft_pay, name="draft_pay"),
    path("p/<str:token>/result/", draft_views.draft_result, name="draft_result"),
    path("p/<str:token>/check/", draft_views.draft_check, name="draft_check"),
    path("p/<str:token>/simulated/", draft_views.draft_simulated, name="draft_simulated"),
    path("p/<str:token>/callback/", draft_views.draft_callback, name="draft_callback"),
    path("payments/callback/", views.payment_callback, name="payment_callback"),
    path("payments/webhook/", views.payment_webhook, name="payment_webhook"),
]
