"""Orders on prescription: one that waits for the pharmacist, and one that was sent with a line refused."""

from collections.abc import Sequence
from datetime import date, timedelta
from io import BytesIO

from django.utils import timezone
from django.utils.formats import date_format
from PIL import Image, ImageDraw, ImageFont

from shop.accounts.models import Address, Customer
from shop.accounts.staff.roles import PHARMACIST
from shop.backoffice.actors import SHOP, staff_actor
from shop.catalog.composition.prescriptions import Schedule, sells_prescriptions
from shop.catalog.models import Variant
from shop.markets.queries import market_registry
from shop.orders.models import Courier, Order
from shop.orders.shipping.services import ship
from shop.pharmacy.models import OrderPrescription, PrescriptionLine
from shop.pharmacy.review.services import Decision, Facts, decide
from shop.pharmacy.services import add_pages

from .drawing.text import BOLD, FILES, FONTS, SANS
from .logins import CUSTOMER, STAFF
from .purchases import ON_HAND, buy

DOCTOR = ("Doctor of the demo", "2 Example Road, Bengaluru 560003", "DEMO 00000")
PAPER, INK, FAINT = "#fbf9f2", "#23354d", "#8a94a3"
SIZE = (900, 1200)


def load_prescriptions(courier: Courier) -> None:
    """Where the company may sell medicines on prescription; a second run finds the orders."""
    india = market_registry().market(market_registry().by_code["IN"])
    asha = Customer.objects.get(email=CUSTOMER.email)
    strict, plain = _medicines(Schedule.H1), _medicines(Schedule.H)
    if not (sells_prescriptions(india) and strict and len(plain) > 1):
        return
    baskets = [[strict[0], plain[0]], [plain[1], strict[-1]]]
    written = [[strict[0]], [plain[1], strict[-1]]]
    for at in range(asha.prescriptions.count(), len(baskets)):
        add_pages(asha, [draw_prescription(asha.addresses.get(is_default=True), written[at], _written_on())])
        order = buy(asha, baskets[at])
        if at == 0:
            _decide(order, asha.addresses.get(is_default=True))
            ship(order, courier=courier, tracking_number=f"AU{order.pk:09}IN", actor=SHOP)


def _medicines(schedule: Schedule) -> list[Variant]:
    """One of each product, enough of it here."""
    rows = Variant.objects.filter(product__schedule=schedule, on_hand__gt=ON_HAND).select_related("product")
    return list({variant.product_id: variant for variant in rows.order_by("-product__slug", "-position")}.values())


def _written_on() -> date:
    return timezone.localdate() - timedelta(days=3)


def _decide(order: Order, address: Address) -> None:
    """The first line is on the prescription, the other is not."""
    pharmacist = next(login for login in STAFF if login.role == PHARMACIST)
    checked = OrderPrescription.objects.get(order=order)
    approved, *others = PrescriptionLine.objects.filter(checked=checked).order_by("-line__variant__product__schedule")
    decisions = {one.pk: Decision(reason=PrescriptionLine.Reason.OTHER_MEDICINE) for one in others}
    facts = Facts(address.full_name, _street(address), *DOCTOR, issued_on=_written_on())
    decide(
        checked,
        decisions | {approved.pk: Decision(written=1)},
        facts=facts,
        actor=staff_actor(Customer.objects.get(email=pharmacist.email)),
    )


def _street(address: Address) -> str:
    return f"{address.address}, {address.city} {address.pincode}"


def draw_prescription(address: Address, medicines: Sequence[Variant], day: date) -> bytes:
    """A JPEG of a sheet such as a doctor hands out."""
    sheet = Image.new("RGB", SIZE, PAPER)
    draw = ImageDraw.Draw(sheet)
    regular, bold = (str(FONTS / FILES[name]) for name in (SANS, BOLD))
    big, normal, strong = (ImageFont.truetype(font, size) for font, size in ((bold, 44), (regular, 30), (bold, 34)))
    doctor, street, registration = DOCTOR
    draw.text((70, 70), doctor, INK, big)
    draw.text((70, 130), f"{street}\nReg. No. {registration}", FAINT, normal, spacing=10)
    draw.line((70, 230, SIZE[0] - 70, 230), INK, 3)
    draw.text((70, 260), f"{address.full_name}\n{_street(address)}", INK, normal, spacing=10)
    draw.text((SIZE[0] - 70, 260), date_format(day, "j N Y"), INK, normal, anchor="ra")
    draw.text((70, 380), "Rx", INK, big)
    for number, variant in enumerate(medicines):
        top = 470 + 130 * number
        draw.text((110, top), f"{number + 1}. {variant.product.name}", INK, strong)
        draw.text((150, top + 50), "1 strip. Take as directed.", INK, normal)
    draw.line((560, 1060, SIZE[0] - 70, 1060), INK, 2)
    draw.text((560, 1075), "Signature and stamp", FAINT, normal)
    target = BytesIO()
    sheet.rotate(1.2, Image.Resampling.BICUBIC, fillcolor="#d9d4c6").save(target, "JPEG", quality=82)
    return target.getvalue()
