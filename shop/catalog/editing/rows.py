"""The variants of a product as a table on its page: options, SKU, barcode, prices of each market, stock, weight.

A price abroad is a column of its own, in that market's currency. Stock is booked in and written off by movements: what
was typed is refused where somebody else booked meanwhile, so that a form that is sent twice books once.
"""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any
from uuid import uuid4

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy
from unfold.forms import PaginationInlineFormSet

from shop.backoffice.admin import Rows
from shop.backoffice.forms import StaffForm
from shop.markets.models import Location
from shop.markets.queries import market_registry
from shop.money import INR, round_money

from ..models import StockMovement, Variant
from ..products.forms import refuse_negative
from ..services import change_market_prices
from . import options

MAX_PRICE = Decimal(10) ** 9
MAX_UNITS = 1_000_000
MAX_MARKETS = 40
TYPED = ("sku", "barcode", "selling_price", "actual_price", "units", "option_", "market_")
Pair = tuple[Decimal, Decimal]


def _input(kind: str, **attrs: Any) -> forms.Widget:
    return forms.TextInput(attrs={"class": f"edit-input edit-input--{kind}", "autocomplete": "off"} | attrs)


class PriceInput(forms.TextInput):
    """Shows no zeros that nobody typed."""

    def format_value(self, value: Any) -> str | None:
        return f"{value.normalize():f}" if isinstance(value, Decimal) else super().format_value(value)


def _price_input() -> forms.Widget:
    return PriceInput(attrs={"class": "edit-input edit-input--price", "inputmode": "decimal", "autocomplete": "off"})


class VariantRowForm(StaffForm):
    """A variant as one row of its product's form. A new one without SKU or MRP gets a SKU, and its selling price."""

    units = forms.IntegerField(
        required=False,
        min_value=-100_000,
        max_value=MAX_UNITS,
        label=gettext_lazy("Book in"),
        widget=_input("units", inputmode="numeric", placeholder="+ 0"),
    )

    class Meta:
        model = Variant
        fields = (
            "sku", "barcode", "position", "is_active", "selling_price", "actual_price", "max_purchase_qty",
            "weight_actual", "weight_unit",
        )  # fmt: skip
        widgets = {
            "sku": _input("sku"),
            "barcode": _input("code"),
            "position": forms.HiddenInput,
            "selling_price": _price_input(),
            "actual_price": _price_input(),
            "max_purchase_qty": _input("units", inputmode="numeric"),
            "weight_actual": _price_input(),
            "weight_unit": _input("unit"),
        }

    def __init__(
        self, *args: Any, markets: Sequence[Location] = (), option_names: Sequence[str] = (), **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.markets, self.former_names = markets, option_names
        self.skus: set[str] = set()  # made on this page
        self.freed_skus: Container[str] = ()  # those that other rows of this page have and change
        for name in set(self.fields) & {"sku", "actual_price", "weight_actual", "position", "weight_unit"}:
            self.fields[name].required = False
        refuse_negative(self, "weight_actual")
        self._add_options()
        self._add_market_prices()
        self.merged = tuple(name for name in self.fields if name.startswith(("option_", "market_")))

    # --- Its fields -----------------------------------------------------------------------------------

    def _add_options(self) -> None:
        values = options.values_of(self.instance, self.former_names) if self.instance.pk else []
        for number in range(options.MAX_OPTIONS):
            self.fields[f"option_{number}"] = forms.CharField(
                required=False,
                max_length=options.MAX_VALUE,
                label=format_lazy(gettext_lazy("Option {number}"), number=number + 1),
                widget=_input("option"),
            )
            self.initial.setdefault(f"option_{number}", values[number] if number < len(values) else "")

    def _add_market_prices(self) -> None:
        rows = self.instance.fixed_prices.all() if self.instance.pk else ()
        prices = {row.location_id: row for row in rows}
        for market in self.markets:
            for suffix, label, column in (("", "price", "selling_price"), ("_was", "MRP", "actual_price")):
                name = f"market_{market.pk}{suffix}"
                self.fields[name] = forms.DecimalField(
                    required=False, label=f"{market.name} {label} ({market.currency_id})", max_digits=12,
                    decimal_places=3, widget=_price_input(),
                )  # fmt: skip
                self.initial[name] = getattr(prices.get(market.pk), column, None)

    @property
    def option_cells(self) -> list[Any]:
        return [self[f"option_{number}"] for number in range(options.MAX_OPTIONS)]

    @property
    def market_cells(self) -> list[tuple[Location, Any, Any]]:
        return [(market, self[f"market_{market.pk}"], self[f"market_{market.pk}_was"]) for market in self.markets]

    # --- What was typed -------------------------------------------------------------------------------

    def has_changed(self) -> bool:
        """A new row is one when something is typed that is no default."""
        if self.instance.pk:
            return super().has_changed()
        return any(self[name].data for name in self.changed_data if name.startswith(TYPED))

    def _clean_fields(self) -> None:
        super()._clean_fields()  # type: ignore[misc]
        if self.instance.pk is None:
            self._fill_in_the_new()

    def _fill_in_the_new(self) -> None:
        given = self.cleaned_data
        if not given.get("sku") and "sku" not in self.errors and self.has_changed():
            values = [given.get(f"option_{number}", "") for number in range(options.MAX_OPTIONS)]
            product = self.data.get("slug") or self.data.get("name") or ""
            given["sku"] = options.free_sku(product, filter(None, values), self.skus)
        if given.get("actual_price") is None and "actual_price" not in self.errors:
            given["actual_price"] = given.get("selling_price")
        for name in ("weight_actual", "weight_unit", "position"):
            if not given.get(name):
                field: Any = Variant._meta.get_field(name)
                given[name] = field.get_default()

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        for name in ("sku", "actual_price"):
            if self.instance.pk and not given.get(name) and name not in self.errors:
                self.add_error(name, gettext("This cannot be empty."))
        if self.instance.pk and given.get("weight_actual") is None:
            given["weight_actual"] = Decimal(0)
        for market in self.markets:
            self._check_market(market, given)
        self._check_units(given)
        return given

    def _check_market(self, market: Location, given: dict[str, Any]) -> None:
        name = f"market_{market.pk}"
        if name in self.errors or f"{name}_was" in self.errors:
            return
        selling, actual = given.get(name), given.get(f"{name}_was")
        if selling is None and actual is not None:
            self.add_error(name, gettext("Enter the price in %(currency)s as well.") % {"currency": market.currency_id})
        if selling is None:
            return
        actual = given[f"{name}_was"] = selling if actual is None else actual
        if not 0 < selling <= actual < MAX_PRICE:
            self.add_error(name, gettext("The price must be above 0 and at most the MRP."))
        elif any(price != round_money(price, market.currency_id) for price in (selling, actual)):
            self.add_error(
                name, gettext("%(currency)s has fewer decimals than that.") % {"currency": market.currency_id}
            )

    def _check_units(self, given: dict[str, Any]) -> None:
        units = given.get("units")
        if not units:
            return
        seen = self.data.get(self.add_prefix("received"), "0")
        if self.instance.pk and seen != str(self.instance.received):
            self.add_error(
                "units",
                gettext(
                    "Stock was booked after you opened this page: %(on_hand)s on hand now. Save again to book %(units)s"
                    " as well, or clear this."
                )
                % {"on_hand": self.instance.on_hand, "units": units},
            )
        elif self.instance.on_hand + units < 0:
            self.add_error("units", gettext("Only %(on_hand)s are on hand.") % {"on_hand": self.instance.on_hand})

    def _post_clean(self) -> None:
        """A row that nobody touched is as valid as it was; to ask takes four queries."""
        if not self.instance.pk or self.has_changed():
            super()._post_clean()

    def validate_unique(self) -> None:
        """Two rows may change SKUs: what another row gives up in the same save is free."""
        exclude = self._get_validation_exclusions()  # type: ignore[attr-defined]
        if self.cleaned_data.get("sku") in self.freed_skus:
            exclude.add("sku")
        try:
            self.instance.validate_unique(exclude=exclude)
        except ValidationError as error:
            self._update_errors(error)  # type: ignore[attr-defined]

    # --- Writing --------------------------------------------------------------------------------------

    def _save_m2m(self) -> None:
        super()._save_m2m()
        changed = {
            market.pk: self._pair(market)
            for market in self.markets
            if {f"market_{market.pk}", f"market_{market.pk}_was"} & set(self.changed_data)
        }
        if changed:
            change_market_prices(self.instance, changed)

    def _pair(self, market: Location) -> Pair | None:
        selling = self.cleaned_data.get(f"market_{market.pk}")
        return None if selling is None else (selling, self.cleaned_data[f"market_{market.pk}_was"])

    def save_options(self, names: Sequence[str]) -> None:
        """What is typed in the row, under the names of the options that the page has now."""
        typed = [self.cleaned_data.get(f"option_{number}", "") for number in range(options.MAX_OPTIONS)]
        has_changed = any(f"option_{number}" in self.changed_data for number in range(options.MAX_OPTIONS))
        is_renamed = any(was != now for was, now, text in zip(self.former_names, names, typed, strict=True) if text)
        if has_changed or is_renamed:
            options.set_options(self.instance, self.former_names, zip(names, typed, strict=True))


class VariantRowSet(PaginationInlineFormSet):
    """Rows know which variants they are: Django would ask for each of them again. What is sent must be the same.
    A variant whose stock ever moved is not deleted, but taken off sale."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.taken_off_sale: list[Variant] = []
        variants = list(self.get_queryset()) if self.instance.pk else []
        self.former_names = self._names_shown() or options.names_of(variants)
        self.markets = _markets_shown(variants, self.data)
        self.skus: set[str] = set()

    def _names_shown(self) -> list[str]:
        """The options that the page had when it was opened: its columns stay theirs, whatever somebody else named
        meanwhile, and options that they added are left alone."""
        if not self.is_bound:
            return []
        shown = [self.data.get(f"option_was_{number}") for number in range(options.MAX_OPTIONS)]
        return [name[: options.MAX_NAME] for name in shown if name is not None] if None not in shown else []

    @cached_property
    def freed_skus(self) -> set[str]:
        """The SKUs that variants of this page have and shall have no more."""
        return {form.initial.get("sku", "") for form in self.initial_forms if "sku" in form.changed_data}

    def save(self, commit: bool = True) -> Any:
        """What another row is to have is given up first: no two rows may have the same SKU, not even for a moment."""
        changed = [form for form in self.initial_forms if "sku" in form.changed_data]
        wanted = {form.cleaned_data.get("sku") for form in changed}
        for form in changed:
            if form.initial.get("sku") in wanted:
                Variant.objects.filter(pk=form.instance.pk).update(sku=f"moving-{uuid4().hex}")
        return super().save(commit)

    def get_form_kwargs(self, index: int | None) -> dict[str, Any]:
        shared = {"markets": self.markets, "option_names": self.former_names}
        return super().get_form_kwargs(index) | shared

    def add_fields(self, form: "forms.ModelForm[Any]", index: int | None) -> None:
        super().add_fields(form, index)
        form.skus = self.skus  # type: ignore[attr-defined]
        form.freed_skus = _FreedSkus(self)  # type: ignore[attr-defined]
        known = form.instance.pk or 0
        form.fields["id"] = forms.IntegerField(
            required=False, widget=forms.HiddenInput, initial=form.instance.pk, min_value=known, max_value=known
        )

    @property
    def option_names(self) -> list[str]:
        """As typed, or as they are."""
        if not self.is_bound:
            return self.former_names
        sent = [self.data.get(f"option_name_{number}") for number in range(options.MAX_OPTIONS)]
        return [
            was if now is None else now.strip()[: options.MAX_NAME]
            for was, now in zip(self.former_names, sent, strict=True)
        ]

    @property
    def other_markets(self) -> list[Location]:
        """Those that have no column yet."""
        shown = {market.pk for market in self.markets}
        return [place for place in _abroad() if place.pk not in shown]

    def clean(self) -> None:
        super().clean()
        kept = [
            form for form in self.forms if not form.errors and not self._should_delete_form(form) and form.has_changed()
        ]
        names = self.option_names
        for form in kept:
            for number, name in enumerate(names):
                if form.cleaned_data.get(f"option_{number}") and not name and not self.former_names[number]:
                    raise ValidationError(
                        gettext("Name option %(number)s at the head of its column, such as Size.")
                        % {"number": number + 1}
                    )
        given = [name.casefold() for name in names if name]
        if len(set(given)) < len(given):
            raise ValidationError(gettext("Two options have the same name."))
        if any(f"option_drop_{number}" not in self.data for number, _, _ in self.dropped_options):
            raise ValidationError(
                gettext(
                    "Clearing an option's name removes its values. Type the name again, or tick the option to remove "
                    "it."
                )
            )
        self._check_new([form for form in kept if not form.instance.pk])

    @cached_property
    def dropped_options(self) -> list[tuple[int, str, int]]:
        """Options whose name was taken away while variants of this or another page still have values of it: number,
        former name, how many variants."""
        gone = [(number, was) for number, was in enumerate(self.former_names) if was and not self.option_names[number]]
        if not gone or not self.instance.pk:
            return []
        here = {
            form.instance.pk: form
            for form in self.initial_forms
            if not form.errors and not self._should_delete_form(form)
        }
        elsewhere = self.instance.variants.exclude(pk__in=[form.instance.pk for form in self.initial_forms])
        found = []
        for number, name in gone:
            count = sum(bool(form.cleaned_data.get(f"option_{number}")) for form in here.values())
            count += elsewhere.filter(attribute_values__attribute__name=name).distinct().count()
            if count:
                found.append((number, name, count))
        return found

    def _check_new(self, forms: Sequence[Any]) -> None:
        """A new row without a SKU of its own that has the options of another variant: the page was sent twice."""
        unnamed = [form for form in forms if not self.data.get(form.add_prefix("sku"), "").strip()]
        if not unnamed:
            return
        variants = self.instance.variants.prefetch_related("attribute_values__attribute") if self.instance.pk else []
        known = {_combination(options.values_of(variant, self.former_names)) for variant in variants}
        for form in unnamed:
            combination = _combination(
                form.cleaned_data.get(f"option_{number}", "") for number in range(options.MAX_OPTIONS)
            )
            if combination in known:
                form.add_error(
                    None, gettext("There is already a variant with these options. To add another, type its SKU.")
                )
            known.add(combination)
        if any(form.errors for form in unnamed):
            raise ValidationError(gettext("Nothing was saved: a new row repeats a variant."))

    def delete_existing(self, obj: Any, commit: bool = True) -> None:
        if StockMovement.objects.filter(variant=obj).exists():
            Variant.objects.filter(pk=obj.pk).update(is_active=False)
            self.taken_off_sale.append(obj)
        else:
            super().delete_existing(obj, commit=commit)


@dataclass(frozen=True, slots=True)
class _FreedSkus:
    """The set of its page, known when all rows are there."""

    rows: VariantRowSet

    def __contains__(self, sku: object) -> bool:
        return sku in self.rows.freed_skus


def _combination(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(value.casefold() for value in values)


def _abroad() -> list[Location]:
    return [place for place in market_registry().locations.values() if place.currency_id != INR]


def _markets_shown(variants: Sequence[Variant], data: Any) -> list[Location]:
    """The main markets, those that have prices, and those that the page was asked for."""
    used = {price.location_id for variant in variants for price in variant.fixed_prices.all()}
    asked = set(data.getlist("market")) if hasattr(data, "getlist") else set()
    shown = [place for place in _abroad() if place.is_indexed or place.pk in used or str(place.pk) in asked]
    return sorted(shown, key=lambda place: (not place.is_indexed, place.name))[:MAX_MARKETS]


class VariantRows(Rows):
    model = Variant
    form = VariantRowForm
    formset = VariantRowSet
    template = "catalog/editing/_variants.html"
    extra = 0
    per_page = 50
    fields = VariantRowForm.Meta.fields
    ordering = ("position", "id")

    def get_extra(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> int:
        return 0 if obj else 1

    def get_queryset(self, request: HttpRequest) -> QuerySet[Variant]:
        related = ("fixed_prices", "attribute_values__attribute")
        return super().get_queryset(request).select_related("product").prefetch_related(*related)
