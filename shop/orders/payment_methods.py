"""The ways to pay an order. Payment providers declare them (shop/payments/providers/) and register them at start."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from django.conf import settings
from django.utils.translation import gettext, gettext_noop

from shop.errors import ShopError
from shop.markets.market import Market
from shop.markets.queries import Service

ONLINE = "online"  # of an order that names no other way


@dataclass(frozen=True, slots=True)
class PaymentOption:
    """How somebody wants to pay with a method: what the checkout offers, and the method's own name for it. Texts are
    English, marked with gettext_noop."""

    name: str  # of Order.payment_option; at most 12 characters
    label: str
    icon: str
    button: str  # what the button says, with %(amount)s


class PaymentMethod:
    """One way to pay, as far as orders know it. What it cannot do it says by its capabilities. Its texts are English,
    marked with gettext_noop; PaymentWay and the refusals raised translate them."""

    name: str  # in settings.PAYMENT_PROVIDERS
    payment_method: str  # of Order, as the API says it; at most 6 characters
    recorded_as: str  # the `method` of its Payment rows; at most 8 characters
    label: str
    checkout_label: str
    icon: str

    # Capabilities
    has_provider_orders = False  # each payment is an order at the provider, which is asked what was paid
    can_capture = False
    can_refund = False  # otherwise staff give the money back by hand
    is_collected_on_delivery = False  # otherwise the order waits for its money and is placed by it

    placing_note = ""  # in the order's history, where it is placed at once
    refusal = gettext_noop("This payment method isn't available for this order. Please choose another one.")
    refusal_code = "payment_method_unavailable"
    address_refusal = refusal  # where an order cannot move to an address

    all_options: tuple[PaymentOption, ...] = ()

    def options(self, market: Market) -> tuple[PaymentOption, ...]:
        """Those that a buyer in a market chooses from."""
        return self.all_options

    def is_offered(self, market: Market, total_inr: Decimal, service: Service) -> bool:
        """Whether an order of this value may be paid so where it goes."""
        return True

    def serves(self, service: Service) -> bool:
        """Whether an order that is paid so can be delivered there."""
        return True

    def require(self, market: Market, total_inr: Decimal, service: Service) -> None:
        """Raise ShopError where it is not offered; what costs nothing needs no provider."""
        if not (self.is_offered(market, total_inr, service) and (self.is_enabled or not total_inr)):
            raise ShopError(gettext(self.refusal), self.refusal_code)

    @property
    def is_enabled(self) -> bool:
        return self.name in settings.PAYMENT_PROVIDERS

    @property
    def hold_minutes(self) -> int:
        """How long an order that waits for its money keeps its stock."""
        return int(settings.HOLD_MINUTES)

    def words(self, *, is_paid: bool) -> str:
        """How an order is paid, as customers and staff read it."""
        return gettext(self.label)


@dataclass(frozen=True, slots=True)
class PaymentWay:
    """One line of the checkout's list: a method, or one of its options."""

    method: PaymentMethod
    option: PaymentOption | None = None

    @property
    def name(self) -> str:
        return self.option.name if self.option else self.method.payment_method

    @property
    def label(self) -> str:
        return gettext(self.option.label if self.option else self.method.checkout_label)

    @property
    def icon(self) -> str:
        return self.option.icon if self.option else self.method.icon

    def button(self, amount: str) -> str:
        """What the checkout's button says for an amount as it is shown."""
        if self.method.is_collected_on_delivery:
            return gettext("Place order")
        words = gettext(self.option.button) if self.option else gettext("PAY %(amount)s")
        return words % {"amount": amount}


_methods: dict[str, PaymentMethod] = {}  # by Order.payment_method


def register(method: PaymentMethod) -> None:
    _methods[method.payment_method] = method


def payment_methods() -> list[PaymentMethod]:
    """All that are known, enabled or not: orders of earlier days keep theirs."""
    return list(_methods.values())


def payment_method_named(payment_method: str) -> PaymentMethod:
    """By Order.payment_method; raises KeyError."""
    return _methods[payment_method]


def offered_methods(market: Market, total_inr: Decimal, service: Service) -> list[PaymentMethod]:
    enabled = [method for method in payment_methods() if method.is_enabled]
    return [method for method in enabled if method.is_offered(market, total_inr, service)]


def ways_to_pay(market: Market, methods: Iterable[PaymentMethod]) -> list[PaymentWay]:
    """Every line of the checkout's list for some methods, as they list their options."""
    return [PaymentWay(method, option) for method in methods for option in method.options(market) or (None,)]


def way_named(name: str) -> tuple[str, str]:
    """(payment method, payment option) of a line of the list; raises KeyError."""
    known = {option.name: method for method in payment_methods() for option in method.all_options}
    return (known[name].payment_method, name) if name in known else (payment_method_named(name).payment_method, "")


def names_of_collected() -> list[str]:
    """Of the methods whose money is collected on delivery."""
    return [method.payment_method for method in payment_methods() if method.is_collected_on_delivery]


def payment_method_choices() -> list[tuple[str, str]]:
    return [(method.payment_method, gettext(method.label)) for method in payment_methods()]


def recorded_choices() -> list[tuple[str, str]]:
    return [(method.recorded_as, gettext(method.label)) for method in payment_methods()]
