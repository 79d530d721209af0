"""The texts that have translations: which are missing, how many, and each with its English."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from hashlib import sha256
from operator import or_
from typing import Any

from django.db import models
from django.db.models import Count, Q, QuerySet

from shop.catalog.models import AttributeValue, Variant
from shop.catalog.units import UNITS
from shop.rows import each_row
from shop.translated import translated_fields, translated_models

ALPHABETIC = re.compile(r"[^\W\d_]")
CHUNK = 500
Model = type[models.Model]


@dataclass(frozen=True, slots=True)
class Text:
    """One text of one row in English and in a language; variants of a product that say the same are one."""

    model: Model
    pk: int
    field: str
    language: str
    english: str
    translation: str
    row: str  # as staff know it

    @property
    def key(self) -> str:
        """Names it in a file: catalog.product:12:name:hi."""
        return f"{self.model._meta.label_lower}:{self.pk}:{self.field}:{self.language}"

    @property
    def version(self) -> str:
        """Changes with the English text and with the translation."""
        return sha256(f"{self.english}\0{self.translation}".encode()).hexdigest()[:12]


def models_of(user: Any) -> list[Model]:
    """Those that somebody may change."""
    return [
        model
        for model in translated_models()
        if user.has_perm(f"{model._meta.app_label}.change_{model._meta.model_name}")
    ]


def needs_translation(model: Model, field: str, english: str) -> bool:
    """Not what has no letters, such as 500 or 3 x 125, nor a unit that the shop knows in every language."""
    if model is not AttributeValue:
        return bool(english.strip())
    is_known = field == "unit" and english.lower() in UNITS
    return bool(ALPHABETIC.search(english.replace(" x ", " "))) and not is_known


def untranslated(model: Model, language: str) -> QuerySet[Any]:
    """Rows in which a text may be missing; which, `texts` tells."""
    return model._default_manager.filter(reduce(or_, (_lacks(name, language) for name in translated_fields(model))))


def _lacks(name: str, language: str) -> Q:
    return Q(**{f"translations__{language}__{name}__isnull": True}) & ~Q(**{name: ""})


def count_texts(model: Model, language: str) -> tuple[int, int]:
    """(all texts, those that are missing) of a model; one query, except of attribute values, which are few."""
    names = translated_fields(model)
    if model is AttributeValue:
        found = list(texts([model], language))
        return len(found), sum(not text.translation for text in found)
    counts = model._default_manager.aggregate(
        **{f"all_{name}": Count("pk", filter=~Q(**{name: ""})) for name in names},
        **{f"missing_{name}": Count("pk", filter=_lacks(name, language)) for name in names},
    )
    return sum(counts[f"all_{name}"] for name in names), sum(counts[f"missing_{name}"] for name in names)


def texts(chosen: list[Model], language: str, *, missing_only: bool = False) -> Iterator[Text]:
    """Model by model and row by row, read piece by piece."""
    for model in chosen:
        rows = untranslated(model, language) if missing_only else model._default_manager.all()
        shared: set[tuple[int, str, str]] = set()
        for row in each_row(_with_names(rows), CHUNK):
            for text in texts_of(row, language):
                if model is Variant:
                    same = (row.product_id, text.field, text.english)
                    if same in shared:
                        continue
                    shared.add(same)
                if not (missing_only and text.translation):
                    yield text


def texts_of(row: Any, language: str) -> Iterator[Text]:
    model, said = type(row), row.translations.get(language, {})
    for name in translated_fields(model):
        english = getattr(row, name)
        if needs_translation(model, name, english):
            yield Text(model, row.pk, name, language, english, said.get(name, ""), str(row))


def _with_names(rows: QuerySet[Any]) -> QuerySet[Any]:
    """With what says which row it is."""
    return rows.select_related("product") if rows.model is Variant else rows
