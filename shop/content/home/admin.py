"""The editors' admin of the home page: banners and rows with their schedule, in the order of dragging."""

from io import BytesIO
from typing import Any

from django.contrib import admin, messages
from django.core.files.uploadedfile import UploadedFile
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy
from PIL import Image, ImageOps
from unfold.decorators import action as list_action
from unfold.decorators import display

from shop.backoffice.admin import BackOfficeAdmin, ColouredState
from shop.backoffice.forms import StaffForm
from shop.catalog.models import Picture
from shop.catalog.pictures.services import add_picture, decoded
from shop.catalog.products.forms import UploadField, UploadForm
from shop.catalog.templatetags.pictures import thumbnail
from shop.html import clean_html

from ..models import Banner, HomeRow, MenuEntry
from .preview_views import preview_home
from .schedule import Scheduled
from .services import has_content

# The two cuts of a banner, in pixels.
WIDE, NARROW = (1800, 510), (800, 1070)


class CutField(UploadField):
    """A file that pictures are cut from: the cleaned value is the decoded image, or None."""

    def take(self, upload: "UploadedFile[Any]") -> Image.Image:
        with decoded(upload) as image:
            return image


def cut(image: Image.Image, size: tuple[int, int], alt: str) -> Picture:
    """The middle of an image in the form of `size`, as large as it is or smaller."""
    shrink = min(1.0, image.width / size[0], image.height / size[1])
    fitted = ImageOps.fit(image.convert("RGB"), (round(size[0] * shrink), round(size[1] * shrink)))
    data = BytesIO()
    fitted.save(data, "JPEG", quality=92, subsampling=0)
    return add_picture(data.getvalue(), alt=alt)


class BannerForm(UploadForm):
    upload = CutField(
        label=gettext_lazy("New picture"),
        required=False,
        help_text=format_lazy(
            gettext_lazy(
                "Cropped to {width} × {height} pixels from the middle. The text covers the left half. JPEG, PNG or "
                "WebP, at most 5 MB."
            ),
            width=WIDE[0],
            height=WIDE[1],
        ),
    )
    upload_mobile = CutField(
        label=gettext_lazy("New picture for phones"),
        required=False,
        help_text=format_lazy(
            gettext_lazy(
                "Cropped to {width} × {height}. The text covers the upper half. If empty, it's cropped from the other "
                "new picture."
            ),
            width=NARROW[0],
            height=NARROW[1],
        ),
    )

    class Meta:
        model = Banner
        fields = (
            "title", "eyebrow", "text", "button", "link", "background", "image", "mobile_image", "is_published",
            "starts_at", "ends_at", "locations", "position",
        )  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("image", "mobile_image"):
            if name in self.fields:
                self.fields[name].required = False

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        uploads = {"image": given.get("upload"), "mobile_image": given.get("upload_mobile") or given.get("upload")}
        for name, field in (("image", "upload"), ("mobile_image", "upload_mobile")):
            if field not in self.errors and not given.get(name) and not uploads[name]:
                self.add_error(field, gettext("Choose a picture or upload one."))
        return given

    def save(self, commit: bool = True) -> Banner:
        """An upload takes the place of what was chosen."""
        given, banner = self.cleaned_data, self.instance
        if given["upload"]:
            banner.image = cut(given["upload"], WIDE, banner.title)
        if narrow := given["upload_mobile"] or given["upload"]:
            banner.mobile_image = cut(narrow, NARROW, banner.title)
        return super().save(commit)


class ScheduledAdmin(BackOfficeAdmin):
    """Dragged into order; saving the list keeps it."""

    list_editable = ("position", "is_published")
    list_filter: tuple[str, ...] = ("is_published",)
    ordering_field = "position"
    hide_ordering_field = True
    filter_horizontal = ("locations",)
    actions_list = ("preview",)

    @list_action(description=gettext_lazy("Preview the home page"), url_path="preview", permissions=["view"])
    def preview(self, request: HttpRequest) -> HttpResponse:
        return preview_home(request)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).prefetch_related("locations")

    @display(
        description=gettext_lazy("now"),
        label={
            "Live": "success",
            "Scheduled": "info",
            "Ended": "danger",
            "Draft": "warning",
        },
    )
    def now(self, thing: Scheduled) -> ColouredState:
        """The state, of which the colour is, and its words."""
        state = thing.state()
        return ColouredState(state, gettext(state))

    @admin.display(description=gettext_lazy("where"))
    def where(self, thing: Scheduled) -> str:
        return ", ".join(location.name for location in thing.locations.all()) or gettext("Everywhere")


SCHEDULE = (gettext_lazy("Schedule"), {"fields": ("is_published", "starts_at", "ends_at", "locations", "position")})


@admin.register(Banner)
class BannerAdmin(ScheduledAdmin):
    list_display = (
        "title", "on_desktops", "on_phones", "now", "starts_at", "ends_at", "where", "is_published", "position",
    )  # fmt: skip
    list_select_related = ("image", "mobile_image")
    search_fields = ("title",)
    form = BannerForm
    autocomplete_fields = ("image", "mobile_image")
    fieldsets = (
        (gettext_lazy("Words"), {"fields": ("title", "eyebrow", "text", "button", "link", "background")}),
        (gettext_lazy("Pictures"), {"fields": ("upload", "upload_mobile", "image", "mobile_image")}),
        SCHEDULE,
    )

    @admin.display(description=gettext_lazy("desktop"))
    def on_desktops(self, banner: Banner) -> SafeString:
        return thumbnail(banner.image)

    @admin.display(description=gettext_lazy("phone"))
    def on_phones(self, banner: Banner) -> SafeString:
        return thumbnail(banner.mobile_image)


class HomeRowForm(StaffForm):
    class Meta:
        model = HomeRow
        fields = (
            "kind", "title", "text", "products", "is_published", "starts_at", "ends_at", "locations", "position",
        )  # fmt: skip

    def clean_text(self) -> str:
        return clean_html(self.cleaned_data["text"])


@admin.register(HomeRow)
class HomeRowAdmin(ScheduledAdmin):
    list_display = ("__str__", "kind", "now", "shows", "starts_at", "ends_at", "where", "is_published", "position")
    list_filter = ("is_published", "kind")
    form = HomeRowForm
    autocomplete_fields = ("products",)
    fieldsets = ((None, {"fields": ("kind", "title", "text", "products")}), SCHEDULE)

    @display(description=gettext_lazy("content"), label={"nothing": "danger", "ready": ""})
    def shows(self, row: HomeRow) -> ColouredState:
        """In the shop's own market: a key, of which the colour is, and the words."""
        return (
            ColouredState("ready", gettext("Ready"))
            if has_content(row)
            else ColouredState("nothing", gettext("Nothing"))
        )

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        if not has_content(form.instance):
            messages.warning(request, gettext("This row has nothing to show yet, so the home page leaves it out."))


@admin.register(MenuEntry)
class MenuAdmin(BackOfficeAdmin):
    """The top categories in the order of dragging. They are made and renamed in the catalogue."""

    list_display = ("name", "icon", "in_menu", "is_featured", "is_hidden", "position")
    list_select_related = ("img_icon", "img_bg")
    list_editable = ("position", "is_featured")
    ordering = ("position", "name")
    ordering_field = "position"
    hide_ordering_field = True
    fields = (
        "name", "tagline", "how_to_choose", "color", "is_featured", "img_icon", "img_bg", "img_bg_m", "img_banner",
        "img_banner_m", "position",
    )  # fmt: skip
    readonly_fields = ("name",)
    autocomplete_fields = ("img_icon", "img_bg", "img_bg_m", "img_banner", "img_banner_m")

    def get_queryset(self, request: HttpRequest) -> QuerySet[MenuEntry]:
        return super().get_queryset(request).filter(parent=None)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.display(description=gettext_lazy("icon"))
    def icon(self, entry: MenuEntry) -> SafeString | str:
        return thumbnail(entry.img_icon) if entry.img_icon else "–"

    @admin.display(description=gettext_lazy("picture in the menu"))
    def in_menu(self, entry: MenuEntry) -> SafeString | str:
        return thumbnail(entry.img_bg) if entry.img_bg else "–"
