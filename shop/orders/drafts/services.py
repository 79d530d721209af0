"""Drafts of the desk: opened for a customer, filled, sent as a link, withdrawn, duplicated, forgotten.

Every change locks the customer, then the draft, as placing does (placing/services.py): a draft is not changed while
it is ordered, nor ordered while it is changed. While an unpaid order of it waits for its payment, nothing changes:
whoever pays gets what they saw. `seen` is the revision that the caller saw; another one is refused as Changed, so
that a button pressed twice, or by two people, counts once.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, cast

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from shop.accounts.addresses.rules import clean_address
from shop.accounts.auth.services import TooManyAddresses, add_address
from shop.accounts.contact_points import canonical_email, canonical_mobile
from shop.accounts.models import Address, Customer
from shop.accounts.privacy.account_deletion import delete_if_never_used
from shop.accounts.queries import customer_at
from shop.cart import services as carts
from shop.cart.models import Cart, CartLine
from shop.errors import Changed, Invalid, NotFound, OutOfStock, ShopError
from shop.jobs.services import for_each
from shop.limits.services import consume
from shop.markets.geography.local_time import in_zone_of
from shop.markets.queries import market_registry
from shop.text import one_line

from ..models import OrderDraft
from ..states import WrongState
from .links import hash_token, link_of, new_seed, token_of
from .notifications import queue_payment_link
from .queries import address_of, cart_of, home_of, market_of, phone_of, priced, snapshot_of

LINK_LASTS = timedelta(days=3)
KEPT_FOR = timedelta(days=90)  # since it was last changed
SENDINGS = 6  # of one draft, an hour
MEANWHILE = gettext_noop("This draft has just been changed. Please check it again.")


class BeingPaid(ShopError):
    """Somebody has the payment window open."""

    code = "being_paid"


# --- Opening --------------------------------------------------------------------------------------


def open_customer(*, name: str, mobile: str, country_code: str) -> tuple[Customer, bool]:
    """The customer with this mobile number, and whether they are new: then an account without a password, which its
    owner opens by a code to that number. Raises Invalid naming the fields."""
    phone = canonical_mobile(mobile, country_code=country_code)
    known = customer_at(phone)
    if known is not None:
        return known, False
    name = one_line(name)
    if not name:
        raise Invalid(gettext("Enter the caller's name."), fields={"name": [gettext("Enter the caller's name.")]})
    try:
        with transaction.atomic():
            return Customer.objects.create_user(phone=phone, name=name[:100]), True
    except IntegrityError:  # they signed up at the same moment
        return Customer.objects.get(phone=phone), False


@transaction.atomic
def open_draft(customer: Customer, *, author: str) -> OrderDraft:
    """An empty draft, to the customer's default address where the shop delivers there. One that the same author left
    empty is taken again, so that asking twice opens one. Locks the customer."""
    customer = Customer.objects.select_for_update(no_key=True).get(pk=customer.pk)
    if customer.deleted_at or not customer.is_active:
        raise ShopError(gettext("This account is closed."))
    untouched = customer.order_drafts.filter(author=author, revision=0, withdrawn_at=None)
    if empty := untouched.filter(cart__lines=None).first():
        return cast(OrderDraft, empty)
    return _new_draft(customer, author)


def _new_draft(customer: Customer, author: str) -> OrderDraft:
    location = home_of(customer)
    address = customer.addresses.default_first().filter(country=location).first()
    return OrderDraft.objects.create(
        customer=customer,
        cart=Cart.objects.create(on_behalf_of=customer),
        location=location,
        address=address.as_fields() if address else {},
        address_id_then=address.pk if address else 0,
        email=customer.email or "",
        author=author,
    )


@transaction.atomic
def duplicate_draft(draft: OrderDraft, *, author: str, seen: int | None = None) -> OrderDraft:
    """A new draft with the same lines, coupon and address, at today's prices and without a link, whatever became of
    the first. Counts in its revision, so that the button duplicates once. Raises Changed."""
    source = lock_draft(draft)
    if seen is not None and seen != source.revision:
        raise Changed(gettext(MEANWHILE))
    _write(source, revision=F("revision") + 1)
    copy = _new_draft(source.customer, author)
    Cart.objects.filter(pk=copy.cart_id).update(coupon=source.cart.coupon_id, use_points=source.cart.use_points)
    CartLine.objects.bulk_create(
        CartLine(cart_id=copy.cart_id, variant_id=line.variant_id, quantity=line.quantity)
        for line in source.cart.lines.all()
    )
    names = ("location_id", "address", "address_id_then", "email")
    _write(copy, revision=1, **{name: getattr(source, name) for name in names})
    return copy


# --- Changing -------------------------------------------------------------------------------------


@contextmanager
def _changing(draft: OrderDraft, seen: int | None) -> Iterator[OrderDraft]:
    """The locked row, still open and as the caller saw it; its revision counts once the change is made. Writes
    `revision` and `changed_at`. Raises WrongState, BeingPaid, Changed."""
    with transaction.atomic():
        row = lock_draft(draft)
        require_open(row)
        if seen is not None and seen != row.revision:
            raise Changed(gettext(MEANWHILE))
        yield row
        _write(row, revision=F("revision") + 1, changed_at=timezone.now())


def lock_draft(draft: OrderDraft) -> OrderDraft:
    """The row as it is now, locked after its customer's."""
    Customer.objects.select_for_update(no_key=True).get(pk=draft.customer_id)
    found = OrderDraft.objects.select_for_update().filter(pk=draft.pk).first()
    if found is None:
        raise NotFound()
    return cast(OrderDraft, found)


def require_open(row: OrderDraft) -> None:
    """Neither ordered nor withdrawn, and nobody is paying it; `row` is locked."""
    if order := row.order:
        raise WrongState(gettext("This draft is ordered: see {number}.").format(number=order.number))
    if row.withdrawn_at:
        raise WrongState(gettext("This draft was withdrawn. Duplicate it to start again."))
    if live := row.live_order:
        until = f"{in_zone_of(market_of(row), live.hold_expires_at):%H:%M}" if live.hold_expires_at else ""
        words = gettext("The customer is paying {number}, until {until}. Stop the payment first.")
        raise BeingPaid(words.format(number=live.number, until=until))


def _write(row: OrderDraft, **fields: Any) -> None:
    OrderDraft.objects.filter(pk=row.pk).update(**fields)


def add_line(draft: OrderDraft, *, variant_id: int, quantity: int, seen: int | None = None) -> None:
    """Raises what carts.add_to_cart raises; what stands in the draft already is raised by that many."""
    with _changing(draft, seen) as row:
        cart, market = cart_of(row), market_of(row)
        kept = cart.lines.filter(variant_id=variant_id).first()
        if kept:
            carts.change_quantity(cart, variant_id=variant_id, quantity=kept.quantity + quantity, market=market)
        else:
            carts.add_to_cart(cart, variant_id=variant_id, quantity=quantity, market=market)


def change_line(draft: OrderDraft, *, variant_id: int, quantity: int, seen: int | None = None) -> None:
    """Set the units of a line; none takes it out."""
    with _changing(draft, seen) as row:
        cart = cart_of(row)
        if quantity:
            carts.change_quantity(cart, variant_id=variant_id, quantity=quantity, market=market_of(row))
        else:
            carts.remove_from_cart(cart, variant_ids=[variant_id])


def change_reductions(draft: OrderDraft, *, code: str, use_points: bool, seen: int | None = None) -> None:
    """Put a coupon in, or take it out where `code` is empty, and use the customer's points or not. Raises what
    carts.put_coupon raises."""
    with _changing(draft, seen) as row:
        cart = cart_of(row)
        carts.use_points(cart, use=use_points)
        if code:
            carts.put_coupon(cart, code=code, market=market_of(row))
        else:
            carts.remove_coupon(cart)


def change_location(draft: OrderDraft, *, location_id: int, seen: int | None = None) -> None:
    """Prices, stock rules and delivery of another country; an address elsewhere is left out."""
    location = market_registry().locations.get(location_id)
    if location is None:
        raise Invalid(gettext("Choose a country."), fields={"location": [gettext("Choose a country.")]})
    with _changing(draft, seen) as row:
        if row.location_id != location.pk:
            _write(row, location=location, address={}, address_id_then=0)


def choose_address(draft: OrderDraft, address: Address, *, seen: int | None = None) -> None:
    """One of the customer's own; prices follow its country."""
    location = market_registry().locations.get(address.country_id)
    if address.customer_id != draft.customer_id:
        raise NotFound()
    if location is None:
        raise ShopError(
            gettext("We don't deliver to %(country)s at the moment.") % {"country": address.country.local_name}
        )
    with _changing(draft, seen) as row:
        _write(row, location=location, address=address.as_fields(), address_id_then=address.pk)


def type_address(draft: OrderDraft, fields: dict[str, Any], *, keep: bool, seen: int | None = None) -> None:
    """An address that was told on the phone, in the draft's country; kept among the customer's own with `keep`, as
    far as there is room. Raises Invalid naming the fields."""
    with _changing(draft, seen) as row:
        market = market_of(row)
        cleaned, kept = clean_address(fields, country_code=market.country_code), None
        if keep:
            try:
                kept = add_address(row.customer, market, fields, is_default=False)
            except TooManyAddresses:
                kept = None
        blank = dict.fromkeys(("additional_info",), "")
        _write(row, address=blank | cleaned, address_id_then=kept.pk if kept else 0)


def change_email(draft: OrderDraft, typed: str, *, seen: int | None = None) -> None:
    """Where its mails go; the account keeps what it has. Empty: nowhere, SMS alone."""
    email = canonical_email(typed) if typed.strip() else ""
    with _changing(draft, seen) as row:
        _write(row, email=email)


# --- The link -------------------------------------------------------------------------------------


def make_link(
    draft: OrderDraft, *, by_sms: bool = False, by_mail: bool = False, is_new: bool = False, seen: int | None = None
) -> str:
    """Open the draft's link for three days from now, and send it where that is asked for; answers its address.

    A link that is open stays the same, unless `is_new`: then the one before ends. Writes the link's columns, and
    keeps what the draft costs now, so that the payer is told what changed since. Raises Invalid where something is
    missing, TooMany.
    """
    if by_sms or by_mail:
        consume("draft_link", str(draft.pk), limit=SENDINGS, period=timedelta(hours=1))
    with _changing(draft, seen) as row:
        view = priced(row)
        _require_complete(row, by_sms=by_sms, by_mail=by_mail)
        row.sent_at = now = timezone.now()
        if is_new or not link_of(row):
            row.link_seed = new_seed()
            row.token_hash = hash_token(token_of(row.pk, row.link_seed))
        row.expires_at = now + LINK_LASTS
        row.seen = snapshot_of(view)
        names = ("sent_at", "expires_at", "link_seed", "token_hash", "seen")
        _write(row, **{name: getattr(row, name) for name in names})
        url = link_of(row)
        queue_payment_link(row, view, url, phone=phone_of(row) if by_sms else "", email=row.email if by_mail else "")
    return url


def _require_complete(row: OrderDraft, *, by_sms: bool, by_mail: bool) -> None:
    view = priced(row)
    if not view.lines:
        raise Invalid(gettext("Add a product first."))
    if address_of(row) is None:
        raise Invalid(gettext("Choose or type the delivery address first."))
    for line in view.problems:
        words = f"{line.product.name}: {line.problem}"
        raise OutOfStock(words) if line.quantity > line.available else Changed(words)
    if by_sms and not phone_of(row):
        raise Invalid(gettext("There is no mobile number for an SMS."))
    if by_mail and not row.email:
        raise Invalid(
            gettext("Enter an email address first."), fields={"email": [gettext("Enter an email address first.")]}
        )


def withdraw_draft(draft: OrderDraft, *, seen: int | None = None) -> None:
    """Its link ends, and money that comes late for an earlier try goes back. Raises WrongState once it is ordered,
    BeingPaid while somebody pays. A second time changes nothing."""
    with transaction.atomic():
        row = lock_draft(draft)
        if row.withdrawn_at:
            return
        require_open(row)
        if seen is not None and seen != row.revision:
            raise Changed(gettext(MEANWHILE))
        now = timezone.now()
        gone: dict[str, Any] = {"withdrawn_at": now, "token_hash": None, "link_seed": ""}
        _write(row, **gone, revision=F("revision") + 1, changed_at=now)


# --- Forgetting -----------------------------------------------------------------------------------


def delete_old_drafts() -> int:
    """Scheduled job: drafts that nobody changed for three months go, with their carts, and with the accounts of
    callers who never bought or signed in; orders made of them stay."""
    old = OrderDraft.objects.filter(changed_at__lt=timezone.now() - KEPT_FOR).order_by("pk")
    return for_each("forget_old_drafts", old, delete_unpaid_draft)


def delete_unpaid_draft(draft: OrderDraft) -> bool:
    """Delete a draft and its cart, unless an order of it waits for its payment; says whether it did. The account goes
    too if it was opened for such drafts only."""
    with transaction.atomic():
        row = lock_draft(draft)
        if row.live_order:
            return False
        row.delete()
        Cart.objects.filter(pk=row.cart_id).delete()
        customer = Customer.objects.get(pk=row.customer_id)
        if not customer.orders.exists() and not customer.order_drafts.exists():
            delete_if_never_used(customer)
    return True
