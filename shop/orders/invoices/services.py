"""Invoices and credit notes: numbered without gaps, written as copies that nothing changes later.

Both are issued inside the transaction of what they are for, as its last step: the row of the series
stays locked from the number to the commit.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone, translation
from django.utils.translation import gettext, gettext_noop

from shop.accounts.addresses.fields import street_lines
from shop.messaging.languages import spoken
from shop.money import INR, round_money, share_of_units

from ..models import Invoice, InvoiceSeries, Order, OrderLine
from ..tax.base import rule_of_order
from ..tax.gst import STATES, financial_year, state_of_gstin
from ..tax.rule import TaxRule

Kind = Invoice.Kind
PREFIXES = {Kind.INVOICE: "INV", Kind.CREDIT: "CRN"}
MOVED = "moved:"  # begins the reference of a credit note over an invoice that another one replaces
GOODWILL = "goodwill:"  # begins that of one over money alone: nothing comes back for it
SHIPPING = "shipping"  # the row's name in `rows`, beside the ids of order lines
TAXES = ("cgst", "sgst", "igst", "vat")  # invoices from before know no VAT
PARTS = ("taxable", *TAXES, "total")

Content = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Credit:
    """Units of one row that are taken back, and what they cost; shipping is one unit. Without units the price of
    the row is lowered by the total."""

    quantity: int
    total: Decimal
    taxes: Mapping[str, Decimal] = field(default_factory=dict)  # of what was credited before


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
    before = credited_of(invoice)
    left = {row["id"]: Decimal(row["total"]) - _credited(before, row).total for row in invoice.content["rows"]}
    credit(order, {}, reference=f"{MOVED}{invoice.pk}", reason=reason, rest=True)
    content = content_of(order, timezone.localdate(at), rule, left)
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
        was = _credited(before, row)
        left = Credit(row["quantity"] - was.quantity, Decimal(row["total"]) - was.total)
        now = left if rest else credits.get(row["id"])
        if now and (now.quantity or now.total):
            rows.append(credited_row(row, was, now))
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
            was = _credited(found, row)
            taxes = {tax: was.taxes.get(tax, Decimal(0)) + Decimal(row.get(tax, 0)) for tax in TAXES}
            found[row["id"]] = Credit(was.quantity + row["quantity"], was.total + Decimal(row["total"]), taxes)
    return found


def _credited(found: Mapping[str, Credit], row: Content) -> Credit:
    return found.get(row["id"], Credit(0, Decimal(0)))


def credited_row(row: Content, was: Credit, now: Credit) -> Content:
    """The taxes of these units, or of this part of the price, as the invoice has them; over all credit notes they
    add up to the invoice's. `was` is what was credited of the row before."""
    is_last = was.total + now.total == Decimal(row["total"])
    taxes = {tax: _credited_tax(row, tax, was, now, is_last=is_last) for tax in TAXES}
    taxable = now.total - sum(taxes.values(), Decimal(0))
    name = row["name"] if now.quantity else f"Price reduced: {row['name']}"
    figures = {"quantity": now.quantity, "taxable": taxable, "total": now.total, "gross": now.total, "off": 0}
    return row | taxes | figures | {"name": name}


def _credited_tax(row: Content, tax: str, was: Credit, now: Credit, *, is_last: bool) -> Decimal:
    whole = Decimal(row.get(tax, 0))
    left = whole - was.taxes.get(tax, Decimal(0))
    if is_last or not whole:
        return left
    if now.quantity:
        share = share_of_units(whole, row["quantity"], first=was.quantity, count=now.quantity)
    else:
        share = round_money(whole * now.total / Decimal(row["total"]), INR)
    return min(share, left)


def goodwill_of(order: Order) -> dict[str, Decimal]:
    """INR by row of the invoice that were refunded without anything coming back. Reads `order.invoices`."""
    lowered: dict[str, Decimal] = {}
    for note in order.invoices.all():
        for row in note.content["rows"] if note.reference.startswith(GOODWILL) else ():
            lowered[row["id"]] = lowered.get(row["id"], Decimal(0)) + Decimal(row["total"])
    return lowered


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


def content_of(
    order: Order, day: date, rule: TaxRule | None = None, totals: Mapping[str, Decimal] | None = None
) -> Content:
    """What an invoice of a day says; its taxes follow the rule of that day unless another one is given. `totals` is
    INR by row, where some of it was credited before."""
    rule = rule or rule_of_order(order, day)
    rows = _rows(order, rule, totals or {})
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
        "discount": order.discount_name or order.coupon_code,
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
        "gstin": order.gstin,
        "phone": f"{address.get('phone_code', '')} {address.get('phone_number', '')}".strip(),
    }


def _rows(order: Order, rule: TaxRule, totals: Mapping[str, Decimal]) -> list[Content]:
    lines = [line for line in order.lines.all() if line.kept]
    percents = zip(lines, rule.percents(lines), strict=True)
    with translation.override(spoken(order.language)):
        rows = [_row_of_line(line, percent, rule, totals.get(str(line.pk))) for line, percent in percents]
    if order.shipping_inr:
        # Shipping is part of one supply and taxed as the line of the highest value.
        first = max(zip(lines, rows, strict=True), key=lambda pair: Decimal(pair[1]["total"]))[1]
        off = order.shipping_inr - totals.get(SHIPPING, order.shipping_inr)
        name = gettext_noop("Shipping")
        row = _row(SHIPPING, name, first["hsn"], 1, order.shipping_inr, off, Decimal(first["percent"]), rule)
        with translation.override(spoken(order.language)):
            rows.append(_named(row, gettext(name)))
    return rows


def _row_of_line(line: OrderLine, percent: Decimal, rule: TaxRule, total: Decimal | None) -> Content:
    """With its name in English and, as `own_name`, in the active language where that is another one."""
    name = _name(line.brand_name, line.product_name, line.options)
    own_name = _name(line.translated.brand_name, line.translated.product_name, line.translated.options)
    # What was cancelled is credited already, and of the reductions as much as of the units.
    off = line.reduction_inr - share_of_units(line.reduction_inr, line.quantity, first=0, count=line.cancelled)
    gross = line.line_inr - line.reduction_inr - line.cancelled_inr + off
    if total is not None:
        off = gross - total
    return _named(_row(str(line.pk), name, line.hsn, line.kept, gross, off, percent, rule), own_name)


def _named(row: Content, own_name: str) -> Content:
    return row if own_name == row["name"] else row | {"own_name": own_name}


def _name(brand: str, product: str, options: str) -> str:
    return f"{brand} {product}" + (f" ({options})" if options else "")


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
