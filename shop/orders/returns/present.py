"""Returns as a customer's order page shows them. Reads what `with_returns` prefetched."""

from dataclasses import dataclass
from datetime import date

from django.utils.dateformat import format as format_date

from shop.money import INR, display

from ..models import Order, OrderLine, ReturnRequest
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
            return "This item can't be returned."
        return "" if self.requests else "The time for returns has ended."


def returns_of(order: Order) -> list[LineReturns]:
    """Line by line what can come back until when, and what was asked for; nothing before the delivery."""
    found = [
        LineReturns(line, choices_of(line), [shown(request) for request in line.return_requests.all()])
        for line in order.lines.all()
    ]
    is_over = order.status not in WITH_RETURNS or not order.delivered_at
    return [row for row in found if row.choices or row.requests or not is_over]


def shown(request: ReturnRequest) -> ShownRequest:
    label = f"{request.get_status_display().capitalize()}"
    return ShownRequest(request, label, TONES.get(Stage(request.status), "other"), _words(request))


def _words(request: ReturnRequest) -> str:
    is_refund = request.kind == ReturnRequest.Kind.REFUND
    match request.status:
        case Stage.REQUESTED:
            return "We're looking into it and will get back to you."
        case Stage.APPROVED:
            return "We'll pick it up from your address for free."
        case Stage.RECEIVED:
            due = due_on(request)
            what = "We'll refund you" if is_refund else "We'll send your replacement"
            return f"{what} by {format_date(due, 'j F Y')} at the latest." if due else what
        case Stage.REFUNDED:
            return f"{display(request.refund_inr, INR)} refunded." if request.refund_inr else "Closed."
        case Stage.REPLACED:
            return "Your replacement has been sent. See its parcel above."
        case _:
            return request.decision
