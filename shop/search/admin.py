from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.admin import TabularInline

from shop.backoffice import Screen

from .models import SynonymGroup, SynonymTerm


class TermRows(TabularInline):
    model = SynonymTerm
    extra = 1
    tab = False


@admin.register(SynonymGroup)
class SynonymGroupScreen(Screen):
    list_display = ("__str__", "note")
    search_fields = ("terms__term", "note")
    ordering = ("-id",)
    inlines = (TermRows,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[SynonymGroup]:
        return super().get_queryset(request).prefetch_related("terms")
