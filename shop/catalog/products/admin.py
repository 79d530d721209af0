"""Products, variants and their stock. Stock, pictures and what cards show go through their services."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy
from unfold.decorators import action as detail_action

from shop.backoffice import history
from shop.backoffice.actors import staff_actor
from shop.backoffice.admin import (
    BackOfficeAdmin,
    ReadOnlyAdmin,
    ReadOnlyRows,
    RowFilter,
    Rows,
    row_number,
    rupees,
    send_table,
)
from shop.backoffice.spreadsheets import without_long_cells
from shop.money import INR, display

from ..batches.services import track_by_batch
from ..bulk_edit import views as bulk_views
from ..composition.prescriptions import NEVER_PUBLISHED, NOT_PUBLISHED
from ..editing.page import ProductPage
from ..import_export.formats.shop_export import ShopFormat
from ..models import Category, Product, StockMovement, Variant, VariantImage, VariantPrice
from ..queries import products_named
from ..services import publish_products, refresh_products
from ..stock import services as stock
from ..templatetags.pictures import thumbnail
from .duplication import duplicate_once, latest_copy
from .forms import ImageForm, VariantForm

MAX_TRACKED = 100
MAX_BY_SKU = 500


class WithinCategory(RowFilter):
    """A category and everything below it."""

    def queryset(self, request: HttpRequest, queryset: QuerySet[Product]) -> QuerySet[Product]:
        chosen = Category.objects.filter(pk=row_number(self.value() or "")).first()
        if chosen is None:
            return queryset
        return queryset.in_categories(Category.objects.within(chosen))  # type: ignore[attr-defined]


class StockFilter(admin.SimpleListFilter):
    title = gettext_lazy("stock")
    parameter_name = "stock"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [
            ("yes", gettext("In stock")),
            ("low", gettext("Low: %(units)s units or fewer") % {"units": settings.LOW_STOCK}),
            ("no", gettext("Out of stock")),
        ]

    def queryset(self, request: HttpRequest, products: QuerySet[Product]) -> QuerySet[Product]:
        low = Variant.objects.filter(is_active=True, on_hand__lte=settings.LOW_STOCK).values("product")
        match self.value():
            case "yes" | "no":
                return products.filter(in_stock=self.value() == "yes")
            case "low":
                return products.filter(pk__in=low)
        return products


class ArchivedFilter(admin.SimpleListFilter):
    """Without it the list shows what is not archived."""

    title = gettext_lazy("archive")
    parameter_name = "archived"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", gettext("Archived"))]

    def queryset(self, request: HttpRequest, products: QuerySet[Product]) -> QuerySet[Product]:
        return products.filter(archived_at__isnull=self.value() != "yes")


PRICE = rupees("price_inr", gettext_lazy("price"))


@admin.register(Product)
class ProductAdmin(ProductPage):
    list_display = (
        "small", "name", "brand", "category", PRICE, "variant_count", "in_stock", "is_published",
    )  # fmt: skip
    list_display_links = ("name",)
    list_filter = (
        ("category", WithinCategory),
        ("brand", RowFilter),
        StockFilter,
        "is_published",
        "is_prescription",
        "schedule",
        "is_pinned",
        ArchivedFilter,
    )
    list_filter_submit = True
    list_select_related = ("brand", "category", "first_picture")
    search_fields = ("name",)  # and more: get_search_results
    found_as = ("in_short",)
    search_help_text = gettext_lazy("Words from the name, or the start of a SKU or address")
    ordering = ("-id",)
    actions = ("change_prices_and_stock", "publish", "withdraw", "export_csv", "export_xlsx")
    actions_detail = ("duplicate", "restore")

    def in_short(self, product: Product) -> str:
        state = gettext("in stock") if product.in_stock else gettext("sold out")
        return f"{product.brand}, {display(product.price_inr, INR)}, {state if product.is_published else 'a draft'}"

    @admin.display(description="")
    def small(self, product: Product) -> SafeString | str:
        return thumbnail(product.first_picture) if product.first_picture else ""

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Product], search_term: str
    ) -> tuple[QuerySet[Product], bool]:
        term = search_term.replace("\x00", "").strip()
        if not term:
            return queryset, False
        by_sku = Variant.objects.filter(_sku_starts(term)).order_by()
        ids = list(by_sku.values_list("product_id", flat=True)[:MAX_BY_SKU])
        return queryset.filter(products_named(term) | _starts("slug", term.lower()) | Q(pk__in=ids)), False

    def has_add_here_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        return self.has_add_permission(request)

    # --- One product ----------------------------------------------------------------------------

    @detail_action(description=gettext_lazy("Duplicate"), url_path="duplicate", permissions=["add_here"])
    def duplicate(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """A link leads to a page that asks; its button makes the copy."""
        product = get_object_or_404(Product, pk=row_number(object_id))
        if request.method != "POST":
            copy = latest_copy(product)
            seen = copy.pk if copy else 0
            return bulk_views.ask(
                self,
                request,
                product,
                gettext("Duplicate %(product)s?") % {"product": product},
                str(DUPLICATE),
                gettext("Duplicate"),
                seen=seen,
            )
        copy, is_new = duplicate_once(
            product, seen=row_number(request.POST["seen"]) if "seen" in request.POST else None
        )
        if is_new:
            history.note(request.user, copy, why=f"Duplicated from {product.slug}")  # type: ignore[arg-type]
        self.message_user(request, gettext("This is the copy. Give it its own name and address."), messages.SUCCESS)
        return redirect("admin:catalog_product_change", copy.pk)

    # --- Many products ----------------------------------------------------------------------------

    @admin.action(description=gettext_lazy("Change prices, stock, categories…"), permissions=["change"])
    def change_prices_and_stock(self, request: HttpRequest, products: QuerySet[Product]) -> HttpResponse:
        return bulk_views.start(self, request, products)

    @admin.action(description=gettext_lazy("Publish"), permissions=["change"])
    def publish(self, request: HttpRequest, products: QuerySet[Product]) -> None:
        self._publish(request, products, is_published=True)

    @admin.action(description=gettext_lazy("Unpublish"), permissions=["change"])
    def withdraw(self, request: HttpRequest, products: QuerySet[Product]) -> None:
        self._publish(request, products, is_published=False)

    @admin.action(description=gettext_lazy("Export as CSV"), permissions=["change"])
    def export_csv(self, request: HttpRequest, products: QuerySet[Product]) -> HttpResponseBase:
        return send_table(request, "csv", "products", ShopFormat.write(products))

    @admin.action(description=gettext_lazy("Export as XLSX"), permissions=["change"])
    def export_xlsx(self, request: HttpRequest, products: QuerySet[Product]) -> HttpResponseBase:
        return send_table(request, "xlsx", "products", without_long_cells(ShopFormat.write(products)))

    def _publish(self, request: HttpRequest, products: QuerySet[Product], *, is_published: bool) -> None:
        found = products.exclude(is_published=is_published).select_related(None).only("name", "archived_at", "schedule")
        banned = {product for product in found if is_published and product.schedule in NEVER_PUBLISHED}
        if banned:
            self.message_user(request, gettext(NOT_PUBLISHED), messages.WARNING)
        kept = [product for product in found if product not in banned]
        changed = [product for product in kept if not (is_published and product.archived_at)]
        if len(changed) < len(kept):
            self.message_user(
                request, gettext("Archived products were left out. Restore them first."), messages.WARNING
            )
        publish_products([product.pk for product in changed], is_published=is_published)
        words = ("no", "yes") if is_published else ("yes", "no")
        history.note_many(request.user, [(product, {"Is published": words}) for product in changed])  # type: ignore[arg-type]


DUPLICATE = gettext_lazy("The copy has the same variants, prices and pictures. It is not published and has no stock.")


def _starts(field: str, beginning: str) -> Q:
    """Texts with this beginning, found in the field's unique index: SQLite uses it for bounds only, PostgreSQL
    (with the index that Django gives a unique text) for LIKE."""
    found = Q(**{f"{field}__startswith": beginning})
    if connection.vendor == "sqlite":
        found &= Q(**{f"{field}__gte": beginning, f"{field}__lt": f"{beginning}\U0010ffff"})
    return found


def _sku_starts(term: str) -> Q:
    found = Q()
    for spelled in sorted({term, term.upper(), term.lower()}):
        found |= _starts("sku", spelled)
    return found


def variants_found_by(term: str) -> Q:
    """Variants by the start of their SKU, their barcode, or words from their product's name."""
    return _sku_starts(term) | Q(barcode=term) | Q(product__in=Product.objects.filter(products_named(term)).order_by())


class PriceRows(Rows):
    """Fixed prices, each in its location's own currency."""

    model = VariantPrice
    extra = 0
    autocomplete_fields = ("location",)


class ImageRows(Rows):
    model = VariantImage
    form = ImageForm
    fields = ("picture", "upload", "position")
    extra = 0
    autocomplete_fields = ("picture",)


class MovementRows(ReadOnlyRows):
    model = StockMovement
    fields = ("at", "kind", "quantity", "reference")
    ordering = ("-id",)
    per_page = 20


@admin.register(Variant)
class VariantAdmin(BackOfficeAdmin):
    list_display = (
        "sku",
        "product",
        rupees("selling_price", gettext_lazy("price")),
        rupees("actual_price", gettext_lazy("MRP")),
        "on_hand",
        "held",
        "is_active",
    )
    list_filter = ("is_active",)
    list_select_related = ("product",)
    search_fields = ("sku",)  # and more: get_search_results
    found_as = ("in_short",)
    search_help_text = gettext_lazy("The start of a SKU, a barcode, or words from the product name")
    ordering = ("-id",)
    form = VariantForm
    readonly_fields = ("received", "on_hand", "held", "sold", "unmet", "is_batched")
    autocomplete_fields = ("product", "attribute_values")
    inlines = (ImageRows, PriceRows, MovementRows)
    actions = ("track_by_batch",)

    @admin.action(description=gettext_lazy("Track by batch from now on"), permissions=["change"])
    def track_by_batch(self, request: HttpRequest, variants: QuerySet[Variant]) -> None:
        ids = list(variants.order_by("pk").values_list("pk", flat=True)[:MAX_TRACKED])
        for pk in ids:
            track_by_batch(pk)
        done = gettext("{count} variants are tracked by batch from now on.").format(count=len(ids))
        self.message_user(request, done, messages.SUCCESS)

    def get_urls(self) -> list[URLPattern]:
        grid = path("grid/", self.admin_site.admin_view(self.grid), name="catalog_variant_grid")
        return [grid, *super().get_urls()]

    def grid(self, request: HttpRequest) -> HttpResponse:
        if not self.has_change_permission(request):
            raise PermissionDenied
        return bulk_views.grid_page(self, request)

    def in_short(self, variant: Variant) -> str:
        return gettext("%(price)s, %(units)s on hand") % {
            "price": display(variant.selling_price, INR),
            "units": variant.on_hand,
        }

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Variant], search_term: str
    ) -> tuple[QuerySet[Variant], bool]:
        term = search_term.replace("\x00", "").strip()
        return (queryset.filter(variants_found_by(term)) if term else queryset), False

    def save_related(self, request: HttpRequest, form: "forms.ModelForm[Any]", formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        units = form.cleaned_data["receive_units"]
        if units:
            note = form.cleaned_data["receive_note"] or f"by {staff_actor(request.user)}"
            stock.receive(form.instance, units, note=note)
        moved_from = form.initial.get("product")
        refresh_products({form.instance.product_id, moved_from} - {None})

    def delete_model(self, request: HttpRequest, obj: Variant) -> None:
        super().delete_model(request, obj)
        refresh_products([obj.product_id])

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Variant]) -> None:
        products = set(queryset.values_list("product_id", flat=True))
        super().delete_queryset(request, queryset)
        refresh_products(products)


@admin.register(StockMovement)
class StockMovementAdmin(ReadOnlyAdmin):
    list_display = ("at", "kind", "quantity", "variant", "reference")
    list_filter = ("kind",)
    list_select_related = ("variant__product",)
    search_fields = ("reference", "variant__sku")
    ordering = ("-id",)
