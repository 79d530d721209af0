"""Invoices and credit notes: numbered without gaps, written as copies that nothing changes later.

Both are issued inside the transaction of what they are for, as its last step: the row of the series
stays locked from the number to the commit.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from shop.accounts.addresses.fields import street_lines
from shop.money import PAISA, spread

from ..models import Invoice, InvoiceSeries, Order, OrderLine
from ..tax.base import rule_of_order
from ..tax.gst import STATES, financial_year, state_of_gstin
from ..tax.rule import TaxRule

Kind = Invoice.Kind
PREFIXES = {Kind.INVOICE: "INV", Kind.CREDIT: "CRN"}
MOVED = "moved:"  # begins the reference of a credit note over an invoice that another one replaces
SHIPPING = "shipping"  # the row's name in `rows`, beside the ids of order lines
TAXES = ("cgst", "sgst", "igst", "vat")  # invoices from before know no VAT
PARTS = ("taxable", *TAXES, "total")

Content = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Credit:
    """Units of one row that are taken back, and what they cost; shipping is one unit."""

    quantity: int
    total: Decimal


def issue_invoice(order: Order) -> Invoice:
    """The invoice of a placed order; `order` is locked by the caller."""
    at = timezone.now()
    content = content_of(order, timezone.localdate(at))
    return _issue(Kind.INVOICE, order, f"order:{order.number}", content, at)


def current_invoice(order: Order) -> Invoice | None:
    """The invoice that stands: the last one, where the goods go to another state than at first."""
    return order.invoices.filter(kind=Kind.INVOICE).last()


def renew_invoice(order: Order, *, reason: str) -> Invoice | None:
    """A credit note over the whole invoice and a new one over the same total, where the goods go to another state
    of India now, and that is taxed there. None where the invoice stands. The rates of GST are those of the first
    invoice's day, when the money came. `order` is locked by the caller."""
    invoices = list(order.invoices.filter(kind=Kind.INVOICE))
    if not invoices:
        return None
    invoice = invoices[-1]
    rule = rule_of_order(order, date.fromisoformat(str(invoices[0].content["issued_on"])))
    if invoice.content["buyer"]["state_code"] == rule.destination.state_code:
        return None
    at = timezone.now()
    credit(order, {}, reference=f"{MOVED}{invoice.pk}", reason=reason, rest=True)
    content = content_of(order, timezone.localdate(at), rule)
    return _issue(Kind.INVOICE, order, f"order:{order.number}:{invoice.pk}", content, at)


def credit_rest(order: Order, *, reason: str) -> Invoice | None:
    """A credit note over all that an ended order's invoice still says; None where nothing is left of it, or
    it has none. Once an order. `order` is locked by the caller."""
    return credit(order, {}, reference=f"end:{order.number}", reason=reason, rest=True)


def credit(
    order: Order, credits: Mapping[str, Credit], *, reference: str, reason: str, rest: bool = False
) -> Invoice | None:
    """A credit note over these rows of the invoice (line id or SHIPPING), or over all the rest of them; for one
    `reference` it is written once. `order` is locked by the caller."""
    invoice = current_invoice(order)
    if invoice is None or order.invoices.filter(reference=reference).exists():
        return order.invoices.filter(reference=reference).first()
    before = credited_of(invoice)
    rows = []
    for row in invoice.content["rows"]:
        was = before.get(row["id"], Credit(0, Decimal(0)))
        left = Credit(row["quantity"] - was.quantity, Decimal(row["total"]) - was.total)
        now = left if rest else credits.get(row["id"])
        if now and now.quantity:
            rows.append(credited_row(row, was.quantity, now))
    if not rows:
        return None
    at = timezone.now()
    content = credit_content(invoice, rows, timezone.localdate(at), reason)
    return _issue(Kind.CREDIT, order, reference, content, at)


def credit_content(invoice: Invoice, rows: list[Content], day: date, reason: str) -> Content:
    """What a credit note over these rows of an invoice says."""
    original = {"number": invoice.number, "issued_on": invoice.content["issued_on"]}
    credited: Content = invoice.content
    return credited | {
        "issued_on": day,
        "rows": rows,
        "totals": _totals(rows),
        "shown": None,
        "original": original,
        "reason": reason,
    }


def credited_of(invoice: Invoice) -> dict[str, Credit]:
    """What the credit notes over an invoice have taken back of each row so far."""
    found: dict[str, Credit] = {}
    for note in Invoice.objects.filter(order=invoice.order_id, kind=Kind.CREDIT):
        if note.content["original"]["number"] != invoice.number:
            continue
        for row in note.content["rows"]:
            was = found.get(row["id"], Credit(0, Decimal(0)))
            found[row["id"]] = Credit(was.quantity + row["quantity"], was.total + Decimal(row["total"]))
    return found


def share_of_units(amount: Decimal, units: int, *, first: int, count: int, unit: Decimal = PAISA) -> Decimal:
    """What `count` of a line's units, after the `first` ones, have of an amount; all of them have all of it."""
    shares = spread(amount, [Decimal(1)] * units, unit)
    return sum(shares[first : first + count], Decimal(0))


def credited_row(row: Content, first: int, now: Credit) -> Content:
    """The taxes of these units as the invoice has them; over all credit notes they add up to the invoice's."""
    share = {
        tax: share_of_units(Decimal(row.get(tax, 0)), row["quantity"], first=first, count=now.quantity) for tax in TAXES
    }
    taxable = now.total - sum(share.values(), Decimal(0))
    return (
        row | share | {"quantity": now.quantity, "taxable": taxable, "total": now.total, "gross": now.total, "off": 0}
    )


# --- Numbers ------------------------------------------------------------------------------------


def _issue(kind: Kind, order: Order, reference: str, content: Content, at: datetime) -> Invoice:
    number = _next_number(kind, timezone.localdate(at))
    return Invoice.objects.create(
        kind=kind,
        number=number,
        order=order,
        reference=reference,
        issued_at=at,
        total_inr=content["totals"]["total"],
        content=content,
    )


def _next_number(kind: Kind, day: date) -> str:
    """INV/26-27/000123. The update locks the series until the commit, so that a number which is rolled
    back is given again."""
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("A number is taken in the transaction that uses it.")
    year = financial_year(day)
    series = InvoiceSeries.objects.filter(kind=PREFIXES[kind], financial_year=year)
    if not series.update(last=F("last") + 1):
        InvoiceSeries.objects.get_or_create(kind=PREFIXES[kind], financial_year=year)
        series.update(last=F("last") + 1)
    return invoice_number(kind, year, series.values_list("last", flat=True).get())


def invoice_number(kind: Kind, year: str, last: int) -> str:
    return f"{PREFIXES[kind]}/{year}/{last:06}"


# --- What it says -------------------------------------------------------------------------------


def content_of(order: Order, day: date, rule: TaxRule | None = None) -> Content:
    """What an invoice of a day says; its taxes follow the rule of that day unless another one is given."""
    rule = rule or rule_of_order(order, day)
    rows = _rows(order, rule)
    return {
        "issued_on": day,
        "order": order.number,
        "ordered_on": timezone.localdate(order.created_at),
        "seller": _seller(rule),
        "buyer": _buyer(order, rule),
        "supply": str(rule.supply),
        "layout": asdict(rule.layout),
        "place_of_supply": rule.destination.words,
        "declaration": rule.declaration,
        "rows": rows,
        "totals": _totals(rows),
        "shown": _shown(order),
    }


def _seller(rule: TaxRule) -> Content:
    facts = rule.seller
    code = state_of_gstin(facts.gstin)
    return {
        "name": facts.legal_name,
        "address": facts.address,
        "gstin": facts.gstin,
        "cin": facts.cin,
        "lut": facts.lut,
        "registration": rule.registration,
        "state_code": code,
        "state": STATES.get(code, ""),
    }


def _buyer(order: Order, rule: TaxRule) -> Content:
    address, state = order.address, rule.destination.state
    places = [address.get("city", ""), state, address.get("pincode", "")]
    lines = [*street_lines(address), ", ".join(p for p in places if p)]
    return {
        "name": address["full_name"],
        "address": "\n".join(line for line in lines if line),
        "state": state,
        "state_code": rule.destination.state_code,
        "country": address["country"],
        "phone": f"{address.get('phone_code', '')} {address.get('phone_number', '')}".strip(),
    }


def _rows(order: Order, rule: TaxRule) -> list[Content]:
    lines = list(order.lines.all())
    rows = [_row_of_line(line, percent, rule) for line, percent in zip(lines, rule.percents(lines), strict=True)]
    if order.shipping_inr:
        # Shipping is part of one supply and taxed as the line of the highest value.
        first = max(zip(lines, rows, strict=True), key=lambda pair: Decimal(pair[1]["total"]))[1]
        rows.append(
            _row(SHIPPING, "Shipping", first["hsn"], 1, order.shipping_inr, Decimal(0), Decimal(first["percent"]), rule)
        )
    return rows


def _row_of_line(line: OrderLine, percent: Decimal, rule: TaxRule) -> Content:
    facts = ", ".join(str(value) for value in line.attributes.values())
    name = f"{line.brand_name} {line.product_name}" + (f" ({facts})" if facts else "")
    return _row(str(line.pk), name, line.hsn, line.quantity, line.line_inr, line.reduction_inr, percent, rule)


def _row(
    pk: str, name: str, hsn: str, quantity: int, gross: Decimal, off: Decimal, percent: Decimal, rule: TaxRule
) -> Content:
    return {
        "id": pk, "name": name, "hsn": hsn, "quantity": quantity, "unit": "NOS", "gross": gross, "off": off,
        "percent": percent, "total": gross - off, **asdict(rule.taxes_in(gross - off, percent)),
    }  # fmt: skip


def _totals(rows: Iterable[Content]) -> Content:
    rows = list(rows)
    return {part: sum((Decimal(row[part]) for row in rows), Decimal(0)) for part in PARTS}


def _shown(order: Order) -> Content | None:
    """The total as it was shown in another currency, and the rate."""
    if not order.charged_in_other_currency:
        return None
    return {"currency": order.currency, "total": order.total_amount, "rate": order.rate}
