"""What customers wrote: messages, complaints and their answers, notes on orders, readers of the newsletter."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from hashlib import sha256
from random import Random
from typing import Any

from shop.backoffice.actors import staff_actor
from shop.care.complaints.services import ACKNOWLEDGE_WITHIN, ALPHABET, month_after
from shop.care.models import Complaint, ComplaintEvent, Enquiry, EnquiryEvent, Subscription
from shop.care.newsletter.services import CURRENT_TEXT
from shop.orders.models import Order, OrderNote
from shop.reviews.models import ReviewInvitation

from .orders import Sale

BATCH = 500
MESSAGE_SHARE, COMPLAINTS, READERS = 0.08, 14, 260
NEW_MESSAGES, OPEN_COMPLAINTS = 6, 4
QUESTIONS = (
    ("When will my order arrive? I need it before the weekend.",
     "It's with the courier, and you'll find the tracking number under Orders. It should reach you within two days."),
    ("Is the ashwagandha suitable for vegetarians?", "Yes, both the powder and the capsules are vegetarian."),
    ("Can I change the delivery address? I am moving next week.",
     "Yes, until we pack it. Open the order under Orders and choose “Change address or phone”."),
    ("How much sugar is there in the chyawanprash?",
     "The nutrition table on the product page lists it. We have a sugar-free one too."),
    ("Do you deliver to my village? It says my PIN code isn't recognised.",
     "Yes, we do. We updated our list of PIN codes yesterday, so please try again."),
    ("The coupon didn't work at checkout.",
     "It has a minimum order value, which is shown next to the code. Let us know if it still doesn't work."),
    ("I'd like to order twenty jars for our yoga school. Is there a discount?",
     "Thank you! We've emailed you a quote."),
    ("Which oil do you recommend for dry hair?",
     "Many customers choose bhringraj oil. Please see a doctor if your scalp is irritated."),
)  # fmt: skip
COMPLAINT_TEXTS = (
    ("The parcel was left in the rain and two boxes are soaked.",
     "We're sorry. We've sent replacements for both boxes, free of charge."),
    ("I paid for shipping and it took two weeks.", "We're sorry for the delay. We've refunded the shipping."),
    ("The bottle expires in only two months.", "We've refunded the bottle, and you can keep it."),
    ("Nobody replied to my message for four days.", "We're sorry. We called you today to answer your question."),
    ("The lid was broken and the powder was all over the box.", "A new pack is on its way to you."),
)  # fmt: skip


def add_messages(random: Random, sales: list[Sale], staff: object, now: datetime) -> None:
    actor = staff_actor(staff)
    _add_enquiries(random, sales, actor, now)
    _add_complaints(random, sales, actor, now)
    _add_readers(random, sales)
    _add_notes(random, sales, actor, now)


def _add_enquiries(random: Random, sales: list[Sale], actor: str, now: datetime) -> None:
    """All answered but the newest."""
    writers = [(sale, at) for sale in sales if (at := sale.placed_at) and random.random() < MESSAGE_SHARE]
    rows, answers = [], []
    for number, (sale, placed_at) in enumerate(writers):
        text, answer = random.choice(QUESTIONS)
        is_new = number >= len(writers) - NEW_MESSAGES
        at = placed_at + min((now - placed_at) * 0.6, timedelta(hours=random.uniform(2, 60)))
        if is_new:
            at = max(at, now - timedelta(hours=3 + 7 * (len(writers) - 1 - number)))
        state = Enquiry.State.NEW if is_new else random.choice((Enquiry.State.ANSWERED, Enquiry.State.CLOSED))
        rows.append(Enquiry(**_writer(sale, text), created_at=at, state=state))
        if not is_new:
            replied = at + min((now - at) * 0.5, timedelta(hours=random.uniform(0.5, 20)))
            answers.append(EnquiryEvent(enquiry=rows[-1], at=replied, actor=actor, state=state, words=answer))
    Enquiry.objects.bulk_create(rows, batch_size=BATCH)
    EnquiryEvent.objects.bulk_create(answers, batch_size=BATCH)


def _writer(sale: Sale, text: str) -> dict[str, Any]:
    address = sale.order.address
    once = sha256(f"demo {sale.order.number} {text}".encode()).hexdigest()
    return {
        "name": address["full_name"], "phone": f"{address['phone_code']} {address['phone_number']}",
        "email": sale.order.email, "order_number": sale.order.number, "text": text, "submission": once,
    }  # fmt: skip


def _add_complaints(random: Random, sales: list[Sale], actor: str, now: datetime) -> None:
    """Resolved within days; of the newest, two wait to be acknowledged and two to be resolved."""
    delivered = [sale for sale in sales if "delivered" in sale.story.steps]
    chosen = sorted(random.sample(delivered, COMPLAINTS), key=lambda sale: sale.story.at)
    chosen = [*chosen[:-OPEN_COMPLAINTS], *delivered[-OPEN_COMPLAINTS:]]
    rows = [_complaint(random, sale, left, now) for left, sale in enumerate(reversed(chosen))]
    Complaint.objects.bulk_create([complaint for complaint, _ in rows])
    ComplaintEvent.objects.bulk_create(
        ComplaintEvent(complaint=complaint, at=at, actor=actor, state=state, words=words)
        for complaint, answer in rows
        for state, at, words in _complaint_steps(complaint, answer)
    )


def _complaint(random: Random, sale: Sale, left: int, now: datetime) -> tuple[Complaint, str]:
    """`left` is how many newer ones there are."""
    text, answer = random.choice(COMPLAINT_TEXTS)
    at = sale.story.steps["delivered"] + timedelta(days=1)
    if left < OPEN_COMPLAINTS:
        at = now - timedelta(hours=3 + 9 * left) if left < 2 else now - timedelta(days=2 * left)
    complaint = Complaint(
        **_writer(sale, text), number="GRV-" + "".join(random.choices(ALPHABET, k=9)), created_at=at,
        acknowledge_by=at + ACKNOWLEDGE_WITHIN, resolve_by=month_after(at), location_id=sale.order.location_id,
    )  # fmt: skip
    if left >= 2:
        complaint.state, complaint.acknowledged_at = Complaint.State.ACKNOWLEDGED, at + timedelta(hours=5)
    if left >= OPEN_COMPLAINTS:
        complaint.state, complaint.resolved_at = Complaint.State.RESOLVED, at + timedelta(days=random.uniform(1, 4))
        complaint.resolution = answer
    return complaint, answer


def _complaint_steps(complaint: Complaint, answer: str) -> Iterator[tuple[str, datetime, str]]:
    if complaint.acknowledged_at:
        yield Complaint.State.ACKNOWLEDGED, complaint.acknowledged_at, ""
    if complaint.resolved_at:
        yield Complaint.State.RESOLVED, complaint.resolved_at, answer


def _add_readers(random: Random, sales: list[Sale]) -> None:
    customers = list({sale.order.email: sale.story.at for sale in sales}.items())
    Subscription.objects.bulk_create(
        Subscription(
            email=email, key=sha256(f"reader {email}".encode()).hexdigest()[:43], text_version=CURRENT_TEXT,
            asked_at=at, confirmed_at=at + timedelta(minutes=random.randint(1, 50)),
        )
        for email, at in random.sample(customers, min(READERS, len(customers)))
    )  # fmt: skip


def _add_notes(random: Random, sales: list[Sale], actor: str, now: datetime) -> None:
    texts = ("Called: please deliver after 6 pm.", "Asked for gift wrapping.", "Address confirmed by phone.")
    OrderNote.objects.bulk_create(
        OrderNote(
            order=sale.order, kind=OrderNote.Kind.INTERNAL, at=at + timedelta(minutes=20), author=actor,
            text=random.choice(texts), key=f"demo-{sale.order.number}",
        )
        for sale in sales if (at := sale.placed_at) and at < now - timedelta(hours=1) and random.random() < 0.05
    )  # fmt: skip


def note_invitations() -> None:
    """Nobody is asked for a review of what was delivered before the shop opened."""
    delivered = Order.objects.exclude(delivered_at=None).values_list("pk", flat=True)
    ReviewInvitation.objects.bulk_create(ReviewInvitation(order_id=pk) for pk in delivered)
