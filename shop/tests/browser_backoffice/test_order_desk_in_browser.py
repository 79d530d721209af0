"""The order desk at work: it ships a part, is told who was first, gives money back, decides a return, writes to the
customer."""

import pytest
from django.conf import settings
from django.contrib.auth.models import Group
from django.test import Client
from playwright.sync_api import Page, expect

from shop.accounts.models import Customer
from shop.accounts.staff.roles import ORDER_DESK
from shop.backoffice.actors import staff_actor
from shop.messaging.models import Message
from shop.money import INR, display
from shop.orders.conftest import fill, new_address
from shop.orders.models import Courier, Order, ReturnRequest
from shop.orders.placing.services import cancel_order, place_order
from shop.orders.placing.values import PlaceOrder
from shop.orders.returns.services import request_return
from shop.orders.shipping.services import deliver_all, ship
from shop.payments.models import Refund
from shop.payments.refunds.services import issue_due_refunds
from shop.payments.services import start_payment, verify_payment
from shop.payments.simulator.payer import pay

pytestmark = pytest.mark.browser
DESKTOP = 1280
BOARD = "/admin/orders/order/board/"


@pytest.fixture
def orders(transactional_db, india, make_product, make_variant):
    """Two paid orders of three soaps, and a delivered one of which a soap is asked back."""
    soap = make_variant(price="250", units=50, product=make_product("Neem Soap"))
    Courier.objects.create(name="Quick Post")
    for role in (ORDER_DESK,):
        member = Customer.objects.create_user(_mail_of(role), name=f"{role} person", is_staff=True)
        member.groups.add(Group.objects.get(name=role))
    return [_buy(f"{name} Rao", soap, india) for name in ("Asha", "Meera", "Devi")]


def _mail_of(role: str) -> str:
    return f"{role.lower().replace(' ', '.')}@example.com"


def _buy(name, soap, market) -> Order:
    customer = Customer.objects.create_user(f"{name.lower().replace(' ', '.')}@example.com", name=name)
    cart = fill(customer, {soap: 3}, market)
    order = place_order(PlaceOrder(customer=customer, cart=cart, address=new_address(customer), market=market))
    payment = start_payment(order)
    result = pay(payment.razorpay_order_id)
    verify_payment(
        razorpay_order_id=result.razorpay_order_id,
        razorpay_payment_id=result.razorpay_payment_id,
        signature=result.razorpay_signature,
    )
    order.refresh_from_db()
    return order


def _signs_in(page: Page, role: str, address: str) -> None:
    """With a session of this process: how staff sign in is shown elsewhere."""
    client = Client()
    client.force_login(Customer.objects.get(email=_mail_of(role)))
    cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
    page.goto("/trackorders/")  # so that the address is known
    origin = page.evaluate("location.origin")
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": origin}])
    page.goto(address)


def test_the_desk_ships_a_part_gives_money_back_and_decides_a_return(orders, open_phone):
    asha, meera, devi = orders
    ship(devi, actor="staff:1")
    deliver_all(devi, actor="staff:1")
    request_return(devi.lines.get(), customer=devi.customer, kind="refund", reason="wrong-item", quantity=1)
    page = open_phone(width=DESKTOP, refusals={422})
    _signs_in(page, ORDER_DESK, BOARD)
    _packs_and_ships_a_part(page, asha)
    _is_told_who_was_first(page, meera)
    _decides(page, devi)
    _gives_money_back_and_writes(page, devi)


def _packs_and_ships_a_part(page: Page, order: Order) -> None:
    page.get_by_role("button", name=f"Pack {order.number}").click()
    expect(page.get_by_text(f"{order.number} is being packed.")).to_be_visible()
    card = page.locator("#column-ship").get_by_role("listitem").filter(has_text=order.number)
    card.locator("summary").click()
    card.get_by_role("link", name="Ship part of it").click()
    page.locator("input[name^=line_]").fill("2")
    page.get_by_label("Courier").select_option(label="Quick Post")
    page.get_by_label("Tracking number").fill("QP1")
    page.get_by_role("button", name="Ship", exact=True).click()
    expect(page.get_by_text("The parcel is on its way. We'll notify the customer.")).to_be_visible()
    parcel = order.shipments.get()
    assert (parcel.tracking_number, parcel.lines.get().quantity) == ("QP1", 2)
    page.goto(BOARD)
    expect(page.locator("#column-rest")).to_contain_text(order.number)


def _is_told_who_was_first(page: Page, order: Order) -> None:
    ravi = Customer.objects.create_user("ravi@example.com", name="Ravi", is_staff=True)
    cancel_order(order, actor=staff_actor(ravi))
    page.get_by_role("button", name=f"Pack {order.number}").click()
    expect(page.get_by_role("status")).to_contain_text(f"Ravi (staff {ravi.pk}) changed it to cancelled just now.")
    expect(page.locator("#column-pack")).not_to_contain_text(order.number)


def _decides(page: Page, order: Order) -> None:
    page.get_by_role("link", name=f"Decide {order.number}").click()
    page.get_by_role("button", name="Approve").click()
    page.get_by_role("button", name="Received: back in stock").click()
    expect(
        page.get_by_text(f"{display(250 + order.shipping_inr, INR)} will be refunded: 1 return request.")
    ).to_be_visible()
    page.get_by_label("Reason").fill("The seal is whole")
    page.get_by_role("button", name="Received: back in stock").click()
    expect(page.locator("#returns")).to_contain_text("Received")
    request = ReturnRequest.objects.get()
    assert (request.status, request.is_restocked) == ("received", True)


def _gives_money_back_and_writes(page: Page, order: Order) -> None:
    page.locator("summary").filter(has_text="Refund items").click()
    panel = page.locator("#returns")
    panel.get_by_label("Units").fill("9")
    panel.get_by_label("Note to the customer").fill("Sorry for the dent")
    panel.get_by_role("button", name="Refund items …").click()
    expect(panel).to_contain_text("At most 2 can be refunded")
    expect(panel.get_by_label("Note to the customer")).to_have_value("Sorry for the dent")
    panel.get_by_label("Units").fill("1")
    panel.get_by_role("button", name="Refund items …").click()
    expect(page.get_by_text("₹250.00 will be refunded: 1 order.")).to_be_visible()
    expect(page.get_by_label("Note to the customer")).to_have_value("Sorry for the dent")
    page.get_by_role("button", name="Refund items", exact=True).click()
    expect(page.get_by_text(f"{order.number} has a new refund.")).to_be_visible()
    issue_due_refunds()
    refunds = Refund.objects.filter(payment__order=order)
    assert sorted(refund.amount_paise for refund in refunds) == [25000, int(250 + order.shipping_inr) * 100]
    page.get_by_label("Message to the customer").fill("Your money is on its way.")
    page.get_by_role("button", name="Send the message").click()
    expect(page.locator(".desk-story")).to_contain_text("Your money is on its way.")
    assert Message.objects.get(kind="order_letter").to == order.email
