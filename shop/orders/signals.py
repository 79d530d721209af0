"""What later rooms hear of orders, inside the transaction in which it happens; and what they show the desk."""

from django.dispatch import Signal

order_delivered = Signal()  # with `order`, locked: the last of it arrived (cash was collected)

# Sent while the desk's board is put together. A receiver returns the columns its room adds (desk.Column).
naming_columns = Signal()

# Sent with `orders`. A receiver returns INR by order id: what was paid for them and is not on its way back yet.
asking_what_is_paid = Signal()

# Sent with `order` and `user` for the desk's page of an order. A receiver returns what its room shows there:
# {"template": …, and what that template reads}, or None.
showing_order = Signal()
