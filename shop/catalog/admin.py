"""The catalogue manager's admin of what products are described with; those of the products themselves are in
product_admin.py, of changes of many at once in bulk_admin.py, of imports in import_admin.py."""

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.urls import URLPattern, path
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy

from shop.backoffice.admin import BackOfficeAdmin, FixedSlugAdmin, Rows

from .batches import admin as batch_admin  # noqa: F401 (registers its admin)
from .bulk_edit import admin as bulk_admin  # noqa: F401 (registers its admin)
from .import_export import admin as import_admin  # noqa: F401 (registers its admin)
from .models import (
    Attribute,
    AttributeValue,
    Brand,
    Category,
    GstRate,
    HealthConcern,
    HsnCode,
    Picture,
    ReturnReason,
)
from .pictures.views import upload
from .products import admin as product_admin  # noqa: F401 (registers its admin)
from .products.forms import UploadField, UploadForm
from .tasks import refresh_category
from .templatetags.pictures import thumbnail


class PictureForm(UploadForm):
    upload = UploadField(
        label=gettext_lazy("Upload"),
        required=False,
        help_text=gettext_lazy("JPEG, PNG or WebP, at most 5 MB and 25 megapixels."),
    )

    class Meta:
        model = Picture
        fields = ("alt",)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if self.instance.pk is None and not self.errors and not data.get("upload"):
            raise forms.ValidationError(gettext("Choose a file."))
        return data

    def full_clean(self) -> None:
        """The same bytes again are the same picture: what was typed becomes its description."""
        super().full_clean()
        if self.is_bound and not self.errors and self.instance.pk is None:
            self.instance = self.cleaned_data["upload"]
            self.instance.alt = self.cleaned_data["alt"] or self.instance.alt


@admin.register(Picture)
class PictureAdmin(BackOfficeAdmin):
    list_display = ("small", "__str__", "size", "is_complete")
    list_display_links = ("__str__",)
    list_filter = ("is_complete",)
    search_fields = ("alt", "digest")
    ordering = ("-id",)
    form = PictureForm

    @admin.display(description="")
    def small(self, picture: Picture) -> SafeString:
        return thumbnail(picture)

    @admin.display(description=gettext_lazy("pixels"))
    def size(self, picture: Picture) -> str:
        return f"{picture.width} × {picture.height}"

    def get_urls(self) -> list[URLPattern]:
        upload = path("upload/", self.admin_site.admin_view(self.upload), name="catalog_picture_upload")
        return [upload, *super().get_urls()]

    def upload(self, request: HttpRequest) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied
        return upload(request) if request.method == "POST" else HttpResponseNotAllowed(["POST"])

    def get_fields(self, request: HttpRequest, obj: Picture | None = None) -> tuple[str, ...]:
        return ("alt",) if obj else ("upload", "alt")  # other bytes are another picture


SEARCHED = {"name", "parent", "is_hidden"}  # what search finds the products by


@admin.register(Category)
class CategoryAdmin(BackOfficeAdmin):
    list_display = ("name", "path", "position", "is_featured", "is_hidden", "return_days")
    list_filter = ("is_featured", "is_hidden")
    search_fields = ("name", "path")
    ordering = ("path",)
    prepopulated_fields = {"slug": ("name",)}
    autocomplete_fields = ("parent", "img_icon", "img_bg", "img_bg_m", "img_banner", "img_banner_m")

    def save_model(self, request: HttpRequest, obj: Category, form: "forms.ModelForm[Any]", change: bool) -> None:
        super().save_model(request, obj, form, change)
        if change and any(name in SEARCHED or name.startswith("name_in_") for name in form.changed_data):
            refresh_category.enqueue(obj.pk)


@admin.register(Brand)
class BrandAdmin(BackOfficeAdmin):
    list_display = ("name", "slug", "position", "is_spotlight")
    list_filter = ("is_spotlight",)
    search_fields = ("name",)
    prepopulated_fields = {"slug": ("name",)}
    autocomplete_fields = ("brand_image", "img_banner", "img_banner_m")


@admin.register(ReturnReason)
class ReturnReasonAdmin(FixedSlugAdmin, BackOfficeAdmin):
    """The windows that product page, mails, policy and return form tell; pages name a reason by its slug."""

    list_display = ("name", "days", "is_our_fault", "is_sent_back", "needs_photo", "is_active", "position")
    list_filter = ("is_active",)
    prepopulated_fields = {"slug": ("name",)}


@admin.register(HealthConcern)
class HealthConcernAdmin(BackOfficeAdmin):
    list_display = ("name", "slug", "position")
    search_fields = ("name",)
    prepopulated_fields = {"slug": ("name",)}
    autocomplete_fields = ("image", "img_icon")


class AttributeValueRows(Rows):
    model = AttributeValue
    extra = 0


@admin.register(Attribute)
class AttributeAdmin(BackOfficeAdmin):
    list_display = ("name", "slug", "position")
    search_fields = ("name",)
    prepopulated_fields = {"slug": ("name",)}
    inlines = (AttributeValueRows,)


@admin.register(AttributeValue)
class AttributeValueAdmin(BackOfficeAdmin):
    list_display = ("__str__", "attribute", "position")
    list_select_related = ("attribute",)
    search_fields = ("value", "attribute__name")
    autocomplete_fields = ("attribute",)


class GstRateRows(Rows):
    model = GstRate
    extra = 0


@admin.register(HsnCode)
class HsnCodeAdmin(BackOfficeAdmin):
    list_display = ("code", "description")
    search_fields = ("code", "description")
    inlines = (GstRateRows,)
