"""What staff fill in to recall a batch."""

from shop.backoffice.forms import StaffForm

from .models import Recall


class RecallForm(StaffForm):
    class Meta:
        model = Recall
        fields = ("batch", "reason", "advice")
