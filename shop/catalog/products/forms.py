"""Forms of the catalogue manager's admin."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.core.validators import MinValueValidator
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy
from unfold.widgets import (
    UnfoldAdminFileFieldWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
)

from shop.backoffice.forms import StaffForm
from shop.backoffice.rich_text import RichTextField
from shop.errors import ShopError
from shop.translated import clean_translation, translated_fields

from ..composition.prescriptions import NEVER_PUBLISHED, NOT_PUBLISHED
from ..composition.rows import EXAMPLES, IngredientRowsField
from ..composition.services import parts_of, problem_of
from ..editing.facts import FactRowsField
from ..models import Picture, Product, Variant, VariantImage
from ..pictures.services import add_picture, check_upload
from .countries import lazy_country_names


class UploadField(forms.FileField):
    """A file that becomes a Picture: on an UploadForm the cleaned value is the picture, or None.

    Here its header is read alone; all else on the form is checked before it is decoded (`take`).
    """

    widget = UnfoldAdminFileFieldWidget

    def clean(self, data: Any, initial: Any = None) -> "UploadedFile[Any] | None":
        upload: UploadedFile[Any] | None = super().clean(data, initial)
        if not upload:
            return None
        try:
            check_upload(upload)
        except ShopError as refusal:
            raise forms.ValidationError(refusal.message) from refusal
        return upload

    def take(self, upload: "UploadedFile[Any]") -> Any:
        """Raises ShopError."""
        return picture_of(upload)


class UploadForm(StaffForm):
    """A form whose uploads are decoded when nothing else is wrong with it."""

    def full_clean(self) -> None:
        super().full_clean()
        if not self.is_bound or self.errors:
            return
        for name, field in self.fields.items():
            if isinstance(field, UploadField) and (upload := self.cleaned_data.get(name)):
                try:
                    self.cleaned_data[name] = field.take(upload)
                except ShopError as refusal:
                    self.add_error(name, refusal.message)


def picture_of(upload: "UploadedFile[Any]") -> Picture:
    """Raises Invalid or Busy."""
    return add_picture(upload.read(), alt=str(upload.name).rpartition(".")[0].replace("-", " "))


def refuse_negative(form: forms.BaseForm, *names: str) -> None:
    """Of fields that this person may fill in."""
    for name in set(names) & set(form.fields):
        form.fields[name].validators.append(MinValueValidator(0))


SHARED = {"description": "description", "ingredients": "ingredients"} | {
    "nutrition": "nutritional_info_json",
    "composition": "composition_json",
}  # field of a form: column of the variants


def text_fields() -> dict[str, forms.Field]:
    """The texts of a variant, in the order of the page."""
    return {
        "description": RichTextField(required=False, label=gettext_lazy("Description")),
        "ingredients": forms.CharField(
            required=False,
            label=gettext_lazy("Ingredients"),
            widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
            help_text=gettext_lazy("Separate with commas."),
        ),
        "nutrition": FactRowsField(key="NutritionalFacts", label=gettext_lazy("Nutrition")),
        "composition": FactRowsField(key="Composition", label=gettext_lazy("Composition")),
    }


DIFFERS_NOW = gettext_lazy(
    "The variants now differ here, so this wasn't saved. Copy what you typed, leave this page, and write it on the "
    "page of each variant."
)


class TextsForm(StaffForm):
    """A form with the texts of variants."""

    def keep_beside(self) -> None:
        """Of nutrition and composition, what else a variant has beside the rows."""
        for name in {"nutrition", "composition"} & set(self.cleaned_data):
            field: Any = self.fields[name]
            self.cleaned_data[name] = field.beside(self.initial.get(name), self.cleaned_data[name])


class ProductForm(TextsForm):
    """With the texts of its variants while they are the same for all; where they differ, each is written on the
    variant's own page."""

    merged = tuple(SHARED)
    translated_beside = translated_fields(Variant)

    highlight = RichTextField(required=False, label=gettext_lazy("Highlights"))
    suited_for = RichTextField(required=False, label=gettext_lazy("Who it's for"))
    dosage = RichTextField(required=False, label=gettext_lazy("How to use"))
    cautions = RichTextField(
        required=False,
        help_text=gettext_lazy("Pregnancy, children, conditions and medicines to avoid it with, side effects."),
    )
    storage = RichTextField(
        required=False, help_text=gettext_lazy("How to store it, and how long it keeps once opened.")
    )
    description, ingredients, nutrition, composition = text_fields().values()
    active_ingredients = IngredientRowsField(
        label=gettext_lazy("Active ingredients"),
        help_text=format_lazy(
            gettext_lazy(
                "As on the label, a row each, with strengths such as {examples}. Shown in place of the composition."
            ),
            examples=EXAMPLES,
        ),
    )
    country_of_origin = forms.ChoiceField(required=False, widget=UnfoldAdminSelectWidget)

    class Meta:
        model = Product
        fields = (
            "name", "title", "slug", "brand", "category", "health_concerns", "related_products", "is_published",
            "is_pinned", "highlight", "suited_for", "dosage", "cautions", "storage", "lab_certificate",
            "country_of_origin", "maker", "importer", "licence_number", "hsn",
            "active_ingredients", "dosage_form", "is_composition_confirmed",
            "shelf_life_months", "is_returnable", "is_prescription", "schedule",
            "dispatch_max_day", "buffer_delivery_day", "barred_locations", "meta_title", "meta_desc", "handle",
        )  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = {
            "": gettext("Not stated"),
            self.instance.country_of_origin: self.instance.country_of_origin or gettext("Not stated"),
        }
        choices = (names | lazy_country_names()).items()
        if "country_of_origin" in self.fields:  # it is absent where staff may only look
            self.fields["country_of_origin"].choices = choices  # type: ignore[attr-defined]
        self.differing: set[str] = set()  # texts that are not the same for all variants
        if self.is_of_a_row and "description" in self.fields:
            self._show_texts()

    def _show_texts(self) -> None:
        rows = list(self.instance.variants.order_by("position", "id").values(*SHARED.values(), "translations"))
        for name, column in SHARED.items():
            values = [row[column] for row in rows]
            self.initial[name] = values[0] if values else None
            if any(value != values[0] for value in values):
                self.differing.add(name)
                self.fields[name].disabled = name not in self._shown  # else somebody may have typed here
                self.fields[name].help_text = gettext(
                    "Differs between the variants: write it on the page of each variant."
                )
        self._show_translated_texts([row["translations"] for row in rows])

    def _show_translated_texts(self, rows: list[dict[str, dict[str, str]]]) -> None:
        """In the same way, each language by itself."""
        for key, (name, language) in self.translation_keys.items():
            if name in SHARED:
                values = [row.get(language, {}).get(name, "") for row in rows]
                self.initial[key] = values[0] if values else ""
                if name in self.differing or any(value != values[0] for value in values):
                    self.differing.add(key)
                    self.fields[key].disabled = key not in self._shown

    def _post_clean(self) -> None:
        super()._post_clean()
        self._certificate = None
        file = self.instance.lab_certificate
        if file and not file._committed:
            self._certificate = file.file
            self.instance.lab_certificate = self.initial.get("lab_certificate")

    def store_certificate(self) -> None:
        """Store a new certificate, and its name in the saved row: last of all, as everybody may read it there, and what
        was refused is not to be read. Raises ShopError at its field."""
        if self._certificate is None:
            return
        self.instance.lab_certificate = self._certificate
        file = self.instance.lab_certificate
        try:
            file.save(str(file.name), file.file, save=False)
        except ShopError as refusal:
            refusal.fields = {"lab_certificate": [refusal.message]}
            raise
        self.instance.save(update_fields=["lab_certificate", "changed_at"])

    def clean(self) -> dict[str, Any]:
        super().clean()
        self.keep_beside()
        for name in self.differing & set(self.changed_data):
            self.add_error(name, DIFFERS_NOW)
        if self.instance.archived_at and self.cleaned_data.get("is_published"):
            self.add_error("is_published", gettext("It is archived. Restore it first; it comes back as a draft."))
        self._check_composition()
        self._check_schedule()
        return self.cleaned_data

    def _check_schedule(self) -> None:
        given = {name: self.cleaned_data.get(name) for name in ("schedule", "is_prescription", "is_published")}
        if given["schedule"] in NEVER_PUBLISHED and given["is_published"]:
            self.add_error("is_published", gettext(NOT_PUBLISHED))
        if given["schedule"] and not given["is_prescription"]:
            self.add_error("is_prescription", gettext("A medicine of a schedule needs a prescription."))

    def _check_composition(self) -> None:
        """What is confirmed can be compared with others."""
        fields = {"active_ingredients", "dosage_form", "is_composition_confirmed"}
        given = self.cleaned_data
        if fields <= given.keys() and given["is_composition_confirmed"] and fields & set(self.changed_data):
            problem = problem_of(parts_of(given["active_ingredients"]), int(given["dosage_form"] or 0))
            if problem:
                self.add_error("is_composition_confirmed", problem)

    def clean_handle(self) -> str:
        handle = str(self.cleaned_data["handle"]).strip().lower()
        others = Product.objects.filter(handle=handle).exclude(pk=self.instance.pk)
        if handle and "handle" in self.changed_data and others.exists():
            raise forms.ValidationError(self.instance.unique_error_message(Product, ("handle",)))
        return handle

    def shared_texts(self) -> dict[str, Any]:
        """Column of the variants to what all of them have, and a new one gets."""
        texts: dict[str, Any] = {
            column: self.cleaned_data[name]
            for name, column in SHARED.items()
            if name in self.cleaned_data and name not in self.differing
        }
        translations: dict[str, dict[str, str]] = {}
        for key, (name, language) in self.translation_keys.items():
            if name in SHARED and key not in self.differing and self.cleaned_data.get(key):
                text = clean_translation(Variant, name, self.cleaned_data[key])
                translations.setdefault(language, {})[name] = text
        return texts | ({"translations": translations} if translations else {})

    def changed_texts(self) -> dict[str, Any]:
        """Column of the variants to its new value."""
        return {
            column: self.cleaned_data[name]
            for name, column in SHARED.items()
            if name in self.changed_data and name not in self.differing
        }


class VariantForm(TextsForm):
    merged = ("nutrition", "composition")

    description, ingredients, nutrition, composition = text_fields().values()
    receive_units = forms.IntegerField(
        label=gettext_lazy("Receive units"),
        required=False,
        widget=UnfoldAdminIntegerFieldWidget,
        min_value=-100_000,
        max_value=1_000_000,
        help_text=gettext_lazy("Units received. A negative number writes units off. Leave empty for no change."),
    )
    receive_note = forms.CharField(
        label=gettext_lazy("Receive note"),
        required=False,
        max_length=60,
        help_text=gettext_lazy("Reason, shown in the stock movements."),
    )

    class Meta:
        model = Variant
        fields = (
            "product", "sku", "position", "is_active", "selling_price", "actual_price", "max_purchase_qty",
            "attribute_values", "description", "ingredients", "net_quantity", "net_unit",
            "weight_actual", "weight_unit", "barcode",
        )  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        refuse_negative(self, "weight_actual", "net_quantity")
        if self.is_of_a_row:
            self.initial.update({name: getattr(self.instance, SHARED[name]) for name in SHARED if name in self.fields})

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        self.keep_beside()
        return given

    def _post_clean(self) -> None:
        for name in set(SHARED) & set(self.changed_data) & set(self.cleaned_data):
            setattr(self.instance, SHARED[name], self.cleaned_data[name])
        super()._post_clean()

    def clean_receive_units(self) -> int:
        units = self.cleaned_data["receive_units"] or 0
        if units and self.instance.is_batched:
            raise forms.ValidationError(
                gettext("Its stock is tracked by batch: receive or write off units under Batches.")
            )
        if units + self.instance.on_hand < 0:
            raise forms.ValidationError(gettext("Only %(on_hand)s are on hand.") % {"on_hand": self.instance.on_hand})
        return units


class ImageForm(UploadForm):
    upload = UploadField(label=gettext_lazy("Upload"), required=False)

    class Meta:
        model = VariantImage
        fields = ("picture", "position")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["picture"].required = False

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not (data.get("upload") or data.get("picture")) and not self.errors:
            raise forms.ValidationError(gettext("Choose a picture or upload one."))
        return data

    def full_clean(self) -> None:
        """What was uploaded stands in place of what was chosen."""
        super().full_clean()
        uploaded = self.cleaned_data.get("upload") if self.is_bound and not self.errors else None
        if isinstance(uploaded, Picture):
            self.cleaned_data["picture"] = self.instance.picture = uploaded
            try:
                self.instance.validate_constraints(exclude={"variant"} if self.instance.variant_id is None else set())
            except forms.ValidationError:
                self.add_error("upload", gettext("This variant already has this picture."))
