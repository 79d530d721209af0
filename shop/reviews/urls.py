from django.urls import path

from . import views
from .invitations import views as invitation_views
from .questions import views as question_views

urlpatterns = [
    path("product/<slug:slug>/reviews/", views.reviews, name="product_reviews"),
    path("product/<slug:slug>/questions/", question_views.questions, name="product_questions"),
    path("product/<slug:slug>/questions/ask/", question_views.ask_question, name="ask_question"),
    path("product/<slug:slug>/questions/<int:pk>/answer/", question_views.answer_question, name="answer_question"),
    path("order-detail/<str:number>/review/<int:pk>/", views.write, name="write_review"),
    path("review/<str:token>/", views.mailed_review, name="mailed_review"),
    path("review-invitations/<str:token>/", invitation_views.stop, name="stop_invitations"),
    path("review-photo/<int:pk>/", views.review_photo, name="review_photo"),
    path("review-photo/<int:pk>/small/", views.review_photo, {"is_small": True}, name="review_thumbnail"),
    path("review-helpful/<int:pk>/", views.helpful, name="review_helpful"),
    path("my-reviews/", views.my_reviews, name="my_reviews"),
    path("my-reviews/<slug:kind>/<int:pk>/withdraw/", views.withdraw_text, name="withdraw_text"),
]
