from django.db import models


class VisitCount(models.Model):
    """How often pages of a kind were opened on a day, in a country; nothing of who opened them."""

    class Kind(models.TextChoices):
        VISIT = "visit", "Visits"
        HOME = "home", "Home page"
        LIST = "list", "Lists and searches"
        PRODUCT = "product", "Product pages"
        CART = "cart", "Cart"
        CHECKOUT = "checkout", "Checkout"
        OTHER = "other", "Other pages"

    day = models.DateField()
    kind = models.CharField(max_length=8, choices=Kind)
    country = models.CharField(
        max_length=2, blank=True, help_text="Country in the page address. Empty if there is none."
    )
    times = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["-day", "kind", "country"]
        constraints = [models.UniqueConstraint(fields=["day", "kind", "country"], name="one_count_a_day_and_kind")]

    def __str__(self) -> str:
        return f"{self.day} {self.kind} {self.country}"
