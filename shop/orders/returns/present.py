"""Returns as a customer's order page shows them. Reads what `with_returns` prefetched."""

from dataclasses import dataclass
from datetime import date

from django.utils.dateformat import format as format_date
from django.utils.translation import gettext

from shop.money import INR, display

from ..models import Order, OrderLine, ReturnRequest
from ..shipping.services import CANCELLED_UNITS, REFUSED_ON_DELIVERY
from .services import WITH_RETURNS, Choice, choices_of, due_on

Stage = ReturnRequest.Status
TONES = {Stage.REFUNDED: "good", Stage.REPLACED: "good", Stage.REJECTED: "bad", Stage.REQUESTED: "warn"}


@dataclass(frozen=True, slots=True)
class ShownRequest:
    """A request in words, with its photos."""

    request: ReturnRequest
    label: str
    tone: str
    words: str

    @property
    def is_refund(self) -> bool:
        return self.request.kind == ReturnRequest.Kind.REFUND


@dataclass(frozen=True, slots=True)
class LineReturns:
    line: OrderLine
    choices: list[Choice]
    requests: list[ShownRequest]

    @property
    def until(self) -> date | None:
        return max((choice.until for choice in self.choices), default=None)

    @property
    def why_not(self) -> str:
        if not self.line.is_returnable or self.line.return_days == 0:
            return gettext("This item can't be returned.")
        return "" if self.requests else gettext("The return period has ended.")


def returns_of(order: Order) -> list[LineReturns]:
    """Line by line what can come back until when, and what was asked for; nothing before the delivery."""
    found = [
        LineReturns(line, choices_of(line), [shown(request) for request in sent_back(line)])
        for line in order.lines.all()
        if line.kept
    ]
    is_over = order.status not in WITH_RETURNS or not order.delivered_at
    return [row for row in found if row.choices or row.requests or not is_over]


def sent_back(line: OrderLine) -> list[ReturnRequest]:
    """Its requests without those for units that were cancelled: these never left the shop."""
    return [request for request in line.return_requests.all() if request.reason.slug != CANCELLED_UNITS]


def shown(request: ReturnRequest) -> ShownRequest:
    return ShownRequest(
        request, request.get_status_display(), TONES.get(Stage(request.status), "other"), _words(request)
    )


def _is_refused(request: ReturnRequest) -> bool:
    """Whether the courier brings it back, and nobody has to fetch it."""
    return request.reason.slug == REFUSED_ON_DELIVERY


def _words(request: ReturnRequest) -> str:
    is_refund = request.kind == ReturnRequest.Kind.REFUND
    match request.status:
        case Stage.REQUESTED:
            when = request.pickup_words
            words = gettext("We're looking into it and will get back to you.")
            asked = gettext("You asked for pickup on %(when)s.") % {"when": when}
            return f"{words} {asked}" if when else words
        case Stage.APPROVED if _is_refused(request):
            return gettext("It's on its way back to us.")
        case Stage.APPROVED:
            when = request.pickup_words
            if not when:
                return gettext("We'll pick it up from your address for free.")
            return gettext("We'll pick it up from your address for free, %(when)s.") % {"when": when}
        case Stage.RECEIVED:
            due = due_on(request)
            if not due:
                return gettext("We'll refund you.") if is_refund else gettext("We'll send your replacement.")
            words = (
                gettext("We'll refund you by %(day)s at the latest.")
                if is_refund
                else gettext("We'll send your replacement by %(day)s at the latest.")
            )
            return words % {"day": format_date(due, "j F Y")}
        case Stage.REFUNDED:
            if not request.refund_inr:
                return gettext("Closed.")
            if _is_refused(request) and request.line.order.method.is_collected_on_delivery:
                return gettext("You didn't pay for this, so there is nothing to refund.")
            return gettext("%(amount)s refunded.") % {"amount": display(request.refund_inr, INR)}
        case Stage.REPLACED:
            return gettext("Your replacement has been sent. You can track it above.")
        case _:
            return request.decision
