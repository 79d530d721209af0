"""Pictures that import files name by their addresses: fetched by the worker, some at once, and put into the galleries
in the order of the file. What is left to fetch stands in PictureAddress, so that nothing is lost with a worker."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta

from django.db import transaction
from django.db.models import F, Max, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_noop

from shop.errors import Invalid
from shop.http.outbound import PROBLEMS as PROBLEMS_OF_FETCHING
from shop.http.outbound import NoAnswer, fetch, inside_transaction
from shop.kept_texts import translated_text

from ..models import Picture, PictureAddress, Variant
from .galleries import add_to_gallery
from .services import MAX_BYTES, add_picture, identities_in, known_here

State = PictureAddress.State
LOST_AFTER = timedelta(minutes=10)
PAUSES = (timedelta(minutes=1), timedelta(minutes=10))  # before the second and the third try
MAX_ATTEMPTS = len(PAUSES) + 1
GIVEN_UP = gettext_noop("Given up after %(count)s tries.")
PROBLEMS = (*PROBLEMS_OF_FETCHING, GIVEN_UP)  # kept in English, shown by `shown_problem`


def pictures_due() -> QuerySet[PictureAddress]:
    return PictureAddress.objects.filter(state=State.WAITING, due_at__lte=timezone.now())


def shown_problem(row: PictureAddress) -> str:
    """Why a picture was not fetched, in the language of the page."""
    return translated_text(row.problem, PROBLEMS)


def fetch_due(limit: int) -> bool:
    """Fetch the next few pictures that are due, all at once; tells whether more are left."""
    if inside_transaction():
        raise RuntimeError("Pictures are never fetched inside a database transaction.")
    taken = _take(limit)
    newest = Picture.objects.aggregate(pk=Max("pk"))["pk"] or 0
    known = _known(taken)
    unknown = [address for address in taken if address not in known]
    with ThreadPoolExecutor(limit, "fetching") as threads:
        found = dict(zip(unknown, threads.map(_fetch, unknown), strict=True))
    for address in taken:
        try:
            picture = known.get(address) or _store(address, found[address])
            _attach(address, picture, is_new=picture.pk > newest)
        except Invalid as refusal:
            _refuse(address, refusal)
    return pictures_due().exists()


def _take(limit: int) -> list[str]:
    """The next addresses, for this worker alone: of two, one changes the rows. What a worker died with is due again
    when it is taken for lost, and given up at last, lest it be what workers die of."""
    pictures_due().filter(tries__gte=MAX_ATTEMPTS).update(
        state=State.FAILED, problem=GIVEN_UP % {"count": MAX_ATTEMPTS}
    )
    addresses = dict.fromkeys(pictures_due().order_by("due_at", "id").values_list("address", flat=True)[: limit * 4])
    lost_at = timezone.now() + LOST_AFTER
    return [
        address
        for address in list(addresses)[:limit]
        if pictures_due().filter(address=address).update(due_at=lost_at, tries=F("tries") + 1)
    ]


def _known(addresses: list[str]) -> dict[str, Picture]:
    """What was fetched from there before, for another product or variant, or is this shop's own."""
    rows = PictureAddress.objects.filter(address__in=addresses, picture__isnull=False).select_related("picture")
    known = {row.address: row.picture for row in rows if row.picture}
    for address in set(addresses) - set(known):
        with suppress(Invalid):  # a file that was damaged since is fetched anew
            if (hashes := identities_in(address)) and (own := known_here(hashes, alt=_alt(address))):
                known[address] = own
    return known


def _fetch(address: str) -> bytes | Invalid:
    try:
        return fetch(address, max_bytes=MAX_BYTES)
    except Invalid as refusal:
        return refusal


def _store(address: str, found: bytes | Invalid) -> Picture:
    if isinstance(found, Invalid):
        raise found
    return add_picture(found, alt=_alt(address))


def _alt(address: str) -> str:
    return _waiting(address).values_list("alt", flat=True).first() or ""


def _attach(address: str, picture: Picture, *, is_new: bool) -> None:
    """To all that wait for it, each by itself: thousands may share one. What is a variant's own goes first, since it
    stands before the product's."""
    for row in _waiting(address).order_by(F("variant").asc(nulls_last=True), "id"):
        with transaction.atomic():
            waiting = PictureAddress.objects.filter(pk=row.pk, state=State.WAITING)
            if waiting.update(state=State.FETCHED, picture=picture, problem=""):
                added = add_to_gallery(_variants(row), picture, before=_later(row))
                ours = PictureAddress.objects.filter(pk=row.pk)
                ours.update(added_to=sorted({*row.added_to, *added}), is_new_picture=row.is_new_picture or is_new)


def _variants(row: PictureAddress) -> QuerySet[Variant]:
    chosen = Q(pk=row.variant_id) if row.variant_id else Q(product=row.product_id)
    return Variant.objects.filter(chosen).order_by("position", "id")


def _later(row: PictureAddress) -> set[int]:
    """Pictures that come after it in the file."""
    after = Q(variant=row.variant_id) & (Q(position__gt=row.position) | Q(position=row.position, pk__gt=row.pk))
    if row.variant_id:
        after |= Q(variant=None)
    fetched = PictureAddress.objects.filter(after, product=row.product_id, picture__isnull=False)
    return set(fetched.values_list("picture_id", flat=True)) - {None}


def _refuse(address: str, refusal: Invalid) -> None:
    """Where another try may help there is one, a little later."""
    waiting = _waiting(address)
    if isinstance(refusal, NoAnswer):
        now = timezone.now()
        for tries, pause in enumerate(PAUSES, start=1):
            waiting.filter(tries=tries).update(due_at=now + pause, problem=refusal.message)
        waiting = waiting.filter(tries__gte=MAX_ATTEMPTS)
    waiting.update(state=State.FAILED, problem=refusal.message)


def _waiting(address: str) -> QuerySet[PictureAddress]:
    """The rows that this worker took, and those that asked for the same meanwhile."""
    return PictureAddress.objects.filter(address=address, state=State.WAITING)
