"""Reading, writing, withdrawing and voting for reviews."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from shop.accounts.pages import signed_in_from
from shop.accounts.requests import CustomerRequest
from shop.accounts.second_factor.services import has_staff_perm
from shop.catalog.products.page import ProductPage, product_page
from shop.errors import NotFound, ShopError, TooMany
from shop.markets.caching.headers import public_page
from shop.markets.caching.page_cache import show_only
from shop.markets.requests import MarketRequest
from shop.orders.models import OrderLine

from .forms import ReviewForm
from .links import line_of
from .models import MAX_STARS, Answer, HelpfulVote, Question, Review, ReviewPhoto
from .present import DEFAULT_SORT, SORTS, page_of, published_reviews, star_rows
from .questions.services import withdraw
from .services import reviewable_line, vote_helpful, withdraw_review, write_review

KINDS: dict[str, type[Question] | type[Answer]] = {"question": Question, "answer": Answer}
PHOTO_SECONDS = 3600


# --- Reading --------------------------------------------------------------------------------------


def page_or_404(request: MarketRequest, slug: str) -> ProductPage:
    page = product_page(slug, request.market)
    if page is None:
        raise Http404
    return page


def number_in(request: HttpRequest, name: str, highest: int) -> int:
    """A whole number of the address, 0 for anything else or beyond `highest`."""
    typed = request.GET.get(name, "")
    return int(typed) if typed.isascii() and typed.isdecimal() and len(typed) < 6 and int(typed) <= highest else 0


@public_page
def reviews(request: MarketRequest, slug: str) -> HttpResponse:
    """All reviews of a product: `?stars=4&sort=newest&page=2`. HTMX takes in the list alone."""
    page = page_or_404(request, slug)
    stars, sort = number_in(request, "stars", MAX_STARS), request.GET.get("sort", "")
    sort = sort if sort in SORTS else DEFAULT_SORT
    found = page_of(published_reviews(page.product.pk, stars=stars, sort=sort), number_in(request, "page", 1000))
    context = {
        "page": page,
        "product": page.product,
        "found": found,
        "spread": star_rows(page.product.pk),
        "stars_chosen": stars,
        "sort": sort,
        "sorts": [(name, gettext(label)) for name, (label, _) in SORTS.items()],
    }
    part = "#more" if request.htmx and found.number > 1 else ""
    response = render(request, f"reviews/reviews.html{part}", context)
    response["X-Robots-Tag"] = "noindex"  # the product's own page has the first of them
    show_only(response, page.shows)
    return response


@require_safe
def review_photo(request: MarketRequest, pk: int, *, is_small: bool = False) -> FileResponse:
    """Of a published review for everybody; before that for its author and the staff who decide."""
    photo = get_object_or_404(ReviewPhoto.objects.select_related("review"), pk=pk)
    review, user = photo.review, request.user
    is_own = user.is_authenticated and review.author_id == user.pk
    if not (review.is_published or is_own or has_staff_perm(request, "reviews.view_review")):
        raise Http404
    file = photo.thumbnail if is_small else photo.file
    response = FileResponse(file.open("rb"), content_type="image/jpeg", filename=f"review-{photo.pk}.jpg")
    if review.is_published:
        patch_cache_control(response, public=True, max_age=PHOTO_SECONDS)
    return response


# --- Writing --------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def write(request: CustomerRequest, number: str, pk: int) -> HttpResponse:
    """The review of a delivered line of an own order."""
    try:
        line = reviewable_line(pk, customer=request.user)
    except NotFound as refusal:
        raise Http404 from refusal
    if line.order.number != number:
        raise Http404
    return _write(request, line, reverse("my_reviews"))


@require_http_methods(["GET", "HEAD", "POST"])
def mailed_review(request: MarketRequest, token: str) -> HttpResponse:
    """The same from the link of a mail, which is for this line only and shows nothing of the person."""
    try:
        line = line_of(token)
    except NotFound:
        return render(request, "reviews/link_over.html", status=400)
    return _write(request, line, request.path)


def _write(request: Any, line: OrderLine, done: str) -> HttpResponse:
    review = Review.objects.filter(line=line).first()
    form = ReviewForm(request.POST or None, request.FILES or None, shown=review)
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            write_review(line, customer=line.order.customer, **form.cleaned_data)
        except ShopError as refusal:
            form.explain(refusal)
            status = refusal.status
        else:
            messages.success(request, gettext("Thank you! We'll read your review and publish it soon."))
            return redirect(done)
    is_open = review is None or review.is_open
    context = {
        "line": line,
        "product": line.variant.product,
        "review": review,
        "form": form,
        "is_open": is_open,
        "is_sent": review is not None and review.state == Review.State.WAITING and request.method != "POST",
        "lost_files": bool(request.FILES),
    }
    return render(request, "reviews/write.html", context, status=422 if form.errors and status == 200 else status)


@require_safe
@login_required
def my_reviews(request: CustomerRequest) -> HttpResponse:
    """What a customer wrote about products, with where it stands, and what may still be reviewed."""
    own = {"author": request.user}
    context = {
        "here": "my_reviews",
        "reviews": Review.objects.filter(**own).select_related("product", "line__order").prefetch_related("photos"),
        "questions": Question.objects.filter(**own).select_related("product"),
        "answers": Answer.objects.filter(**own).select_related("question__product"),
    }
    return render(request, "reviews/my_reviews.html", context)


@require_POST
@signed_in_from("my_reviews")
def withdraw_text(request: CustomerRequest, kind: str, pk: int) -> HttpResponse:
    """Take back an own review, question or answer."""
    try:
        if kind == "review":
            withdraw_review(pk, customer=request.user)
        elif kind in KINDS:
            withdraw(KINDS[kind], pk, customer=request.user)
        else:
            raise Http404
    except NotFound as refusal:
        raise Http404 from refusal
    messages.success(request, gettext("Withdrawn. Nobody sees it any more."))
    return redirect("my_reviews")


# --- Helpful --------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
def helpful(request: Any, pk: int) -> HttpResponse:
    """A vote for a review, or its end; HTMX takes in the button, without scripts it is a page of its own."""
    if not request.user.is_authenticated:
        answer = redirect_to_login(reverse("review_helpful", args=[pk]))
        return HttpResponseClientRedirect(answer["Location"]) if request.htmx else answer
    review = get_object_or_404(Review.objects.published().exclude(author=request.user).select_related("product"), pk=pk)
    status, words = 200, ""
    if request.method == "POST":
        try:
            wants = request.POST.get("helpful", "1") == "1"
            review.helpful = vote_helpful(pk, customer=request.user, is_helpful=wants)
        except NotFound as refusal:
            raise Http404 from refusal
        except TooMany as refusal:
            status, words = refusal.status, refusal.message
        else:
            if not request.htmx:
                return redirect("review_helpful", pk)
    has_voted = HelpfulVote.objects.filter(review=review, customer=request.user).exists()
    context = {"review": review, "product": review.product, "has_voted": has_voted, "is_known": True, "words": words}
    template = "reviews/_helpful.html" if request.htmx else "reviews/helpful.html"
    return render(request, template, context, status=status)
