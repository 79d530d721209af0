import uuid

from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from shop.accounts.models import Customer
from shop.catalog.models import Brand, Category, Product, Variant
from shop.markets.models import Location
from shop.translated import TranslatedModel, TranslationsField


class Coupon(TranslatedModel):
    """A discount, by a code or automatic. Amounts are INR and are converted like prices.

    An automatic one is named by its code, too, on orders and in the back office; nobody can type it.
    """

    ANNOUNCES = "shop"

    class Kind(models.TextChoices):
        PERCENT = "percent", "Percentage off"
        AMOUNT = "amount", "Amount off"
        FREE_SHIPPING = "free_shipping", "Free shipping"
        BUY_GET = "buy_get", "Buy some, get some"

    code = models.CharField(max_length=40, unique=True, help_text="Capital letters, digits and hyphens.")
    is_automatic = models.BooleanField(
        "automatic", default=False, db_default=False, help_text="Applied without a code to every cart that qualifies."
    )
    description = models.CharField(max_length=120, blank=True, help_text="Shown to the shopper, for example: 10% off.")
    kind = models.CharField(max_length=13, choices=Kind)
    percent = models.DecimalField(max_digits=5, decimal_places=2, null=True, blank=True)
    amount_inr = models.DecimalField(max_digits=12, decimal_places=2, null=True, blank=True)
    most_inr = models.DecimalField(
        "maximum discount (INR)",
        max_digits=12,
        decimal_places=2,
        null=True,
        blank=True,
        help_text="The most that a percentage can take off.",
    )
    buy_quantity = models.PositiveSmallIntegerField("buy", null=True, blank=True, help_text="Units at the full price.")
    get_quantity = models.PositiveSmallIntegerField(
        "get", null=True, blank=True, help_text="Units that get the percentage off: the cheapest ones."
    )
    minimum_inr = models.DecimalField("minimum subtotal (INR)", max_digits=12, decimal_places=2, default=0)
    is_first_order = models.BooleanField(
        "first orders only", default=False, db_default=False, help_text="For customers who have not ordered before."
    )
    products = models.ManyToManyField(Product, blank=True, related_name="+")
    categories = models.ManyToManyField(
        Category, blank=True, related_name="+", help_text="With all categories below them."
    )
    brands = models.ManyToManyField(Brand, blank=True, related_name="+")
    locations = models.ManyToManyField(
        Location, blank=True, related_name="+", help_text="Leave empty for every country."
    )
    starts_at = models.DateTimeField(default=timezone.now)
    ends_at = models.DateTimeField(null=True, blank=True)
    total_limit = models.PositiveIntegerField(null=True, blank=True, help_text="Total uses by all customers.")
    customer_limit = models.PositiveIntegerField(null=True, blank=True, default=1, help_text="Uses per customer.")
    is_active = models.BooleanField(default=True)
    is_listed = models.BooleanField(
        "shown at the checkout",
        default=False,
        db_default=False,
        help_text="Customers whose cart qualifies see the code. Leave it off for codes meant only for certain people.",
    )
    uses = models.PositiveIntegerField(
        default=0, editable=False, help_text="Orders that used it, not counting cancelled ones."
    )

    translations = TranslationsField("description")

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="percent", percent__gt=0, percent__lte=100, amount_inr__isnull=True)
                | Q(kind="amount", amount_inr__gt=0, percent__isnull=True)
                | Q(kind="free_shipping", percent__isnull=True, amount_inr__isnull=True)
                | Q(kind="buy_get", percent__gt=0, percent__lte=100, amount_inr__isnull=True),
                name="coupon_is_percent_or_amount",
                violation_error_message="Give a percentage from above 0 to 100, or an amount above 0; not both.",
            ),
            models.CheckConstraint(
                condition=Q(kind="buy_get", buy_quantity__gte=1, get_quantity__gte=1)
                | (~Q(kind="buy_get") & Q(buy_quantity__isnull=True, get_quantity__isnull=True)),
                name="coupon_buys_and_gets",
                violation_error_message="Say how many to buy and how many to get, for this kind alone.",
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
    """The open cart of a customer, or of a guest who holds its secret in a cookie; or one that staff fill for a
    customer, who may have several and never sees them as their own.

    The public id names the cart in calls and opens nothing by itself.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    customer = models.OneToOneField(Customer, models.CASCADE, null=True, blank=True, related_name="cart")
    on_behalf_of = models.ForeignKey(
        Customer, models.CASCADE, null=True, blank=True, editable=False, related_name="carts_of_staff"
    )
    coupon = models.ForeignKey(Coupon, models.SET_NULL, null=True, blank=True, related_name="+")
    use_points = models.BooleanField(default=False)
    secret_hash = models.CharField(max_length=64, unique=True, null=True, blank=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now)
    changed_at = models.DateTimeField(auto_now=True, db_index=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(customer__isnull=False, secret_hash__isnull=True, on_behalf_of__isnull=True)
                | Q(customer__isnull=True, secret_hash__isnull=False, on_behalf_of__isnull=True)
                | Q(customer__isnull=True, secret_hash__isnull=True, on_behalf_of__isnull=False),
                name="cart_has_one_holder",
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
