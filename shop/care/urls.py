from django.urls import path

from . import views
from .newsletter import views as newsletter_views

urlpatterns = [
    path("contactus/", views.contact_us, name="contactus"),
    path("complaint/", views.complaint, name="complaint"),
    path("complaint/state/", views.complaint_state, name="complaint_state"),
    path("newsletter/", newsletter_views.newsletter, name="newsletter"),
    path("newsletter/confirm/<str:key>/", newsletter_views.newsletter_confirm, name="newsletter_confirm"),
    path("newsletter/leave/<str:key>/", newsletter_views.newsletter_leave, name="newsletter_leave"),
]
