"""The owner's view of every change: who, when, from which value to which."""

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import NoReverseMatch
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from shop.backoffice import history
from shop.backoffice.admin import ReadOnlyAdmin


@admin.register(LogEntry)
class HistoryAdmin(ReadOnlyAdmin):
    list_display = ("action_time", "who", "thing", "changes")
    list_display_links = None
    list_filter = ("action_flag", "action_time")
    list_select_related = ("user", "content_type")
    search_fields = ("object_repr", "user__email", "user__name")
    search_help_text = gettext_lazy("An item or a person")
    date_hierarchy = "action_time"
    ordering = ("-id",)
    fields = ("action_time", "who", "thing", "changes")

    @admin.display(description=gettext_lazy("Who"), ordering="user")
    def who(self, entry: LogEntry) -> str:
        return history.who(entry)

    @admin.display(description=gettext_lazy("What"))
    def thing(self, entry: LogEntry) -> str:
        try:
            address = entry.get_admin_url()
        except NoReverseMatch:
            address = None
        kind = entry.content_type.name if entry.content_type else ""
        if not address or entry.is_deletion():
            return f"{kind} {entry.object_repr}"
        return format_html('{} <a class="text-primary-600" href="{}">{}</a>', kind, address, entry.object_repr)

    @admin.display(description=gettext_lazy("Changes"))
    def changes(self, entry: LogEntry) -> SafeString:
        return render_to_string("backoffice/_changes.html", {"summaries": history.read(entry)})

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)
