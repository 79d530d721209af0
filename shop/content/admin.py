from django import forms
from django.contrib import admin

from shop.backoffice import Screen
from shop.catalog.html import clean_html

from .models import Banner, HomeRow


@admin.register(Banner)
class BannerScreen(Screen):
    list_display = ("title", "link", "position", "is_published")
    list_filter = ("is_published",)
    list_editable = ("position", "is_published")
    search_fields = ("title",)
    autocomplete_fields = ("image", "mobile_image")


class HomeRowForm(forms.ModelForm):
    class Meta:
        model = HomeRow
        fields = ("kind", "title", "text", "position", "is_published")

    def clean_text(self) -> str:
        return clean_html(self.cleaned_data["text"])


@admin.register(HomeRow)
class HomeRowScreen(Screen):
    list_display = ("__str__", "kind", "position", "is_published")
    list_filter = ("is_published", "kind")
    list_editable = ("position", "is_published")
    form = HomeRowForm
