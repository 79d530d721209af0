from shop.tests.support.access import Door, Who, screen

QUESTION = "reads; its body is a question"

DOORS = [
    Door("products/<path:path>/", "GET", Who.ANYONE, path=lambda own: f"/products/{own.shelf.category}/"),
    Door(
        "product/<path:path>/", "GET", Who.ANYONE, path=lambda own: f"/product/{own.shelf.category}/{own.shelf.below}/"
    ),
    Door("health-concerns/<slug:slug>/", "GET", Who.ANYONE, path=lambda own: f"/health-concerns/{own.shelf.concern}/"),
    Door(
        "product/health-concerns/<slug:slug>/",
        "GET",
        Who.ANYONE,
        path=lambda own: f"/product/health-concerns/{own.shelf.concern}/",
    ),
    Door("brand/<str:slug>/", "GET", Who.ANYONE, path=lambda own: f"/brand/{own.shelf.brand}/"),
    Door("offers_discounts/", "GET", Who.ANYONE),
    Door("search/", "GET", Who.ANYONE, path=lambda own: "/search/?q=soap"),
    Door("search/<path:words>/", "GET", Who.ANYONE, path=lambda own: "/search/soap/"),
    Door("POST /search/", "POST", Who.ANYONE, body=lambda own: {"query": "soap"}, why=QUESTION),
    Door(
        "POST /get-category-products/",
        "POST",
        Who.ANYONE,
        body=lambda own: {"category": own.shelf.category},
        why=QUESTION,
    ),
    Door("POST /get-brand-product/", "POST", Who.ANYONE, body=lambda own: {"brand": own.shelf.brand}, why=QUESTION),
    Door("POST /api/searches/", "POST", Who.ANYONE, body=lambda own: {"query": "soap"}, why="one more search; counted"),
    *screen("search.synonymgroup", add=True, change=True, delete=True),
    *screen("search.searchcount"),
    Door(
        "admin:search_searchcount_report",
        "GET",
        Who.STAFF,
        path=lambda own: "/admin/search/searchcount/report/",
        permission="search.view_searchcount",
    ),
]
