"""What a password must be, and the two ways to another one."""

from django.conf import settings
from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy

from shop.errors import Invalid, ShopError, VerificationFailed

from ..auth.login_attempts import count_own_attempt, reset_attempts
from ..models import Code, Customer
from ..notices import at_shop, notify
from ..otp.services import CodeMessage, WrongCode, allow_send, check_code, holder_of, send_code, spend_code
from ..queries import customer_at
from ..sessions.revocation import delete_codes, end_sign_ins, unlink_google

MIN_LENGTH, MAX_LENGTH = 8, 128


class WrongPassword(VerificationFailed):
    code = "wrong_password"

    def __init__(self) -> None:
        problem = gettext("That's not your current password.")
        super().__init__(problem, fields={"current_password": [problem]})


class NoPassword(ShopError):
    """The account was opened with a code and has none yet."""

    code = "no_password"

    def __init__(self) -> None:
        super().__init__(gettext("You don't have a password yet. Choose one with a code instead."))


class LengthValidator:
    """8 to 128 characters."""

    def validate(self, password: str, user: object = None) -> None:
        if not MIN_LENGTH <= len(password) <= MAX_LENGTH:
            raise ValidationError(self.get_help_text(), code="password_length")

    def get_help_text(self) -> str:
        return gettext("Use %(least)s to %(most)s characters.") % {"least": MIN_LENGTH, "most": MAX_LENGTH}


def check_password_rules(password: str, *, field: str = "password") -> None:
    """Raises Invalid, naming `field`, for a password that may not be chosen. It is judged as typed, never
    trimmed."""
    try:
        validate_password(password)
    except ValidationError as error:
        raise Invalid(error.messages[0], fields={field: error.messages}) from error


def start_reset(*, address: str, client_address: str, browser: str = "", key: str = "", puzzle: str = "") -> None:
    """Send a code that lets whoever reads the mail or SMS choose a new password; raises Invalid, TooMany.

    With a key it works with that key only: nobody else uses its guesses up, or replaces it. Nothing looks
    different for an address without an account. A mail says so to its owner; a number that has none gets
    nothing, for an SMS is money.
    """
    allow_send(address, client_address=client_address, browser=browser, puzzle=puzzle)
    customer = customer_at(address)
    may_reset = customer is not None and customer.is_active
    message: CodeMessage | None = None
    if may_reset:
        message = CodeMessage("reset_code", at_shop(gettext_lazy("Your password reset code for {shop_name}")))
    elif customer is None and "@" in address:
        signup_url = settings.SHOP_URL + reverse("signup")
        message = CodeMessage(
            "no_account", at_shop(gettext_lazy("No account at {shop_name}")), {"signup_url": signup_url}
        )
    send_code(
        purpose=Code.Purpose.RESET,
        address=address,
        message=message,
        is_real=may_reset,
        holder=holder_of(key) or browser,
    )


def finish_reset(*, address: str, digits: str, password: str, browser: str = "", key: str = "") -> None:
    """Set a new password with a code: every sign-in, code, known browser and link to Google ends, nobody is signed in.

    Passkeys stay: they are of devices that their customer holds, and would be lost to everybody who merely
    forgot a password. The profile says so, and removes them. Raises Invalid, WrongCode. Wrong passwords of
    the last minutes do not stand in the way.
    """
    check_password_rules(password, field="new_password")
    holder = holder_of(key) or browser
    code = check_code(purpose=Code.Purpose.RESET, address=address, digits=digits, holder=holder, or_shared=not key)
    password_hash = make_password(password)
    with transaction.atomic():
        spend_code(code)
        customer = customer_at(address)
        if customer is None or not customer.is_active:
            raise WrongCode()
        _replace_password(_locked(customer), password_hash)
        customer.known_browsers.all().delete()
        unlink_google(customer)
    reset_attempts(customer, address)


def change_password(customer: Customer, *, current: str, new: str, client_address: str, browser: str = "") -> None:
    """Replace the own password; every sign-in ends, the caller's included. Each call counts as a try to sign in,
    whatever is wrong with it.

    Raises Invalid, NoPassword, TooMany, WrongPassword.
    """
    if not customer.has_usable_password():
        raise NoPassword()
    count_own_attempt(customer, client_address=client_address, browser=browser)
    check_password_rules(new, field="new_password")
    proven = customer.password
    if not check_password(current, proven):
        raise WrongPassword()
    password_hash = make_password(new)
    with transaction.atomic():
        locked = _locked(customer)
        if locked.password != proven:  # changed meanwhile, elsewhere
            raise WrongPassword()
        _replace_password(locked, password_hash)
    reset_attempts(customer, client_address=client_address, browser=browser)


def _locked(customer: Customer) -> Customer:
    return Customer.objects.select_for_update(no_key=True).get(pk=customer.pk)


def _replace_password(customer: Customer, password_hash: str) -> None:
    customer.password = password_hash
    customer.save(update_fields=["password"])
    delete_codes(customer)
    end_sign_ins(customer)
    # At the stored address, where the owner reads it should it have been somebody else.
    forgot_url = settings.SHOP_URL + reverse("forgot_password")
    subject = gettext_lazy("Your password at {shop_name} was changed")
    notify(customer, "password_changed", subject, name=customer.name, forgot_url=forgot_url)
