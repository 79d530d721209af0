"""Forms of the catalogue manager's admin."""

import re
from decimal import Decimal, InvalidOperation
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from unfold.widgets import (
    UnfoldAdminFileFieldWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
)

from shop.backoffice.forms import StaffForm
from shop.errors import ShopError
from shop.html import clean_html
from shop.markets.queries import market_registry
from shop.money import round_money

from ..models import Picture, Product, Variant, VariantImage
from ..pictures.services import add_picture, check_upload
from ..services import set_market_prices
from .countries import country_names

MARKET_PRICE = re.compile(r"([A-Za-z]{2})\s*+(?::\s*+)?([\d.]++)(?:\s*+(?:of|/)\s*+([\d.]++))?")


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


class ProductForm(StaffForm):
    country_of_origin = forms.ChoiceField(required=False, widget=UnfoldAdminSelectWidget)

    class Meta:
        model = Product
        fields = (
            "name", "title", "slug", "brand", "category", "health_concerns", "related_products", "is_published",
            "is_pinned", "highlight", "dosage", "country_of_origin", "maker", "importer", "licence_number", "hsn",
            "shelf_life_months", "is_returnable", "is_prescription", "dispatch_max_day", "buffer_delivery_day",
            "barred_locations", "meta_title", "meta_desc", "handle",
        )  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = {"": "Not stated", self.instance.country_of_origin: self.instance.country_of_origin or "Not stated"}
        choices = (names | country_names()).items()
        if "country_of_origin" in self.fields:  # it is absent where staff may only look
            self.fields["country_of_origin"].choices = choices  # type: ignore[attr-defined]

    def clean_highlight(self) -> str:
        return clean_html(self.cleaned_data["highlight"])

    def clean_dosage(self) -> str:
        return clean_html(self.cleaned_data["dosage"])

    def clean_handle(self) -> str:
        return str(self.cleaned_data["handle"]).strip().lower()


class MarketPricesField(forms.CharField):
    """Fixed prices as one line of text: "US 4.50 of 5.00, GB 3.80"; the cleaned value maps a location's id to
    selling and actual price, in that location's own currency."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, max_length=2000, widget=UnfoldAdminTextInputWidget, **options)

    def clean(self, value: Any) -> dict[int, tuple[Decimal, Decimal]]:
        prices: dict[int, tuple[Decimal, Decimal]] = {}
        for part in filter(None, map(str.strip, re.split(r"[,;\n]", super().clean(value)))):
            location_id, pair = _market_price(part)
            if location_id in prices:
                raise forms.ValidationError(f"{part[:40]!r}: this country is listed twice.")
            prices[location_id] = pair
        return prices


def market_prices_text(prices: dict[int, tuple[Decimal, Decimal]]) -> str:
    """Prices of locations that the shop no longer sells to are left out."""
    known = market_registry().locations
    words = {known[pk].code: _pair_text(*pair) for pk, pair in prices.items() if pk in known}
    return ", ".join(f"{code} {price}" for code, price in sorted(words.items()))


def _pair_text(selling: Decimal, actual: Decimal) -> str:
    price = f"{selling.normalize():f}"
    return price if actual == selling else f"{price} of {actual.normalize():f}"


def _market_price(part: str) -> tuple[int, tuple[Decimal, Decimal]]:
    found = MARKET_PRICE.fullmatch(part)
    if not found:
        raise forms.ValidationError(f"Enter {part[:40]!r} as US 4.50 or US 4.50 of 5.00.")
    location = market_registry().by_code.get(found[1].upper())
    if location is None:
        raise forms.ValidationError(f"The shop does not sell to {found[1].upper()}.")
    try:
        selling, actual = Decimal(found[2]), Decimal(found[3] or found[2])
    except InvalidOperation as error:
        raise forms.ValidationError(f"{part[:40]!r} has no price.") from error
    currency = location.currency_id
    if not 0 < selling <= actual < 10**9:
        raise forms.ValidationError(f"{part[:40]!r}: the selling price must be above 0 and at most the actual price.")
    if any(price != round_money(price, currency) for price in (selling, actual)):
        raise forms.ValidationError(f"{part[:40]!r} has more decimals than {currency} allows.")
    return location.pk, (selling, actual)


class VariantRowForm(StaffForm):
    """A variant as one row of its product's form."""

    merged = ("market_prices",)

    market_prices = MarketPricesField(
        label="Prices in other countries",
        help_text="In each country's currency: US 4.50 of 5.00, GB 3.80. Other countries get the INR price, converted.",
    )

    class Meta:
        model = Variant
        fields = ("sku", "position", "is_active", "selling_price", "actual_price", "max_purchase_qty")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rows = self.instance.fixed_prices.all() if self.instance.pk else ()
        prices = {row.location_id: (row.selling_price, row.actual_price) for row in rows}
        self.initial["market_prices"] = market_prices_text(prices)

    def _post_clean(self) -> None:
        """A row that nobody touched is as valid as it was; to ask takes four queries."""
        if not self.instance.pk or self.has_changed():
            super()._post_clean()  # type: ignore[misc]

    def _save_m2m(self) -> None:
        super()._save_m2m()
        if "market_prices" in self.changed_data:
            set_market_prices(self.instance, self.cleaned_data["market_prices"])


class VariantForm(StaffForm):
    receive_units = forms.IntegerField(
        required=False,
        widget=UnfoldAdminIntegerFieldWidget,
        min_value=-100_000,
        max_value=1_000_000,
        help_text="Units received. A negative number writes units off. Leave empty for no change.",
    )
    receive_note = forms.CharField(required=False, max_length=60, help_text="The reason, shown in the stock movements.")

    class Meta:
        model = Variant
        fields = (
            "product", "sku", "position", "is_active", "selling_price", "actual_price", "max_purchase_qty",
            "attribute_values", "description", "ingredients", "nutritional_info_json", "composition_json",
            "net_quantity", "net_unit", "weight_actual", "weight_unit", "barcode",
        )  # fmt: skip

    def clean_description(self) -> str:
        return clean_html(self.cleaned_data["description"])

    def clean_nutritional_info_json(self) -> dict[str, Any]:
        return _object(self.cleaned_data["nutritional_info_json"])

    def clean_composition_json(self) -> dict[str, Any]:
        return _object(self.cleaned_data["composition_json"])

    def clean_receive_units(self) -> int:
        units = self.cleaned_data["receive_units"] or 0
        if units + self.instance.on_hand < 0:
            raise forms.ValidationError(f"Only {self.instance.on_hand} are on hand.")
        return units


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value or {}, dict):
        raise forms.ValidationError('Enter a JSON object: {"Composition": {"Root": "100 mg"}}.')
    return value or {}


class ImageForm(UploadForm):
    upload = UploadField(required=False)

    class Meta:
        model = VariantImage
        fields = ("picture", "position")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["picture"].required = False

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not (data.get("upload") or data.get("picture")) and not self.errors:
            raise forms.ValidationError("Choose a picture or upload one.")
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
                self.add_error("upload", "This variant already has this picture.")
