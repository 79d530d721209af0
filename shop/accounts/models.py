from typing import Any, ClassVar, Self

from allauth.account.models import EmailAddress
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import Group, PermissionsMixin
from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_noop, pgettext_lazy

from shop.backoffice.actors import ActorField
from shop.markets.models import Location
from shop.messaging.languages import language_now

from .addresses.fields import FIELD_NAMES


class CustomerManager(BaseUserManager["Customer"]):
    def create_user(self, email: str | None = None, password: str | None = None, **fields: Any) -> "Customer":
        """Create a customer; `email` and `phone` must be proven, in their canonical form (addresses.py)."""
        customer = self.model(email=email or None, **fields)
        customer.set_password(password)
        with transaction.atomic(using=self.db):
            customer.save(using=self.db)
            if customer.email:
                EmailAddress.objects.using(self.db).create(
                    user=customer, email=customer.email, verified=True, primary=True
                )
        return customer

    def create_superuser(self, email: str, password: str, **fields: Any) -> "Customer":
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)


class Customer(AbstractBaseUser, PermissionsMixin):
    """A person who can sign in, by e-mail or mobile. Staff are customers with a role."""

    email = models.EmailField(unique=True, null=True, blank=True)
    phone = models.CharField(
        max_length=16, unique=True, null=True, blank=True, help_text="With country code: +919876543210"
    )
    name = models.CharField(max_length=100, blank=True)
    language = models.CharField(
        max_length=8,
        default=language_now,
        db_default="en",
        help_text="Emails and SMS about the account are in this language.",
    )
    is_staff = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    date_joined = models.DateTimeField(default=timezone.now)
    last_seen_at = models.DateTimeField("last seen", null=True, blank=True, help_text="Of staff, to about a minute.")
    deleted_at = models.DateTimeField(
        null=True, blank=True, help_text="When the account was deleted. Its orders are kept."
    )

    objects = CustomerManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(email__isnull=False) | Q(phone__isnull=False) | Q(deleted_at__isnull=False),
                name="customer_can_be_reached",
            )
        ]

    def __str__(self) -> str:
        return self.name or self.email or self.phone or f"Customer {self.pk}"

    def get_full_name(self) -> str:
        return str(self)

    def get_short_name(self) -> str:
        return str(self)


class StaffInvitation(models.Model):
    """That somebody may become staff with a role, by a link sent to their e-mail (staff/invitations.py)."""

    email = models.EmailField()
    name = models.CharField(max_length=100, blank=True)
    role = models.ForeignKey(Group, models.CASCADE, related_name="+")
    created_at = models.DateTimeField("sent", default=timezone.now, editable=False)
    expires_at = models.DateTimeField("valid until", null=True, editable=False)
    accepted_at = models.DateTimeField(null=True, editable=False)
    token_hash = models.CharField(max_length=64, unique=True, null=True, editable=False)

    class Meta:
        verbose_name = "invitation of staff"
        verbose_name_plural = "invitations of staff"

    def __str__(self) -> str:
        return self.email

    @property
    def state(self) -> str:
        if self.accepted_at:
            return gettext_noop("Accepted")
        is_valid = self.expires_at and self.expires_at > timezone.now()
        return gettext_noop("Waiting") if is_valid else gettext_noop("Expired")


class AddressQuerySet(models.QuerySet["Address"]):
    def default_first(self) -> Self:
        return self.order_by("-is_default", "-id").select_related("country")


class Address(models.Model):
    """Where a customer wants things delivered. Field names are those of the API."""

    class Type(models.TextChoices):
        HOME = "Home", pgettext_lazy("address", "Home")
        WORK = "Work", pgettext_lazy("address", "Work")
        RELATIVE = "Relative", pgettext_lazy("address", "Relative")
        FRIEND = "Friend", pgettext_lazy("address", "Friend")
        OTHER = "other", pgettext_lazy("address", "Other")

    customer = models.ForeignKey(Customer, models.CASCADE, related_name="addresses")
    full_name = models.CharField(max_length=100)
    email = models.EmailField(blank=True)
    phone_code = models.CharField(max_length=5, default="+91")
    phone_number = models.CharField(max_length=20)
    alt_phone_code = models.CharField(max_length=5, default="+91")
    alt_phone_number = models.CharField(max_length=20)
    address = models.CharField(max_length=300)
    additional_info = models.CharField(max_length=300, blank=True)
    landmark = models.CharField(max_length=150, blank=True)
    city = models.CharField(max_length=100)
    state = models.CharField(max_length=100, blank=True)
    pincode = models.CharField(max_length=12, blank=True)
    country = models.ForeignKey(Location, models.PROTECT, related_name="+")
    address_type = models.CharField(max_length=10, choices=Type, default=Type.HOME)
    custom_address_type = models.CharField(max_length=40, blank=True)
    is_default = models.BooleanField(default=False)

    objects = AddressQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "addresses"
        constraints = [
            models.UniqueConstraint(
                fields=["customer"], condition=Q(is_default=True), name="one_default_address_a_customer"
            )
        ]

    def __str__(self) -> str:
        return f"{self.full_name}, {self.city}"

    def as_fields(self) -> dict[str, str]:
        """What the customer typed, by field."""
        return {name: getattr(self, name) or "" for name in FIELD_NAMES}


class Code(models.Model):
    """A one-time code: hashed, ten minutes, five guesses, for one address and purpose.

    Whoever asks for one holds a secret: the key of a sign-up or of a session, or a known browser's. Each
    secret has a row of its own, so nobody replaces, uses up or confirms what somebody else has asked for.
    `payload` holds what the code confirms (for a sign-up: the name and the password's hash), so that no
    account exists before its address is proven.
    """

    class Purpose(models.TextChoices):
        SIGN_UP = "sign_up"
        SIGN_IN = "sign_in"
        RESET = "reset"
        CHANGE_ADDRESS = "change_address"
        CONFIRM = "confirm"  # that it is really the customer, where there is no password to ask for

    purpose = models.CharField(max_length=16, choices=Purpose)
    address = models.CharField(max_length=254, help_text="Normalised email address or mobile number.")
    browser = models.CharField(max_length=64, blank=True, default="", help_text="Hash of the browser's secret.")
    code_hash = models.CharField(max_length=64)
    payload = models.JSONField(default=dict)
    tries = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(db_index=True)
    used_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["purpose", "address", "browser"], name="one_code_an_address")]

    def __str__(self) -> str:
        return f"{self.purpose} {self.pk}"


class KnownBrowser(models.Model):
    """A browser in which its customer signed in before; it holds the secret in a cookie."""

    customer = models.ForeignKey(Customer, models.CASCADE, related_name="known_browsers")
    secret_hash = models.CharField(max_length=64)
    seen_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["customer", "secret_hash"], name="one_row_a_known_browser")]

    def __str__(self) -> str:
        return f"Browser {self.pk} of customer {self.customer_id}"


class ApiToken(models.Model):
    """What a client without a browser signs in with; the key itself is shown once and not kept."""

    customer = models.ForeignKey(Customer, models.CASCADE, related_name="api_tokens")
    key_hash = models.CharField(max_length=64, unique=True)
    name = models.CharField(max_length=80)
    session_hash = models.CharField(
        max_length=128, help_text="Hash of the password at sign-in; a new password signs this out."
    )
    created_at = models.DateTimeField(default=timezone.now)
    last_used_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.name


class Consent(models.Model):
    """What a customer agreed to: which version of which text, since when, until when."""

    class Kind(models.TextChoices):
        PRIVACY = "privacy"
        MARKETING = "marketing"

    customer = models.ForeignKey(Customer, models.CASCADE, related_name="consents")
    kind = models.CharField(max_length=16, choices=Kind)
    version = models.CharField(max_length=40, help_text="Version of the privacy policy.")
    given_at = models.DateTimeField(default=timezone.now)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["customer", "kind", "version"],
                condition=Q(withdrawn_at__isnull=True),
                name="one_open_consent_a_version",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.version}"


class PointsEntry(models.Model):
    """The ledger of loyalty points. Rows are only added; the balance follows from them (points/services.py)."""

    class Kind(models.TextChoices):
        EARNED = "earned"  # goods were delivered
        REDEEMED = "redeemed"  # in an order
        GIVEN_BACK = "given_back", "Refunded"  # that order ended, or a part of it came back
        TAKEN_BACK = "taken_back", "Reversed"  # goods that had earned them were refunded
        EXPIRED = "expired"

    customer = models.ForeignKey(Customer, models.CASCADE, related_name="points_entries")
    kind = models.CharField(max_length=10, choices=Kind)
    points = models.IntegerField(help_text="Negative when points are used or expire.")
    reference = models.CharField(max_length=40, help_text="Order number.")
    key = models.CharField(max_length=80, unique=True, help_text="Identifies the event, so that it counts only once.")
    at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True, blank=True, help_text="When earned points expire.")

    class Meta:
        ordering = ["at", "id"]
        verbose_name_plural = "points entries"
        indexes = [models.Index(fields=["expires_at"], name="points_that_expire")]

    def __str__(self) -> str:
        return f"{self.points:+} {self.kind} {self.reference}"


class CustomerNote(models.Model):
    """What staff wrote about a customer, for staff. Rows are added and not changed; they go with the account."""

    customer = models.ForeignKey(Customer, models.CASCADE, related_name="notes")
    at = models.DateTimeField(default=timezone.now)
    author = ActorField()
    text = models.TextField(max_length=2000)
    key = models.CharField(max_length=80, unique=True, help_text="Identifies the form, so that it is saved only once.")

    class Meta:
        ordering = ["-at", "-id"]

    def __str__(self) -> str:
        return self.text[:60]


class CustomerTag(models.Model):
    """A word that staff put on a customer, to find all who have it."""

    customer = models.ForeignKey(Customer, models.CASCADE, related_name="tags")
    word = models.CharField(max_length=40, db_index=True, help_text="In lower case.")

    class Meta:
        ordering = ["word"]
        constraints = [models.UniqueConstraint(fields=["customer", "word"], name="one_tag_a_word")]

    def __str__(self) -> str:
        return self.word


from .wishlist.models import Wishlist, WishlistItem  # noqa: E402, F401 (found by Django here)
