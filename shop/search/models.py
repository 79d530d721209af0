from django.db import models
from django.utils import timezone

from shop.catalog.models import Product


class Document(models.Model):
    """The words of one product, field by field, cut and folded as text.py does. The database's own
    full-text index follows this table by itself: FTS5 through triggers, PostgreSQL through a generated
    column (migrations 0002 and 0003)."""

    product = models.OneToOneField(Product, models.CASCADE, primary_key=True, related_name="document")
    name = models.TextField()
    brand = models.TextField(blank=True)
    tags = models.TextField(blank=True, help_text="Categories and health concerns.")
    ingredients = models.TextField(blank=True, help_text="Ingredients and composition.")
    body = models.TextField(blank=True)

    def __str__(self) -> str:
        return self.name


class FacetSnapshot(models.Model):
    """The facet index of a large catalogue (one row), for every process to load; holds all changes
    up to `upto`."""

    format = models.PositiveSmallIntegerField()
    upto = models.DateTimeField()
    content = models.BinaryField()

    def __str__(self) -> str:
        return f"Facets of {self.upto}"


class GoneProduct(models.Model):
    """A product that was deleted, so that every process forgets it."""

    product_id = models.BigIntegerField(primary_key=True)
    at = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        return f"Product {self.product_id}"
