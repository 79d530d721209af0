"""Texts of rows in the languages of the shop: one JSON column a table beside the English ones.

A model names what is translated: `translations = TranslationsField("name", "tagline")`. `row.name` is English always,
`row.translated.name` is in the active language, and in English where nobody translated it: then it is a `Fallback`,
and `{{ text|lang }}` says so in the element around it (`{% load translated %}`: this is a template library, too).
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from django import template
from django.apps import apps
from django.conf import settings
from django.db import models
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, get_language_bidi

from .text import one_line

ENGLISH = "en"
Translations = Mapping[str, Mapping[str, str]]  # language to field to text
LATIN = re.compile("[A-Za-z]")
register = template.Library()


class Fallback(str):
    """An English text on a page of another language."""

    __slots__ = ()


class Translated:
    """The texts of one row in the active language: `row.translated.name`."""

    __slots__ = ("_row",)

    def __init__(self, row: models.Model) -> None:
        self._row = row

    def __getattr__(self, name: str) -> str:
        if name.startswith("_") or name not in translated_fields(type(self._row)):
            raise AttributeError(f"{type(self._row).__name__}.{name} has no translations.")
        english: str = getattr(self._row, name)
        language = get_language()
        if not language or language == ENGLISH:
            return english
        return in_language(language, english, self._row.translations, name)  # type: ignore[attr-defined]

    def __getitem__(self, name: str) -> str:
        """The same; what templates try first."""
        try:
            return self.__getattr__(name)
        except AttributeError as error:
            raise KeyError(name) from error


class TranslatedModel(models.Model):
    """A model with `translations = TranslationsField("name", …)`."""

    class Meta:
        abstract = True

    @property
    def translated(self) -> Translated:
        return Translated(self)


class _ReadableEncoder(json.JSONEncoder):
    """Writes letters of every script as they are: a sixth of the bytes."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{**options, "ensure_ascii": False})


class TranslationsField(models.JSONField):
    """Translations of the fields of its model that it is given: {language: {field: text}}.

    Its migration knows neither fields nor languages: either may be added without one.
    """

    def __init__(
        self,
        *names: str,
        cleaned: Mapping[str, Callable[[str], str]] | None = None,
        copied: bool = False,
        **options: Any,
    ) -> None:
        """`cleaned` says how the HTML of a field is cleaned; `copied` texts are those of other rows, kept as they were
        then, which nobody translates."""
        self.names = names
        self.copied = copied
        self.cleaners = cleaned or {}
        empty = models.Value({}, models.JSONField())
        own = {"default": dict, "db_default": empty, "blank": True, "editable": False, "encoder": _ReadableEncoder}
        super().__init__(**{**own, **options})

    def deconstruct(self) -> Any:
        name, path, args, options = super().deconstruct()
        return name, path, args, {key: value for key, value in options.items() if key != "encoder"}

    def contribute_to_class(self, cls: type[models.Model], name: str, private_only: bool = False) -> None:
        super().contribute_to_class(cls, name, private_only)
        cls.translated_names = self.names  # type: ignore[attr-defined]
        cls.translation_cleaners = self.cleaners  # type: ignore[attr-defined]
        cls.has_copied_translations = self.copied  # type: ignore[attr-defined]


def translated_fields(model: type[models.Model]) -> tuple[str, ...]:
    """Names of the fields that have translations; none in a model without any."""
    return getattr(model, "translated_names", ())


def translated_models() -> list[type[models.Model]]:
    """Every model whose texts somebody translates, in the order of the apps; proxies and copies left out."""
    models_with_texts = [model for model in apps.get_models() if translated_fields(model) and not model._meta.proxy]
    return [model for model in models_with_texts if not model.has_copied_translations]  # type: ignore[attr-defined]


def clean_translation(model: type[models.Model], name: str, text: str) -> str:
    """A translation as it is kept: HTML cleaned, names in one line, without what is invisible."""
    cleaners: Mapping[str, Callable[[str], str]] = model.translation_cleaners  # type: ignore[attr-defined]
    if clean := cleaners.get(name):
        return clean(text).strip()
    is_short = isinstance(model._meta.get_field(name), models.CharField)
    return one_line(text) if is_short else text.replace("\r\n", "\n").strip()


def with_changes(translations: Translations, changes: Translations) -> dict[str, dict[str, str]]:
    """Translations with others in their place; an empty text takes one away."""
    languages = dict.fromkeys([*translations, *changes])
    merged = {code: {**translations.get(code, {}), **changes.get(code, {})} for code in languages}
    filled = {code: {name: text for name, text in texts.items() if text} for code, texts in merged.items()}
    return {code: texts for code, texts in filled.items() if texts}


def shop_languages() -> tuple[str, ...]:
    """The languages of the shop that are not English."""
    return tuple(code for code in settings.SHOP_LANGUAGES if code != ENGLISH)


def translate(english: str, translations: Translations, name: str) -> str:
    """A text in the active language, as `row.translated` gives it, of columns that were read without their row."""
    language = get_language()
    if not language or language == ENGLISH:
        return english
    return in_language(language, english, translations, name)


def in_language(language: str, english: str, translations: Translations, name: str) -> str:
    """The translation of a text, else the English one as a Fallback; nothing where there is nothing in English: what
    staff deleted is gone in every language."""
    if not english:
        return ""
    return translations.get(language, {}).get(name) or Fallback(english)


def unless_behind(text: str, name: str) -> str:
    """Nothing where a text is still in English, but the name it goes with is translated: then the name says more."""
    return "" if isinstance(text, Fallback) and not isinstance(name, Fallback) else text


def fallback_language(text: str) -> str:
    """`en` for what fell back to English, else nothing; for answers of the API."""
    return ENGLISH if isinstance(text, Fallback) else ""


@register.filter
def lang(text: str) -> SafeString:
    """Attributes of the element around a text: of what fell back to English ` lang="en"`, and its direction where the
    page runs the other way; of everything else nothing."""
    if not isinstance(text, Fallback):
        return SafeString("")
    return SafeString(' lang="en" dir="ltr"' if get_language_bidi() else ' lang="en"')  # nosec B703 (constants)


@register.filter
def written_lang(text: str) -> SafeString:
    """The same for a text that has no translations, such as an address or a licence: English where it is in Latin
    letters."""
    language = get_language()
    is_english = language and language != ENGLISH and LATIN.search(text)
    return lang(Fallback(text)) if is_english else SafeString("")


@register.filter
def marked(text: str) -> str:
    """The text as an element of its own where it fell back to English; for a place among other words."""
    return format_html("<bdi{}>{}</bdi>", lang(text), text) if isinstance(text, Fallback) else text
