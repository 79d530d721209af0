"""The editors' admin of the blog: write, look at a draft, publish now or on a day."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_safe
from unfold.decorators import action as detail_action
from unfold.decorators import display
from unfold.widgets import UnfoldAdminTextareaWidget

from shop.backoffice.admin import BackOfficeAdmin, ColouredState, FixedSlugAdmin, row_number
from shop.backoffice.forms import StaffForm

from ..models import Post, PostCategory
from ..pages.editor import RichTextField
from ..views import post_context


@admin.register(PostCategory)
class PostCategoryAdmin(FixedSlugAdmin, BackOfficeAdmin):
    list_display = ("name", "slug", "position")
    search_fields = ("name",)
    ordering = ("position", "id")
    ordering_field = "position"
    hide_ordering_field = True
    fields = ("name", "slug")
    prepopulated_fields = {"slug": ("name",)}


class PostForm(StaffForm):
    text = RichTextField()

    class Meta:
        model = Post
        fields = (
            "title", "slug", "author", "excerpt", "text", "picture", "categories", "is_published", "published_at",
        )  # fmt: skip
        widgets = {"excerpt": UnfoldAdminTextareaWidget(attrs={"rows": 3})}


@admin.register(Post)
class PostAdmin(FixedSlugAdmin, BackOfficeAdmin):
    list_display = ("title", "state", "by", "published_at")
    list_filter = ("is_published", "categories")
    search_fields = ("title", "excerpt", "author")
    date_hierarchy = "published_at"
    prepopulated_fields = {"slug": ("title",)}
    autocomplete_fields = ("picture", "categories")
    form = PostForm
    fieldsets = (
        (None, {"fields": ("title", "slug", "author", "excerpt", "text")}),
        (gettext_lazy("In lists"), {"fields": ("picture", "categories")}),
        (gettext_lazy("Publishing"), {"fields": ("is_published", "published_at")}),
    )
    actions_detail = ("preview",)

    @display(
        description=gettext_lazy("State"),
        label={"draft": "warning", "scheduled": "info", "shown": "success"},
    )
    def state(self, post: Post) -> ColouredState:
        """A key, of which the colour is, and the words."""
        if not post.is_published:
            return ColouredState("draft", gettext("Draft"))
        is_out = post.published_at <= timezone.now()
        return ColouredState("shown", gettext("Shown")) if is_out else ColouredState("scheduled", gettext("Scheduled"))

    @method_decorator(require_safe)
    @detail_action(description=gettext_lazy("Preview"), url_path="preview", permissions=["view"])
    def preview(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The article as visitors will read it, in what was saved last."""
        post = get_object_or_404(Post, pk=row_number(object_id))
        context: dict[str, Any] = post_context(post) | {"is_draft": self.state(post)[0] != "shown"}
        return render(request, "content/blog/post.html", context)
