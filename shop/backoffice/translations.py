"""Each translated field of a form beside its English one: a form field for each language of the shop.

BackOfficeAdmin asks for them where the model has translations (shop/translated.py) and the person may change it.
"""

from collections.abc import Iterable
from copy import deepcopy
from typing import Any

from babel import Locale
from django import forms
from django.conf.locale import LANG_INFO
from django.db import models
from django.utils.functional import lazy
from django.utils.text import format_lazy
from django.utils.translation import get_language

from shop.translated import clean_translation, shop_languages, translated_fields, with_changes

from .languages import ENGLISH


def key_of(name: str, language: str) -> str:
    """The form field for a field in a language: name_in_hi."""
    return f"{name}_in_{language}"


def language_name(language: str) -> str:
    """In the language of the back office: Hindi."""
    shown_in = Locale.parse(get_language() or ENGLISH, sep="-")
    return Locale.parse(language, sep="-").get_display_name(shown_in) or language


lazy_language_name = lazy(language_name, str)


def side_by_side(sections: Iterable[Any], names: Iterable[str]) -> list[Any]:
    """Fieldsets of an admin page, each of these translated fields in one line with its translations."""
    languages, translated = shop_languages(), set(names)

    def line_of(item: Any) -> Any:
        return (item, *(key_of(item, language) for language in languages)) if item in translated else item

    return [
        (title, options | {"fields": tuple(line_of(item) for item in options["fields"])}) for title, options in sections
    ]


def is_key(field: str) -> bool:
    name, _, language = field.rpartition("_in_")
    return bool(name) and language in shop_languages()


class WithTranslations(forms.ModelForm):  # type: ignore[type-arg]
    """A form of one row that has them where `with_translations` says so; `merged` as in StaffForm."""

    with_translations = False
    translated_beside: tuple[str, ...] = ()  # fields that are not the model's own
    merged: tuple[str, ...]

    def add_translations(self) -> None:
        """After the form's own fields are there; those that it leaves out, or only shows, have none."""
        self.translation_keys: dict[str, tuple[str, str]] = {}  # form field: field, language
        if not self.with_translations:
            return
        for name in self.translated_names():
            for language in shop_languages() if name in self.fields else ():
                self.fields[key_of(name, language)] = _beside(self.fields[name], name, language)
                self.translation_keys[key_of(name, language)] = name, language
        self.merged = (*self.merged, *self.translation_keys)
        self.show_translations(self.translations_now())

    def translated_names(self) -> tuple[str, ...]:
        return (*translated_fields(self._meta.model), *self.translated_beside)

    def translations_now(self) -> dict[str, dict[str, str]]:
        return dict(self.instance.translations)

    def show_translations(self, now: dict[str, dict[str, str]]) -> None:
        for key, (name, language) in self.translation_keys.items():
            self.initial[key] = now.get(language, {}).get(name, "")

    def changed_translations(self, model: type[models.Model]) -> dict[str, dict[str, str]]:
        """What was changed of the model's own fields, cleaned; empty where a translation was taken away."""
        changes: dict[str, dict[str, str]] = {}
        for key in set(self.changed_data) & set(self.cleaned_data) & self.translation_keys.keys():
            name, language = self.translation_keys[key]
            if name in translated_fields(model):
                self.cleaned_data[key] = clean_translation(model, name, self.cleaned_data[key] or "")
                changes.setdefault(language, {})[name] = self.cleaned_data[key]
        return changes

    def _post_clean(self) -> None:
        if self.translation_keys and (changes := self.changed_translations(self._meta.model)):
            row: Any = self.instance
            row.translations = with_changes(row.translations, changes)
        super()._post_clean()  # type: ignore[misc]


def _beside(field: forms.Field, name: str, language: str) -> forms.Field:
    """A copy that may be empty."""
    copy = deepcopy(field)
    copy.required = copy.widget.is_required = False
    copy.disabled, copy.help_text, copy.initial = False, "", None
    label = field.label or name.replace("_", " ").capitalize()
    copy.label = format_lazy("{} ({})", label, lazy_language_name(language))
    copy.widget.attrs |= {"lang": language, "dir": "rtl" if LANG_INFO[language]["bidi"] else "ltr"}
    return copy
