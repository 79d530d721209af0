"""What later rooms may listen to."""

from django.dispatch import Signal

# Sent with `customer` while the answer to a sign-in is put together. A receiver returns the members
# its room adds, such as {"cart": {"id": …}}; accounts itself knows nothing of carts.
describing_customer = Signal()
