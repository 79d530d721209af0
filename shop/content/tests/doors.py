from django.urls import reverse

from shop.tests.support.access import Door, Who, screen, some_pk

from ..pages.initial import STARTING_PAGES

DOORS = [
    Door("", "GET", Who.ANYONE),
    Door("ayurvedic/", "GET", Who.ANYONE),
    *[Door(f"{slug}/", "GET", Who.ANYONE) for slug in STARTING_PAGES],
    Door("faq/", "GET", Who.ANYONE),
    Door("blog/", "GET", Who.ANYONE),
    Door("blog/category/<slug:slug>/", "GET", Who.ANYONE, path=lambda own: "/blog/category/herbs/"),
    Door("blog/<slug:slug>/", "GET", Who.ANYONE, path=lambda own: "/blog/neem/"),
    Door("blogs/", "GET", Who.ANYONE),
    Door("blogdetail/", "GET", Who.ANYONE),
    Door("feeds/blog.xml", "GET", Who.ANYONE),
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
    *[
        Door(
            f"admin:content_{model}_preview",
            "GET",
            Who.STAFF,
            path=lambda own, model=model: reverse(f"admin:content_{model}_preview"),
            permission=f"content.view_{model}",
        )
        for model in ("banner", "homerow")
    ],
    *screen("content.banner", add=True, change=True, delete=True),
    *screen("content.menuentry", change=True),
    *screen("content.homerow", add=True, change=True, delete=True),
    *screen("content.page", change=True),
    *screen("content.faqsection", add=True, change=True, delete=True),
    *screen("content.faq", add=True, change=True, delete=True),
    *screen("content.postcategory", add=True, change=True, delete=True),
    *screen("content.post", add=True, change=True, delete=True),
    Door(
        "admin:content_post_preview",
        "GET",
        Who.STAFF,
        path=lambda own: reverse("admin:content_post_preview", args=[some_pk("content.post")]),
        permission="content.view_post",
    ),
]
