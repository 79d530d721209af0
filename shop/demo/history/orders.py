"""A year of orders, from the checkout to the door: orders, lines, events, parcels, coupons and points."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random

from shop.accounts.models import Address, PointsEntry
from shop.accounts.points.services import points_for, twelve_months_after
from shop.backoffice.actors import PROVIDER, SHOP, customer_actor
from shop.cart.models import Coupon, CouponUse
from shop.markets.queries import market_registry
from shop.orders.models import Courier, Order, OrderEvent, OrderLine, ReturnRequest, Shipment, ShipmentLine

from .baskets import Shelf, draft_order
from .timeline import Story, moments, tell

ORDERS = 2000
BATCH = 500
POINTS_SINCE = timedelta(days=150)  # so that none of them expires soon, which would be mailed
COUPON_SHARE = 0.14
NOTES = {
    "placed": "Paid.",
    "cancelled": "Ordered by mistake.",
    "returned": "Refused at the door.",
    "replaced": "A replacement was sent.",
    "completed": "The return windows ended.",
}


@dataclass
class Sale:
    """One order with all that belongs to it."""

    order: Order
    lines: list[OrderLine]
    story: Story
    request: ReturnRequest | None = None
    events: list[OrderEvent] = field(default_factory=list)

    @property
    def placed_at(self) -> datetime | None:
        return self.story.steps.get("placed")

    @property
    def ended_at(self) -> datetime | None:
        """When it ended before it was delivered."""
        steps = self.story.steps
        return None if "delivered" in steps else steps.get("cancelled") or steps.get("returned")

    def note(self, at: datetime, note: str, actor: str = SHOP, *, before: str = "", after: str = "") -> None:
        self.events.append(
            OrderEvent(order=self.order, at=at, actor=actor, note=note, status_from=before, status_to=after)
        )


def draft_sales(random: Random, addresses: list[Address], coupons: list[Coupon], now: datetime) -> list[Sale]:
    """Nothing is saved yet. Customers who joined early buy more often, and nobody before they joined."""
    shelf = Shelf(random)
    locations = market_registry().locations
    joined = sorted(addresses, key=lambda address: address.customer.date_joined)
    known, sales = 0, []
    for at in moments(random, now, ORDERS):
        while known < len(joined) and joined[known].customer.date_joined <= at:
            known += 1
        address = joined[int(max(known, 1) * random.random())]
        coupon = random.choice(coupons) if random.random() < COUPON_SHARE else None
        story = tell(random, at, now, locations[address.country_id].transit_days)
        sales.append(Sale(*draft_order(shelf, address, at, coupon), story))
    return sales


def add_orders(sales: list[Sale]) -> None:
    for sale in sales:
        sale.order.status = list(sale.story.steps)[-1]
        sale.order.placed_at = sale.placed_at
        sale.order.delivered_at = sale.story.steps.get("delivered")
        _note_steps(sale)
    Order.objects.bulk_create([sale.order for sale in sales], batch_size=BATCH)
    OrderLine.objects.bulk_create([line for sale in sales for line in sale.lines], batch_size=BATCH)


def _note_steps(sale: Sale) -> None:
    buyer, before = customer_actor(sale.order.customer_id), ""
    for status, at in sale.story.steps.items():
        note = NOTES.get(status, "")
        actor = {"pending": buyer, "placed": PROVIDER, "cancelled": buyer}.get(status, SHOP)
        if status == "pending":
            note = "Checked out."
        elif status == "cancelled" and not sale.placed_at:
            actor, note = SHOP, "Not paid in time."
        elif status == "returned" and not sale.ended_at:
            note = "Everything was returned."
        sale.note(at, note, actor, before=before, after=status)
        before = status


def add_parcels(random: Random, sales: list[Sale], couriers: list[Courier]) -> None:
    """One for each order that was shipped; of two that are to be shipped, a first one is on its way."""
    shipped = [sale for sale in sales if "shipped" in sale.story.steps]
    parcels = Shipment.objects.bulk_create(
        (
            Shipment(
                order=sale.order, courier=random.choice(couriers), tracking_number=f"AU{sale.order.pk:09}IN",
                shipped_at=sale.story.steps["shipped"], delivered_at=sale.story.steps.get("delivered"),
                refused_at=sale.story.steps.get("returned") if sale.story.end == "refused" else None,
            )
            for sale in shipped
        ),
        batch_size=BATCH,
    )  # fmt: skip
    partly = [sale for sale in shipped if sale.order.status == "shipped" and len(sale.lines) > 1][-2:]
    ShipmentLine.objects.bulk_create(
        (
            ShipmentLine(shipment=parcel, order_line=line, quantity=line.quantity)
            for sale, parcel in zip(shipped, parcels, strict=True)
            for line in (sale.lines[:1] if sale in partly else sale.lines)
        ),
        batch_size=BATCH,
    )


def add_coupon_uses(sales: list[Sale], coupons: list[Coupon]) -> None:
    by_code = {coupon.code: coupon for coupon in coupons}
    used = [sale for sale in sales if sale.order.coupon_code and not sale.ended_at]
    CouponUse.objects.bulk_create(
        (
            CouponUse(
                coupon=by_code[sale.order.coupon_code], customer=sale.order.customer, reference=sale.order.number,
                at=sale.story.at, is_placed=True,
            )
            for sale in used
        ),
        batch_size=BATCH,
    )  # fmt: skip
    for coupon in coupons:
        coupon.uses = sum(sale.order.coupon_code == coupon.code for sale in used)
    Coupon.objects.bulk_update(coupons, ["uses", "ends_at"])


def add_points(sales: list[Sale], now: datetime) -> None:
    """For what was delivered lately and not asked back."""
    PointsEntry.objects.bulk_create(
        (
            PointsEntry(
                customer=sale.order.customer, kind=PointsEntry.Kind.EARNED, points=points, at=at,
                reference=sale.order.number, key=f"earned:{sale.order.number}", expires_at=twelve_months_after(at),
            )
            for sale in sales
            if (at := sale.story.steps.get("delivered")) and at > now - POINTS_SINCE and not sale.request
            and (points := points_for(sale.order.goods_inr))
        ),
        batch_size=BATCH,
    )  # fmt: skip


def add_events(sales: list[Sale]) -> None:
    """In the order of time, which is that of their ids."""
    events = (event for sale in sales for event in sorted(sale.events, key=lambda event: event.at))
    OrderEvent.objects.bulk_create(events, batch_size=BATCH)
