"""Orders are snapshots: they keep copies of names, prices, rate, address and tax facts.

The checks on sums round, because the embedded database adds decimals as binary fractions.
"""

from datetime import datetime
from decimal import Decimal

from django.core.files.storage import Storage, storages
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import F, Q, Value
from django.db.models.fields.json import KT
from django.db.models.functions import Concat, Round
from django.utils import timezone

from shop.accounts.models import Customer
from shop.backoffice.actors import SHOP, ActorField
from shop.catalog.models import Picture, ReturnReason, Variant
from shop.markets.models import Location
from shop.money import INR

from .payment_methods import ONLINE, PaymentMethod, payment_method_choices, payment_method_named
from .placing.values import EXTRAS
from .queries import OrderQuerySet


class Order(models.Model):
    class Status(models.TextChoices):
        PENDING = "pending"  # priced and held, not paid
        PLACED = "placed"  # paid (or free, or paid on delivery)
        PROCESSING = "processing"  # the desk packs it
        SHIPPED = "shipped"
        DELIVERED = "delivered"
        COMPLETED = "completed"  # the longest return window ended
        CANCELLED = "cancelled"
        REPLACED = "replaced"
        RETURNED = "returned"

    number = models.CharField(
        max_length=13, unique=True, editable=False, help_text="ORD- followed by nine letters or digits."
    )
    customer = models.ForeignKey(Customer, models.PROTECT, related_name="orders")
    status = models.CharField(max_length=10, choices=Status, default=Status.PENDING)
    created_at = models.DateTimeField(default=timezone.now)
    placed_at = models.DateTimeField(null=True, blank=True)
    hold_expires_at = models.DateTimeField(
        null=True, blank=True, help_text="Stock is reserved until then, while the order is unpaid."
    )

    delivered_at = models.DateTimeField(null=True, blank=True, help_text="When the last parcel arrived.")
    payment_method = models.CharField(max_length=6, choices=payment_method_choices, default=ONLINE)

    location = models.ForeignKey(Location, models.PROTECT, related_name="+")
    currency = models.CharField(max_length=3, help_text="Currency shown to the customer.")
    rate = models.DecimalField(max_digits=20, decimal_places=10, help_text="INR per unit of the currency.")
    sub_total_amt = models.DecimalField(max_digits=14, decimal_places=3)
    shipping_amt = models.DecimalField(max_digits=14, decimal_places=3)
    coupon_amt = models.DecimalField(max_digits=14, decimal_places=3, default=0)
    points_amt = models.DecimalField(max_digits=14, decimal_places=3, default=0)
    total_amount = models.DecimalField(max_digits=14, decimal_places=3)
    shipping_inr = models.DecimalField(max_digits=14, decimal_places=2)
    coupon_inr = models.DecimalField(max_digits=14, decimal_places=2, default=0)
    points_inr = models.DecimalField(max_digits=14, decimal_places=2, default=0)
    total_inr = models.DecimalField(max_digits=14, decimal_places=2, help_text="Sum of the INR amounts.")

    coupon_code = models.CharField(max_length=40, blank=True)
    points_used = models.PositiveIntegerField(default=0, help_text="Loyalty points redeemed.")

    address_id_then = models.BigIntegerField(help_text="ID of the address it was copied from.")
    address = models.JSONField(encoder=DjangoJSONEncoder, help_text="Copy of the delivery address.")
    email = models.EmailField(blank=True)
    expected_delivery = models.DateField(null=True, blank=True)
    sought = models.GeneratedField(
        expression=Concat(
            "number", Value(" "), "email", Value(" "), KT("address__full_name"), Value(" "),
            KT("address__phone_number"), Value(" "), KT("address__alt_phone_number"), output_field=models.TextField(),
        ),
        output_field=models.TextField(),
        db_persist=True,
        help_text="What the desk's search looks through.",
    )  # fmt: skip

    is_new = False  # of this instance: it was written by the checkout that holds it

    objects = OrderQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-id"]
        indexes = [
            models.Index(fields=["customer", "-created_at"], name="orders_of_customer"),
            models.Index(fields=["status", "-created_at"], name="orders_by_status"),
            models.Index(fields=["hold_expires_at"], condition=Q(hold_expires_at__isnull=False), name="live_holds"),
            # Everything that the sales figures (shop/reports) read, and the order of the desk's list.
            models.Index(
                fields=["placed_at", "location", "status", "delivered_at", "total_inr", "id"], name="orders_sold"
            ),
            models.Index(fields=["created_at", "id", "location", "placed_at"], name="orders_started"),
            models.Index(fields=["sought", "customer"], name="orders_sought"),  # narrower than the rows
        ]
        permissions = (("view_sales", "Can see sales figures"),)
        constraints = [
            models.UniqueConstraint(
                fields=["customer"], condition=Q(hold_expires_at__isnull=False), name="one_live_hold_a_customer"
            ),
            models.CheckConstraint(
                condition=Q(
                    total_amount=Round(F("sub_total_amt") + F("shipping_amt") - F("coupon_amt") - F("points_amt"), 3)
                ),
                name="order_total_adds_up",
            ),
            models.CheckConstraint(condition=Q(total_inr__gte=0, total_amount__gte=0), name="order_total_not_negative"),
        ]

    def __str__(self) -> str:
        return self.number

    @property
    def method(self) -> PaymentMethod:
        return payment_method_named(self.payment_method)

    @property
    def extras(self) -> list[tuple[str, str]]:
        """Label and text of what the customer added at the checkout."""
        return [(extra.label, text) for name, extra in EXTRAS.items() if (text := getattr(self, name))]

    @property
    def goods_inr(self) -> Decimal:
        """What its lines cost after coupon and points, without shipping."""
        return self.total_inr - self.shipping_inr

    def is_held(self, now: datetime | None = None) -> bool:
        return self.hold_expires_at is not None and self.hold_expires_at > (now or timezone.now())

    @property
    def is_paid(self) -> bool:
        """Placed at some time; a cancelled or returned order may be paid and owed back."""
        return self.placed_at is not None

    @property
    def is_cancellable(self) -> bool:
        """By the customer: until it is shipped."""
        return self.status in (self.Status.PENDING, self.Status.PLACED, self.Status.PROCESSING)

    @property
    def is_address_open(self) -> bool:
        """Whether address and phone may still be changed: until it is packed."""
        return self.status == self.Status.PLACED

    @property
    def tone(self) -> str:
        """The colour of its status, as the specification has it."""
        tones = {self.Status.COMPLETED: "good", self.Status.PENDING: "warn", self.Status.CANCELLED: "bad"}
        return tones.get(self.Status(self.status), "other")

    @property
    def charged_in_other_currency(self) -> bool:
        return self.currency != INR


class CheckoutKey(models.Model):
    """A client's idempotency key, and the order its first request led to. Scoped to the customer."""

    customer = models.ForeignKey(Customer, models.CASCADE, related_name="checkout_keys")
    key = models.CharField(max_length=80)
    request_hash = models.CharField(
        max_length=64, help_text="Hash of the first request; a different request with this key is refused."
    )
    order = models.ForeignKey(Order, models.CASCADE, related_name="checkout_keys")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["customer", "key"], name="one_order_a_checkout_key")]

    def __str__(self) -> str:
        return self.key


class OrderLine(models.Model):
    """One variant of an order, with its own copy of everything the receipt needs."""

    order = models.ForeignKey(Order, models.CASCADE, related_name="lines")
    variant = models.ForeignKey(Variant, models.PROTECT, related_name="+")
    product_name = models.CharField(max_length=200)
    product_slug = models.CharField(max_length=200)
    brand_name = models.CharField(max_length=80)
    brand_slug = models.CharField(max_length=80)
    sku = models.CharField(max_length=100)
    attributes = models.JSONField(default=dict)
    picture = models.ForeignKey(Picture, models.SET_NULL, null=True, blank=True, related_name="+")
    quantity = models.PositiveSmallIntegerField()
    unit_amount = models.DecimalField(max_digits=14, decimal_places=3, help_text="In the order currency.")
    unit_actual_amount = models.DecimalField(max_digits=14, decimal_places=3)
    line_amount = models.DecimalField(max_digits=14, decimal_places=3)
    line_inr = models.DecimalField(max_digits=14, decimal_places=2)
    list_price_inr = models.DecimalField(
        max_digits=12, decimal_places=2, help_text="INR price of the variant before conversion."
    )
    fixed_price = models.DecimalField(
        max_digits=12,
        decimal_places=3,
        null=True,
        blank=True,
        help_text="Fixed price for the country, if there was one.",
    )
    home_rate = models.DecimalField(
        max_digits=20, decimal_places=10, default=1, help_text="Exchange rate of the fixed price's currency."
    )
    reduction_amt = models.DecimalField(
        max_digits=14, decimal_places=3, default=0, help_text="Share of the coupon and points discount."
    )
    reduction_inr = models.DecimalField(max_digits=14, decimal_places=2, default=0)
    points_used = models.PositiveIntegerField(default=0, help_text="Share of the points redeemed on the order.")
    is_returnable = models.BooleanField(default=True)
    return_days = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Return days allowed by its category."
    )
    hsn = models.CharField(max_length=8, blank=True)
    gst_percent = models.DecimalField(max_digits=5, decimal_places=2, null=True, blank=True)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["order", "variant", "quantity", "line_inr"], name="order_lines_sold")]
        constraints = [
            models.UniqueConstraint(fields=["order", "variant"], name="one_order_line_a_variant"),
            models.CheckConstraint(condition=Q(quantity__gte=1), name="an_order_line_holds_something"),
            models.CheckConstraint(
                condition=Q(line_amount=Round(F("unit_amount") * F("quantity"), 3)), name="order_line_adds_up"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.quantity} × {self.product_name}"


class OrderEvent(models.Model):
    """A dated line for each thing that happened to an order."""

    order = models.ForeignKey(Order, models.CASCADE, related_name="events")
    at = models.DateTimeField(default=timezone.now)
    status_from = models.CharField(max_length=10, blank=True)
    status_to = models.CharField(max_length=10, blank=True)
    actor = ActorField(default=SHOP)
    note = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.order_id}: {self.status_from} → {self.status_to}"


class OrderNote(models.Model):
    """What the desk wrote about an order: for itself (no customer ever reads it), or to the customer."""

    class Kind(models.TextChoices):
        INTERNAL = "internal", "note"
        MESSAGE = "message", "message to the customer"

    order = models.ForeignKey(Order, models.CASCADE, related_name="notes")
    kind = models.CharField(max_length=8, choices=Kind)
    at = models.DateTimeField(default=timezone.now)
    author = ActorField()
    text = models.TextField(max_length=2000)
    key = models.CharField(max_length=80, unique=True, help_text="Identifies the form, so that it is saved only once.")

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.text[:60]}"


class Courier(models.Model):
    name = models.CharField(max_length=80, unique=True)
    tracking_link = models.CharField(
        max_length=300, blank=True, help_text="Put {number} where the tracking number goes: https://…/{number}"
    )
    is_active = models.BooleanField(default=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Shipment(models.Model):
    """A parcel: all of an order, or a part of it."""

    order = models.ForeignKey(Order, models.PROTECT, related_name="shipments")
    courier = models.ForeignKey(Courier, models.PROTECT, null=True, blank=True, related_name="+")
    tracking_number = models.CharField(max_length=60, blank=True)
    shipped_at = models.DateTimeField(default=timezone.now)
    delivered_at = models.DateTimeField(null=True, blank=True)
    refused_at = models.DateTimeField(null=True, blank=True, help_text="Refused on delivery.")
    is_replacement = models.BooleanField(default=False, help_text="Replaces returned units.")
    return_request = models.ForeignKey(
        "ReturnRequest",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="replacements",
        help_text="The return that this replaces.",
    )

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.order} {self.tracking_number}".strip()


class ShipmentLine(models.Model):
    shipment = models.ForeignKey(Shipment, models.CASCADE, related_name="lines")
    order_line = models.ForeignKey(OrderLine, models.PROTECT, related_name="shipped")
    quantity = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["shipment", "order_line"], name="one_shipment_line_an_order_line"),
            models.CheckConstraint(condition=Q(quantity__gte=1), name="a_shipment_line_holds_something"),
        ]

    def __str__(self) -> str:
        return f"{self.quantity} × {self.order_line_id}"


class ReturnRequest(models.Model):
    """A customer asks for money back or a replacement of some units of one line."""

    class Kind(models.TextChoices):
        REFUND = "refund"
        REPLACEMENT = "replacement"

    class Status(models.TextChoices):
        REQUESTED = "requested"
        APPROVED = "approved"  # to be picked up, where something is sent back
        RECEIVED = "received"  # back at the shop; refund or replacement is due
        REFUNDED = "refunded"
        REPLACED = "replaced"
        REJECTED = "rejected"

    line = models.ForeignKey(OrderLine, models.PROTECT, related_name="return_requests")
    kind = models.CharField(max_length=11, choices=Kind)
    reason = models.ForeignKey(ReturnReason, models.PROTECT, related_name="+")
    quantity = models.PositiveSmallIntegerField()
    note = models.CharField(max_length=500, blank=True)
    status = models.CharField(max_length=9, choices=Status, default=Status.REQUESTED)
    created_at = models.DateTimeField(default=timezone.now)
    decided_at = models.DateTimeField(null=True, blank=True)
    decision = models.CharField(max_length=300, blank=True, help_text="Message to the customer about the decision.")
    received_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    with_shipping = models.BooleanField(default=False, help_text="Our fault: refund the shipping as well.")
    refund_inr = models.DecimalField(
        max_digits=14,
        decimal_places=2,
        null=True,
        blank=True,
        help_text="Amount to refund, due since the return arrived.",
    )
    is_restocked = models.BooleanField(default=False, help_text="The units were put back into stock.")

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["status"], name="returns_by_status")]
        constraints = [models.CheckConstraint(condition=Q(quantity__gte=1), name="a_return_is_of_something")]

    def __str__(self) -> str:
        return f"{self.kind} of {self.quantity} × {self.line_id}"


def private_files() -> Storage:
    """Files that no address serves by itself."""
    return storages["private"]


class ReturnPhoto(models.Model):
    """Private to its customer and the order desk; the file is re-encoded before it is kept."""

    request = models.ForeignKey(ReturnRequest, models.CASCADE, related_name="photos")
    file = models.FileField(upload_to="returns/", storage=private_files, max_length=200)

    def __str__(self) -> str:
        return str(self.file)


class InvoiceSeries(models.Model):
    """The last number given out of one kind in one financial year; locked while the next is taken."""

    kind = models.CharField(max_length=6)
    financial_year = models.CharField(max_length=5, help_text="For example 26-27.")
    last = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["kind", "financial_year"], name="one_series_a_year")]

    def __str__(self) -> str:
        return f"{self.kind} {self.financial_year}: {self.last}"


class Invoice(models.Model):
    """An invoice or a credit note as it was issued; the PDF is drawn from this copy at any time."""

    class Kind(models.TextChoices):
        INVOICE = "invoice"
        CREDIT = "credit", "credit note"

    kind = models.CharField(max_length=7, choices=Kind)
    number = models.CharField(max_length=16, unique=True)
    order = models.ForeignKey(Order, models.PROTECT, related_name="invoices")
    reference = models.CharField(max_length=60, unique=True, help_text="What is billed; each is billed once.")
    issued_at = models.DateTimeField(default=timezone.now)
    total_inr = models.DecimalField(max_digits=14, decimal_places=2)
    content = models.JSONField(encoder=DjangoJSONEncoder, help_text="Seller, buyer, lines and taxes as on that day.")

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return self.number
