"""Orders that the desk prepares for a customer on the phone, to be paid by a link (payments/drafts/) or at the door."""
