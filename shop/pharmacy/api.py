"""The prescription that the caller's next order is placed with, for clients that place it by /save-orders/; the same
services as the checkout's part (checkout.py)."""

from datetime import date
from typing import Any, Literal

from ninja import File, Router, Schema
from ninja.files import UploadedFile

from shop.accounts.requests import CustomerRequest
from shop.http.api import ERRORS, Body, Id, signed_in, take_files

from .checkout import page_url
from .services import add_pages, begin_new, choose_kept, chosen_prescription, is_used, kept_prescriptions, remove_page

router = Router(tags=["prescriptions"])
take_files("/api/prescription/pages/")


class PrescriptionStep(Body):
    """`remove` names a page, `choose` a kept prescription; `new` leaves what was chosen."""

    step: Literal["remove", "choose", "new"]
    id: Id | None = None


class PageOut(Schema):
    """`url` opens the picture to this caller for ten minutes."""

    id: int
    url: str


class KeptOut(Schema):
    """One that may be ordered with again."""

    id: int
    issued_on: date
    valid_until: date


class PrescriptionOut(Schema):
    """`is_kept`: the pages are of a prescription that an order was placed with before, so they stay as they are."""

    pages: list[PageOut]
    is_kept: bool
    kept: list[KeptOut]


@router.get(
    "/api/prescription/", response={200: PrescriptionOut, **ERRORS}, auth=signed_in, operation_id="get_prescription"
)
def get_prescription(request: CustomerRequest) -> dict[str, Any]:
    """What the next order is placed with, and what may be chosen in its place."""
    return _answer(request)


@router.post(
    "/api/prescription/", response={200: PrescriptionOut, **ERRORS}, auth=signed_in, operation_id="change_prescription"
)
def change_prescription(request: CustomerRequest, body: PrescriptionStep) -> dict[str, Any]:
    """Remove a page, choose a kept prescription, or begin a new one; twice is safe."""
    match body.step:
        case "remove":
            remove_page(request.user, body.id or 0)
        case "choose":
            choose_kept(request.user, body.id or 0)
        case "new":
            begin_new(request.user)
    return _answer(request)


@router.post(
    "/api/prescription/pages/",
    response={200: PrescriptionOut, **ERRORS},
    auth=signed_in,
    operation_id="add_prescription_pages",
)
def add_prescription_pages(request: CustomerRequest, files: File[list[UploadedFile]]) -> dict[str, Any]:
    """Add photos or PDF pages, as multipart/form-data; a picture that is there is not added again."""
    add_pages(request.user, files)
    return _answer(request)


def _answer(request: CustomerRequest) -> dict[str, Any]:
    chosen = chosen_prescription(request.user)
    pages = chosen.pages.all() if chosen else []
    return {
        "pages": [{"id": page.pk, "url": page_url(page, request.user.pk)} for page in pages],
        "is_kept": chosen is not None and is_used(chosen),
        "kept": [one for one in kept_prescriptions(request.user) if one != chosen],
    }
