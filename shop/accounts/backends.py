from django.contrib.auth.backends import ModelBackend
from django.http import HttpRequest

from .models import Customer


class EmailOrMobileBackend(ModelBackend):
    """Sign-in by a canonical e-mail or mobile.

    It takes no `username`, so nothing signs in around the limits of services.check_sign_in.
    """

    def authenticate(  # type: ignore[override]
        self, request: HttpRequest | None, *, address: str, password: str
    ) -> Customer | None:
        field = "email" if "@" in address else "phone"
        customer = Customer.objects.filter(**{field: address}).first() if address else None
        if customer is None:
            Customer().set_password(password)  # takes as long as a comparison
            return None
        if customer.check_password(password) and self.user_can_authenticate(customer):
            return customer
        return None
