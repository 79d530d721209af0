"""Listing pages: a category, a concern, a brand, what was searched for."""

from dataclasses import dataclass, field

from django.db.models import Exists, OuterRef
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from shop.catalog.models import Brand, Category, HealthConcern, Picture, Product
from shop.markets.caching import public_page
from shop.markets.canonical import moved
from shop.markets.requests import MarketRequest

from .listing import LAST_PAGE, Asked, Listing
from .text import LONGEST_QUERY

SHORTEST_SEARCH = 2
MOST_CHIPS = 9


@dataclass
class Head:
    """What stands above a listing's grid."""

    title: str
    trail: list[tuple[str, str]]
    tagline: str = ""
    tint: int | None = None
    banner: Picture | None = None
    banner_mobile: Picture | None = None
    chips: list[tuple[str, str, Picture | None]] = field(default_factory=list)
    noindex: bool = False
    meta_title: str = ""
    meta_desc: str = ""

    @property
    def url(self) -> str:
        """The listing's canonical path, with the market prefix."""
        return self.trail[-1][1]


@public_page
def category(request: MarketRequest, path: str) -> HttpResponse:
    """/products/{category}/{sub}/{child}/; a last part that is no category is a health concern in it."""
    if path != path.lower():
        return former_category(request, path)
    found, concern = _find_category(path)
    within = found[-1]
    trail = [(node.name, reverse("category", args=[node.path])) for node in found]
    if concern:
        trail.append((concern.name, reverse("category", args=[f"{within.path}/{concern.slug}"])))
    head = Head(
        title=concern.name if concern else within.name,
        trail=trail,
        tagline=within.tagline,
        tint=found[0].pk,
        banner=within.img_banner or found[0].img_banner,
        banner_mobile=within.img_banner_m or found[0].img_banner_m,
        chips=[] if concern else _chips_within(within),
        meta_title=within.meta_title,
        meta_desc=within.meta_desc,
    )
    asked = _asked(request, categories=(within,), concerns=(concern,) if concern else ())
    return _listing_page(request, asked, head)


@public_page
def former_category(request: MarketRequest, path: str) -> HttpResponse:
    """/product/{category}/{sub}/, as links of the former shop write it."""
    _find_category(path.lower())
    return moved(request, "category", path.lower())


def _find_category(path: str) -> tuple[list[Category], HealthConcern | None]:
    """The categories along a path, the top one first, and the health concern that may end it."""
    slugs = path.split("/")
    found = list(
        Category.objects.filter(path__in=["/".join(slugs[: end + 1]) for end in range(len(slugs))])
        .select_related("img_banner", "img_banner_m")
        .order_by("path")
    )
    if not found or len(found) < len(slugs) - 1:
        raise Http404
    if len(found) == len(slugs):
        return found, None
    return found, get_object_or_404(HealthConcern, slug=slugs[-1])


@public_page
def concern(request: MarketRequest, slug: str) -> HttpResponse:
    wanted = get_object_or_404(HealthConcern.objects.select_related("image"), slug=slug)
    head = Head(title=wanted.name, trail=[(wanted.name, reverse("concern", args=[slug]))], banner=wanted.image)
    return _listing_page(request, _asked(request, concerns=(wanted,)), head)


@public_page
def brand(request: MarketRequest, slug: str) -> HttpResponse:
    """By slug; a brand's name in any spelling is redirected to it."""
    wanted = Brand.objects.select_related("img_banner", "img_banner_m").filter(slug=slug).first()
    if wanted is None:
        named = get_object_or_404(Brand, name__iexact=slug)
        return moved(request, "brand", named.slug)
    head = Head(
        title=wanted.name,
        trail=[("Brands", reverse("brands")), (wanted.name, reverse("brand", args=[wanted.slug]))],
        tagline=wanted.story,
        banner=wanted.img_banner,
        banner_mobile=wanted.img_banner_m,
    )
    return _listing_page(request, _asked(request, brands=(wanted,)), head)


@public_page
def search(request: MarketRequest) -> HttpResponse:
    """The search field without scripts: /search/?q=words goes to /search/words/."""
    words = " ".join(request.GET.get("q", "").replace("/", " ").replace("\x00", " ").split())[:LONGEST_QUERY]
    return redirect("search_results", words=words) if words else redirect("home")


@public_page
def search_results(request: MarketRequest, words: str) -> HttpResponse:
    words = " ".join(words.replace("\x00", " ").split())[:LONGEST_QUERY]
    head = Head(title=f"Results for “{words}”", trail=[("Search", request.path)], noindex=True)
    too_short = len(words) < SHORTEST_SEARCH
    return _listing_page(request, _asked(request, words=words, is_nothing=too_short), head)


def _chips_within(within: Category) -> list[tuple[str, str, Picture | None]]:
    """At most nine concerns that products of a category are for."""
    # Asked from the concern: a search through its products ends at the first that fits.
    fitting = Product.objects.filter(
        health_concerns=OuterRef("pk"), is_published=True, category__in=Category.objects.within(within)
    )
    return [
        (concern.name, reverse("category", args=[f"{within.path}/{concern.slug}"]), concern.image)
        for concern in HealthConcern.objects.filter(Exists(fitting)).select_related("image")[:MOST_CHIPS]
    ]


def _asked(request: MarketRequest, **what) -> Asked:
    """The state of a listing, from its address; nonsense in it falls back to the first page."""
    page = request.GET.get("page", "1")
    number = int(page) if page.isascii() and page.isdigit() and len(page) < 6 else 1
    return Asked(sort=request.GET.get("sort", "")[:20], page=max(1, min(number, LAST_PAGE)), **what)


def _listing_page(request: MarketRequest, asked: Asked, head: Head) -> HttpResponse:
    listing = Listing(request.market, asked, page_alone=bool(request.htmx))
    context = {
        "listing": listing,
        "head": head,
        "next_url": _next_url(request, listing),
        "previous_url": _page_url(request, asked.page - 1) if listing.first_index and not request.htmx else None,
    }
    template = "search/listing.html#page" if request.htmx else "search/listing.html"
    return render(request, template, context)


def _next_url(request: MarketRequest, listing: Listing) -> str | None:
    return _page_url(request, listing.asked.page + 1) if listing.has_more else None


def _page_url(request: MarketRequest, page: int) -> str:
    query = request.GET.copy()
    query["page"] = str(page)
    return f"{request.path}?{query.urlencode()}"
