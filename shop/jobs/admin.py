from django.contrib import admin

from shop.backoffice.admin import ReadOnlyAdmin

from .models import FailedRow


@admin.register(FailedRow)
class FailedRowAdmin(ReadOnlyAdmin):
    """What the shop could not do by itself. It tries again in each run of the job; what is mended goes away."""

    list_display = ("chore", "kind", "name", "error", "times", "first_at", "last_at")
    list_filter = ("chore",)
    search_fields = ("name", "row_id")
    fields = ("chore", "kind", "row_id", "name", "error", "times", "first_at", "last_at")
