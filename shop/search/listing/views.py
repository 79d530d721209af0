"""Listing pages: a category, a concern, a brand, what was searched for."""

from dataclasses import dataclass, field
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.encoding import escape_uri_path
from django.utils.translation import gettext

from shop.catalog.categories.tree import children_of, visible_categories
from shop.catalog.models import Brand, Category, HealthConcern, Picture
from shop.invalidation.models import Change
from shop.invalidation.subscriptions import remembered
from shop.markets.caching.headers import public_page
from shop.markets.canonical import moved
from shop.markets.requests import MarketRequest
from shop.translated import unless_behind

from ..facets.labels import concerns_with_pictures
from ..facets.selection import listing_words, read_filters
from ..text.normalization import MAX_QUERY_LENGTH
from ..text.query import PriceWords, split_prices
from .addresses import chips_of, listing_url
from .services import LAST_PAGE, HasKey, Listing, ListingQuery

MIN_SEARCH_LENGTH = 2
MAX_CHIPS = 9


@dataclass
class Head:
    """What stands above a listing's grid."""

    title: str
    trail: list[tuple[str, str]]
    tagline: str = ""
    tint: int | None = None
    banner: Picture | None = None
    banner_mobile: Picture | None = None
    subcategories: list[Category] = field(default_factory=list)
    how_to_choose: str = ""
    concerns_in: str = ""  # path of the category whose concerns are shown as chips
    chips: tuple[tuple[str, str, Picture | None], ...] = ()
    noindex: bool = False
    meta_title: str = ""
    meta_desc: str = ""

    @property
    def search_label(self) -> str:
        if self.noindex:
            return gettext("Search in these results")
        return gettext("Search in %(title)s") % {"title": self.title}

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
    trail = [(node.translated.name, reverse("category", args=[node.path])) for node in found]
    if concern:
        trail.append((concern.translated.name, reverse("category", args=[f"{within.path}/{concern.slug}"])))
    head = Head(
        title=(concern or within).translated.name,
        trail=trail,
        tagline=within.translated.tagline,
        tint=found[0].pk,
        banner=within.img_banner or found[0].img_banner,
        banner_mobile=within.img_banner_m or found[0].img_banner_m,
        subcategories=[] if concern else children_of(within.pk),
        how_to_choose="" if concern else within.translated.how_to_choose,
        concerns_in="" if concern else within.path,
        meta_title=unless_behind(within.translated.meta_title, within.translated.name),
        meta_desc=unless_behind(within.translated.meta_desc, within.translated.name),
    )
    listing_query = _listing_query(request, categories=(within,), concerns=(concern,) if concern else ())
    return _listing_page(request, listing_query, head)


@public_page
def former_category(request: MarketRequest, path: str) -> HttpResponse:
    """/product/{category}/{sub}/, as links of the former shop write it."""
    _find_category(path.lower())
    return moved(request, "category", path.lower())


@remembered(Change.Kind.SHOP, Change.Kind.PRODUCT)
def _find_category(path: str) -> tuple[list[Category], HealthConcern | None]:
    """The categories along a path, the top one first, and the health concern that may end it. What shoppers do not
    see, since it is hidden, or since an import made it and nothing in it is published, is not there."""
    slugs = path.split("/")
    found = list(
        Category.objects.filter(path__in=["/".join(slugs[: end + 1]) for end in range(len(slugs))])
        .select_related("img_banner", "img_banner_m")
        .order_by("path")
    )
    if not found or len(found) < len(slugs) - 1 or any(row.is_hidden for row in found):
        raise Http404
    if found[-1].is_unseen_while_empty and found[-1].pk not in visible_categories():
        raise Http404
    if len(found) == len(slugs):
        return found, None
    return found, get_object_or_404(HealthConcern, slug=slugs[-1])


@public_page
def concern(request: MarketRequest, slug: str) -> HttpResponse:
    concern = get_object_or_404(HealthConcern.objects.select_related("image"), slug=slug)
    name = concern.translated.name
    head = Head(title=name, trail=[(name, reverse("concern", args=[slug]))], banner=concern.image)
    return _listing_page(request, _listing_query(request, concerns=(concern,)), head)


@public_page
def brand(request: MarketRequest, slug: str) -> HttpResponse:
    """By slug; a brand's name in any spelling is redirected to it."""
    brand = Brand.objects.select_related("img_banner", "img_banner_m").filter(slug=slug).first()
    if brand is None:
        named = get_object_or_404(Brand, name__iexact=slug)
        return moved(request, "brand", named.slug)
    head = Head(
        title=brand.translated.name,
        trail=[(gettext("Brands"), reverse("brands")), (brand.translated.name, reverse("brand", args=[brand.slug]))],
        tagline=brand.translated.story,
        banner=brand.img_banner,
        banner_mobile=brand.img_banner_m,
    )
    return _listing_page(request, _listing_query(request, brands=(brand,)), head)


@public_page
def search(request: MarketRequest) -> HttpResponse:
    """The search field without scripts: /search/?q=words goes to /search/words/."""
    words = " ".join(request.GET.get("q", "").replace("/", " ").replace("\x00", " ").split())[:MAX_QUERY_LENGTH]
    return redirect("search_results", words=words) if words else redirect("home")


@public_page
def search_results(request: MarketRequest, words: str) -> HttpResponse:
    words = " ".join(words.replace("\x00", " ").split())[:MAX_QUERY_LENGTH]
    if prices := split_prices(words):
        return redirect(_with_prices(request, prices))
    head = Head(
        title=gettext("Results for “%(words)s”") % {"words": words},
        trail=[(gettext("Search"), request.path)],
        noindex=True,
    )
    too_short = len(words) < MIN_SEARCH_LENGTH
    return _listing_page(request, _listing_query(request, words=words, is_nothing=too_short), head)


def _with_prices(request: MarketRequest, prices: PriceWords) -> str:
    """The results of the other words, with the prices as a filter that can be taken off again."""
    query = request.GET.copy()
    for name, limit in (("price_min", prices.min), ("price_max", prices.max)):
        if limit is not None:
            query[name] = f"{limit.normalize():f}"
    return f"{reverse('search_results', args=[prices.rest])}?{query.urlencode()}"


@public_page
def offers_discounts(request: MarketRequest) -> HttpResponse:
    """Everything that costs less than its actual price, the largest discounts first."""
    head = Head(
        title=gettext("Offers & Discounts"),
        trail=[(gettext("Offers & Discounts"), reverse("offers_discounts"))],
        tagline=gettext("Everything selling below its printed price today."),
    )
    return _listing_page(request, _listing_query(request, is_discounted=True), head)


def _listing_query(request: MarketRequest, *, categories: tuple[HasKey, ...] = (), **what: Any) -> ListingQuery:
    """The state of a listing, from its address; nonsense in it falls back to no restriction."""
    page = request.GET.get("page", "1")
    number = int(page) if page.isascii() and page.isdigit() and len(page) < 6 else 1
    return ListingQuery(
        categories=categories,
        query=listing_words(request.GET.get("q", "")),
        filters=read_filters(request.GET, within=[category.pk for category in categories]),
        sort=request.GET.get("sort", "")[:20],
        page=max(1, min(number, LAST_PAGE)),
        **what,
    )


def _listing_page(request: MarketRequest, listing_query: ListingQuery, head: Head) -> HttpResponse:
    """The page; for HTMX the part it asks for: the next cards (#more) or everything that filters change.

    Past the end is the last page, for now: who comes back to a listing that shrank finds its end, and a crawler no
    endless row of addresses.
    """
    target = (request.htmx.target or "") if request.htmx else ""
    is_next_page = target.endswith("#more")
    listing = Listing(request.market, listing_query, page_alone=is_next_page)
    if listing_query.page > listing.last_page and not is_next_page:
        return redirect(listing_url(escape_uri_path(request.path), listing, page=listing.last_page))
    if listing.is_makeshift:
        request.market_is_public = False  # without facets: not to be kept
    if head.concerns_in:
        head.chips = _chips_within(listing, head.concerns_in)
    template = "search/listing/listing.html"
    if is_next_page:
        template += "#page"
    elif target.endswith("#listing"):
        template += "#listing"
    return render(request, template, _context(request, listing, head))


def _context(request: MarketRequest, listing: Listing, head: Head) -> dict[str, Any]:
    listing_query, here = listing.query, escape_uri_path(request.path)
    return {
        "listing": listing,
        "head": head,
        "here": here,
        "selected": chips_of(listing, here),
        "clear_url": listing_url(here, listing, keep=()),
        "eager": 0 if listing.first_index else 2,
        "next_url": listing_url(here, listing, page=listing_query.page + 1) if listing.has_more else None,
        "previous_url": listing_url(here, listing, page=listing_query.page - 1) if listing.first_index else None,
    }


def _chips_within(listing: Listing, path: str) -> tuple[tuple[str, str, Picture | None], ...]:
    """At most nine concerns that products of the category at `path` are for."""
    concerns = [row for row in concerns_with_pictures() if listing.has_concern(row.pk)][:MAX_CHIPS]
    return tuple((row.translated.name, reverse("category", args=[f"{path}/{row.slug}"]), row.image) for row in concerns)
