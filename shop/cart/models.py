import uuid

from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from shop.accounts.models import Customer
from shop.catalog.models import Variant
from shop.markets.models import Location


class Coupon(models.Model):
    """A code that makes a cart cheaper. Amounts are INR and are converted like prices."""

    class Kind(models.TextChoices):
        PERCENT = "percent"
        AMOUNT = "amount"

    code = models.CharField(max_length=40, unique=True, help_text="Capital letters, digits and hyphens.")
    description = models.CharField(max_length=120, blank=True, help_text="Shown to the shopper, for example: 10% off.")
    kind = models.CharField(max_length=7, choices=Kind)
    percent = models.DecimalField(max_digits=5, decimal_places=2, null=True, blank=True)
    amount_inr = models.DecimalField(max_digits=12, decimal_places=2, null=True, blank=True)
    most_inr = models.DecimalField(
        "at most (INR)",
        max_digits=12,
        decimal_places=2,
        null=True,
        blank=True,
        help_text="Highest discount that a percentage can give.",
    )
    minimum_inr = models.DecimalField("minimum subtotal (INR)", max_digits=12, decimal_places=2, default=0)
    locations = models.ManyToManyField(
        Location, blank=True, related_name="+", help_text="Leave empty for every country."
    )
    starts_at = models.DateTimeField(default=timezone.now)
    ends_at = models.DateTimeField(null=True, blank=True)
    total_limit = models.PositiveIntegerField(null=True, blank=True, help_text="Total uses by all customers.")
    customer_limit = models.PositiveIntegerField(null=True, blank=True, default=1, help_text="Uses per customer.")
    is_active = models.BooleanField(default=True)
    uses = models.PositiveIntegerField(
        default=0, editable=False, help_text="Orders that used it, without cancelled ones."
    )

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="percent", percent__gt=0, percent__lte=100, amount_inr__isnull=True)
                | Q(kind="amount", amount_inr__gt=0, percent__isnull=True),
                name="coupon_is_percent_or_amount",
                violation_error_message="Give a percentage from above 0 to 100, or an amount above 0; not both.",
            ),
            models.CheckConstraint(
                condition=Q(total_limit__isnull=True) | Q(uses__lte=F("total_limit")), name="coupon_uses_within_limit"
            ),
        ]

    def __str__(self) -> str:
        return self.code


class CouponUse(models.Model):
    """A coupon that an order took; gone again when the order is cancelled."""

    coupon = models.ForeignKey(Coupon, models.PROTECT, related_name="taken")
    customer = models.ForeignKey(Customer, models.CASCADE, related_name="coupon_uses")
    reference = models.CharField(max_length=40, unique=True, help_text="Order number.")
    at = models.DateTimeField(default=timezone.now)
    is_placed = models.BooleanField(default=False, help_text="If not, the order is waiting for payment.")

    def __str__(self) -> str:
        return f"{self.coupon_id} in {self.reference}"


class Cart(models.Model):
    """The open cart of a customer, or of a guest who holds its secret in a cookie.

    The public id names the cart in calls and opens nothing by itself.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    customer = models.OneToOneField(Customer, models.CASCADE, null=True, blank=True, related_name="cart")
    coupon = models.ForeignKey(Coupon, models.SET_NULL, null=True, blank=True, related_name="+")
    use_points = models.BooleanField(default=False)
    secret_hash = models.CharField(max_length=64, unique=True, null=True, blank=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now)
    changed_at = models.DateTimeField(auto_now=True, db_index=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(customer__isnull=False) ^ Q(secret_hash__isnull=False), name="cart_has_one_holder"
            )
        ]

    def __str__(self) -> str:
        return str(self.public_id)


class CartLine(models.Model):
    cart = models.ForeignKey(Cart, models.CASCADE, related_name="lines")
    variant = models.ForeignKey(Variant, models.CASCADE, related_name="+")
    quantity = models.PositiveSmallIntegerField(validators=[MinValueValidator(1)])
    is_saved = models.BooleanField(default=False, help_text="Saved for later: listed below the cart and not ordered.")
    seen_price = models.DecimalField(
        max_digits=14, decimal_places=3, null=True, blank=True, help_text="Price of one when it was added."
    )
    seen_market = models.CharField(max_length=8, blank=True, help_text="Market of that price, such as IN-INR.")
    added_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["cart", "variant"], name="one_line_a_variant"),
            models.CheckConstraint(condition=Q(quantity__gte=1), name="a_line_holds_something"),
        ]

    def __str__(self) -> str:
        return f"{self.quantity} × {self.variant_id}"
