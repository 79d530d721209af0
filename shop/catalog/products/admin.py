"""Products, variants and their stock. Stock, pictures and what cards show go through their services."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.db import connection
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.decorators import action as detail_action
from unfold.forms import PaginationInlineFormSet

from shop.backoffice import history
from shop.backoffice.actors import staff_actor
from shop.backoffice.admin import BackOfficeAdmin, ReadOnlyAdmin, ReadOnlyRows, RowFilter, Rows, row_number, send_table
from shop.backoffice.forms import lock_rows

from ..bulk_edit import views as bulk_views
from ..import_export.formats.shop_export import ShopFormat
from ..models import Category, Product, StockMovement, Variant, VariantImage, VariantPrice
from ..pictures import views as picture_views
from ..pictures.services import rendition_url, widths_of
from ..services import publish_products, refresh_products, remember_slug
from ..stock import services as stock
from .duplication import duplicate_product
from .forms import ImageForm, ProductForm, VariantForm, VariantRowForm

MAX_WORDS = 8
MAX_BY_SKU = 500


class WithinCategory(RowFilter):
    """A category and everything below it."""

    def queryset(self, request: HttpRequest, queryset: QuerySet[Product]) -> QuerySet[Product]:
        chosen = Category.objects.filter(pk=row_number(self.value() or "")).first()
        if chosen is None:
            return queryset
        return queryset.in_categories(Category.objects.within(chosen))  # type: ignore[attr-defined]


class StockFilter(admin.SimpleListFilter):
    title = "stock"
    parameter_name = "stock"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", "In stock"), ("low", f"Low: {settings.LOW_STOCK} units or fewer"), ("no", "Out of stock")]

    def queryset(self, request: HttpRequest, products: QuerySet[Product]) -> QuerySet[Product]:
        low = Variant.objects.filter(is_active=True, on_hand__lte=settings.LOW_STOCK).values("product")
        match self.value():
            case "yes" | "no":
                return products.filter(in_stock=self.value() == "yes")
            case "low":
                return products.filter(pk__in=low)
        return products


class VariantRowSet(PaginationInlineFormSet):
    """Rows know which variants they are: Django would ask for each of them again. What is sent must be the same."""

    def add_fields(self, form: "forms.ModelForm[Any]", index: int | None) -> None:
        super().add_fields(form, index)
        known = form.instance.pk or 0
        form.fields["id"] = forms.IntegerField(
            required=False, widget=forms.HiddenInput, initial=form.instance.pk, min_value=known, max_value=known
        )


class VariantRows(Rows):
    """The columns one sells by; the rest, with pictures and stock, is on the variant's own page."""

    model = Variant
    form = VariantRowForm
    formset = VariantRowSet
    extra = 0
    per_page = 50
    show_change_link = True
    fields = (
        "sku", "position", "is_active", "selling_price", "actual_price", "market_prices", "max_purchase_qty", "on_hand",
        "held",
    )  # fmt: skip
    readonly_fields = ("on_hand", "held")
    ordering = ("position", "id")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Variant]:
        return super().get_queryset(request).select_related("product").prefetch_related("fixed_prices")


@admin.register(Product)
class ProductAdmin(BackOfficeAdmin):
    list_display = (
        "thumbnail", "name", "brand", "category", "price_inr", "variant_count", "in_stock", "is_published",
    )  # fmt: skip
    list_display_links = ("name",)
    list_filter = (
        ("category", WithinCategory),
        ("brand", RowFilter),
        StockFilter,
        "is_published",
        "is_prescription",
        "is_pinned",
    )
    list_filter_submit = True
    list_select_related = ("brand", "category", "first_picture")
    search_fields = ("name",)  # and more: get_search_results
    search_help_text = "Words from the name, or the start of a SKU or address"
    ordering = ("-id",)
    form = ProductForm
    prepopulated_fields = {"slug": ("name",)}
    autocomplete_fields = ("brand", "category", "health_concerns", "related_products", "hsn", "barred_locations")
    inlines = (VariantRows,)
    actions = ("change_prices_and_stock", "publish", "withdraw", "export_csv", "export_xlsx")
    actions_detail = ("pictures", "duplicate")
    change_form_outer_after_template = "catalog/pictures/_pictures.html"

    @admin.display(description="")
    def thumbnail(self, product: Product) -> SafeString | str:
        picture = product.first_picture
        if picture is None:
            return ""
        return format_html(
            '<img class="h-10 max-w-none object-contain rounded-default w-10" src="{}" width="40" height="40" '
            'loading="lazy" alt="">',
            rendition_url(picture, widths_of(picture)[0], "jpg"),
        )

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Product], search_term: str
    ) -> tuple[QuerySet[Product], bool]:
        term = search_term.replace("\x00", "").strip()
        if not term:
            return queryset, False
        named = Q()
        for word in term.split()[:MAX_WORDS]:
            named &= Q(name__icontains=word)
        spelled = {term, term.upper(), term.lower()}
        by_sku = Variant.objects.filter(_any_starts("sku", spelled)).order_by()
        ids = list(by_sku.values_list("product_id", flat=True)[:MAX_BY_SKU])
        return queryset.filter(named | _starts("slug", term.lower()) | Q(pk__in=ids)), False

    def changeform_view(self, request: HttpRequest, object_id: str | None = None, *args: Any, **kwargs: Any) -> Any:
        answer = super().changeform_view(request, object_id, *args, **kwargs)
        if object_id and hasattr(answer, "context_data") and self.has_change_permission(request):
            product = get_object_or_404(Product, pk=row_number(object_id))
            answer.context_data |= picture_views.panel(product, "product_form") | {"has_file_field": True}
        return answer

    def response_change(self, request: HttpRequest, obj: Product) -> HttpResponse:
        answer = super().response_change(request, obj)
        return picture_views.back(obj) if picture_views.leads_back(request) else answer

    def has_editor_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        return self.has_change_permission(request)

    def has_add_here_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        return self.has_add_permission(request)

    # --- One product ----------------------------------------------------------------------------

    @detail_action(description="Pictures", url_path="pictures", permissions=["editor"])
    def pictures(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return picture_views.pictures(self, request, get_object_or_404(Product, pk=row_number(object_id)))

    @detail_action(description="Duplicate", url_path="duplicate", permissions=["add_here"])
    def duplicate(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """A link leads to a page that asks; its button makes the copy."""
        product = get_object_or_404(Product, pk=row_number(object_id))
        if request.method != "POST":
            return bulk_views.ask(self, request, product, f"Duplicate {product}?", DUPLICATE, "Duplicate")
        copy = duplicate_product(product)
        history.note(request.user, copy, why=f"Duplicated from {product.slug}")  # type: ignore[arg-type]
        self.message_user(request, "This is the copy. Give it its own name and address.", messages.SUCCESS)
        return redirect("admin:catalog_product_change", copy.pk)

    def lock(self, row: Product) -> None:
        """Variants come before their product, as where they are sold (stock.py)."""
        lock_rows(Variant.objects.filter(product=row.pk))
        super().lock(row)

    def save_model(self, request: HttpRequest, obj: Product, form: "forms.ModelForm[Any]", change: bool) -> None:
        super().save_model(request, obj, form, change)
        former = form.initial.get("slug")
        if change and former and former != obj.slug:
            remember_slug(obj, former)

    def save_related(self, request: HttpRequest, form: "forms.ModelForm[Any]", formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        refresh_products([form.instance.pk])
        if change:
            picture_views.save_with_form(self, request, form.instance)

    # --- Many products ----------------------------------------------------------------------------

    @admin.action(description="Change prices and stock…", permissions=["change"])
    def change_prices_and_stock(self, request: HttpRequest, products: QuerySet[Product]) -> HttpResponse:
        return bulk_views.start(self, request, products)

    @admin.action(description="Publish", permissions=["change"])
    def publish(self, request: HttpRequest, products: QuerySet[Product]) -> None:
        self._publish(request, products, is_published=True)

    @admin.action(description="Withdraw", permissions=["change"])
    def withdraw(self, request: HttpRequest, products: QuerySet[Product]) -> None:
        self._publish(request, products, is_published=False)

    @admin.action(description="Export as CSV", permissions=["change"])
    def export_csv(self, request: HttpRequest, products: QuerySet[Product]) -> HttpResponseBase:
        return send_table(request, "csv", "products", ShopFormat.write(products))

    @admin.action(description="Export as XLSX", permissions=["change"])
    def export_xlsx(self, request: HttpRequest, products: QuerySet[Product]) -> HttpResponseBase:
        return send_table(request, "xlsx", "products", ShopFormat.write(products))

    def _publish(self, request: HttpRequest, products: QuerySet[Product], *, is_published: bool) -> None:
        changed = list(products.exclude(is_published=is_published).select_related(None).only("name"))
        publish_products([product.pk for product in changed], is_published=is_published)
        words = ("no", "yes") if is_published else ("yes", "no")
        history.note_many(request.user, [(product, {"Is published": words}) for product in changed])  # type: ignore[arg-type]


DUPLICATE = "The copy has the same variants, prices and pictures. It is not published and has no stock."


def _starts(field: str, beginning: str) -> Q:
    """Texts with this beginning, found in the field's unique index: SQLite uses it for bounds only, PostgreSQL
    (with the index that Django gives a unique text) for LIKE."""
    found = Q(**{f"{field}__startswith": beginning})
    if connection.vendor == "sqlite":
        found &= Q(**{f"{field}__gte": beginning, f"{field}__lt": f"{beginning}\U0010ffff"})
    return found


def _any_starts(field: str, beginnings: set[str]) -> Q:
    found = Q()
    for beginning in sorted(beginnings):
        found |= _starts(field, beginning)
    return found


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
    list_display = ("sku", "product", "selling_price", "actual_price", "on_hand", "held", "is_active")
    list_filter = ("is_active",)
    list_select_related = ("product",)
    search_fields = ("sku",)  # and more: get_search_results
    search_help_text = "The start of a SKU, a barcode, or words from the product name"
    ordering = ("-id",)
    form = VariantForm
    readonly_fields = ("received", "on_hand", "held", "sold")
    autocomplete_fields = ("product", "attribute_values")
    inlines = (ImageRows, PriceRows, MovementRows)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Variant], search_term: str
    ) -> tuple[QuerySet[Variant], bool]:
        term = search_term.replace("\x00", "").strip()
        if not term:
            return queryset, False
        named = Q()
        for word in term.split()[:MAX_WORDS]:
            named &= Q(name__icontains=word)
        by_name = list(Product.objects.filter(named).order_by("-id").values_list("pk", flat=True)[:MAX_BY_SKU])
        by_sku = _any_starts("sku", {term, term.upper(), term.lower()})
        return queryset.filter(by_sku | Q(barcode=term) | Q(product__in=by_name)), False

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
