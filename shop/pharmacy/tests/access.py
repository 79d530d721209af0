from io import BytesIO

from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from PIL import Image

from shop.pharmacy.models import PrescriptionPage
from shop.tests.support.access import RouteAccess, Who, admin_entries, some_pk


def page_path(own):
    """With a good key of its owner's; a page that is missing has none."""
    from shop.pharmacy.checkout import page_url

    page = PrescriptionPage.objects.filter(pk=own.prescription_page).first()
    missing = reverse("prescription_page", args=[own.prescription_page])
    return page_url(page, page.prescription.customer_id) if page else f"{missing}?key=x:y"


def staff_page_path(own):
    """Without a good key, which is made for one person: who opens what is in test_private_files.py."""
    return reverse("admin:pharmacy_prescription_page", args=[some_pk("pharmacy.prescriptionpage")])


def a_photo():
    target = BytesIO()
    Image.new("RGB", (60, 80), "white").save(target, "JPEG")
    return SimpleUploadedFile("rx.jpg", target.getvalue())


ENTRIES = [
    RouteAccess("prescription-page/<int:pk>/", "GET", Who.CUSTOMER, of="prescription", path=page_path),
    RouteAccess("GET /api/prescription/", "GET", Who.CUSTOMER),
    RouteAccess("POST /api/prescription/", "POST", Who.CUSTOMER, body=lambda own: {"step": "new"}),
    RouteAccess(
        "POST /api/prescription/pages/", "POST", Who.CUSTOMER, body=lambda own: {"files": [a_photo()]}, is_upload=True
    ),
    *[
        entry
        for entry in admin_entries("pharmacy.orderprescription")
        if not (entry.route.endswith("_change") and entry.methods == "POST")
    ],
    RouteAccess(
        "admin:pharmacy_orderprescription_change",
        "POST",
        Who.STAFF,
        path=lambda own: reverse(
            "admin:pharmacy_orderprescription_change", args=[some_pk("pharmacy.orderprescription")]
        ),
        permission="pharmacy.view_orderprescription",
    ),
    RouteAccess(
        "admin:pharmacy_orderprescription_next",
        "GET",
        Who.STAFF,
        path=lambda own: "/admin/pharmacy/orderprescription/next/",
        permission="pharmacy.view_orderprescription",
    ),
    RouteAccess(
        "admin:pharmacy_prescription_page",
        "GET",
        Who.STAFF,
        path=staff_page_path,
        permission="pharmacy.view_orderprescription",
    ),
    *admin_entries("pharmacy.registerentry", change=True, actions={"export_csv": "pharmacy.view_registerentry"}),
]
