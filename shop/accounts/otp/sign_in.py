"""Sign-in by a one-time code. Whoever has no account gets one: the code proves the address."""

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy

from ..auth.services import create_customer
from ..models import Code, Consent, Customer
from ..notices import at_shop
from ..privacy.consents import privacy_version, record_consent
from ..queries import customer_at
from .services import CodeMessage, WrongCode, allow_send, check_code, holder_of, send_code, spend_code


def send_sign_in_code(*, address: str, client_address: str, key: str, browser: str = "", puzzle: str = "") -> None:
    """Send a code to a canonical address, whether it has an account or not; raises Invalid, TooMany.

    It works with the key only that it was asked for with. Somebody whose account is closed to them gets
    none, and nobody can tell from outside.
    """
    allow_send(address, client_address=client_address, browser=browser, puzzle=puzzle)
    customer = customer_at(address)
    may_enter = customer is None or customer.is_active
    send_code(
        purpose=Code.Purpose.SIGN_IN,
        address=address,
        message=CodeMessage("sign_in_code", at_shop(gettext_lazy("Your code for {shop_name}"))) if may_enter else None,
        payload={"privacy": privacy_version()},
        is_real=may_enter,
        holder=holder_of(key),
    )


def finish_code_sign_in(*, address: str, digits: str, key: str) -> Customer:
    """Whom the code lets in: the customer with this address, or a new one without name and password, who
    agreed to the privacy notice that stood above the code's button. Raises WrongCode."""
    code = check_code(purpose=Code.Purpose.SIGN_IN, address=address, digits=digits, holder=holder_of(key))
    try:
        with transaction.atomic():
            spend_code(code)
            customer = customer_at(address)
            if customer is None:
                customer = create_customer(address=address, name="", password_hash=make_password(None))
                record_consent(customer, Consent.Kind.PRIVACY, code.payload["privacy"])
    except IntegrityError as error:  # the address got an account another way
        raise WrongCode() from error
    if not customer.is_active:
        raise WrongCode()
    return customer
