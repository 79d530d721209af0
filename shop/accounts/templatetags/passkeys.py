"""Passkeys in the profile, and ways in besides the form."""

from typing import Any

from django import template
from django.conf import settings
from django.template.context import RequestContext

from ..models import Customer
from ..passkeys import services as passkeys
from ..second_factor.services import factors_of, needs_second_factor

register = template.Library()


@register.inclusion_tag("accounts/passkeys/_passkeys.html", takes_context=True)
def passkeys_of(context: RequestContext, customer: Customer) -> dict[str, Any]:
    request: Any = context["request"]
    kept = list(passkeys.passkeys_of(customer))
    return {
        "passkeys": [(key.pk, key.data["name"], key.created_at, key.last_used_at) for key in kept],
        "has_room": len(kept) < passkeys.MAX_PASSKEYS,
        "is_locked": needs_second_factor(request) and factors_of(customer).exists(),
        "longest_name": passkeys.MAX_NAME_LENGTH,
        "csrf_token": context.get("csrf_token"),
        "market": request.market,
        "request": request,
    }


@register.simple_tag
def google_is_a_way_in() -> bool:
    return bool(settings.GOOGLE_CLIENT_ID)
