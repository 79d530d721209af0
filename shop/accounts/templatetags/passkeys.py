"""A customer's passkeys, in the profile."""

from django import template

from shop.accounts.models import Customer

register = template.Library()


@register.simple_tag
def passkeys_of(customer: Customer) -> str:
    return ""
