"""The catalogue manager's screens. Stock, pictures and what cards show go through their services."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.admin import StackedInline, TabularInline
from unfold.widgets import UnfoldAdminFileFieldWidget, UnfoldAdminIntegerFieldWidget

from shop.backoffice import ReadOnlyRows, ReadOnlyScreen, Screen
from shop.errors import ShopError

from . import stock
from .html import clean_html
from .models import (
    Attribute,
    AttributeValue,
    Brand,
    Category,
    GstRate,
    HealthConcern,
    HsnCode,
    Picture,
    Product,
    ReturnReason,
    StockMovement,
    Variant,
    VariantImage,
    VariantPrice,
)
from .pictures import add_picture
from .services import refresh_products, remember_slug


class UploadField(forms.FileField):
    """A file that becomes a Picture: the cleaned value is the picture, or None."""

    widget = UnfoldAdminFileFieldWidget

    def clean(self, data: Any, initial: Any = None) -> Picture | None:
        upload = super().clean(data, initial)
        if not upload:
            return None
        try:
            return add_picture(upload.read(), alt=upload.name.rpartition(".")[0].replace("-", " "))
        except ShopError as refusal:
            raise forms.ValidationError(refusal.message) from refusal


class PictureForm(forms.ModelForm):
    upload = UploadField(required=False, help_text="JPEG, PNG or WebP, at most 5 MB and 25 megapixels.")

    class Meta:
        model = Picture
        fields = ("alt",)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if self.instance.pk is None and not self.errors:
            if not data.get("upload"):
                raise forms.ValidationError("Choose a file.")
            self.instance = data["upload"]
            data["alt"] = data.get("alt") or self.instance.alt
        return data


@admin.register(Picture)
class PictureScreen(Screen):
    list_display = ("__str__", "width", "height", "is_complete")
    list_filter = ("is_complete",)
    search_fields = ("alt", "sha256")
    ordering = ("-id",)
    form = PictureForm

    def get_fields(self, request: HttpRequest, obj: Picture | None = None) -> tuple[str, ...]:
        return ("alt",) if obj else ("upload", "alt")  # other bytes are another picture


@admin.register(Category)
class CategoryScreen(Screen):
    list_display = ("name", "path", "position", "is_featured", "return_days")
    list_filter = ("is_featured",)
    search_fields = ("name", "path")
    ordering = ("path",)
    prepopulated_fields = {"slug": ("name",)}
    autocomplete_fields = ("parent", "img_icon", "img_bg", "img_bg_m", "img_banner", "img_banner_m")


@admin.register(Brand)
class BrandScreen(Screen):
    list_display = ("name", "slug", "position", "is_spotlight")
    list_filter = ("is_spotlight",)
    search_fields = ("name",)
    prepopulated_fields = {"slug": ("name",)}
    autocomplete_fields = ("brand_image", "img_banner", "img_banner_m")


@admin.register(ReturnReason)
class ReturnReasonScreen(Screen):
    """The windows that product page, mails, policy and return form tell."""

    list_display = ("name", "days", "is_our_fault", "is_sent_back", "needs_photo", "is_active", "position")
    list_filter = ("is_active",)
    prepopulated_fields = {"slug": ("name",)}


@admin.register(HealthConcern)
class HealthConcernScreen(Screen):
    list_display = ("name", "slug", "position")
    search_fields = ("name",)
    prepopulated_fields = {"slug": ("name",)}
    autocomplete_fields = ("image", "img_icon")


class AttributeValueRows(TabularInline):
    model = AttributeValue
    extra = 0


@admin.register(Attribute)
class AttributeScreen(Screen):
    list_display = ("name", "slug", "position")
    search_fields = ("name",)
    prepopulated_fields = {"slug": ("name",)}
    inlines = (AttributeValueRows,)


@admin.register(AttributeValue)
class AttributeValueScreen(Screen):
    list_display = ("__str__", "attribute", "position")
    list_select_related = ("attribute",)
    search_fields = ("value", "attribute__name")
    autocomplete_fields = ("attribute",)


class GstRateRows(TabularInline):
    model = GstRate
    extra = 0


@admin.register(HsnCode)
class HsnCodeScreen(Screen):
    list_display = ("code", "description")
    search_fields = ("code", "description")
    inlines = (GstRateRows,)


class ProductForm(forms.ModelForm):
    class Meta:
        model = Product
        fields = (
            "name", "title", "slug", "brand", "category", "health_concerns", "related_products", "is_published",
            "is_pinned", "highlight", "dosage", "country_of_origin", "maker", "importer", "licence_number", "hsn",
            "shelf_life_months", "is_returnable", "is_prescription", "dispatch_max_day", "buffer_delivery_day",
            "barred_locations", "meta_title", "meta_desc", "handle",
        )  # fmt: skip

    def clean_highlight(self) -> str:
        return clean_html(self.cleaned_data["highlight"])

    def clean_dosage(self) -> str:
        return clean_html(self.cleaned_data["dosage"])

    def clean_handle(self) -> str:
        return self.cleaned_data["handle"].strip().lower()


class VariantRows(StackedInline):
    """The columns one sells by; the rest, with pictures and stock, is on the variant's own screen."""

    model = Variant
    extra = 0
    show_change_link = True
    fields = (
        ("sku", "position", "is_active"),
        ("selling_price", "actual_price", "max_purchase_qty"),
        ("on_hand", "held"),
    )
    readonly_fields = ("on_hand", "held")
    ordering = ("position", "id")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Variant]:
        return super().get_queryset(request).select_related("product")


@admin.register(Product)
class ProductScreen(Screen):
    list_display = ("name", "brand", "category", "price_inr", "variant_count", "in_stock", "is_published")
    list_filter = ("is_published", "in_stock", "is_prescription", "is_pinned")
    list_select_related = ("brand", "category")
    search_fields = ("name", "slug", "variants__sku")
    ordering = ("-id",)
    form = ProductForm
    prepopulated_fields = {"slug": ("name",)}
    autocomplete_fields = ("brand", "category", "health_concerns", "related_products", "hsn", "barred_locations")
    inlines = (VariantRows,)
    actions = ("publish", "withdraw")

    @admin.action(description="Publish", permissions=["change"])
    def publish(self, request: HttpRequest, products: QuerySet[Product]) -> None:
        self._publish(products, is_published=True)

    @admin.action(description="Withdraw", permissions=["change"])
    def withdraw(self, request: HttpRequest, products: QuerySet[Product]) -> None:
        self._publish(products, is_published=False)

    def save_model(self, request: HttpRequest, obj: Product, form: forms.ModelForm, change: bool) -> None:
        super().save_model(request, obj, form, change)
        former = form.initial.get("slug")
        if change and former and former != obj.slug:
            remember_slug(obj, former)

    def save_related(self, request: HttpRequest, form: forms.ModelForm, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        refresh_products([form.instance.pk])

    @staticmethod
    def _publish(products: QuerySet[Product], *, is_published: bool) -> None:
        ids = list(products.values_list("pk", flat=True))
        Product.objects.filter(pk__in=ids).update(is_published=is_published)
        refresh_products(ids)


class VariantForm(forms.ModelForm):
    receive_units = forms.IntegerField(
        required=False,
        widget=UnfoldAdminIntegerFieldWidget,
        min_value=-100_000,
        max_value=1_000_000,
        help_text="Goods that came in; a negative number writes off. Empty: nothing.",
    )
    receive_note = forms.CharField(required=False, max_length=60, help_text="Why, for the stock movements.")

    class Meta:
        model = Variant
        fields = (
            "product", "sku", "position", "is_active", "selling_price", "actual_price", "max_purchase_qty",
            "attribute_values", "description", "ingredients", "nutritional_info_json", "composition_json",
            "net_quantity", "net_unit", "weight_actual", "weight_unit", "barcode",
        )  # fmt: skip

    def clean_description(self) -> str:
        return clean_html(self.cleaned_data["description"])

    def clean_nutritional_info_json(self) -> dict[str, Any]:
        return _object(self.cleaned_data["nutritional_info_json"])

    def clean_composition_json(self) -> dict[str, Any]:
        return _object(self.cleaned_data["composition_json"])

    def clean_receive_units(self) -> int:
        units = self.cleaned_data["receive_units"] or 0
        if units + self.instance.on_hand < 0:
            raise forms.ValidationError(f"Only {self.instance.on_hand} are on hand.")
        return units


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value or {}, dict):
        raise forms.ValidationError('Write a JSON object: {"Composition": {"Root": "100 mg"}}.')
    return value or {}


class PriceRows(TabularInline):
    """Fixed prices, each in its location's own currency."""

    model = VariantPrice
    extra = 0
    autocomplete_fields = ("location",)


class ImageForm(forms.ModelForm):
    upload = UploadField(required=False)

    class Meta:
        model = VariantImage
        fields = ("picture", "position")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["picture"].required = False

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        data["picture"] = data.get("upload") or data.get("picture")
        if not data["picture"] and not self.errors:
            raise forms.ValidationError("Choose a picture or upload one.")
        return data


class ImageRows(TabularInline):
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
class VariantScreen(Screen):
    list_display = ("sku", "product", "selling_price", "actual_price", "on_hand", "held", "is_active")
    list_filter = ("is_active",)
    list_select_related = ("product",)
    search_fields = ("sku", "product__name", "barcode")
    ordering = ("-id",)
    form = VariantForm
    readonly_fields = ("received", "on_hand", "held", "sold")
    autocomplete_fields = ("product", "attribute_values")
    inlines = (ImageRows, PriceRows, MovementRows)

    def save_related(self, request: HttpRequest, form: forms.ModelForm, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        units = form.cleaned_data["receive_units"]
        if units:
            self._receive(request, form.instance, units, form.cleaned_data["receive_note"])
        moved_from = form.initial.get("product")
        refresh_products({form.instance.product_id, moved_from} - {None})

    def delete_model(self, request: HttpRequest, obj: Variant) -> None:
        super().delete_model(request, obj)
        refresh_products([obj.product_id])

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Variant]) -> None:
        products = set(queryset.values_list("product_id", flat=True))
        super().delete_queryset(request, queryset)
        refresh_products(products)

    def _receive(self, request: HttpRequest, variant: Variant, units: int, note: str) -> None:
        try:
            stock.receive(variant, units, note=note or f"by {request.user}"[:80])
        except ShopError as refusal:
            self.message_user(request, refusal.message, messages.ERROR)


@admin.register(StockMovement)
class StockMovementScreen(ReadOnlyScreen):
    list_display = ("at", "kind", "quantity", "variant", "reference")
    list_filter = ("kind",)
    list_select_related = ("variant__product",)
    search_fields = ("reference", "variant__sku")
    ordering = ("-id",)
