import uuid

from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone

from shop.accounts.models import Customer
from shop.catalog.models import Variant


class Cart(models.Model):
    """The open cart of a customer, or of a guest who holds its secret in a cookie.

    The public id names the cart in calls and opens nothing by itself.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    customer = models.OneToOneField(Customer, models.CASCADE, null=True, blank=True, related_name="cart")
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
    added_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["cart", "variant"], name="one_line_a_variant"),
            models.CheckConstraint(condition=Q(quantity__gte=1), name="a_line_holds_something"),
        ]

    def __str__(self) -> str:
        return f"{self.quantity} × {self.variant_id}"
