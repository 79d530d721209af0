"""Ordering what the desk prepared, by whoever has its link or by the desk itself; and stopping a payment of it."""

from django.db import transaction
from django.utils.translation import gettext, gettext_noop

from shop.errors import Invalid
from shop.orders.drafts.queries import address_of, cart_of, market_of
from shop.orders.models import Order, OrderDraft
from shop.orders.placing.services import cancel_order
from shop.orders.placing.values import PlaceOrder, SubmittedTotals
from shop.orders.states import Status, WrongState

from ..models import Payment
from ..services import ask_after, check_out

STOPPED = gettext_noop("Payment stopped by the desk, to change the draft.")


def request_for(draft: OrderDraft, submitted: SubmittedTotals, **more: str) -> PlaceOrder:
    """What check_out takes; `more` are further fields of PlaceOrder. Raises Invalid without an address."""
    address = address_of(draft)
    if address is None:
        raise Invalid(gettext("Choose or type the delivery address first."))
    return PlaceOrder(draft.customer, cart_of(draft), address, market_of(draft), submitted, draft=draft, **more)


def order_draft(draft: OrderDraft, submitted: SubmittedTotals, **more: str) -> tuple[Order, Payment | None]:
    """Place the draft's order and make the provider ready; once, whoever asks how often: place_order says which rows
    are locked. `submitted` is what the page showed. Raises what check_out raises, and DraftClosed."""
    return check_out(request_for(draft, submitted, **more))


def stop_payment(draft: OrderDraft, *, actor: str) -> bool:
    """Give up the order of a draft that waits for its payment, so that the draft may be changed; says whether there
    was one. The provider is asked first; money that comes later goes back.

    Locks the order. Raises WrongState where it has just been paid.
    """
    live = draft.live_order
    if live is None:
        return False
    ask_after(live)
    with transaction.atomic():
        locked = Order.objects.select_for_update().get(pk=live.pk)
        if locked.is_paid:
            raise WrongState(gettext("The customer has just paid: see {number}.").format(number=locked.number))
        if locked.status != Status.PENDING:
            return False
        cancel_order(locked, actor=actor, note=STOPPED)
    return True
