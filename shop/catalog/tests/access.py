from django.urls import reverse

from shop.tests.support.access import RouteAccess, Who, admin_entries, some_pk

EDITED = (
    "picture", "category", "brand", "healthconcern", "returnreason", "attribute", "attributevalue", "hsncode",
)  # fmt: skip


def page(name, label, methods, permission):
    """A page of one row that is not among those that every screen has."""
    path = lambda own: reverse(f"admin:{name}", args=[some_pk(label)])  # noqa: E731
    return RouteAccess(f"admin:{name}", methods, Who.STAFF, path=path, permission=permission)


ENTRIES = [
    RouteAccess("product/<slug:slug>/", "GET", Who.ANYONE, path=lambda own: f"/product/{own.shelf.product}/"),
    RouteAccess(
        "product/<slug:slug>/delivery/",
        "GET",
        Who.ANYONE,
        path=lambda own: f"/product/{own.shelf.product}/delivery/?pincode=560001",
    ),
    RouteAccess(
        "product/<slug:slug>/options/",
        "GET",
        Who.ANYONE,
        path=lambda own: f"/product/{own.shelf.product}/options/",
    ),
    RouteAccess(
        "product/<slug:slug>/alert/",
        "GET POST",
        Who.ANYONE,
        path=lambda own: f"/product/{own.shelf.sold_out}/alert/",
        body=lambda own: {"variant": own.shelf.sold_out_variant, "email": own.email},
        why="asks for one mail; counted for client and mailbox",
    ),
    RouteAccess("recently-viewed/", "GET", Who.ANYONE, path=lambda own: "/recently-viewed/?ids=1,2"),
    RouteAccess("styles-<slug:digest>.css", "GET", Who.ANYONE, path=lambda own: "/styles-0.css"),
    RouteAccess("brands/", "GET", Who.ANYONE),
    RouteAccess("categories/", "GET", Who.ANYONE),
    RouteAccess("GET /get-menu-list/", "GET", Who.ANYONE),
    RouteAccess(
        "POST /get-product/",
        "POST",
        Who.ANYONE,
        body=lambda own: {"product": own.shelf.product},
        why="reads; its body is a question",
    ),
    *[entry for name in EDITED for entry in admin_entries(f"catalog.{name}", add=True, change=True, delete=True)],
    *admin_entries(
        "catalog.product",
        add=True,
        change=True,
        delete=True,
        actions=dict.fromkeys(
            ("change_prices_and_stock", "publish", "withdraw", "export_csv", "export_xlsx"), "catalog.change_product"
        ),
    ),
    RouteAccess(
        "admin:catalog_picture_upload",
        "POST",
        Who.STAFF,
        path=lambda own: "/admin/catalog/picture/upload/",
        permission="catalog.add_picture",
    ),
    RouteAccess(
        "admin:catalog_variant_grid",
        "GET POST",
        Who.STAFF,
        path=lambda own: "/admin/catalog/variant/grid/",
        permission="catalog.change_variant",
    ),
    page("catalog_product_restore", "catalog.product", "GET POST", "catalog.change_product"),
    page("catalog_product_duplicate", "catalog.product", "GET POST", "catalog.add_product"),
    *admin_entries(
        "catalog.variant", add=True, change=True, delete=True, actions={"track_by_batch": "catalog.change_variant"}
    ),
    *admin_entries("catalog.stockmovement"),
    *admin_entries(
        "catalog.batch",
        add=True,
        change=True,
        actions={"write_off_units": "catalog.add_batch", "print_labels": "catalog.view_batch"},
    ),
    *admin_entries("catalog.bulkchange"),
    RouteAccess(
        "admin:catalog_bulkchange_new",
        "GET POST",
        Who.STAFF,
        path=lambda own: "/admin/catalog/bulkchange/new/",
        permission="catalog.change_product",
    ),
    page("catalog_bulkchange_preview", "catalog.bulkchange", "GET POST", "catalog.change_product"),
    *[
        entry
        for entry in admin_entries("catalog.productimport", add=True)
        if (entry.route, entry.methods) != ("admin:catalog_productimport_change", "POST")
    ],
    page("catalog_productimport_change", "catalog.productimport", "POST", "catalog.add_productimport"),
    page("catalog_productimport_undo", "catalog.productimport", "GET POST", "catalog.add_productimport"),
    page("catalog_productimport_refused_rows", "catalog.productimport", "GET", "catalog.add_productimport"),
]
