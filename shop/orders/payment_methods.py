"""The ways to pay an order. Payment providers declare them (shop/payments/providers/) and register them at start."""

from decimal import Decimal

from django.conf import settings

from shop.errors import ShopError
from shop.markets.market import Market
from shop.markets.queries import Service

ONLINE = "online"  # of an order that names no other way


class PaymentMethod:
    """One way to pay, as far as orders know it. What it cannot do it says by its capabilities."""

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
    refusal = "This way to pay isn't available for this order. Please choose another."
    refusal_code = "payment_method_unavailable"
    address_refusal = refusal  # where an order cannot move to an address

    def is_offered(self, market: Market, total_inr: Decimal, service: Service) -> bool:
        """Whether an order of this value may be paid so where it goes."""
        return True

    def serves(self, service: Service) -> bool:
        """Whether an order that is paid so can be delivered there."""
        return True

    def require(self, market: Market, total_inr: Decimal, service: Service) -> None:
        """Raise ShopError where it is not offered; what costs nothing needs no provider."""
        if not (self.is_offered(market, total_inr, service) and (self.is_enabled or not total_inr)):
            raise ShopError(self.refusal, self.refusal_code)

    @property
    def is_enabled(self) -> bool:
        return self.name in settings.PAYMENT_PROVIDERS

    @property
    def hold_minutes(self) -> int:
        """How long an order that waits for its money keeps its stock."""
        return int(settings.HOLD_MINUTES)

    def words(self, *, is_paid: bool) -> str:
        """How an order is paid, as customers and staff read it."""
        return self.label


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


def names_of_collected() -> list[str]:
    """Of the methods whose money is collected on delivery."""
    return [method.payment_method for method in payment_methods() if method.is_collected_on_delivery]


def payment_method_choices() -> list[tuple[str, str]]:
    return [(method.payment_method, method.label) for method in payment_methods()]


def recorded_choices() -> list[tuple[str, str]]:
    return [(method.recorded_as, method.label) for method in payment_methods()]
