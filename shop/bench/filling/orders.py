"""Made-up orders of the last two years, with all that hangs on them: `python -m shop.bench.filling.orders 100000`.

In the database of the environment, over a catalogue that is there already (catalogue.py); minutes for
100,000. Written in bulk, past the services, and such that `manage.py check_shop` finds nothing in
it. Does nothing where there are orders already.
"""

import os
import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import count

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "shop.settings")
django.setup()

from django.core.management.color import no_style
from django.db import connection, models, transaction
from django.db.models import F, Max
from django.utils import timezone

from shop.accounts.models import Address, Customer
from shop.accounts.staff.roles import OWNER
from shop.cart.models import Cart, CartLine, Coupon
from shop.catalog.models import Product, ReturnReason, StockMovement, Variant
from shop.markets.queries import market_registry
from shop.messaging.models import Message
from shop.money import from_inr, to_inr, to_paise
from shop.orders.models import (
    Courier,
    Invoice,
    InvoiceSeries,
    Order,
    OrderEvent,
    OrderLine,
    ReturnRequest,
    Shipment,
    ShipmentLine,
)
from shop.orders.states import Status
from shop.orders.tax.gst import financial_year
from shop.payments.models import Payment, ProviderEvent, Refund
from shop.payments.refunds.services import key_of
from shop.search.models import SearchCount

from ..scale import FORMS, HERBS, WORDS
from . import settle

BATCH = 2500
DAYS = 730
HELD = 20  # unpaid orders whose time is not over
COUNTRIES = ["IN"] * 17 + ["US", "AE", "GB"]
CITIES = [("Pune", "Maharashtra", "411001"), ("Kochi", "Kerala", "682001"), ("Jaipur", "Rajasthan", "302001")]
# What became of an order that is old enough, and its states after "pending".
PLACED, SENT = [Status.PLACED], [Status.PLACED, Status.PROCESSING, Status.SHIPPED]
HOME = [*SENT, Status.DELIVERED]
FATES = (
    [[*HOME, Status.COMPLETED]] * 80
    + [[Status.CANCELLED]] * 12  # never paid
    + [[*PLACED, Status.CANCELLED]] * 4
    + [[*SENT, Status.RETURNED]] * 2  # refused at the door
    + [[*HOME, Status.RETURNED]] * 2  # everything came back
)
STEPS = [timedelta(0), timedelta(minutes=4), timedelta(hours=20), timedelta(hours=30), timedelta(days=4), timedelta(10)]


@dataclass
class Rows:
    """Unsaved rows of one batch, in the order in which they are written."""

    of: dict[type[models.Model], list] = field(default_factory=dict)

    def add(self, row: models.Model) -> None:
        self.of.setdefault(type(row), []).append(row)

    def write(self) -> None:
        with transaction.atomic():
            for model in WRITTEN:
                model._default_manager.bulk_create(self.of.get(model, []), batch_size=500)


WRITTEN: tuple[type[models.Model], ...] = (
    Customer, Address, Order, OrderLine, OrderEvent, Payment, Refund, ReturnRequest, Invoice, Shipment, ShipmentLine,
    StockMovement, ProviderEvent, Message, Cart, CartLine, SearchCount, Coupon,
)  # fmt: skip


class Filler:
    def __init__(self, size: int) -> None:
        self.size = size
        self.chance = random.Random(size)
        self.now = timezone.now()
        self.variants = list(Variant.objects.select_related("product__brand").order_by("pk"))
        self.markets = {code: market_registry().market(market_registry().by_code[code]) for code in set(COUNTRIES)}
        self.couriers = [Courier.objects.get_or_create(name=f"Courier {n}")[0] for n in range(4)]
        self.reasons = list(ReturnReason.objects.all())
        numbered = (Customer, Address, Order, OrderLine, Payment, ReturnRequest, Shipment, Cart)
        self.ids = {
            model: count(1 + (model._default_manager.aggregate(last=Max("pk"))["last"] or 0)) for model in numbered
        }
        self.people: list[Address] = []
        self.numbers: Counter[tuple[str, str]] = Counter()
        self.sold: Counter[int] = Counter()
        self.held: Counter[int] = Counter()
        self.came: Counter[int] = Counter()  # units that were ever sold or held

    # --- People, carts, searches ------------------------------------------------------------

    def fill_people(self) -> None:
        rows = Rows()
        for number in range(self.size // 5):
            market = self.markets[self.chance.choice(COUNTRIES)]
            joined = self.now - timedelta(days=self.chance.random() * DAYS)
            customer = Customer(
                pk=next(self.ids[Customer]), email=f"buyer{number}@example.com", name=f"Buyer {number}",
                phone=f"+9198{number:08}", date_joined=joined, password="!",
            )  # fmt: skip
            city, state, pin = self.chance.choice(CITIES)
            address = Address(
                pk=next(self.ids[Address]), customer=customer, full_name=customer.name, email=customer.email or "",
                phone_number=f"98{number:08}", alt_phone_number=f"97{number:08}", address=f"{number} Temple Road",
                city=city, state=state, pincode=pin, country_id=market.location_id, is_default=True,
            )  # fmt: skip
            rows.add(customer)
            rows.add(address)
            self.people.append(address)
            if number % 2:
                self._fill_cart(rows, customer)
        rows.write()

    def _fill_cart(self, rows: Rows, customer: Customer) -> None:
        cart = Cart(pk=next(self.ids[Cart]), customer=customer)
        rows.add(cart)
        for variant in self.chance.sample(self.variants, 2):
            rows.add(CartLine(cart=cart, variant=variant, quantity=1))

    def fill_searches(self) -> None:
        rows = Rows()
        words = [f"{first} {second}" for first in WORDS + HERBS for second in FORMS]
        for back in range(180):
            for asked in self.chance.sample(words, 100):
                found = self.chance.choice([0, 3, 40, 400])
                day = timezone.localdate() - timedelta(days=back)
                rows.add(SearchCount(day=day, words=asked, searches=self.chance.randrange(1, 60), results=found))
        for number in range(50):
            rows.add(Coupon(code=f"SAVE{number}", kind=Coupon.Kind.PERCENT, percent=Decimal(10)))
        rows.write()

    # --- Orders -----------------------------------------------------------------------------

    def fill_orders(self) -> None:
        # More of them lately: the shop grows.
        ages = sorted((DAYS * (1 - self.chance.random() ** 0.6) for _ in range(self.size - HELD)), reverse=True)
        rows = Rows()
        for number, days in enumerate(ages, 1):
            self._add_order(rows, self.now - timedelta(days=days, minutes=31), self.chance.choice(self.people))
            if number % BATCH == 0:
                rows.write()
                rows = Rows()
        for address in self.chance.sample(self.people, HELD):
            self._add_order(rows, self.now, address, is_held=True)
        rows.write()
        self._fill_stock()
        for (kind, year), last in self.numbers.items():
            InvoiceSeries.objects.update_or_create(kind=kind, financial_year=year, defaults={"last": last})

    def _add_order(self, rows: Rows, at: datetime, address: Address, *, is_held: bool = False) -> None:
        market = next(market for market in self.markets.values() if market.location_id == address.country_id)
        pk = next(self.ids[Order])
        states = [Status.PENDING] if is_held else self._states(at)
        when = dict(zip(states, (at + step for step in STEPS), strict=False))
        is_placed = Status.PLACED in states
        order = Order(
            pk=pk, number=f"ORD-{pk:09}", customer_id=address.customer_id, status=states[-1], created_at=at,
            placed_at=when.get(Status.PLACED), delivered_at=when.get(Status.DELIVERED),
            hold_expires_at=at + timedelta(hours=1) if is_held else None, location_id=market.location_id,
            currency=market.currency, rate=market.rate, shipping_amt=0, shipping_inr=0, address_id_then=address.pk,
            address=address.as_fields() | {"country": market.country_name}, email=address.email,
        )  # fmt: skip
        lines = list(self._lines(order, market))
        order.sub_total_amt = order.total_amount = sum((line.line_amount for line in lines), Decimal(0))
        order.total_inr = sum((line.line_inr for line in lines), Decimal(0))
        has_ended = states[-1] == Status.CANCELLED or (states[-1] == Status.RETURNED and Status.DELIVERED not in states)
        for row in (order, *lines, *self._events(order, when)):
            rows.add(row)
        for line in lines:
            self.came[line.variant_id] += line.quantity if is_held or (is_placed and not has_ended) else 0
            self.held[line.variant_id] += line.quantity if is_held else 0
            self.sold[line.variant_id] += line.quantity if is_placed and not has_ended else 0
            if is_placed:
                rows.add(StockMovement(variant_id=line.variant_id, kind=StockMovement.Kind.SOLD, at=at,
                                       quantity=line.quantity, reference=order.number))  # fmt: skip
        payment = self._payment(order, when)
        rows.add(payment)
        if is_placed:
            self._add_papers(rows, order, payment, when, has_ended=has_ended)
        if Status.SHIPPED in states:
            self._add_parcel(rows, order, lines, when)
        if Status.DELIVERED in states:
            self._add_returns(rows, order, lines, payment, when)

    def _states(self, at: datetime) -> list[str]:
        """Its way so far: an order that is young has not come far."""
        fate = [Status.PENDING, *self.chance.choice(FATES)]
        return [state for state, step in zip(fate, STEPS, strict=False) if at + step < self.now]

    def _lines(self, order: Order, market) -> Iterator[OrderLine]:
        few = len(self.variants)
        places = {int(self.chance.paretovariate(0.5)) % few for _ in range(self.chance.choice([1, 2, 2, 3, 5]))}
        for variant in (self.variants[place] for place in sorted(places)):
            product, quantity = variant.product, self.chance.choice([1, 1, 1, 2, 3])
            unit = from_inr(variant.selling_price, order.rate, order.currency)
            yield OrderLine(
                pk=next(self.ids[OrderLine]), order=order, variant=variant, product_name=product.name,
                product_slug=product.slug, brand_name=product.brand.name, brand_slug=product.brand.slug,
                sku=variant.sku, quantity=quantity, unit_amount=unit, unit_actual_amount=unit,
                line_amount=unit * quantity, line_inr=to_inr(unit * quantity, order.rate),
                list_price_inr=variant.selling_price, home_rate=market.home_rate,
            )  # fmt: skip

    @staticmethod
    def _events(order: Order, when: dict[str, datetime]) -> Iterator[OrderEvent]:
        before = ""
        for state, at in when.items():
            yield OrderEvent(order=order, at=at, status_from=before, status_to=state)
            before = state

    def _payment(self, order: Order, when: dict[str, datetime]) -> Payment:
        pk = next(self.ids[Payment])
        payment = Payment(
            pk=pk, order=order, receipt=f"{order.number}-1", razorpay_order_id=f"order_{pk:014}",
            amount_paise=to_paise(order.total_inr), simulated=True, created_at=order.created_at, check_at=None,
            status=Payment.Status.OPEN if order.hold_expires_at else Payment.Status.FAILED,
        )  # fmt: skip
        if Status.PLACED in when:
            payment.status, payment.captured_paise = Payment.Status.CAPTURED, payment.amount_paise
            payment.razorpay_payment_id, payment.captured_at = f"pay_{pk:014}", when[Status.PLACED]
        return payment

    def _add_papers(
        self, rows: Rows, order: Order, payment: Payment, when: dict[str, datetime], *, has_ended: bool
    ) -> None:
        placed = when[Status.PLACED]
        rows.add(self._invoice(Invoice.Kind.INVOICE, order, f"order:{order.number}", placed, order.total_inr))
        rows.add(Message(channel="mail", kind="order_placed", key=f"order_placed:{order.number}", to=order.email,
                         subject=f"Order {order.number}", text="", created_at=placed, sent_at=placed))  # fmt: skip
        rows.add(ProviderEvent(event_id=f"event_{payment.pk}", event="payment.captured", body="{}", received_at=placed,
                               handled_at=placed, razorpay_order_id=payment.razorpay_order_id or ""))  # fmt: skip
        if has_ended:
            ended = when[order.status]
            self._add_refund(rows, payment, f"full_{payment.capture_id}", payment.amount_paise, ended)
            rows.add(self._invoice(Invoice.Kind.CREDIT, order, f"end:{order.number}", ended, order.total_inr))

    def _add_refund(self, rows: Rows, payment: Payment, key: str, paise: int, at: datetime) -> None:
        """The provider has it for a day."""
        is_done = at < self.now - timedelta(days=1)
        payment.refunded_paise += paise
        rows.add(Refund(
            payment=payment, razorpay_payment_id=payment.capture_id, idempotency_key=key, amount_paise=paise,
            razorpay_refund_id=f"rfnd_{payment.pk:014}_{payment.refunded_paise}", reason="It came back.", created_at=at,
            status=Refund.Status.PROCESSED if is_done else Refund.Status.PENDING, processed_at=at if is_done else None,
        ))  # fmt: skip

    def _invoice(self, kind: str, order: Order, reference: str, at: datetime, total: Decimal) -> Invoice:
        day: date = timezone.localdate(at)
        series = "INV" if kind == Invoice.Kind.INVOICE else "CRN", financial_year(day)
        self.numbers[series] += 1
        content = {"issued_on": day, "rows": [], "totals": {"total": total}}
        number = f"{series[0]}/{series[1]}/{self.numbers[series]:06}"
        return Invoice(kind=kind, number=number, order=order, reference=reference, issued_at=at,
                       total_inr=total, content=content)  # fmt: skip

    def _add_parcel(self, rows: Rows, order: Order, lines: list[OrderLine], when: dict[str, datetime]) -> None:
        parcel = Shipment(
            pk=next(self.ids[Shipment]), order=order, courier=self.chance.choice(self.couriers),
            tracking_number=f"AU{order.pk:09}IN", shipped_at=when[Status.SHIPPED], delivered_at=order.delivered_at,
            refused_at=None if order.delivered_at else when.get(Status.RETURNED),
        )  # fmt: skip
        rows.add(parcel)
        for line in lines:
            rows.add(ShipmentLine(shipment=parcel, order_line=line, quantity=line.quantity))

    def _add_returns(
        self, rows: Rows, order: Order, lines: list[OrderLine], payment: Payment, when: dict[str, datetime]
    ) -> None:
        """Everything of an order that came back; of some others one line is asked for."""
        is_back = order.status == Status.RETURNED
        asked = lines if is_back else lines[: self.chance.random() < 0.04]
        delivered = when[Status.DELIVERED]
        for line in asked:
            is_open = not is_back and delivered > self.now - timedelta(days=12)
            request = ReturnRequest(
                pk=next(self.ids[ReturnRequest]), line=line, kind=ReturnRequest.Kind.REFUND, quantity=line.quantity,
                reason=self.chance.choice(self.reasons), created_at=delivered + timedelta(hours=9),
                status=ReturnRequest.Status.REQUESTED if is_open else ReturnRequest.Status.REJECTED,
            )  # fmt: skip
            if is_back:
                at = when[Status.RETURNED]
                request.status, request.received_at, request.closed_at = ReturnRequest.Status.REFUNDED, at, at
                request.refund_inr = line.line_inr
                self._add_refund(rows, payment, key_of(request), to_paise(line.line_inr), at)
                rows.add(self._invoice(Invoice.Kind.CREDIT, order, f"return:{request.pk}", at, line.line_inr))
            rows.add(request)

    def _fill_stock(self) -> None:
        with transaction.atomic():
            for pk, units in self.came.items():
                changes = {"received": F("received") + units, "sold": self.sold[pk], "held": self.held[pk]}
                Variant.objects.filter(pk=pk).update(**changes)
            for pk, units in self.sold.items():
                Product.objects.filter(variants=pk).update(popularity=units)


def fill(size: int) -> None:
    if not Order.objects.exists():
        write_rows(Filler(size))
    owner, _ = Customer.objects.get_or_create(email="owner@example.com", defaults={"is_staff": True, "name": "Owner"})
    owner.groups.add(*owner.groups.model.objects.filter(name=OWNER))


def write_rows(filler: Filler) -> None:
    filler.fill_people()
    filler.fill_searches()
    filler.fill_orders()
    with connection.cursor() as cursor:
        # Ids were given by hand: what is added next goes on from there.
        for statement in connection.ops.sequence_reset_sql(no_style(), [*WRITTEN, Product, Variant]):
            cursor.execute(statement)
    settle()


if __name__ == "__main__":
    fill(int(sys.argv[1]))
