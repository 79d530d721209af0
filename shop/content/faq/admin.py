"""The editors' admin of questions and answers; rows are dragged into their order."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from shop.backoffice.admin import BackOfficeAdmin, FixedSlugAdmin, Rows
from shop.backoffice.forms import StaffForm

from ..models import Faq, FaqSection
from ..pages.editor import RichTextField


class FaqForm(StaffForm):
    answer = RichTextField()

    class Meta:
        model = Faq
        fields = ("section", "question", "slug", "answer", "is_published")


class FaqRows(Rows):
    model = Faq
    fields = ("question", "is_published", "position")
    ordering = ("position", "id")
    ordering_field = "position"
    hide_ordering_field = True
    extra = 0
    show_change_link = True
    can_delete = False
    verbose_name_plural = gettext_lazy("Questions (drag to reorder)")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False  # a question comes with its answer, on its own page


@admin.register(FaqSection)
class FaqSectionAdmin(BackOfficeAdmin):
    list_display = ("name", "position")
    ordering = ("position", "id")
    ordering_field = "position"
    hide_ordering_field = True
    fields = ("name",)
    inlines = (FaqRows,)


@admin.register(Faq)
class FaqAdmin(FixedSlugAdmin, BackOfficeAdmin):
    list_display = ("question", "section", "is_published", "position")
    list_editable = ("is_published",)
    list_filter = ("section", "is_published")
    list_select_related = ("section",)
    search_fields = ("question", "answer")
    ordering_field = "position"
    hide_ordering_field = True
    prepopulated_fields = {"slug": ("question",)}
    form = FaqForm
