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
from django.utils.translation import gettext, gettext_lazy

from shop.accounts.models import Customer
from shop.backoffice.actors import SHOP, ActorField
from shop.cart.models import Cart
from shop.catalog.models import Picture, ReturnReason, Variant
from shop.markets.models import Location
from shop.money import INR, share_of_units
from shop.translated import TranslatedModel, TranslationsField

from .batches.copies import batch_words
from .payment_methods import ONLINE, PaymentMethod, payment_method_choices, payment_method_named
from .placing.values import EXTRAS
from .queries import CHECKED_OUT_AGAIN, LAPSED_NOTES, OrderDraftQuerySet, OrderQuerySet
from .returns.pickup import pickup_words


class Order(models.Model):
    class Status(models.TextChoices):
        PENDING = "pending", gettext_lazy("Pending")  # priced and held, not paid
        PLACED = "placed", gettext_lazy("Placed")  # paid (or free, or paid on delivery)
        PROCESSING = "processing", gettext_lazy("Processing")  # the desk packs it
        SHIPPED = "shipped", gettext_lazy("Shipped")
        DELIVERED = "delivered", gettext_lazy("Delivered")
        COMPLETED = "completed", gettext_lazy("Completed")  # the longest return window ended
        CANCELLED = "cancelled", gettext_lazy("Cancelled")
        REPLACED = "replaced", gettext_lazy("Replaced")
        RETURNED = "returned", gettext_lazy("Returned")

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

    gstin = models.CharField("GSTIN", max_length=15, blank=True, default="", editable=False)
    payment_option = models.CharField(
        max_length=12, blank=True, default="", db_default="", help_text="How the customer chose to pay online."
    )

    location = models.ForeignKey(Location, models.PROTECT, related_name="+")
    language = models.CharField(
        max_length=8,
        default="en",
        db_default="en",
        editable=False,
        help_text="Language of its emails, SMS and invoice.",
    )
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
    discount_name = models.CharField(
        max_length=200,
        blank=True,
        default="",
        db_default="",
        editable=False,
        help_text="What an automatic discount was called when the order was placed, in the order's language.",
    )
    points_used = models.PositiveIntegerField(default=0, help_text="Loyalty points redeemed.")

    address_id_then = models.BigIntegerField(help_text="ID of the address it was copied from.")
    address = models.JSONField(encoder=DjangoJSONEncoder, help_text="Copy of the delivery address.")
    email = models.EmailField(blank=True)
    draft = models.ForeignKey(
        "OrderDraft", models.SET_NULL, null=True, blank=True, editable=False, related_name="orders"
    )
    expected_delivery = models.DateField(null=True, blank=True)
    search_text = models.GeneratedField(
        verbose_name="sought",
        expression=Concat(
            "number", Value(" "), "email", Value(" "), KT("address__full_name"), Value(" "),
            KT("address__phone_number"), Value(" "), KT("address__alt_phone_number"), output_field=models.TextField(),
        ),
        output_field=models.TextField(),
        db_persist=True,
        db_column="sought",
        help_text="Text that the order search covers.",
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
            models.Index(fields=["search_text", "customer"], name="orders_sought"),  # narrower than the rows
        ]
        permissions = (("view_sales", "Can see sales figures"),)
        constraints = [
            # What is ordered from a draft of the desk stands beside the customer's own unpaid order.
            models.UniqueConstraint(
                fields=["customer"],
                condition=Q(hold_expires_at__isnull=False, draft__isnull=True),
                name="one_live_hold_a_customer",
            ),
            models.UniqueConstraint(
                fields=["draft"], condition=Q(hold_expires_at__isnull=False), name="one_live_hold_a_draft"
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
        return [(gettext(extra.label), text) for name, extra in EXTRAS.items() if (text := getattr(self, name))]

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
    def is_lapsed(self) -> bool:
        """Nobody paid it: its time ran out, or a newer checkout took its place. Reads `events`."""
        ended_unpaid = self.status == self.Status.CANCELLED and not self.is_paid
        return ended_unpaid and any(event.note in LAPSED_NOTES for event in self.events.all())

    @property
    def is_restorable(self) -> bool:
        """Its time ran out. After a newer checkout it would be bought twice."""
        return self.is_lapsed and all(event.note != CHECKED_OUT_AGAIN for event in self.events.all())

    @property
    def status_words(self) -> str:
        """Its status as its customer reads it."""
        return gettext("Not paid") if self.is_lapsed else str(self.Status(self.status).label)

    @property
    def unit_count(self) -> int:
        return sum(line.kept for line in self.lines.all())

    @property
    def cancelled_inr(self) -> Decimal:
        """What the units cost that were cancelled before packing."""
        return sum((line.cancelled_inr for line in self.lines.all()), Decimal(0))

    @property
    def due_inr(self) -> Decimal:
        """Its total without the units that were cancelled before packing."""
        return self.total_inr - self.cancelled_inr

    @property
    def is_to_collect(self) -> bool:
        """Placed, and its money is collected at the door, where it has not arrived yet."""
        on_the_way = self.status in (self.Status.PLACED, self.Status.PROCESSING, self.Status.SHIPPED)
        return on_the_way and self.method.is_collected_on_delivery

    @property
    def tone(self) -> str:
        """The colour of its status, as the specification has it."""
        if self.is_lapsed:
            return "other"
        tones = {self.Status.COMPLETED: "good", self.Status.PENDING: "warn", self.Status.CANCELLED: "bad"}
        return tones.get(self.Status(self.status), "other")

    @property
    def charged_in_other_currency(self) -> bool:
        return self.currency != INR

    @property
    def discount_label(self) -> str:
        """How the discount is called beside its amount; empty where there is none."""
        if not self.coupon_code:
            return ""
        return self.discount_name or gettext("Coupon %(code)s") % {"code": self.coupon_code}

    @property
    def free_shipping(self) -> tuple[str, str] | None:
        """(label, words) of a discount that took off the shipping and nothing else."""
        if not self.coupon_code or self.coupon_amt:
            return None
        if self.discount_name:
            return gettext("Discount"), self.discount_name
        return self.discount_label, gettext("Free shipping")


class OrderDraft(models.Model):
    """What the desk prepares for a customer on the phone: a cart of its own, an address, and a link to pay it by.

    Its state is read from the rows: it is paid once one of its orders was placed.
    """

    class State(models.TextChoices):
        OPEN = "open", gettext_lazy("Open")
        SENT = "sent", gettext_lazy("Sent")
        PAID = "paid", gettext_lazy("Paid")
        EXPIRED = "expired", gettext_lazy("Expired")
        WITHDRAWN = "withdrawn", gettext_lazy("Withdrawn")

    customer = models.ForeignKey(Customer, models.PROTECT, related_name="order_drafts")
    cart = models.OneToOneField(Cart, models.PROTECT, related_name="order_draft", editable=False)
    location = models.ForeignKey(Location, models.PROTECT, related_name="+")
    address = models.JSONField(
        default=dict, blank=True, encoder=DjangoJSONEncoder, help_text="The address fields; empty until one is chosen."
    )
    address_id_then = models.BigIntegerField(default=0, help_text="ID of the address it was copied from, or 0.")
    email = models.EmailField(blank=True, help_text="Email address for the link and the order's messages.")
    author = ActorField()
    created_at = models.DateTimeField(default=timezone.now)
    changed_at = models.DateTimeField(default=timezone.now, db_index=True)
    revision = models.PositiveIntegerField(
        default=0, help_text="Change counter: detects edits made since a form was opened."
    )
    sent_at = models.DateTimeField(null=True, blank=True, help_text="When its link was last created or sent.")
    expires_at = models.DateTimeField(null=True, blank=True, help_text="When its link expires.")
    link_seed = models.CharField(max_length=32, blank=True, editable=False)
    token_hash = models.CharField(max_length=64, unique=True, null=True, editable=False)
    seen = models.JSONField(default=dict, blank=True, editable=False, encoder=DjangoJSONEncoder)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects = OrderDraftQuerySet.as_manager()

    class Meta:
        verbose_name = "draft order"
        ordering = ["-id"]
        indexes = [models.Index(fields=["customer", "-created_at"], name="drafts_of_customer")]

    def __str__(self) -> str:
        return f"D-{self.pk}"

    @property
    def order(self) -> Order | None:
        """The order it became, once that is placed, even if it ended afterwards."""
        placed = self.orders.filter(placed_at__isnull=False).order_by("pk")
        return placed.first()

    @property
    def live_order(self) -> Order | None:
        """Its order that waits for payment."""
        return self.orders.held().first()

    @property
    def state(self) -> str:
        is_placed = getattr(self, "is_placed", None)  # with_state
        if self.order if is_placed is None else is_placed:
            return self.State.PAID
        if self.withdrawn_at:
            return self.State.WITHDRAWN
        if not self.sent_at:
            return self.State.OPEN
        return self.State.SENT if self.is_link_open else self.State.EXPIRED

    @property
    def is_link_open(self) -> bool:
        return bool(self.token_hash and self.expires_at and self.expires_at > timezone.now())


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


class OrderLine(TranslatedModel):
    """One variant of an order, with its own copy of everything the receipt needs.

    Names are kept in English, for the record and the back office, and as they were then in every language of the shop.
    """

    order = models.ForeignKey(Order, models.CASCADE, related_name="lines")
    variant = models.ForeignKey(Variant, models.PROTECT, related_name="+")
    product_name = models.CharField(max_length=200)
    product_slug = models.CharField(max_length=200)
    brand_name = models.CharField(max_length=80)
    brand_slug = models.CharField(max_length=80)
    sku = models.CharField(max_length=100)
    attributes = models.JSONField(default=dict)
    translations = TranslationsField("product_name", "brand_name", "facts", "options", copied=True)
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
    cancelled = models.PositiveSmallIntegerField(
        default=0, db_default=0, help_text="Units that were cancelled before packing, among the quantity."
    )
    is_returnable = models.BooleanField(default=True)
    return_days = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Return days allowed by its category."
    )
    hsn = models.CharField(max_length=8, blank=True)
    gst_percent = models.DecimalField(max_digits=5, decimal_places=2, null=True, blank=True)

    class Meta:
        ordering = ["id"]
        indexes = [
            models.Index(fields=["order", "variant", "quantity", "cancelled", "line_inr"], name="order_lines_sold")
        ]
        constraints = [
            models.UniqueConstraint(fields=["order", "variant"], name="one_order_line_a_variant"),
            models.CheckConstraint(condition=Q(quantity__gte=1), name="an_order_line_holds_something"),
            models.CheckConstraint(condition=Q(cancelled__lte=F("quantity")), name="an_order_line_cancels_its_units"),
            models.CheckConstraint(
                condition=Q(line_amount=Round(F("unit_amount") * F("quantity"), 3)), name="order_line_adds_up"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.quantity} × {self.product_name}"

    @property
    def facts(self) -> str:
        """What tells it from its product's other variants: Size: 250 g, Flavour: Mango."""
        return ", ".join(f"{name}: {label}" for name, label in self.attributes.items())

    @property
    def options(self) -> str:
        """The same where names go without saying: 250 g, Mango."""
        return ", ".join(self.attributes.values())

    @property
    def kept(self) -> int:
        """Units that were not cancelled."""
        return self.quantity - self.cancelled

    @property
    def cancelled_inr(self) -> Decimal:
        """What its cancelled units cost after reductions."""
        return share_of_units(self.line_inr - self.reduction_inr, self.quantity, first=0, count=self.cancelled)

    @property
    def cancelled_points(self) -> int:
        """The points that had been redeemed for its cancelled units."""
        used = Decimal(self.points_used)
        return int(share_of_units(used, self.quantity, first=0, count=self.cancelled, unit=Decimal(1)))


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
    batches = models.JSONField(
        default=list,
        db_default=Value([], models.JSONField()),
        blank=True,
        editable=False,
        help_text="Copy of number, expiry and units of its batches.",
    )

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["shipment", "order_line"], name="one_shipment_line_an_order_line"),
            models.CheckConstraint(condition=Q(quantity__gte=1), name="a_shipment_line_holds_something"),
        ]

    def __str__(self) -> str:
        return f"{self.quantity} × {self.order_line_id}"

    @property
    def batch_words(self) -> str:
        """Its batches in the active language; empty where none is known."""
        return batch_words(self.batches)


class ReturnRequest(models.Model):
    """A customer asks for money back or a replacement of some units of one line."""

    class Kind(models.TextChoices):
        REFUND = "refund"
        REPLACEMENT = "replacement"

    class Status(models.TextChoices):
        REQUESTED = "requested", gettext_lazy("Requested")
        APPROVED = "approved", gettext_lazy("Approved")  # to be picked up, where something is sent back
        RECEIVED = "received", gettext_lazy("Received")  # back at the shop; refund or replacement is due
        REFUNDED = "refunded", gettext_lazy("Refunded")
        REPLACED = "replaced", gettext_lazy("Replaced")
        REJECTED = "rejected", gettext_lazy("Rejected")

    line = models.ForeignKey(OrderLine, models.PROTECT, related_name="return_requests")
    kind = models.CharField(max_length=11, choices=Kind)
    reason = models.ForeignKey(ReturnReason, models.PROTECT, related_name="+")
    quantity = models.PositiveSmallIntegerField()
    note = models.CharField(max_length=500, blank=True)
    pickup = models.CharField(max_length=13, blank=True, default="", editable=False)  # as pickup_slots writes it
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
        return f"{self.get_kind_display()}: {self.quantity} × {self.line.product_name}"

    @property
    def pickup_words(self) -> str:
        return pickup_words(self.pickup)


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


from .batches.models import Recall, ReturnedBatch, ShippedBatch  # noqa: E402, F401 (found by Django here)
