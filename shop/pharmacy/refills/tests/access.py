from shop.tests.support.access import RouteAccess, Who, admin_entries

WISH = {"when": "30", "quantity": "1"}

ENTRIES = [
    RouteAccess("refills/", "GET", Who.CUSTOMER),
    RouteAccess(
        "order-detail/<str:number>/refill/<int:pk>/",
        "GET POST",
        Who.CUSTOMER,
        of="order",
        path=lambda own: f"/order-detail/{own.order}/refill/{own.line}/",
        body=lambda own: WISH,
    ),
    RouteAccess(
        "refills/<int:pk>/",
        "GET POST",
        Who.CUSTOMER,
        of="refill",
        path=lambda own: f"/refills/{own.refill}/",
        body=lambda own: WISH,
    ),
    RouteAccess(
        "refills/<int:pk>/<slug:step>/",
        "POST",
        Who.CUSTOMER,
        of="refill",
        path=lambda own: f"/refills/{own.refill}/pause/",
    ),
    RouteAccess(
        "refill/<str:token>/",
        "GET POST",
        Who.ANYONE,
        path=lambda own: "/refill/1.unknown/",
        why="the key of a message is the proof",
    ),
    RouteAccess("refill/<str:token>/end/", "GET POST", Who.SIGNED, path=lambda own: "/refill/1.x/end/"),
    *admin_entries("pharmacy.refill", actions={"end_reminders": "pharmacy.change_refill"}),
]
