"""A customer who takes the own data along, or leaves."""

from typing import Any

from django.dispatch import receiver

from shop.accounts.models import Customer
from shop.accounts.signals import account_deleted, collecting_data

from .models import Cart, CartLine


@receiver(collecting_data)
def disclose_cart(sender: type, customer: Customer, **kwargs: Any) -> dict[str, Any]:
    lines = CartLine.objects.filter(cart__customer=customer).select_related("variant__product")
    return {
        "cart": [
            {
                "product": line.variant.product.name,
                "sku": line.variant.sku,
                "quantity": line.quantity,
                "saved_for_later": line.is_saved,
                "added_at": line.added_at,
            }
            for line in lines
        ]
    }


@receiver(account_deleted)
def delete_cart(sender: type, customer: Customer, **kwargs: Any) -> None:
    Cart.objects.filter(customer=customer).delete()
