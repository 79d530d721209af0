"""Questions on a product: reading and searching them, asking, answering."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from shop.accounts.pages import form_page
from shop.accounts.requests import CustomerRequest
from shop.errors import ShopError
from shop.markets.caching.headers import public_page
from shop.markets.caching.page_cache import show_only
from shop.markets.requests import MarketRequest

from ..forms import AnswerForm, QuestionForm
from ..models import Question
from ..present import MAX_WORDS, page_of, published_questions
from ..queries import is_buyer
from ..views import number_in, page_or_404
from .services import answer, ask


@public_page
def questions(request: MarketRequest, slug: str) -> HttpResponse:
    """All questions of a product, or those with `?q=words` in them or in their answers."""
    page = page_or_404(request, slug)
    words = " ".join(request.GET.get("q", "").replace("\x00", " ").split())[:MAX_WORDS]
    found = page_of(published_questions(page.product.pk, words), number_in(request, "page", 1000))
    context = {"page": page, "product": page.product, "found": found, "words": words}
    part = "#more" if request.htmx and found.number > 1 else ""
    response = render(request, f"reviews/questions/questions.html{part}", context)
    response["X-Robots-Tag"] = "noindex"
    show_only(response, page.shows)
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def ask_question(request: CustomerRequest, slug: str) -> HttpResponse:
    page = page_or_404(request, slug)
    form = QuestionForm(request.POST or None)
    error = None
    if request.method == "POST" and form.is_valid():
        try:
            ask(page.product, form.cleaned_data["text"], customer=request.user)
        except ShopError as refusal:
            error = refusal
        else:
            messages.success(request, gettext("Thank you! We'll publish your question with an answer soon."))
            return redirect("product_questions", slug)
    return form_page(request, "reviews/questions/ask.html", form, error, product=page.product, page=page)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def answer_question(request: CustomerRequest, slug: str, pk: int) -> HttpResponse:
    """A buyer's answer; who did not buy the product reads that instead of the form."""
    page = page_or_404(request, slug)
    question = get_object_or_404(Question.objects.published(), pk=pk, product=page.product)
    form = AnswerForm(request.POST or None)
    error = None
    if request.method == "POST" and form.is_valid():
        try:
            answer(question.pk, form.cleaned_data["text"], customer=request.user)
        except ShopError as refusal:
            error = refusal
        else:
            messages.success(request, gettext("Thank you! We'll read your answer and publish it soon."))
            return redirect("product_questions", slug)
    more: dict[str, Any] = {"product": page.product, "page": page, "question": question}
    more["may_answer"] = is_buyer(request.user, page.product.pk)
    return form_page(request, "reviews/questions/answer.html", form, error, **more)
