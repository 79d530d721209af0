"""{{ price.selling|money:price.currency }} is ₹1,299.00; |money_short leaves a whole amount's zeros out: ₹1,299."""

from decimal import Decimal

from django import template

from shop import money as shop_money

register = template.Library()


@register.filter
def money(amount: Decimal, currency: str) -> str:
    return shop_money.display(amount, currency)


@register.filter
def money_short(amount: Decimal, currency: str) -> str:
    return shop_money.display_short(amount, currency)
