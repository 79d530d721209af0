from django.db import models

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
