"""What later rooms hear of orders, inside the transaction in which it happens."""

from django.dispatch import Signal

order_delivered = Signal()  # with `order`, locked: the last of it arrived (cash was collected)
