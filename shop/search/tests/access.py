from shop.tests.support.access import RouteAccess, Who, admin_entries

QUESTION = "reads; its body is a question"

ENTRIES = [
    RouteAccess("products/<path:path>/", "GET", Who.ANYONE, path=lambda own: f"/products/{own.shelf.category}/"),
    RouteAccess(
        "product/<path:path>/", "GET", Who.ANYONE, path=lambda own: f"/product/{own.shelf.category}/{own.shelf.below}/"
    ),
    RouteAccess(
        "health-concerns/<slug:slug>/", "GET", Who.ANYONE, path=lambda own: f"/health-concerns/{own.shelf.concern}/"
    ),
    RouteAccess(
        "product/health-concerns/<slug:slug>/",
        "GET",
        Who.ANYONE,
        path=lambda own: f"/product/health-concerns/{own.shelf.concern}/",
    ),
    RouteAccess("brand/<str:slug>/", "GET", Who.ANYONE, path=lambda own: f"/brand/{own.shelf.brand}/"),
    RouteAccess("offers_discounts/", "GET", Who.ANYONE),
    RouteAccess("search/", "GET", Who.ANYONE, path=lambda own: "/search/?q=soap"),
    RouteAccess("search/<path:words>/", "GET", Who.ANYONE, path=lambda own: "/search/soap/"),
    RouteAccess("POST /search/", "POST", Who.ANYONE, body=lambda own: {"query": "soap"}, why=QUESTION),
    RouteAccess(
        "POST /get-category-products/",
        "POST",
        Who.ANYONE,
        body=lambda own: {"category": own.shelf.category},
        why=QUESTION,
    ),
    RouteAccess(
        "POST /get-brand-product/", "POST", Who.ANYONE, body=lambda own: {"brand": own.shelf.brand}, why=QUESTION
    ),
    RouteAccess("GET /api/searches/popular/", "GET", Who.ANYONE),
    RouteAccess(
        "POST /api/searches/", "POST", Who.ANYONE, body=lambda own: {"query": "soap"}, why="one more search; counted"
    ),
    *admin_entries("search.synonymgroup", add=True, change=True, delete=True),
    *admin_entries("search.need", add=True, change=True, delete=True),
    *admin_entries("search.searchcount"),
    RouteAccess(
        "admin:search_searchcount_report",
        "GET",
        Who.STAFF,
        path=lambda own: "/admin/search/searchcount/report/",
        permission="search.view_searchcount",
    ),
]
