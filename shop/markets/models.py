from decimal import Decimal
from zoneinfo import available_timezones

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext

from .market import local_country_name


def english() -> list[str]:
    return ["en"]


class Currency(models.Model):
    """A currency the shop shows prices in; its decimals come from CLDR (shop/money.py)."""

    ANNOUNCES = "shop"

    code = models.CharField(max_length=3, primary_key=True)
    symbol = models.CharField(max_length=8)
    name = models.CharField(max_length=60)

    class Meta:
        ordering = ["code"]
        verbose_name_plural = "currencies"

    def __str__(self) -> str:
        return self.code


class Rate(models.Model):
    """INR for one unit of a currency, from a moment on. The newest one counts; older ones are history."""

    ANNOUNCES = "shop"

    currency = models.ForeignKey(Currency, models.CASCADE, related_name="rates")
    inr = models.DecimalField(max_digits=20, decimal_places=10, validators=[MinValueValidator(Decimal("0.0000000001"))])
    valid_from = models.DateTimeField(default=timezone.now)
    source = models.CharField(max_length=200, blank=True)

    class Meta:
        get_latest_by = "valid_from"
        indexes = [models.Index(fields=["currency", "-valid_from"], name="newest_rate")]
        constraints = [models.CheckConstraint(condition=models.Q(inr__gt=0), name="rate_is_positive")]

    def __str__(self) -> str:
        return f"1 {self.currency_id} = ₹{self.inr.normalize():f}"


def check_time_zone(name: str) -> None:
    if name not in available_timezones():
        raise ValidationError(gettext("Enter an IANA time zone, such as Europe/London."))


class Location(models.Model):
    """A country the shop delivers to. Ids are stable: India 1, USA 22."""

    ANNOUNCES = "shop"

    id = models.PositiveIntegerField(primary_key=True)
    name = models.CharField(max_length=80, unique=True)
    code = models.CharField(
        max_length=2, unique=True, help_text="Two-letter country code, such as IN; it also picks the flag."
    )
    currency = models.ForeignKey(Currency, models.PROTECT, related_name="locations")
    phone_code = models.CharField(max_length=6, blank=True)
    transit_days = models.PositiveSmallIntegerField(default=2)
    time_zone = models.CharField(
        max_length=40,
        default="UTC",
        validators=[check_time_zone],
        help_text="For times shown to shoppers, such as Europe/London. If there are several, the most common.",
    )
    is_active = models.BooleanField(default=True)
    is_indexed = models.BooleanField(
        default=False, help_text="Give it its own hreflang link, sitemap and merchant feed."
    )
    languages = models.JSONField(default=english, help_text="Languages shoppers in this country can choose.")
    cash_on_delivery_max = models.DecimalField(max_digits=12, decimal_places=2, null=True, blank=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def local_name(self) -> str:
        """In the active language."""
        return local_country_name(self.code, self.name)


class Slab(models.Model):
    """Shipping for a subtotal below `tier_amount`, in the location's own currency."""

    ANNOUNCES = "shop"

    location = models.ForeignKey(Location, models.CASCADE, related_name="slabs")
    tier_amount = models.DecimalField(max_digits=12, decimal_places=3)
    shipping_cost = models.DecimalField(max_digits=12, decimal_places=3)

    class Meta:
        ordering = ["location", "tier_amount"]
        constraints = [
            models.UniqueConstraint(fields=["location", "tier_amount"], name="one_slab_a_tier"),
            models.CheckConstraint(
                condition=models.Q(tier_amount__gt=0, shipping_cost__gte=0), name="slab_amounts_make_sense"
            ),
        ]

    def __str__(self) -> str:
        said = gettext("%(location)s: below %(amount)s costs %(cost)s")
        return said % {"location": self.location, "amount": self.tier_amount, "cost": self.shipping_cost}


class ServiceRule(models.Model):
    """Whether and how the shop delivers to postcodes that begin alike. The longest prefix counts; where
    no rule fits, the shop delivers. An empty prefix stands for the whole country."""

    ANNOUNCES = "shop"

    location = models.ForeignKey(Location, models.CASCADE, related_name="service_rules")
    prefix = models.CharField(
        max_length=12,
        blank=True,
        help_text="Start of the PIN code or postcode, such as 744 or SW1. Leave empty for the whole country.",
    )
    is_served = models.BooleanField("served", default=True)
    extra_days = models.PositiveSmallIntegerField(
        default=0, validators=[MaxValueValidator(60)], help_text="Extra delivery days."
    )
    cash_on_delivery = models.BooleanField(default=True, help_text="Only where the country allows it.")
    note = models.CharField(max_length=120, blank=True, help_text="Shown to the shopper, for example: Only by boat.")

    class Meta:
        ordering = ["location", "prefix"]
        constraints = [models.UniqueConstraint(fields=["location", "prefix"], name="one_service_rule_a_prefix")]

    def __str__(self) -> str:
        return f"{self.location} {self.prefix or 'everywhere'}"

    def clean(self) -> None:
        self.prefix = bare_postcode(self.prefix)


def bare_postcode(typed: str) -> str:
    """A postcode as rules compare it: capitals and digits, nothing between them."""
    return "".join(char for char in typed.upper() if char.isalnum())


class PinCode(models.Model):
    """A PIN code of India as a loaded directory knows it (manage.py import_pincodes)."""

    pin = models.CharField(max_length=6, primary_key=True)
    city = models.CharField(max_length=100)
    state = models.CharField(max_length=100)
    district = models.CharField(max_length=100, blank=True)

    def __str__(self) -> str:
        return f"{self.pin} {self.city}"
