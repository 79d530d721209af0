"""Signals that later apps may listen to."""

from django.dispatch import Signal

products_changed = Signal()  # product_ids: list[int]; sent inside the transaction that changed them
