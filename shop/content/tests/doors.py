from shop.content.starting_pages import STARTING_PAGES
from shop.tests.access import Door, Who, screen

DOORS = [
    Door("", "GET", Who.ANYONE),
    Door("ayurvedic/", "GET", Who.ANYONE),
    *[Door(f"{slug}/", "GET", Who.ANYONE) for slug in STARTING_PAGES],
    Door("robots.txt", "GET", Who.ANYONE),
    Door("sitemap.xml", "GET", Who.ANYONE),
    Door(
        "sitemaps/<slug:country>/<slug:section>-<int:page>.xml",
        "GET",
        Who.ANYONE,
        path=lambda own: "/sitemaps/in/products-1.xml",
    ),
    Door("feeds/merchant-<slug:country>.xml", "GET", Who.ANYONE, path=lambda own: "/feeds/merchant-in.xml"),
    Door("GET /get-home-sliders", "GET", Who.ANYONE),
    Door("GET /get-home-brands/", "GET", Who.ANYONE),
    Door("GET /get-home-concerns/", "GET", Who.ANYONE),
    *[
        Door(f"POST /{name}/", "POST", Who.ANYONE, body=lambda own: {"deliver_to": 1}, why="reads")
        for name in ("get-home-hot-sellers", "get-home-brand-product", "get-home-category-featured-products")
    ],
    *screen("content.banner", add=True, change=True, delete=True),
    *screen("content.homerow", add=True, change=True, delete=True),
    *screen("content.page", change=True),
]
