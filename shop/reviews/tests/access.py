from django.urls import reverse

from shop.reviews.models import ReviewPhoto
from shop.tests.support.access import RouteAccess, Who, admin_entries, some_pk

REVIEW = {"stars": "4", "title": "Good", "text": "As it should be"}


def shown_review(own):
    return ReviewPhoto.objects.values_list("review", flat=True).get(pk=own.shown_photo)


def decide_entry(model):
    name = f"admin:reviews_{model}_decide"
    return RouteAccess(
        name,
        "POST",
        Who.STAFF,
        path=lambda own: reverse(name, args=[some_pk(f"reviews.{model}")]),
        body=lambda own: {"do": "publish", "seen": "0"},
        permission=f"reviews.change_{model}",
    )


ENTRIES = [
    RouteAccess(
        "product/<slug:slug>/reviews/", "GET", Who.ANYONE, path=lambda own: f"/product/{own.shelf.product}/reviews/"
    ),
    RouteAccess(
        "product/<slug:slug>/questions/", "GET", Who.ANYONE, path=lambda own: f"/product/{own.shelf.product}/questions/"
    ),
    RouteAccess(
        "product/<slug:slug>/questions/ask/",
        "GET POST",
        Who.CUSTOMER,
        path=lambda own: f"/product/{own.shelf.product}/questions/ask/",
        body=lambda own: {"text": f"{own.mark} wants to know"},
    ),
    RouteAccess(
        "product/<slug:slug>/questions/<int:pk>/answer/",
        "GET POST",
        Who.CUSTOMER,
        path=lambda own: f"/product/{own.shelf.product}/questions/{own.shown_question}/answer/",
        body=lambda own: {"text": f"{own.mark} knows"},
    ),
    RouteAccess(
        "order-detail/<str:number>/review/<int:pk>/",
        "GET POST",
        Who.CUSTOMER,
        of="order",
        path=lambda own: f"/order-detail/{own.order}/review/{own.line}/",
        body=lambda own: REVIEW,
    ),
    RouteAccess(
        "review/<str:token>/",
        "GET POST",
        Who.ANYONE,
        path=lambda own: "/review/1.unknown/",
        body=lambda own: REVIEW,
        why="the key of a mail is the proof",
    ),
    RouteAccess("review-invitations/<str:token>/", "GET POST", Who.SIGNED, path=lambda own: "/review-invitations/1.x/"),
    RouteAccess("review-photo/<int:pk>/", "GET", Who.ANYONE, path=lambda own: f"/review-photo/{own.shown_photo}/"),
    RouteAccess(
        "review-photo/<int:pk>/small/", "GET", Who.ANYONE, path=lambda own: f"/review-photo/{own.shown_photo}/small/"
    ),
    RouteAccess(
        "review-helpful/<int:pk>/",
        "GET POST",
        Who.CUSTOMER,
        path=lambda own: f"/review-helpful/{shown_review(own)}/",
        body=lambda own: {"helpful": "1"},
    ),
    RouteAccess("my-reviews/", "GET", Who.CUSTOMER),
    RouteAccess(
        "my-reviews/<slug:kind>/<int:pk>/withdraw/",
        "POST",
        Who.CUSTOMER,
        of="review",
        path=lambda own: f"/my-reviews/review/{own.review}/withdraw/",
    ),
    RouteAccess(
        "my-reviews/<slug:kind>/<int:pk>/withdraw/",
        "POST",
        Who.CUSTOMER,
        of="question",
        path=lambda own: f"/my-reviews/question/{own.question}/withdraw/",
    ),
    *admin_entries("reviews.review"),
    *admin_entries("reviews.question"),
    *admin_entries("reviews.answer"),
    *map(decide_entry, ("review", "question", "answer")),
]
