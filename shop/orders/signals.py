"""Signals of orders to later apps, inside the transaction in which it happens; and what those apps show staff."""

from django.dispatch import Signal

order_delivered = Signal()  # with `order`, locked: the last of it arrived (cash was collected)

# Sent with `request` (PlaceOrder) and `view` (CartView) before an order of prescription medicines is written, its
# customer locked. A receiver raises ShopError where something is missing.
checking_prescription = Signal()

# Sent with `order` and `request` once its lines are written, or found as the same checkout left them; it waits for its
# payment, unless nothing is paid online. Its row is locked, or of this transaction.
prescription_ordered = Signal()

# Sent with `order`, whose row is locked, before it is packed. A receiver raises WrongState where it must wait.
starting_to_pack = Signal()

# Sent with `lines` (of a parcel, replacements among them, with their batches) once they are packed: the row of their
# order is locked.
parcel_packed = Signal()

# Sent with `order`, placed just now or a while ago. A receiver returns in words, of the active language, what happens
# before it is packed, or an empty text.
asking_before_packing = Signal()

# Sent while the board is put together. A receiver returns the columns its app adds (board.Column).
naming_columns = Signal()

# Sent with `orders`. A receiver returns INR by order id: what was paid for them and is not on its way back yet.
asking_what_is_paid = Signal()

# Sent with `order` for its customer's page. A receiver returns the list of present.ShownRefund that its app knows.
asking_refunds = Signal()

# Sent with `order` and `user` for the staff's page of an order. A receiver returns what its app shows there:
# {"template": …, and what that template reads}, or None.
showing_order = Signal()
