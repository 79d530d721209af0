"""Active substances, and which of them a product holds in which strength.

Staff, imports and exports read and write `Product.active_ingredients`; the rows here follow from it (services.py).
"""

from django.db import models

from shop.translated import TranslatedModel, TranslationsField

from .strengths import Strength


class Substance(TranslatedModel):
    """One active substance, whatever its names: `key` is the same for paracetamol and acetaminophen."""

    ANNOUNCES = "shop"

    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=120, unique=True)
    key = models.CharField(max_length=120, unique=True, editable=False)
    translations = TranslationsField("name")

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Component(models.Model):
    """A substance of a product as its label names it. Without a measure (`per_unit`) the strength is that of one tablet
    or the like; `amount` is empty where the label states none, or one that the shop cannot read."""

    product = models.ForeignKey("catalog.Product", models.CASCADE, related_name="components")
    substance = models.ForeignKey(Substance, models.PROTECT, related_name="components")
    position = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=120)
    amount = models.DecimalField(max_digits=15, decimal_places=5, null=True)
    unit = models.CharField(max_length=20, blank=True)
    per_amount = models.DecimalField(max_digits=15, decimal_places=5, null=True)
    per_unit = models.CharField(max_length=12, blank=True)

    class Meta:
        ordering = ["product_id", "position"]
        constraints = [models.UniqueConstraint(fields=["product", "position"], name="one_component_a_position")]

    def __str__(self) -> str:
        return f"{self.name} {self.strength}".strip()

    @property
    def strength(self) -> str:
        return "" if self.amount is None else str(Strength(self.amount, self.unit, self.per_amount, self.per_unit))

    @property
    def shown_name(self) -> str:
        """The label's; in the active language where it is the substance's own name."""
        return self.substance.translated.name if self.name == self.substance.name else self.name
