"""A year of the demo shop, made in bulk: what its back office has to show.

The same day and catalogue give the same year. Nothing of it is due: no email is queued, no stock reserved, no payment
to be asked about. A few recent orders, returns and messages wait for the staff.
"""

from datetime import datetime, timedelta
from decimal import Decimal
from random import Random

from django.db import transaction
from django.utils import timezone

from shop.accounts.models import Customer
from shop.cart.models import Coupon
from shop.catalog.products.popularity import count_popularity
from shop.invalidation.models import Change
from shop.invalidation.services import invalidate
from shop.orders.models import Courier
from shop.orders.shipping.services import complete_delivered

from ..logins import STAFF
from .messages import add_messages, note_invitations
from .money import add_invoices, add_payments
from .orders import add_coupon_uses, add_events, add_orders, add_parcels, add_points, draft_sales
from .people import CUSTOMERS, add_customers
from .returns import add_returns, draft_returns
from .reviews import add_reviews
from .searches import add_searches
from .stock import add_movements
from .timeline import moments

SEED = "a year of orders"
COUPONS = {"FESTIVE10": ("10% off", Decimal(10)), "HEALTH15": ("15% off", Decimal(15))}


@transaction.atomic
def load_history(couriers: list[Courier]) -> int:
    """Fill the year before now; returns how many orders there were. For a shop without orders."""
    random, now = Random(SEED), timezone.now()
    addresses = add_customers(random, moments(random, now - timedelta(days=1), CUSTOMERS))
    coupons = [_coupon(code, text, percent, now) for code, (text, percent) in COUPONS.items()]
    sales = draft_sales(random, addresses, coupons, now)
    draft_returns(random, sales, now)
    add_orders(sales)
    add_returns(sales, couriers[0])
    add_parcels(random, sales, couriers)
    add_payments(random, sales)
    add_invoices(sales)
    add_movements(sales)
    coupons[0].ends_at = now - timedelta(days=10)
    add_coupon_uses(sales, coupons)
    add_points(sales, now)
    add_events(sales)
    complete_delivered()  # what never comes back is completed on the day after its delivery
    note_invitations()
    add_messages(random, sales, Customer.objects.get(email=STAFF[-1].email), now)
    add_searches(random)
    add_reviews(random, sales, Customer.objects.get(email=STAFF[0].email), now)
    count_popularity()
    invalidate(Change.Kind.SHOP)
    return len(sales)


def _coupon(code: str, text: str, percent: Decimal, now: datetime) -> Coupon:
    facts = {"description": f"{text} your order, up to ₹300", "most_inr": Decimal(300), "customer_limit": None}
    return Coupon.objects.create(
        code=code, kind=Coupon.Kind.PERCENT, percent=percent, minimum_inr=Decimal(400),
        starts_at=now - timedelta(days=400), **facts,
    )  # fmt: skip
