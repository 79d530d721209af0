"""What customers change of their account: the name, and the addresses that they sign in with."""

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from shop.errors import Invalid
from shop.text import one_line

from ..auth.services import MAX_NAME_LENGTH
from ..models import Code, Consent, Customer
from ..notices import at_shop
from ..notifications import write_to
from ..otp.services import CodeMessage, WrongCode, allow_send, check_code, holder_of, key_of, send_code, spend_code
from ..privacy.consents import privacy_version, record_consent, withdraw_consent
from ..queries import customer_at
from ..sessions.revocation import delete_codes, unlink_google

CHANGE = Code.Purpose.CHANGE_ADDRESS


def change_name(customer: Customer, name: str) -> None:
    """Raises Invalid."""
    name = one_line(name)
    if not 1 <= len(name) <= MAX_NAME_LENGTH:
        problem = gettext("Name is required")
        raise Invalid(problem, fields={"name": [problem]})
    Customer.objects.filter(pk=customer.pk).update(name=name)
    customer.name = name


def choose_newsletter(customer: Customer, *, subscribed: bool) -> None:
    """Letters about offers: none without a consent, which may be taken back at any time."""
    if not subscribed:
        withdraw_consent(customer, Consent.Kind.MARKETING)
    elif not wants_newsletter(customer):
        record_consent(customer, Consent.Kind.MARKETING, privacy_version())


def wants_newsletter(customer: Customer) -> bool:
    return customer.consents.filter(kind=Consent.Kind.MARKETING, withdrawn_at=None).exists()


def start_address_change(customer: Customer, *, address: str, client_address: str) -> None:
    """Send a code to the new e-mail or mobile of a customer who has just reauthenticated.

    An address of another account gets an email that says so, and the caller cannot tell the
    difference. Raises Invalid, TooMany.
    """
    if address in (customer.email, customer.phone):
        problem = (
            gettext("This is already your email.") if "@" in address else gettext("This is already your mobile number.")
        )
        raise Invalid(problem, fields={_kind(address): [problem]})
    allow_send(address, client_address=client_address)
    is_free = customer_at(address) is None
    subject = at_shop(_("Your account at {shop_name}"))
    message = CodeMessage("change_code", subject)
    if not is_free:
        message = CodeMessage("account_exists", subject, {"signin_url": settings.SHOP_URL + reverse("signin")})
    send_code(purpose=CHANGE, address=address, message=message, is_real=is_free, holder=holder_of(key_of(customer)))


def finish_address_change(customer: Customer, *, address: str, digits: str) -> None:
    """Put the address that the code confirms in the place of the one before; raises WrongCode.

    The code must be this very customer's. A new e-mail ends the links to Google. Codes under way to the former
    addresses end, and the former address, or the other one of the account, is notified.
    """
    code = check_code(purpose=CHANGE, address=address, digits=digits, holder=holder_of(key_of(customer)))
    try:
        with transaction.atomic():
            spend_code(code)
            own = Customer.objects.select_for_update().get(pk=customer.pk)
            if not own.is_active:  # closed meanwhile
                raise WrongCode()
            notified = getattr(own, _field(address)) or own.email or own.phone or ""
            delete_codes(own)
            setattr(own, _field(address), address)
            own.save(update_fields=[_field(address)])
            _keep_email_row(own)
            if "@" in address:
                unlink_google(own)
            _notify_of_change(notified, own, address)
    except IntegrityError as error:  # somebody else's by now
        raise WrongCode() from error
    setattr(customer, _field(address), address)


def _keep_email_row(customer: Customer) -> None:
    EmailAddress.objects.filter(user=customer).exclude(email=customer.email).delete()
    if customer.email:
        EmailAddress.objects.update_or_create(
            user=customer, email=customer.email, defaults={"verified": True, "primary": True}
        )


def _notify_of_change(notified: str, customer: Customer, address: str) -> None:
    by_email = _("Your email at {shop_name} was changed")
    subject = at_shop(by_email if "@" in address else _("Your mobile number at {shop_name} was changed"))
    write_to(
        notified,
        "address_changed",
        subject,
        language=customer.language,
        name=customer.name,
        changed=_kind(address),
    )


def _kind(address: str) -> str:
    return "email" if "@" in address else "mobile"


def _field(address: str) -> str:
    return "email" if "@" in address else "phone"
