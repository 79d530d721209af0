"""What a customer or visitor keeps in mind, and what they want to be told about it."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from shop.catalog.models import Product
from shop.markets.models import Location
from shop.messaging.languages import language_now


class Wishlist(models.Model):
    """Of a customer, or of a visitor who holds its secret in a cookie; whoever has the address with `share_key` reads
    what is on it, and nothing of the person."""

    customer = models.OneToOneField("accounts.Customer", models.CASCADE, null=True, blank=True, related_name="wishlist")
    secret_hash = models.CharField(max_length=64, unique=True, null=True, blank=True, editable=False)
    share_key = models.CharField(max_length=32, unique=True, null=True, blank=True, editable=False)
    changed_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(customer__isnull=False, secret_hash__isnull=True)
                | Q(customer__isnull=True, secret_hash__isnull=False),
                name="wishlist_has_one_holder",
            )
        ]

    def __str__(self) -> str:
        return f"Wishlist of {self.customer_id or 'a visitor'}"


class WishlistItem(models.Model):
    """One product. The notices are for the market in which they were asked for, once each."""

    wishlist = models.ForeignKey(Wishlist, models.CASCADE, related_name="items")
    product = models.ForeignKey(Product, models.CASCADE, related_name="+")
    added_at = models.DateTimeField(default=timezone.now)
    wants_price = models.BooleanField(default=False, help_text="Is told once when it costs less than `seen_price`.")
    wants_stock = models.BooleanField(default=False, help_text="Is told once when it can be bought again.")
    seen_price = models.DecimalField(
        max_digits=12, decimal_places=3, null=True, blank=True, help_text="Selling price in the location's currency."
    )
    location = models.ForeignKey(Location, models.CASCADE, null=True, blank=True, related_name="+")
    language = models.CharField(max_length=8, default=language_now, db_default="en")

    class Meta:
        ordering = ["-added_at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["wishlist", "product"], name="one_item_a_product"),
            models.CheckConstraint(
                condition=Q(wants_price=False, wants_stock=False) | Q(location__isnull=False),
                name="a_notice_has_its_market",
            ),
        ]
        indexes = [
            models.Index(fields=["product"], condition=Q(wants_price=True) | Q(wants_stock=True), name="wished_notices")
        ]

    def __str__(self) -> str:
        return f"{self.product_id} on {self.wishlist_id}"

    @property
    def alone(self) -> list[int]:
        """What {% cards %} shows of it."""
        return [self.product_id]
