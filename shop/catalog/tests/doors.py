from shop.tests.access import Door, Who, screen

EDITED = (
    "picture", "category", "brand", "healthconcern", "returnreason", "attribute", "attributevalue", "hsncode",
    "variant",
)  # fmt: skip

DOORS = [
    Door("product/<slug:slug>/", "GET", Who.ANYONE, path=lambda own: f"/product/{own.shelf.product}/"),
    Door(
        "product/<slug:slug>/delivery/",
        "GET",
        Who.ANYONE,
        path=lambda own: f"/product/{own.shelf.product}/delivery/?pincode=560001",
    ),
    Door(
        "product/<slug:slug>/alert/",
        "GET POST",
        Who.ANYONE,
        path=lambda own: f"/product/{own.shelf.sold_out}/alert/",
        body=lambda own: {"variant": own.shelf.sold_out_variant, "email": own.email},
        why="asks for one mail; counted for client and mailbox",
    ),
    Door("recently-viewed/", "GET", Who.ANYONE, path=lambda own: "/recently-viewed/?ids=1,2"),
    Door("styles-<slug:digest>.css", "GET", Who.ANYONE, path=lambda own: "/styles-0.css"),
    Door("brands/", "GET", Who.ANYONE),
    Door("GET /get-menu-list/", "GET", Who.ANYONE),
    Door(
        "POST /get-product/",
        "POST",
        Who.ANYONE,
        body=lambda own: {"product": own.shelf.product},
        why="reads; its body is a question",
    ),
    *[door for name in EDITED for door in screen(f"catalog.{name}", add=True, change=True, delete=True)],
    *screen(
        "catalog.product",
        add=True,
        change=True,
        delete=True,
        actions=dict.fromkeys(("publish", "withdraw"), "catalog.change_product"),
    ),
    *screen("catalog.stockmovement"),
]
