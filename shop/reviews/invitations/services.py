"""One message for each delivered order that asks for reviews of what was kept, a week after it came: a mail, or an SMS
to who has no address."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from shop.accounts.models import Customer
from shop.jobs.services import for_each
from shop.markets.canonical import bare_path
from shop.messaging.services import queue_mail, queue_sms
from shop.orders.models import Order, OrderLine, ReturnRequest
from shop.orders.shipping.tracking_links import site_of

from ..links import review_path, stop_path
from ..models import InvitationRefusal, Review, ReviewInvitation
from ..queries import delivered_lines

KIND = "review_invitation"
AFTER = timedelta(days=7)
NOT_AFTER = timedelta(days=30)  # a shop that switches this on does not write about what came long ago
BATCH = 200
MAX_IN_SMS = 2  # products; more links make a long and dear message


def invite_to_review() -> int:
    """A scheduled job; returns how many were invited."""
    return for_each("invite_to_review", _due()[:BATCH], _invite)


def stop_invitations(customer: Customer) -> None:
    """No more of them; again changes nothing."""
    InvitationRefusal.objects.bulk_create([InvitationRefusal(customer=customer)], ignore_conflicts=True)


def _due() -> Any:
    """Orders that were delivered a week ago, whose customer was not asked and does not mind."""
    now = timezone.now()
    invited = ReviewInvitation.objects.filter(order=OuterRef("pk"))
    minds = InvitationRefusal.objects.filter(customer=OuterRef("customer"))
    delivered = Order.objects.filter(delivered_at__lte=now - AFTER, delivered_at__gt=now - NOT_AFTER)
    fit = delivered.filter(status__in=("delivered", "completed", "replaced"), customer__deleted_at=None)
    reachable = fit.exclude(email="", customer__phone=None).select_related("customer")
    return reachable.filter(~Exists(invited), ~Exists(minds)).order_by("delivered_at")


@transaction.atomic
def _invite(order: Order) -> bool:
    """Note that an order was dealt with, and queue the message where something of it is to be reviewed; the note is
    unique, so of two at once one goes on."""
    made = ReviewInvitation.objects.get_or_create(order=order)[1]
    lines = lines_to_review(order) if made else []
    if not lines:
        return False
    site, stop = site_of(order), settings.SHOP_URL + stop_path(order.customer_id)
    articles = [{"name": line.product_name, "url": site + bare_path(review_path(line.pk))} for line in lines]
    about: dict[str, Any] = {
        "kind": KIND,
        "template": KIND,
        "key": f"{KIND}:{order.number}",
        "language": order.language,
    }
    context = {"name": order.address["full_name"], "articles": articles, "stop_url": stop}
    if order.email:
        subject = format_lazy(_("How do you like {name}?"), name=lines[0].product_name)
        one_click = {"List-Unsubscribe": f"<{stop}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
        queue_mail(to=order.email, subject=subject, context=context, headers=one_click, **about)
    else:
        queue_sms(to=order.customer.phone or "", context=context | {"articles": articles[:MAX_IN_SMS]}, **about)
    return True


def lines_to_review(order: Order) -> list[OrderLine]:
    """Delivered lines without review of which nothing is on its way back (a return that was rejected is none)."""
    back = ReturnRequest.objects.filter(line=OuterRef("pk")).exclude(status=ReturnRequest.Status.REJECTED)
    reviewed = Review.objects.filter(line=OuterRef("pk"))
    lines = delivered_lines().filter(~Exists(back), ~Exists(reviewed), order=order, variant__product__is_published=True)
    return list(lines.order_by("pk"))
