from django.urls import reverse

from shop.tests.support.access import RouteAccess, Who, admin_entries, some_pk

from ..pages.initial import STARTING_PAGES

ENTRIES = [
    RouteAccess("", "GET", Who.ANYONE),
    RouteAccess("ayurvedic/", "GET", Who.ANYONE),
    *[RouteAccess(f"{slug}/", "GET", Who.ANYONE) for slug in STARTING_PAGES],
    RouteAccess("faq/", "GET", Who.ANYONE),
    RouteAccess("blog/", "GET", Who.ANYONE),
    RouteAccess("blog/category/<slug:slug>/", "GET", Who.ANYONE, path=lambda own: "/blog/category/herbs/"),
    RouteAccess("blog/<slug:slug>/", "GET", Who.ANYONE, path=lambda own: "/blog/neem/"),
    RouteAccess("blogs/", "GET", Who.ANYONE),
    RouteAccess("blogdetail/", "GET", Who.ANYONE),
    RouteAccess("feeds/blog.xml", "GET", Who.ANYONE),
    RouteAccess("feeds/blog-<slug:language>.xml", "GET", Who.ANYONE, path=lambda own: "/feeds/blog-en.xml"),
    RouteAccess("robots.txt", "GET", Who.ANYONE),
    RouteAccess("sitemap.xml", "GET", Who.ANYONE),
    RouteAccess(
        "sitemaps/<slug:country>/<slug:section>-<int:page>.xml",
        "GET",
        Who.ANYONE,
        path=lambda own: "/sitemaps/in/products-1.xml",
    ),
    RouteAccess("feeds/merchant-<slug:country>.xml", "GET", Who.ANYONE, path=lambda own: "/feeds/merchant-in.xml"),
    RouteAccess("GET /get-home-sliders", "GET", Who.ANYONE),
    RouteAccess("GET /get-home-brands/", "GET", Who.ANYONE),
    RouteAccess("GET /get-home-concerns/", "GET", Who.ANYONE),
    *[
        RouteAccess(f"POST /{name}/", "POST", Who.ANYONE, body=lambda own: {"deliver_to": 1}, why="reads")
        for name in ("get-home-hot-sellers", "get-home-brand-product", "get-home-category-featured-products")
    ],
    *[
        RouteAccess(
            f"admin:content_{model}_preview",
            "GET",
            Who.STAFF,
            path=lambda own, model=model: reverse(f"admin:content_{model}_preview"),
            permission=f"content.view_{model}",
        )
        for model in ("banner", "homerow")
    ],
    *admin_entries("content.banner", add=True, change=True, delete=True),
    *admin_entries("content.menuentry", change=True),
    *admin_entries("content.homerow", add=True, change=True, delete=True),
    *admin_entries("content.page", change=True),
    RouteAccess(
        "admin:content_translations",
        "GET POST",
        Who.STAFF,
        path=lambda own: reverse("admin:content_translations"),
        permission="catalog.change_picture",  # of editors and catalogue managers alike: who may change any text
    ),
    RouteAccess(
        "admin:content_page_restore",
        "POST",
        Who.STAFF,
        path=lambda own: reverse("admin:content_page_restore", args=[some_pk("content.pageversion")]),
        permission="content.change_page",
    ),
    *admin_entries("content.faqsection", add=True, change=True, delete=True),
    *admin_entries("content.faq", add=True, change=True, delete=True),
    *admin_entries("content.postcategory", add=True, change=True, delete=True),
    *admin_entries("content.post", add=True, change=True, delete=True),
    RouteAccess(
        "admin:content_post_preview",
        "GET",
        Who.STAFF,
        path=lambda own: reverse("admin:content_post_preview", args=[some_pk("content.post")]),
        permission="content.view_post",
    ),
]
