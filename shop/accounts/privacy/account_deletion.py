"""Deletion of an account, for good. Orders, invoices and points stay as the law wants them, with a row that
names nobody."""

from allauth.account.models import EmailAddress
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from shop.catalog.models import StockAlert
from shop.errors import ShopError

from ..auth.reauthentication import check_reauthentication
from ..models import Customer, Wishlist
from ..notices import notify
from ..otp.services import spend_code
from ..sessions.revocation import revoke_credentials
from ..signals import account_deleted


class StaffAccountNotDeletable(ShopError):
    code = "staff_stay"

    def __init__(self) -> None:
        super().__init__(gettext("Staff accounts can't be deleted. Ask the owner to remove your role first."))


def delete_account(
    customer: Customer, *, client_address: str, browser: str = "", password: str = "", digits: str = ""
) -> None:
    """Take away every way in and what only the customer needed; the same address may sign up anew.

    Raises StaffAccountNotDeletable, WrongReauthentication, WrongCode, TooMany.
    """
    if customer.is_staff:
        raise StaffAccountNotDeletable()
    code = check_reauthentication(
        customer, client_address=client_address, browser=browser, password=password, digits=digits
    )
    with transaction.atomic():
        own = Customer.objects.select_for_update().get(pk=customer.pk)
        if code:
            spend_code(code)
        notify(own, "account_closed", gettext_lazy("Your account at {shop_name} has been deleted"), name=own.name)
        _delete(own)


def delete_if_never_used(customer: Customer) -> bool:
    """Delete an account that the desk opened and whose person never signed in; says whether it did. `customer` is
    locked by the caller. Nobody is written to: the person may not know of the account."""
    # An email is proven by its owner, a number given on the phone is not.
    was_used = customer.last_login or customer.has_usable_password() or customer.email
    if was_used or customer.is_staff or customer.deleted_at:
        return False
    _delete(customer)
    return True


def _delete(customer: Customer) -> None:
    revoke_credentials(customer)
    EmailAddress.objects.filter(user=customer).delete()
    _delete_related_data(customer)
    account_deleted.send(sender=Customer, customer=customer)
    _anonymise(customer)


def _delete_related_data(customer: Customer) -> None:
    customer.addresses.all().delete()
    customer.consents.all().delete()
    customer.notes.all().delete()
    customer.tags.all().delete()
    Wishlist.objects.filter(customer=customer).delete()
    if customer.email:
        StockAlert.objects.filter(email=customer.email).delete()


def _anonymise(customer: Customer) -> None:
    customer.email = customer.phone = None
    customer.name = ""
    customer.is_active = False
    customer.deleted_at = timezone.now()
    customer.set_unusable_password()
    customer.save(update_fields=["email", "phone", "name", "is_active", "deleted_at", "password"])
