"""Changes to carts. Each owns its transaction; twice is safe."""

import secrets
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from shop.accounts.models import Customer
from shop.catalog.models import Product, Variant
from shop.errors import Invalid, NotFound, OutOfStock, ShopError
from shop.markets.market import Market

from .models import Cart, CartLine
from .totals import allowed_quantity


class AlreadyInCart(ShopError):
    code = "already_in_cart"

    def __init__(self, quantity: int) -> None:
        super().__init__("Already added to cart", extra={"quantity": quantity})
        self.quantity = quantity


def hash_secret(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


def cart_of(*, customer: Customer | None = None, secret: str | None = None) -> Cart | None:
    """The open cart of a customer, or of the guest who holds `secret`; None when there is none yet."""
    if customer is not None:
        return Cart.objects.filter(customer=customer).first()
    if secret:
        return Cart.objects.filter(secret_hash=hash_secret(secret)).first()
    return None


def open_cart(customer: Customer) -> Cart:
    return Cart.objects.get_or_create(customer=customer)[0]


def open_guest_cart() -> tuple[Cart, str]:
    """A new guest cart and the secret (256 bits) that alone opens it."""
    secret = secrets.token_urlsafe(32)
    return Cart.objects.create(secret_hash=hash_secret(secret)), secret


@transaction.atomic
def add_to_cart(cart: Cart, *, variant_id: int, quantity: int, market: Market) -> CartLine:
    """Put a new line into the cart.

    Raises NotFound for an unknown variant, ShopError `not_sellable` where it may not be sold,
    OutOfStock, Invalid for a quantity over what one cart may hold, AlreadyInCart for a second time.
    """
    barred = Product.barred_locations.through.objects.filter(
        product_id=OuterRef("product_id"), location_id=market.location_id
    )
    variant = Variant.objects.select_related("product").annotate(is_barred=Exists(barred)).filter(pk=variant_id).first()
    if variant is None:
        raise NotFound("This product is not sold here.")
    _require_sellable(variant, market)
    _require_quantity(variant, quantity)
    # The cart's row is locked from here on: nobody else puts the same line in between.
    if not Cart.objects.filter(pk=cart.pk).update(changed_at=timezone.now()):
        raise NotFound("This cart is gone.")
    if line := CartLine.objects.filter(cart=cart, variant=variant).first():
        raise AlreadyInCart(line.quantity)
    return CartLine.objects.create(cart=cart, variant=variant, quantity=quantity)


@transaction.atomic
def change_quantity(cart: Cart, *, variant_id: int, quantity: int) -> None:
    """Set a line's quantity; raises NotFound for a line that is not in this cart."""
    line = cart.lines.select_related("variant").filter(variant_id=variant_id).first()
    if line is None:
        raise NotFound("This product is not in the cart.")
    _require_quantity(line.variant, quantity)
    CartLine.objects.filter(pk=line.pk).update(quantity=quantity)
    cart.save(update_fields=["changed_at"])


@transaction.atomic
def remove_from_cart(cart: Cart, *, variant_ids: list[int]) -> None:
    """Take lines out; ids that are not in this cart change nothing."""
    cart.lines.filter(variant_id__in=variant_ids).delete()
    cart.save(update_fields=["changed_at"])


@transaction.atomic
def merge_guest_cart(customer: Customer, *, secret: str) -> None:
    """Bring a guest's lines into the customer's cart, exactly once: the guest cart is gone afterwards.

    Quantities are added up to what one cart may hold.
    """
    guest = Cart.objects.select_for_update().filter(secret_hash=hash_secret(secret)).first()
    if guest is None:
        return
    cart = open_cart(customer)
    Cart.objects.select_for_update().get(pk=cart.pk)
    kept = {line.variant_id: line for line in cart.lines.all()}
    for line in guest.lines.select_related("variant"):
        most = max(1, allowed_quantity(line.variant))
        if own := kept.get(line.variant_id):
            own.quantity = min(own.quantity + line.quantity, most)
            own.save(update_fields=["quantity"])
        else:
            cart.lines.create(variant=line.variant, quantity=min(line.quantity, most), added_at=line.added_at)
    guest.delete()


def _require_sellable(variant: Any, market: Market) -> None:
    """`variant` is annotated with `is_barred`."""
    product = variant.product
    if not (product.is_published and variant.is_active):
        raise NotFound("This product is not sold here.")
    if product.is_prescription:
        raise ShopError("This medicine needs a prescription and is not sold online.", "not_sellable")
    if variant.is_barred:
        raise ShopError(f"This product cannot be delivered to {market.country_name}.", "not_sellable")


def _require_quantity(variant: Variant, quantity: int) -> None:
    if variant.on_hand < 1:
        raise OutOfStock("This product is out of stock.")
    if not 1 <= quantity <= variant.max_purchase_qty:
        raise Invalid(
            f"Choose a quantity from 1 to {variant.max_purchase_qty}.", fields={"quantity": ["Out of range."]}
        )
    if quantity > variant.on_hand:
        raise OutOfStock(f"Only {variant.on_hand} left in stock.", extra={"available": variant.on_hand})
