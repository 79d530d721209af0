"""Payments, refunds and invoices of a year, and what the simulated provider remembers of them."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Any

from django.db.models import prefetch_related_objects
from django.utils import timezone

from shop.money import display, from_paise, to_paise
from shop.orders.invoices.services import PREFIXES, SHIPPING, Credit, content_of, credit_content, credited_row
from shop.orders.invoices.services import invoice_number as number_of
from shop.orders.models import Invoice, InvoiceSeries
from shop.orders.tax.gst import financial_year
from shop.payments.models import Payment, Refund, SimulatedRecord
from shop.payments.providers.keys import SIMULATED_KEY_ID
from shop.payments.refunds.services import key_of
from shop.payments.simulator.provider import ID_ALPHABET
from shop.payments.simulator.shapes import order_body, payment_body, refund_body

from .orders import Sale

BATCH = 500
METHODS, METHOD_WEIGHTS = ("upi", "card", "netbanking", "wallet"), (58, 27, 10, 5)
FAILURE = "Payment processing cancelled by user"
ENDED = {"cancelled": "The order was cancelled.", "returned": "The order was refused at the door."}


def add_payments(random: Random, sales: list[Sale]) -> None:
    """One for each order: captured, or given up. Nothing of it is to be asked about any more."""
    payments = [_payment(random, sale) for sale in sales]
    Payment.objects.bulk_create(payments, batch_size=BATCH)
    Refund.objects.bulk_create(_refunds(random, sales, payments), batch_size=BATCH)
    Payment.objects.bulk_update([payment for payment in payments if payment.refunded_paise], ["refunded_paise"])
    records = (record for payment in payments for record in _records(random, payment))
    SimulatedRecord.objects.bulk_create(records, batch_size=BATCH)


def _payment(random: Random, sale: Sale) -> Payment:
    paise, paid_at = to_paise(sale.order.total_inr), sale.placed_at
    facts: dict[str, Any] = {"status": Payment.Status.FAILED, "failure": FAILURE}
    if paid_at:
        captured = {"captured_paise": paise, "captured_at": paid_at}
        facts = {"status": Payment.Status.CAPTURED, "razorpay_payment_id": _new_id(random, "pay"), **captured}
    return Payment(
        order=sale.order, receipt=f"{sale.order.number}-{random.randrange(16**8):08x}", amount_paise=paise,
        razorpay_order_id=_new_id(random, "order"), simulated=True, created_at=sale.story.at, check_at=None, **facts,
    )  # fmt: skip


def _new_id(random: Random, prefix: str) -> str:
    return f"{prefix}_" + "".join(random.choices(ID_ALPHABET, k=14))


def _refunds(random: Random, sales: list[Sale], payments: list[Payment]) -> Iterator[Refund]:
    for sale, payment in zip(sales, payments, strict=True):
        if sale.ended_at and sale.placed_at:
            key, paise, reason = f"full_{payment.capture_id}", payment.captured_paise, ENDED[sale.order.status]
            at = sale.ended_at + timedelta(minutes=1)
        elif sale.request and sale.request.refund_inr and sale.request.closed_at:
            line, paise = sale.request.line, to_paise(sale.request.refund_inr)
            key, reason = key_of(sale.request), f"Returned: {sale.request.quantity} × {line.product_name}."[:200]
            at = sale.request.closed_at
        else:
            continue
        payment.refunded_paise = paise
        sale.note(at, f"{display(from_paise(paise), 'INR')} refunded. {reason}"[:300])
        yield Refund(
            payment=payment, razorpay_payment_id=payment.capture_id, idempotency_key=key, amount_paise=paise,
            razorpay_refund_id=_new_id(random, "rfnd"), status=Refund.Status.PROCESSED, reason=reason, created_at=at,
            processed_at=at,
        )  # fmt: skip


def _records(random: Random, payment: Payment) -> Iterator[SimulatedRecord]:
    """What the provider answers when it is asked, such as before a refund."""
    at = payment.captured_at or payment.created_at
    request = {"amount": payment.amount_paise, "currency": "INR", "receipt": payment.receipt}
    order = order_body(str(payment.razorpay_order_id), request, int(payment.created_at.timestamp())) | {
        "_automatic": True
    }
    if payment.captured_paise:
        order |= {"status": "paid", "amount_paid": payment.amount_paise, "amount_due": 0, "attempts": 1}
        method = random.choices(METHODS, METHOD_WEIGHTS)[0]
        body = payment_body(payment.capture_id, order, method, int(at.timestamp()))
        refunded = payment.refunded_paise
        how = "full" if refunded == payment.amount_paise else "partial"
        state = {"status": "refunded" if how == "full" else "captured", "captured": True, "amount_refunded": refunded}
        body |= state | {"refund_status": how if refunded else None}
        yield _record("payment", body, at, parent=order["id"])
        for refund in payment.refunds.all() if refunded else ():
            asked = {"receipt": refund.idempotency_key}
            own = refund_body(str(refund.razorpay_refund_id), body, asked, refund.amount_paise, int(at.timestamp()))
            done = own | {"status": "processed"}
            yield _record("refund", done, refund.created_at, parent=body["id"], mark=refund.idempotency_key)
    yield _record("order", order, payment.created_at, mark=payment.receipt)


def _record(kind: str, body: dict[str, Any], at: datetime, *, parent: str = "", mark: str = "") -> SimulatedRecord:
    return SimulatedRecord(
        id=body["id"], account=SIMULATED_KEY_ID, kind=kind, parent=parent, mark=mark, body=body, created_at=at
    )


# --- Invoices -----------------------------------------------------------------------------------


def add_invoices(sales: list[Sale]) -> None:
    """Numbered in the order of time, in each financial year anew; credit notes for what was refunded."""
    placed = sorted(((at, sale) for sale in sales if (at := sale.placed_at)), key=lambda pair: pair[0])
    prefetch_related_objects([sale.order for _, sale in placed], "lines")
    last: dict[tuple[str, str], int] = {}
    invoices = [_invoice(sale, at, last) for at, sale in placed]
    Invoice.objects.bulk_create(invoices, batch_size=BATCH)
    credits = [note for (_, sale), invoice in zip(placed, invoices, strict=True) for note in _credits(sale, invoice)]
    credits.sort(key=lambda note: note.issued_at)
    for note in credits:
        note.number = _next_number(last, Invoice.Kind.CREDIT, note.issued_at)
    Invoice.objects.bulk_create(credits, batch_size=BATCH)
    InvoiceSeries.objects.bulk_create(
        InvoiceSeries(kind=kind, financial_year=year, last=number) for (kind, year), number in last.items()
    )


def _invoice(sale: Sale, at: datetime, last: dict[tuple[str, str], int]) -> Invoice:
    number = _next_number(last, Invoice.Kind.INVOICE, at)
    content = content_of(sale.order, timezone.localdate(at))
    return _issued(sale, Invoice.Kind.INVOICE, f"order:{sale.order.number}", content, at, number=number)


def _next_number(last: dict[tuple[str, str], int], kind: Invoice.Kind, at: datetime) -> str:
    year = financial_year(timezone.localdate(at))
    series = PREFIXES[kind], year
    last[series] = last.get(series, 0) + 1
    return number_of(kind, year, last[series])


def _credits(sale: Sale, invoice: Invoice) -> Iterator[Invoice]:
    rows = {row["id"]: row for row in invoice.content["rows"]}
    request = sale.request
    if at := sale.ended_at:
        wanted = {key: Credit(row["quantity"], row["total"]) for key, row in rows.items()}
        reference, reason = f"end:{sale.order.number}", ENDED[sale.order.status]
    elif request and request.refund_inr and (at := request.closed_at):
        shipping = sale.order.shipping_inr if request.with_shipping else Decimal(0)
        wanted = {str(request.line_id): Credit(request.quantity, request.refund_inr - shipping)}
        wanted |= {SHIPPING: Credit(1, shipping)} if shipping else {}
        reference, at = f"return:{request.pk}", request.closed_at
        reason = f"Returned: {request.quantity} × {request.line.product_name}."
    else:
        return
    credited = [credited_row(rows[key], Credit(0, Decimal(0)), credit) for key, credit in wanted.items()]
    content = credit_content(invoice, credited, timezone.localdate(at), reason)
    yield _issued(sale, Invoice.Kind.CREDIT, reference, content, at)


def _issued(
    sale: Sale, kind: Invoice.Kind, reference: str, content: dict[str, Any], at: datetime, *, number: str = ""
) -> Invoice:
    return Invoice(
        kind=kind, number=number, order=sale.order, reference=reference, issued_at=at, content=content,
        total_inr=content["totals"]["total"],
    )  # fmt: skip
