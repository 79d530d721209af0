"""Sign-up, sign-in and the address book."""

from collections.abc import Callable
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth import authenticate
from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy

from shop.errors import Invalid, NotFound, ShopError, VerificationFailed
from shop.markets.market import Market
from shop.text import one_line

from ..addresses.rules import clean_address
from ..contact_points import canonical_email, canonical_mobile
from ..models import Address, Code, Consent, Customer
from ..notices import at_shop
from ..otp.services import CodeMessage, WrongCode, allow_send, check_code, holder_of, new_key, send_code, spend_code
from ..passwords.services import check_password_rules
from ..privacy.consents import privacy_version, record_consent
from ..queries import customer_at
from .login_attempts import count_attempt, reset_attempts

MAX_NAME_LENGTH = 100
MAX_ADDRESSES = 20


class WrongCredentials(VerificationFailed):
    """One answer for every cause."""

    code = "wrong_credentials"

    def __init__(self) -> None:
        super().__init__(gettext("Wrong Credentials ...."))


class TooManyAddresses(ShopError):
    code = "too_many_addresses"

    def __init__(self) -> None:
        words = gettext("You can save up to %(most)s addresses. Delete one you no longer need.")
        super().__init__(words % {"most": MAX_ADDRESSES})


# --- Sign-up ------------------------------------------------------------------


def start_sign_up(
    *, name: str, address: str, password: str, client_address: str, wants_newsletter: bool = False, puzzle: str = ""
) -> str:
    """Send a code to a canonical address; returns the key of this sign-up. `wants_newsletter` about offers.

    No account exists until finish_sign_up, which takes the key: another sign-up of the same address is a
    row of its own, with its own name, password and code. An address that has an account already gets a
    mail that says so, and the caller cannot tell the difference. Raises Invalid, TooMany.
    """
    name = one_line(name)
    if not 1 <= len(name) <= MAX_NAME_LENGTH:
        raise Invalid(gettext("Name is required"), fields={"name": [gettext("Name is required")]})
    check_password_rules(password)
    allow_send(address, client_address=client_address, puzzle=puzzle)
    key = new_key()
    agreed = {"privacy": privacy_version(), "marketing": wants_newsletter}
    _send_sign_up_code(address, key, {"name": name, "password": make_password(password)} | agreed)
    return key


def sent_words(address: str) -> str:
    return gettext("OTP sent to your email") if "@" in address else gettext("OTP sent to your mobile")


def resend_sign_up_code(*, address: str, key: str, client_address: str) -> None:
    """Send another code for a pending sign-up. Raises BadProof when it is no longer pending, TooMany."""
    own = Code.objects.filter(purpose=Code.Purpose.SIGN_UP, address=address, browser=holder_of(key), used_at=None)
    code = own.first() if key else None
    if code is None:
        raise VerificationFailed(gettext("This sign-up has expired. Please start again."))
    allow_send(address, client_address=client_address)
    _send_sign_up_code(address, key, code.payload)


def finish_sign_up(*, address: str, digits: str, key: str) -> Customer:
    """Make the account of the sign-up with this key, once its own code confirms it; raises WrongCode.

    Whoever asked for another one with the same address, and another password, gets nothing from our
    opening the mail.
    """
    if not key:
        raise WrongCode()
    code = check_code(purpose=Code.Purpose.SIGN_UP, address=address, digits=digits, holder=holder_of(key))
    try:
        with transaction.atomic():
            spend_code(code)
            return _open_account(address, code.payload)
    except IntegrityError as error:  # the address got an account another way
        raise WrongCode() from error


def _open_account(address: str, payload: dict[str, Any]) -> Customer:
    """Make what a code has confirmed, with what was agreed to when it was asked for."""
    customer = create_customer(address=address, name=payload["name"], password_hash=payload["password"])
    record_consent(customer, Consent.Kind.PRIVACY, payload["privacy"])
    if payload["marketing"]:
        record_consent(customer, Consent.Kind.MARKETING, payload["privacy"])
    return customer


def create_customer(*, address: str, name: str, password_hash: str) -> Customer:
    """A customer whose canonical address is proven."""
    field = "email" if "@" in address else "phone"
    with transaction.atomic():
        customer = Customer.objects.create(**{field: address}, name=name, password=password_hash)
        if field == "email":
            EmailAddress.objects.create(user=customer, email=address, verified=True, primary=True)
    return customer


def _send_sign_up_code(address: str, key: str, payload: dict[str, Any]) -> None:
    is_new = customer_at(address) is None
    subject = at_shop(gettext_lazy("Your account at {shop_name}"))
    message = CodeMessage("sign_up_code", subject)
    if not is_new:
        message = CodeMessage("account_exists", subject, {"signin_url": settings.SHOP_URL + reverse("signin")})
    send_code(
        purpose=Code.Purpose.SIGN_UP,
        address=address,
        message=message,
        payload=payload,
        is_real=is_new,
        holder=holder_of(key),
    )


# --- Sign-in ------------------------------------------------------------------


def check_sign_in(
    *,
    email: str = "",
    mobile: str = "",
    password: str,
    country_code: str,
    client_address: str,
    browser: Callable[[str], str] = lambda address: "",
    puzzle: str = "",
) -> Customer:
    """The customer with this e-mail or mobile, as typed, and password.

    Raises WrongCredentials for every cause, after the same work; TooMany after 5 wrong tries in
    5 minutes for one address or 10 wrong tries in a minute from one client. `browser` tells of a canonical
    address which browser of its customer asks (browsers.browser_of): that one has 5 tries of its own. `puzzle` is the
    solution of one that a refusal held (puzzles.py).
    """
    try:
        address = canonical_email(email) if email else canonical_mobile(mobile, country_code=country_code)
    except Invalid:
        address = ""
    typed = address or (email or mobile).strip().lower()
    known = browser(address)
    is_open = count_attempt(customer_at(address), typed, client_address=client_address, browser=known, puzzle=puzzle)
    customer = authenticate(address=address if is_open else "", password=password)
    if not isinstance(customer, Customer):
        raise WrongCredentials()
    reset_attempts(customer, typed, client_address=client_address, browser=known)
    return customer


# --- The address book ---------------------------------------------------------


def add_address(customer: Customer, market: Market, data: dict[str, Any], *, is_default: bool = True) -> Address:
    """Keep a new address in the market's country; the first one is the default in any case. One that is kept
    already with all its fields is answered in its place, so that sending twice adds once.

    `data` holds Address fields. Raises Invalid naming the fields, TooManyAddresses.
    """
    cleaned = clean_address(data, country_code=market.country_code)
    with transaction.atomic():
        _lock(customer)
        kept = customer.addresses.count()
        address = customer.addresses.filter(country_id=market.location_id, **cleaned).first()
        if address is None and kept >= MAX_ADDRESSES:
            raise TooManyAddresses()
        address = address or Address.objects.create(customer=customer, country_id=market.location_id, **cleaned)
        if is_default or not kept:
            _make_default(address)
    return address


def update_address(
    customer: Customer, address_id: int, changes: dict[str, Any], *, is_default: bool = False
) -> Address:
    """Change the given fields of an own address, which as a whole must still be valid in its
    country, and make it the default if so said.

    Raises NotFound for a missing or foreign address, Invalid.
    """
    with transaction.atomic():
        _lock(customer)
        address = _own_address(customer, address_id)
        if changes:
            cleaned = clean_address(address.as_fields() | changes, country_code=address.country.code)
            for name, value in cleaned.items():
                setattr(address, name, value)
            address.save(update_fields=list(cleaned))
        if is_default:
            _make_default(address)
    return address


def choose_address(customer: Customer, address_id: int) -> Address:
    """Make an own address the default; raises NotFound."""
    with transaction.atomic():
        _lock(customer)
        address = _own_address(customer, address_id)
        _make_default(address)
    return address


def delete_address(customer: Customer, address_id: int) -> None:
    """Delete an own address; the newest of the others follows a deleted default. Raises NotFound."""
    with transaction.atomic():
        _lock(customer)
        address = _own_address(customer, address_id)
        address.delete()
        newest = customer.addresses.order_by("-id").first()
        if address.is_default and newest:
            _make_default(newest)


def _lock(customer: Customer) -> None:
    """One writer at a time for one address book, so that count and default stay true."""
    Customer.objects.select_for_update().get(pk=customer.pk)


def _own_address(customer: Customer, address_id: int) -> Address:
    address = customer.addresses.select_related("country").filter(pk=address_id).first()
    if address is None:
        raise NotFound()
    return address


def _make_default(address: Address) -> None:
    Address.objects.filter(customer_id=address.customer_id, is_default=True).update(is_default=False)
    Address.objects.filter(pk=address.pk).update(is_default=True)
    address.is_default = True
