"""The pictures on a product's form: several files at once, an order, and what is taken away."""

from typing import Any

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse

from shop.backoffice import history
from shop.errors import ShopError

from ..bulk_edit.views import page
from ..models import Product, VariantImage
from ..products.forms import picture_of
from .galleries import add_to_gallery, arrange_gallery
from .services import rendition_url, widths_of

MAX_FILES = 12


def panel(product: Product, form_id: str) -> dict[str, Any]:
    """What _pictures.html shows: each variant with its pictures, in two queries; `form_id` is the form that its
    fields belong to."""
    images: dict[int, list[VariantImage]] = {}
    for image in (
        VariantImage.objects.filter(variant__product=product).select_related("picture").order_by("position", "id")
    ):
        image.address = rendition_url(image.picture, widths_of(image.picture)[0], "jpg")  # type: ignore[attr-defined]
        images.setdefault(image.variant_id, []).append(image)
    variants = product.variants.order_by("position", "id").only("sku", "product_id")
    galleries = [(variant, images.get(variant.pk, [])) for variant in variants]
    return {"product": product, "galleries": galleries, "form_id": form_id}


def pictures(model_admin: "ModelAdmin[Any]", request: HttpRequest, product: Product) -> HttpResponse:
    if request.method != "POST":
        return page(model_admin, request, "pictures/pictures", title="Pictures", **panel(product, "pictures_form"))
    if request.POST.get("do") == "arrange":
        _arrange(request, product)
        return back(product)
    return _add(model_admin, request, product)


def save_with_form(model_admin: "ModelAdmin[Any]", request: HttpRequest, product: Product) -> None:
    """What the product's own form brought along: files, or an order of the pictures."""
    if request.POST.get("do") == "arrange":
        _arrange(request, product)
    elif request.FILES.getlist("uploads"):
        _add(model_admin, request, product)


def leads_back(request: HttpRequest) -> bool:
    return request.POST.get("do") in ("add", "arrange")


def back(product: Product) -> HttpResponse:
    return redirect(reverse("admin:catalog_product_change", args=[product.pk]) + "#pictures")


def _add(model_admin: "ModelAdmin[Any]", request: HttpRequest, product: Product) -> HttpResponse:
    """Each file for itself: one that is refused does not stop the others."""
    wants_json = "application/json" in request.headers.get("Accept", "")
    chosen = request.POST.get("variant", "")
    variants = product.variants.all()
    if chosen != "all":
        variants = variants.filter(pk=int(chosen) if chosen.isascii() and chosen.isdigit() and len(chosen) < 18 else 0)
    refusals = [] if variants and request.FILES else ["Choose a variant and at least one file."]
    for upload in request.FILES.getlist("uploads")[:MAX_FILES]:
        try:
            add_to_gallery(variants, picture_of(upload))
            history.note(request.user, product, why=f"Added picture {str(upload.name)[:80]}")  # type: ignore[arg-type]
        except ShopError as refusal:
            refusals.append(refusal.message if wants_json else f"{upload.name}: {refusal.message}")
    if wants_json:
        return JsonResponse({"detail": " ".join(refusals)}, status=422 if refusals else 200)
    for words in refusals:
        model_admin.message_user(request, words, messages.ERROR)
    return back(product)


def _arrange(request: HttpRequest, product: Product) -> None:
    given = {name.removeprefix("place-"): request.POST[name] for name in request.POST if name.startswith("place-")}
    places = {int(pk): int(place) for pk, place in given.items() if _is_small(pk) and _is_small(place, 4)}
    removed = [int(pk) for pk in request.POST.getlist("remove") if _is_small(pk)]
    arrange_gallery(product, places, removed)
    history.note(request.user, product, why=f"Rearranged its pictures; {len(removed)} removed")  # type: ignore[arg-type]


def _is_small(text: str, digits: int = 17) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= digits
