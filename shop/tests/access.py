"""What belongs to no room: pictures, the staff's site, the API's description of itself."""

from .support.access import IS_STAFF, RouteAccess, Who, admin_entries


def staff(name, path, methods="GET", permission=IS_STAFF):
    return RouteAccess(f"admin:{name}", methods, Who.STAFF, path=lambda own: f"/admin/{path}", permission=permission)


ENTRIES = [
    RouteAccess(r"^media/(?P<name>.*[^/])\Z", "GET", Who.ANYONE, path=lambda own: f"/media/{own.shelf.picture}"),
    RouteAccess("GET /api/docs", "GET", Who.DEMO),
    RouteAccess("GET /api/openapi.json", "GET", Who.DEMO),
    # The root of the calls is the home page's address, which answers before it.
    RouteAccess("GET /", "GET", Who.ANYONE),
    staff("index", ""),
    staff("search", "search/?s=neem"),
    staff(
        "autocomplete",
        "autocomplete/?app_label=catalog&model_name=product&field_name=brand",
        permission="catalog.view_brand",
    ),
    staff("jsi18n", "jsi18n/"),
    RouteAccess(
        "admin:language",
        "POST",
        Who.STAFF,
        path=lambda own: "/admin/language/",
        body=lambda own: {"language": "hi"},
        permission=IS_STAFF,
    ),
    staff("login", "login/"),
    staff("logout", "logout/", "POST"),
    staff("password_change", "password_change/", "GET POST"),
    staff("password_change_done", "password_change/done/"),
    staff("app_list", "orders/"),
    *admin_entries("admin.logentry"),
    RouteAccess("admin/(?P<url>.*)$", "GET", Who.STAFF, path=lambda own: "/admin/no/such/page/", permission=IS_STAFF),
]
