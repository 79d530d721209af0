"""Everything that one customer can have, made through the shop's own services, and a shop around it.

Whatever a customer typed holds a word of their own (`mark`), by which it is found wherever it does not belong.
"""

from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from decimal import Decimal
from io import BytesIO

from allauth.usersessions.models import UserSession
from django.contrib.auth.models import Group
from django.core.files.base import ContentFile
from django.test import Client
from django.utils import timezone
from PIL import Image

from shop.accounts.models import Address, ApiToken, Customer, StaffInvitation, Wishlist
from shop.accounts.passkeys.tests.authenticator import kept_passkey
from shop.accounts.staff.roles import GRANTS, ORDER_DESK
from shop.backoffice import history
from shop.care.complaints.services import file_complaint
from shop.care.enquiries.services import send_enquiry
from shop.care.models import Complaint, ReplyTemplate
from shop.care.newsletter.services import ask_for_newsletter
from shop.cart.models import Coupon
from shop.cart.services import add_to_cart, open_cart, save_for_later
from shop.catalog.batches.services import receive_batch
from shop.catalog.bulk_edit.services import BulkEdit, preview_change
from shop.catalog.import_export.services import keep_upload, work_on
from shop.catalog.models import Attribute, Brand, Category, HealthConcern, HsnCode, Product, Variant, VariantImage
from shop.catalog.pictures.services import add_picture
from shop.catalog.services import refresh_products
from shop.catalog.stock import services as stock
from shop.company.models import Company
from shop.content.models import Banner, HomeRow, Post, PostCategory
from shop.jobs.models import FailedRow
from shop.limits.models import Counter
from shop.markets.market import Market
from shop.markets.models import ServiceRule
from shop.orders.batches.recalls import recall_batch
from shop.orders.drafts.services import add_line, make_link, open_draft
from shop.orders.models import Courier, Order, OrderDraft, ShipmentLine
from shop.orders.placing.values import PlaceOrder
from shop.orders.returns.services import request_return
from shop.orders.shipping.services import deliver_all, ship
from shop.payments.models import Payment, ProviderEvent, Refund
from shop.payments.services import check_out, verify_payment
from shop.payments.simulator.payer import WindowResult, pay
from shop.pharmacy.models import OrderPrescription, Prescription, PrescriptionPage, Refill, RegisterEntry
from shop.pharmacy.refills.services import RefillRequest, save_refill
from shop.pharmacy.services import add_pages
from shop.reports.models import VisitCount
from shop.reviews.models import Answer, Question, Review, ReviewPhoto
from shop.search.models import Need, SearchCount, SynonymGroup

PASSWORD = "honey and amla"
MISSING = 987_654_321
NO_ROLE = "no role"


@dataclass(frozen=True)
class Shelf:
    """What the shop shows to everybody."""

    category: str
    below: str
    concern: str
    brand: str
    product: str
    sold_out: str  # the slug of a product
    sold_out_variant: int
    variant: int
    other_variant: int  # of the same product
    coupon: str
    picture: str  # a file below /media/


@dataclass(frozen=True)
class Belongings:
    """What one customer has, as addresses and bodies name it."""

    shelf: Shelf
    mark: str
    customer: int
    name: str
    email: str
    phone: str
    password: str
    address: int
    order: str  # the number of a delivered one, a unit of which is to come back
    line: int  # of that order
    invoice: int
    return_request: int
    photo: int
    review: int  # of that line, waiting
    question: int  # waiting, too
    prescription_page: int  # of an upload that was ordered with
    refill: int  # a reminder of another pack
    shown_photo: int  # of a review that everybody reads, by nobody who is known
    shown_question: int  # which everybody reads
    unpaid: str  # the number of an order that waits for its payment
    paid_result: dict[str, str]  # what the payment window handed over for it
    cart: str
    variant: int  # in that cart
    complaint: str  # its number
    draft: int  # what the desk prepared for them, with a link
    token: int
    sign_in: int
    passkey: int
    cookies: dict[str, str]  # of the browser in which they are signed in

    @property
    def words(self) -> set[str]:
        """What nobody else may ever read."""
        return {
            self.mark,
            self.email,
            self.phone,
            self.order,
            self.unpaid,
            self.cart,
            self.complaint,
            self.paid_result["razorpay_order_id"],
        }


def nothing_of(own: Belongings) -> Belongings:
    """The same, of nobody: no such row is in the database."""
    return replace(
        own,
        mark="Nobody",
        customer=MISSING,
        email="nobody@example.com",
        phone="+919000000009",
        address=MISSING,
        order="ORD-ZZZZZZZZ9",
        line=MISSING,
        invoice=MISSING,
        return_request=MISSING,
        photo=MISSING,
        review=MISSING,
        question=MISSING,
        prescription_page=MISSING,
        refill=MISSING,
        unpaid="ORD-ZZZZZZZZ8",
        paid_result=dict.fromkeys(own.paid_result, "missing"),
        cart="00000000-0000-4000-8000-000000000000",
        complaint="GRV-ZZZZZZZZ9",
        token=MISSING,
        sign_in=MISSING,
        passkey=MISSING,
    )


# --- The shop -----------------------------------------------------------------------------------


def furnish() -> Shelf:
    """One of everything that a page shows or staff have a screen for."""
    picture = add_picture(_drawing("PNG"), alt="leaf")
    post = Post.objects.create(title="Neem", slug="neem", excerpt="A leaf.", text="<p>Bitter.</p>", is_published=True)
    post.categories.add(PostCategory.objects.create(name="Herbs", slug="herbs"))
    Company.objects.create(legal_name="Leaf Ltd", address="1 Road\nBengaluru")
    top = Category.objects.create(name="Ayurveda", slug="ayurveda")
    below = Category.objects.create(name="Tonics", slug="tonics", parent=top)
    brand = Brand.objects.create(name="Vanamitra", slug="vanamitra")
    concern = HealthConcern.objects.create(name="Skin Care", slug="skin-care")
    hsn = HsnCode.objects.create(code="3004")
    size = Attribute.objects.create(name="Size", slug="size").values.create(value="100", unit="g")
    made = {"brand": brand, "category": below, "hsn": hsn, "is_published": True}
    soap = Product.objects.create(name="Neem Soap", slug="neem-soap", **made)
    oil = Product.objects.create(name="Face Oil", slug="face-oil", **made)
    soap.health_concerns.add(concern)
    variants = [_variant(soap, "SOAP", units=50), _variant(soap, "SOAP-2", units=50), _variant(oil, "OIL", units=0)]
    variants[0].attribute_values.add(size)
    VariantImage.objects.create(variant=variants[0], picture=picture)
    refresh_products([soap.pk, oil.pk])
    Banner.objects.create(title="Monsoon care", image=picture, mobile_image=picture)
    HomeRow.objects.create(kind=HomeRow.Kind.TEXT, title="Ours", text="<p>Ours</p>")
    Coupon.objects.create(code="LEAF10", kind=Coupon.Kind.PERCENT, percent=Decimal(10), customer_limit=None)
    Courier.objects.create(name="Himalaya Parcel")
    FailedRow.objects.create(chore="expire_holds", kind="order", row_id="1", name="ORD-LEAF00001", error="no stock")
    ServiceRule.objects.create(location_id=1, prefix="744", is_served=False)
    SynonymGroup.objects.create(note="soap").terms.create(term="soap bar")
    Need.objects.get_or_create(name="Clean hands", defaults={"phrases": "clean hands", "kinds": "soap"})
    VisitCount.objects.create(day=timezone.localdate(), kind="visit", country="IN", times=1)
    StaffInvitation.objects.create(email="invited@example.com", role=Group.objects.get(name=ORDER_DESK))
    SearchCount.objects.create(day=timezone.localdate(), words="soap", searches=1, results=1)
    ProviderEvent.objects.create(event_id="evt_1", event="payment.captured", body="{}", handled_at=timezone.now())
    _recalled()
    return Shelf(
        category=top.slug,
        below=below.slug,
        concern=concern.slug,
        brand=brand.slug,
        product=soap.slug,
        sold_out=oil.slug,
        sold_out_variant=variants[2].pk,
        variant=variants[0].pk,
        other_variant=variants[1].pk,
        coupon="LEAF10",
        picture=str(picture.file),
    )


def _variant(product: Product, sku: str, *, units: int) -> Variant:
    variant = Variant.objects.create(product=product, sku=sku, selling_price=Decimal(250), actual_price=Decimal(300))
    if units:
        stock.receive(variant, units)
    return variant


def _recalled() -> None:
    """A batch of a variant that nobody bought, which was recalled."""
    product = Product.objects.create(
        name="Balm", slug="balm", brand=Brand.objects.get(), category=Category.objects.get(slug="tonics")
    )
    today = timezone.localdate()
    batch = receive_batch(
        _variant(product, "BALM", units=0).pk, number="B-1", manufactured=today, expires=today + timedelta(days=700),
        units=5, actor="staff:1",
    )  # fmt: skip
    recall_batch(batch, reason="Wrong label", actor="staff:1")


def _drawing(kind: str) -> bytes:
    target = BytesIO()
    Image.new("RGB", (60, 40), "green").save(target, kind)
    return target.getvalue()


# --- A customer -----------------------------------------------------------------------------------


def belongings_of(mark: str, shelf: Shelf, market: Market, *, phone: str, says: str = "") -> Belongings:
    """A new customer with all of it, who wrote `says` (or the mark) wherever words can be written."""
    says = says or mark
    email = f"{mark.lower()}@example.com"
    customer = Customer.objects.create_user(email, PASSWORD, name=f"{says} Rao", phone=phone)
    address = _address_of(customer, says)
    order = _delivered(customer, address, shelf, market)
    request = _return_of(order, says)
    review, question = _reviewed(order, says)
    unpaid, result = _order(customer, address, shelf, market)
    shown_photo, shown_question = _published(unpaid)
    cart = open_cart(customer)  # what waits for its payment stays there
    add_to_cart(cart, variant_id=shelf.other_variant, quantity=1, market=market)
    save_for_later(cart, variant_id=shelf.other_variant)
    complaint = _letters_of(customer, says)
    draft = _draft_of(customer, shelf)
    _wish(customer, order, mark)
    cookies = signed_in(email)
    return Belongings(
        shelf=shelf,
        mark=mark,
        customer=customer.pk,
        name=customer.name,
        email=email,
        phone=phone,
        password=PASSWORD,
        address=address.pk,
        order=order.number,
        line=order.lines.get().pk,
        invoice=order.invoices.get().pk,
        return_request=request.pk,
        photo=request.photos.get().pk,
        review=review.pk,
        question=question.pk,
        prescription_page=_prescription_of(order, says).pk,
        refill=_refill_of(customer, shelf).pk,
        shown_photo=shown_photo.pk,
        shown_question=shown_question.pk,
        unpaid=unpaid.number,
        paid_result=asdict(result),
        cart=str(cart.public_id),
        variant=shelf.variant,
        complaint=complaint.number,
        draft=draft.pk,
        token=_token_of(customer, mark).pk,
        sign_in=_sign_in_of(customer, mark).pk,
        passkey=kept_passkey(customer, f"{says} phone").pk,
        cookies=cookies,
    )


def _address_of(customer: Customer, mark: str) -> Address:
    return Address.objects.create(
        customer=customer, full_name=f"{mark} Rao", email=customer.email or "", phone_number=(customer.phone or "")[3:],
        alt_phone_number=(customer.phone or "")[3:], address=f"12 {mark} Road", landmark=f"{mark} Gate",
        city="Bengaluru", state="Karnataka", pincode="560001", country_id=1, is_default=True,
    )  # fmt: skip


def _order(customer: Customer, address: Address, shelf: Shelf, market: Market) -> tuple[Order, WindowResult]:
    """An order of two units, paid at the provider; the shop does not know that yet."""
    cart = open_cart(customer)
    add_to_cart(cart, variant_id=shelf.variant, quantity=2, market=market)
    order, payment = check_out(PlaceOrder(customer=customer, cart=cart, address=address, market=market))
    assert payment and payment.razorpay_order_id
    return order, pay(payment.razorpay_order_id)


def _delivered(customer: Customer, address: Address, shelf: Shelf, market: Market) -> Order:
    order, result = _order(customer, address, shelf, market)
    verify_payment(
        razorpay_order_id=result.razorpay_order_id,
        razorpay_payment_id=result.razorpay_payment_id,
        signature=result.razorpay_signature,
    )
    ship(order, actor="staff:1")
    return deliver_all(order, actor="staff:1")


def _return_of(order: Order, mark: str):
    """Money back for one of the units; a refund of it failed once."""
    line = order.lines.get()
    request = request_return(
        line,
        customer=order.customer,
        kind="refund",
        reason="wrong-item",
        quantity=1,
        note=f"{mark} says so",
        photos=[_drawing("JPEG")],
    )
    payment = Payment.objects.get(order=order)
    Refund.objects.create(
        payment=payment,
        razorpay_payment_id=payment.razorpay_payment_id,
        idempotency_key=f"refund-{order.number}",
        amount_paise=100,
        status=Refund.Status.FAILED,
        reason="return",
    )
    return request


def _reviewed(order: Order, says: str) -> tuple[Review, Question]:
    """A review, a question and an answer to it, which staff have yet to let pass."""
    line, customer = order.lines.get(), order.customer
    written = {"author": customer, "author_name": says}
    product = line.variant.product
    review = Review.objects.create(line=line, product=product, stars=4, title=says, text=f"{says} likes it", **written)
    question = Question.objects.create(product=product, text=f"{says} asks", **written)
    Answer.objects.create(question=question, text=f"{says} answers", **written)
    return review, question


def _prescription_of(order: Order, says: str) -> PrescriptionPage:
    """With which the delivered order was placed; the register knows of the supply."""
    prescription = add_pages(order.customer, [_drawing("JPEG")])
    Prescription.objects.filter(pk=prescription.pk).update(patient_name=says, patient_address=says)
    checked = OrderPrescription.objects.create(order=order, prescription=prescription)
    checked.lines.create(line=order.lines.get(), state="approved", quantity=2)
    RegisterEntry.objects.create(
        shipped=ShipmentLine.objects.get(order_line=order.lines.get()), supplied_on=timezone.localdate(),
        order_number=order.number, drug="Soap", quantity=2, patient_name=says, patient_address=says,
        prescriber_name="Dr Iyer", prescriber_address="1 Street", prescriber_registration="KMC 1",
    )  # fmt: skip
    return prescription.pages.get()


def _refill_of(customer: Customer, shelf: Shelf) -> Refill:
    variant = Variant.objects.get(pk=shelf.other_variant)
    return save_refill(customer, variant, RefillRequest(1, interval=30), location_id=1)


def _wish(customer: Customer, order: Order, mark: str) -> None:
    """What they bought, on a wishlist that they share."""
    wishlist = Wishlist.objects.create(customer=customer, share_key=f"shared-{mark.lower()}")
    wishlist.items.create(product=order.lines.get().variant.product)


def _published(order: Order) -> tuple[ReviewPhoto, Question]:
    """What is left on a product's page by customers whose accounts are deleted."""
    line = order.lines.get()
    shown = {"product": line.variant.product, "state": "published", "text": "As it should be"}
    review = Review.objects.create(line=line, stars=4, title="Good", **shown)
    drawing = ContentFile(_drawing("JPEG"), name="leaf.jpg")
    photo = ReviewPhoto.objects.create(review=review, file=drawing, thumbnail=drawing)
    return photo, Question.objects.create(**shown)


def _draft_of(customer: Customer, shelf: Shelf) -> OrderDraft:
    draft = open_draft(customer, author="staff:1")
    add_line(draft, variant_id=shelf.variant, quantity=1)
    make_link(draft)
    return draft


def _letters_of(customer: Customer, mark: str) -> Complaint:
    """What the customer wrote to the shop, with a complaint at the end."""
    words = {"name": customer.name, "phone": "9876543210", "email": customer.email or "", "text": f"{mark} asks"}
    send_enquiry(**words, once=mark, client="203.0.113.8")
    ReplyTemplate.objects.get_or_create(name="Thanks", text="Thank you, {{ name }}.")
    ask_for_newsletter(email=customer.email or "", client="203.0.113.8")
    return file_complaint(**words, once=mark, client="203.0.113.8")


def _token_of(customer: Customer, mark: str) -> ApiToken:
    ends = timezone.now() + timedelta(days=30)
    return ApiToken.objects.create(customer=customer, key_hash=mark, name=f"{mark} client", expires_at=ends)


def _sign_in_of(customer: Customer, mark: str) -> UserSession:
    """Another place where the customer is signed in."""
    return UserSession.objects.create(
        user=customer, ip="203.0.113.7", user_agent=f"{mark} tablet", session_key=f"{mark.lower()}elsewhere"
    )


def signed_in(email: str) -> dict[str, str]:
    """The cookies of a browser in India in which this customer has just signed in."""
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.cookies["deliver_to"] = "IN"
    answer = client.post("/signin/", {"email": email, "password": PASSWORD})
    assert answer.status_code == 302, answer.content
    Counter.objects.all().delete()
    return {name: morsel.value for name, morsel in client.cookies.items() if name != "messages"}


# --- Staff ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Member:
    role: str
    customer: Customer
    cookies: dict[str, str]


def staff_of_each_role() -> list[Member]:
    """One member of staff a role, and one who has none."""
    members = []
    for number, role in enumerate([*GRANTS, NO_ROLE]):
        email = f"staff{number}@example.com"
        member = Customer.objects.create_user(email, PASSWORD, name=f"Staff {number}", is_staff=True)
        if role != NO_ROLE:
            member.groups.add(Group.objects.get(name=role))
        members.append(Member(role, member, signed_in(email)))
    _work_of(members[0].customer)
    return members


def _work_of(member: Customer) -> None:
    """What staff leave behind: an entry of the history, a change of many variants, an import."""
    history.note(member, Product.objects.earliest("pk"), why="Looked at")
    preview_change(Variant.objects.all(), BulkEdit(selling=True, value=Decimal(-1)), by=member)
    upload = ContentFile(b"handle,sku,name,selling_price,actual_price\n", name="empty.csv")
    kept = keep_upload(upload, by=member, format="shop", mapping={}, currency="INR", take_stock=False)
    work_on(kept.pk)
