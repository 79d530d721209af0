"""Everything that is kept about a customer, to be taken along."""

from typing import Any, cast

from django.db.models import F
from django.utils import timezone

from ..auth.tokens import tokens_of
from ..models import Address, Customer, WishlistItem
from ..sessions.sign_ins import sign_ins_of
from ..signals import collecting_data


def data_of(customer: Customer) -> dict[str, Any]:
    """In words and numbers that JSON knows; later rooms add theirs."""
    data: dict[str, Any] = {
        "made_at": timezone.now(),
        "customer": {
            "id": customer.pk,
            "name": customer.name,
            "email": customer.email,
            "mobile": customer.phone,
            "joined_at": customer.date_joined,
            "last_sign_in_at": customer.last_login,
        },
        "addresses": [_address(address) for address in customer.addresses.default_first()],
        "consents": list(customer.consents.order_by("id").values("kind", "version", "given_at", "withdrawn_at")),
        "points": list(customer.points_entries.values("at", "kind", "points", "reference", "expires_at")),
        "wishlist": list(
            WishlistItem.objects.filter(wishlist__customer=customer).values(
                "added_at", "wants_price", "wants_stock", product_name=F("product__name")
            )
        ),
        "notes": list(customer.notes.values("at", "text")),
        "tags": list(customer.tags.values_list("word", flat=True)),
        "sign_ins": [
            {"browser": sign_in.browser, "address": sign_in.address, "since": sign_in.since}
            for sign_in in sign_ins_of(customer, here=None)
        ],
        "tokens": [
            {"name": token.name, "created_at": token.created_at, "expires_at": token.expires_at}
            for token in tokens_of(customer)
        ],
    }
    for _, members in collecting_data.send(sender=Customer, customer=customer):
        data |= cast(dict[str, Any], members)
    return data


def _address(address: Address) -> dict[str, Any]:
    return {**address.as_fields(), "country": address.country.name, "is_default": address.is_default}
