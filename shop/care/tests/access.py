from django.urls import reverse

from shop.tests.support.access import RouteAccess, Who, admin_entries, some_pk

ENTRIES = [
    RouteAccess(
        "contactus/",
        "GET POST",
        Who.ANYONE,
        body=lambda own: letter_of(own),
        why="writes a message to the shop, counted for client and mailbox",
    ),
    RouteAccess(
        "complaint/",
        "GET POST",
        Who.ANYONE,
        body=lambda own: letter_of(own),
        why="writes a complaint to the shop, counted for client and mailbox",
    ),
    RouteAccess(
        "complaint/state/",
        "GET POST",
        Who.ANYONE,
        body=lambda own: {"number": own.complaint, "email": own.email},
        why="reads; number and e-mail are the proof, counted for ticket and client",
    ),
    RouteAccess(
        "newsletter/", "GET POST", Who.ANYONE, body=lambda own: {"email": own.email}, why="asks for a mail, counted"
    ),
    RouteAccess(
        "newsletter/confirm/<str:key>/",
        "GET POST",
        Who.ANYONE,
        path=lambda own: "/newsletter/confirm/unknown/",
        why="the key of a mail is the proof",
    ),
    RouteAccess("newsletter/leave/<str:key>/", "GET POST", Who.SIGNED, path=lambda own: "/newsletter/leave/unknown/"),
    *admin_entries("care.subscription"),
    RouteAccess(
        "admin:care_subscription_export",
        "GET",
        Who.STAFF,
        path=lambda own: reverse("admin:care_subscription_export"),
        permission="care.view_subscription",
    ),
    *admin_entries("care.complaint", change=True, actions={"acknowledge": "care.change_complaint"}),
    RouteAccess(
        "admin:care_inbox",
        "GET",
        Who.STAFF,
        path=lambda own: reverse("admin:care_inbox"),
        permission="care.view_enquiry|reviews.view_review|pharmacy.view_orderprescription",
    ),
    RouteAccess(
        "admin:care_inbox_item",
        "GET",
        Who.STAFF,
        path=lambda own: reverse("admin:care_inbox_item", args=["message", some_pk("care.enquiry")]),
        permission="care.view_enquiry",
    ),
    RouteAccess(
        "admin:care_inbox_item",
        "POST",
        Who.STAFF,
        path=lambda own: reverse("admin:care_inbox_item", args=["message", some_pk("care.enquiry")]),
        permission="care.change_enquiry",
    ),
    RouteAccess(
        "admin:care_inbox_assign",
        "POST",
        Who.STAFF,
        path=lambda own: reverse("admin:care_inbox_assign", args=["message", some_pk("care.enquiry")]),
        permission="care.change_enquiry",
    ),
    *admin_entries("care.replytemplate", add=True, change=True, delete=True),
    *admin_entries("care.enquiry", change=True, actions={"close": "care.change_enquiry"}),
]


def letter_of(own):
    return {
        "username": f"{own.mark} Rao",
        "mobile": "9876543210",
        "email": own.email,
        "order_number": own.order,
        "quote": f"{own.mark} asks",
        "once": "1",
    }
