"""What later rooms may listen to."""

from django.dispatch import Signal

# Sent with `customer` while the answer to a sign-in is put together. A receiver returns the members
# its room adds, such as {"cart": {"id": …}}; accounts itself knows nothing of carts.
describing_customer = Signal()

# Sent with `customer` for the download of everything that is kept about a person. A receiver returns
# the members its room adds, such as {"orders": […]}.
collecting_data = Signal()

# Sent with `customer` inside the transaction that closes an account. A receiver deletes what its room
# need not keep.
account_deleted = Signal()

# Sent when somebody is shown the privacy notice. The receiver returns the version of its text.
naming_privacy_notice = Signal()
