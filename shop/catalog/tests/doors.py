from django.urls import reverse

from shop.tests.support.access import Door, Who, screen, some_pk

EDITED = (
    "picture", "category", "brand", "healthconcern", "returnreason", "attribute", "attributevalue", "hsncode",
    "variant",
)  # fmt: skip


def page(name, label, methods, permission):
    """A page of one row that is not among those that every screen has."""
    path = lambda own: reverse(f"admin:{name}", args=[some_pk(label)])  # noqa: E731
    return Door(f"admin:{name}", methods, Who.STAFF, path=path, permission=permission)


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
        actions=dict.fromkeys(
            ("change_prices_and_stock", "publish", "withdraw", "export_csv", "export_xlsx"), "catalog.change_product"
        ),
    ),
    page("catalog_product_pictures", "catalog.product", "GET POST", "catalog.change_product"),
    page("catalog_product_duplicate", "catalog.product", "GET POST", "catalog.add_product"),
    *screen("catalog.stockmovement"),
    *screen("catalog.bulkchange"),
    Door(
        "admin:catalog_bulkchange_new",
        "GET POST",
        Who.STAFF,
        path=lambda own: "/admin/catalog/bulkchange/new/",
        permission="catalog.change_product",
    ),
    page("catalog_bulkchange_preview", "catalog.bulkchange", "GET POST", "catalog.change_product"),
    *[
        door
        for door in screen("catalog.productimport", add=True)
        if (door.route, door.methods) != ("admin:catalog_productimport_change", "POST")
    ],
    page("catalog_productimport_change", "catalog.productimport", "POST", "catalog.add_productimport"),
    page("catalog_productimport_undo", "catalog.productimport", "GET POST", "catalog.add_productimport"),
    page("catalog_productimport_refused_rows", "catalog.productimport", "GET", "catalog.add_productimport"),
]
