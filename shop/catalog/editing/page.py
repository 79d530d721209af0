"""A product on one page: its sections, and the one save that writes all of them."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy, ngettext
from unfold.decorators import action as detail_action

from shop.backoffice import history
from shop.backoffice.actors import staff_actor
from shop.backoffice.admin import BackOfficeAdmin, row_number
from shop.backoffice.forms import lock_rows
from shop.errors import ShopError

from ..models import Attribute, Product, Variant
from ..products.forms import SHARED, ProductForm, picture_of
from ..services import change_translations, refresh_products, remember_slug
from ..stock import services as stock
from . import gallery, options
from .archiving import has_history, remove_products, restore_products
from .rows import VariantRows
from .story import story_of

MAX_UPLOADS = 12
TEXTS, FACTS = gettext_lazy("Texts"), gettext_lazy("Nutrition and composition")
PER_PAGE = 50
ARCHIVES = gettext_lazy(
    "It has been stocked or sold, so it will be archived: off sale and hidden, but kept for orders and reports."
)

RESTORED_FROM = gettext_lazy("To restore, use the filter Archived.")


def _archived(number: int) -> str:
    said = ngettext("%(count)s product was archived.", "%(count)s products were archived.", number)
    return f"{said % {'count': number}} {RESTORED_FROM}"


def _deleted(number: int) -> str:
    return ngettext("%(count)s product was deleted.", "%(count)s products were deleted.", number) % {"count": number}


class ProductPage(BackOfficeAdmin):
    """The form of a product. Its save locks the variants, then the product, and writes what was changed alone."""

    form = ProductForm
    inlines = (VariantRows,)
    change_form_template = "catalog/editing/change_form.html"
    prepopulated_fields = {"slug": ("name",)}
    autocomplete_fields = ("brand", "category", "health_concerns", "related_products", "hsn", "barred_locations")
    fieldsets = (
        (gettext_lazy("Product"), {"fields": ("name", "title", "slug", ("brand", "category"), "health_concerns")}),
        (
            TEXTS,
            {
                "classes": ("texts",),
                "fields": (
                    "highlight", "description", "suited_for", "dosage", "ingredients", "cautions", "storage",
                ),
            },
        ),
        (FACTS, {"fields": ("nutrition", "composition")}),
        (gettext_lazy("Medicine"), {"fields": ("active_ingredients", "dosage_form", "is_composition_confirmed")}),
        (
            gettext_lazy("Visibility"),
            {"fields": (
                "is_published", "is_pinned", ("is_prescription", "schedule"), "barred_locations", "related_products",
            )},
        ),
        (
            gettext_lazy("Origin and tax"),
            {
                "fields": (
                    ("country_of_origin", "hsn"), ("maker", "importer"), ("licence_number", "shelf_life_months"),
                    "lab_certificate",
                )
            },
        ),
        (
            gettext_lazy("Delivery and returns"),
            {"fields": (("dispatch_max_day", "buffer_delivery_day"), "is_returnable")},
        ),
        (gettext_lazy("Search and imports"), {"fields": ("meta_title", "meta_desc", "handle")}),
    )  # fmt: skip

    def get_fieldsets(self, request: HttpRequest, obj: Product | None = None) -> Any:
        """Who may only look sees the texts of the variants on their own pages."""
        sections = super().get_fieldsets(request, obj)
        if obj is None or self.has_change_permission(request, obj):
            return sections
        return [
            (name, options | {"fields": tuple(field for field in options["fields"] if field not in SHARED)})
            for name, options in sections
            if name != FACTS
        ]

    # --- What it shows --------------------------------------------------------------------------------

    def changeform_view(self, request: HttpRequest, object_id: str | None = None, *args: Any, **kwargs: Any) -> Any:
        answer = super().changeform_view(request, object_id, *args, **kwargs)
        if hasattr(answer, "context_data"):
            answer.context_data |= self._sections(request, row_number(object_id or ""))
        return answer

    def _sections(self, request: HttpRequest, pk: int) -> dict[str, Any]:
        product = get_object_or_404(Product, pk=pk) if pk else None
        variants = dict(product.variants.order_by("position", "id").values_list("pk", "sku")) if product else {}
        is_sent = "gallery" in request.POST
        tiles = (
            gallery.tiles_sent(request.POST) if is_sent else gallery.tiles_of(product, set(variants)) if product else []
        )
        return {
            "has_file_field": True,
            "tiles": tiles,
            "shown": gallery.shown_sent(request.POST) if is_sent else [(tile.picture.pk, tile.of) for tile in tiles],
            "gallery_variants": variants,
            "attribute_names": Attribute.objects.values_list("name", flat=True)[:100],
            "shop_address": reverse("product", args=[product.slug]) if product and product.is_published else "",
        }

    # --- What it saves --------------------------------------------------------------------------------

    def lock(self, row: Product) -> None:
        """Variants come before their product, as where they are sold (stock/services.py)."""
        lock_rows(Variant.objects.filter(product=row.pk))
        super().lock(row)

    def save_model(self, request: HttpRequest, obj: Product, form: "forms.ModelForm[Any]", change: bool) -> None:
        super().save_model(request, obj, form, change)
        former = form.initial.get("slug")
        if change and former and former != obj.slug:
            remember_slug(obj, former)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        product: Product = form.instance
        if texts := form.changed_texts():
            product.variants.update(**texts)
        if translations := form.changed_translations(Variant):
            change_translations(product.variants.all(), translations)
        new: set[int] = set()
        for rows in formsets:
            self._save_rows(request, rows)
            new |= {variant.pk for variant in rows.new_objects}
        if change and new:
            product.variants.filter(pk__in=new).update(**form.shared_texts())
        if "gallery" in request.POST and (words := self._save_pictures(request, product, new if change else set())):
            history.note(request.user, product, why=f"Pictures: {words}")  # type: ignore[arg-type]
            request.has_new_pictures = True  # type: ignore[attr-defined]
        form.store_certificate()
        refresh_products([product.pk])

    def _save_rows(self, request: HttpRequest, rows: Any) -> None:
        gone = set(map(id, rows.deleted_forms))
        kept = [row for row in rows.forms if row.instance.pk and id(row) not in gone]
        names = rows.option_names
        for row in kept:
            row.save_options(names)
        if any(was and was != now for was, now in zip(rows.former_names, names, strict=True)):
            elsewhere = rows.instance.variants.exclude(
                pk__in=[row.instance.pk for row in rows.forms if row.instance.pk]
            )
            elsewhere = elsewhere.prefetch_related("attribute_values__attribute")
            options.rename_options(elsewhere, rows.former_names, names)
        booked = {row.instance.pk: row.cleaned_data["units"] for row in kept if row.cleaned_data.get("units")}
        if booked:
            stock.receive_many(booked, note=f"by {staff_actor(request.user)}")
        for variant in rows.taken_off_sale:
            self.message_user(
                request,
                gettext("%(sku)s has stock movements, so it was taken off sale and kept.") % {"sku": variant.sku},
            )

    def _save_pictures(self, request: HttpRequest, product: Product, new: set[int]) -> str:
        """Those of the page's tiles, and the files that came along without scripts."""
        sent = request.POST.copy()
        for upload in request.FILES.getlist("uploads")[:MAX_UPLOADS]:
            try:
                sent.appendlist("picture", str(picture_of(upload).pk))
            except ShopError as refusal:
                self.message_user(request, f"{upload.name}: {refusal.message}", messages.ERROR)
        return gallery.save_gallery(product, sent, new)

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        entry = super().log_change(request, obj, message)
        if getattr(request, "has_new_pictures", False):
            request.is_unchanged = False  # type: ignore[attr-defined]
        return entry

    # --- Its history, and its end ---------------------------------------------------------------------

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        answer = super().history_view(request, object_id, extra_context)
        if isinstance(answer, TemplateResponse) and answer.context_data:
            pages = Paginator(story_of(answer.context_data["object"]), PER_PAGE)
            page = pages.get_page(request.GET.get("p"))
            answer.context_data |= {
                "action_list": page,
                "pagination_required": pages.num_pages > 1,
                "page_range": pages.get_elided_page_range(page.number),
                "page_var": "p",
            }
        return answer

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """What archiving keeps protects nothing and is not listed."""
        kept = has_history([product.pk for product in objs])
        archived = [f"{product}: {ARCHIVES}" for product in objs if product.pk in kept]
        others = [product for product in objs if product.pk not in kept]
        names, counts, missing, protected = super().get_deleted_objects(others, request)
        return archived + names, counts, missing, protected

    def delete_model(self, request: HttpRequest, obj: Product) -> None:
        self._remove(request, [obj])

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        self._remove(request, list(queryset.select_related(None).only("pk", "name")))

    def _remove(self, request: HttpRequest, products: list[Product]) -> None:
        archived, deleted = remove_products([product.pk for product in products])
        kept = [product for product in products if product.pk in archived]
        history.note_many(request.user, [(product, {}) for product in kept], why="Archived")  # type: ignore[arg-type]
        request.archived, request.deleted = len(kept), deleted  # type: ignore[attr-defined]

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        """What is archived has its own entry."""
        kept = has_history([product.pk for product in queryset])
        return super().log_deletions(request, [product for product in queryset if product.pk not in kept])

    def response_action(self, request: HttpRequest, queryset: Any) -> HttpResponse | None:
        answer = super().response_action(request, queryset)
        if archived := getattr(request, "archived", 0):
            list(messages.get_messages(request))  # Django's, which counts them as deleted
            self.message_user(request, _archived(archived))
            if request.deleted:  # type: ignore[attr-defined]
                self.message_user(request, _deleted(request.deleted), messages.SUCCESS)  # type: ignore[attr-defined]
        return answer

    def response_delete(self, request: HttpRequest, obj_display: str, obj_id: int) -> HttpResponse:
        answer: HttpResponse = super().response_delete(request, obj_display, obj_id)
        if getattr(request, "archived", 0):
            list(messages.get_messages(request))  # Django's "was deleted"
            self.message_user(
                request,
                f"{gettext('%(name)s was archived.') % {'name': obj_display}} {RESTORED_FROM}",
            )
        return answer

    @detail_action(description=gettext_lazy("Restore"), url_path="restore", permissions=["restoring"])
    def restore(self, request: HttpRequest, object_id: str) -> HttpResponse:
        from ..bulk_edit.views import ask

        product = get_object_or_404(Product, pk=row_number(object_id), archived_at__isnull=False)
        if request.method != "POST":
            return ask(
                self,
                request,
                product,
                gettext("Restore %(product)s?") % {"product": product},
                gettext("It comes back as a draft."),
                gettext("Restore"),
            )
        with transaction.atomic():
            if restore_products([product.pk]):
                history.note(request.user, product, why="Restored from the archive")  # type: ignore[arg-type]
        return redirect("admin:catalog_product_change", product.pk)

    def has_restoring_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        return self.has_change_permission(request)

    def get_actions_detail(self, request: HttpRequest, object_id: int) -> list[Any]:
        """Without "Restore" where nothing is archived."""
        actions = super().get_actions_detail(request, object_id)
        if Product.objects.filter(pk=row_number(str(object_id)), archived_at__isnull=False).exists():
            return actions
        return [action for action in actions if action.path != "restore"]
