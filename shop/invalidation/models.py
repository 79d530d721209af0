from django.db import models


class Change(models.Model):
    """That something visitors see has changed; written in the transaction that changed it.

    A notice for other processes, not a history: rows are forgotten after an hour.
    """

    class Kind(models.TextChoices):
        PRODUCT = "product"  # what lists and cards of products show or are ordered by
        STOCK = "stock"  # only how many units of them are on hand
        SHOP = "shop"  # anything else: menus, pages, rates, locations

    kind = models.CharField(max_length=7, choices=Kind)
    ids = models.JSONField(default=list, help_text="Product IDs; empty for a change to the whole shop.")
    at = models.DateTimeField(auto_now_add=True, db_index=True)

    def __str__(self) -> str:
        return f"{self.kind} {self.ids}"


class PurgeState(models.Model):
    """How the purging of the CDN stands (cdn/purging.py): one row, written by every clock."""

    caught_up_at = models.DateTimeField(null=True, help_text="When all that had changed was purged.")
    error = models.CharField(max_length=300, blank=True, help_text="Of the last purge, if it failed.")

    def __str__(self) -> str:
        return self.error or "caught up"
