"""Names of apps, models and fields, helps and choices in the language of the back office.

Django takes a field's name from its attribute, where nothing can be marked. So all of them are made lazy once the
models are there; shop/locale takes them from the models. Migrations see the English texts: a lazy text equals its
English one, and names are kept apart from those that a model was written with.
"""

from collections.abc import Callable, Iterator
from typing import Any

from django.apps import apps
from django.contrib import admin
from django.db import models
from django.utils.translation import gettext_lazy

# What staff read where a column's name, kept as it is, would be a riddle.
PLAIN_NAMES = {
    "alt": "description",
    "brand image": "logo",
    "force": "confirmed",
    "img banner": "banner",
    "img banner m": "banner on phones",
    "img bg": "background picture",
    "img bg m": "background picture on phones",
    "img icon": "icon",
    "inr": "rupees for one",
    "max purchase qty": "most per order",
    "refund inr": "refund (₹)",
    "sku": "SKU",
    "total inr": "total (₹)",
}


def shop_models() -> list[type[models.Model]]:
    return [model for model in apps.get_models() if model.__module__.startswith("shop.")]


def _staff_models() -> list[type[models.Model]]:
    admin.autodiscover()
    inside = {inline.model for one in admin.site._registry.values() for inline in one.inlines}
    return [model for model in shop_models() if model in admin.site._registry or model in inside]


def _shop_apps() -> list[Any]:
    """Those that the back office has models of; a breadcrumb names them."""
    return [app for app in apps.get_app_configs() if app.name.startswith("shop.")]


def translate_models() -> None:
    """Called once, after all models are loaded."""
    for app in _shop_apps():
        app.verbose_name = gettext_lazy(str(app.verbose_name))
    for model in shop_models():
        _visit(model, lambda text: gettext_lazy(PLAIN_NAMES.get(str(text), str(text))) if text else text)


def texts_of_models() -> list[str]:
    """Those of every model that the back office lists or shows inside another's page, in English, each once."""
    found: dict[str, None] = {}

    def keep(text: Any) -> Any:
        if str(text).strip():
            found[str(text)] = None
        return text

    for app in _shop_apps():
        keep(app.verbose_name)
    for model in _staff_models():
        _visit(model, keep)
    return list(found)


def _visit(model: type[models.Model], change: Callable[[Any], Any]) -> None:
    """Put what `change` answers in the place of each text."""
    names: Any = model._meta
    names.verbose_name, names.verbose_name_plural = change(names.verbose_name), change(names.verbose_name_plural)
    for field in _own_fields(model):
        field.verbose_name, field.help_text = change(field.verbose_name), change(field.help_text)
        if isinstance(field.choices, list):  # what is asked for anew each time says it in words of its own
            field.choices = [(value, change(label)) for value, label in field.choices]


def _own_fields(model: type[models.Model]) -> Iterator[Any]:
    for field in (*model._meta.local_fields, *model._meta.local_many_to_many):
        if field.name != "id":
            yield field
