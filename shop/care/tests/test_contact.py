"""Contact Us: what it asks, what it refuses in which words, what becomes of a message."""

import pytest
from django.conf import settings

from shop.accounts.privacy.personal_data import data_of
from shop.company.models import Company
from shop.messaging.models import Message
from shop.orders.tests.racing import together

from ..models import Enquiry

pytestmark = pytest.mark.django_db
PATH = "/en-in/contactus/"
GIVEN = {
    "username": "Asha Rao", "mobile": "9876543210", "email": "asha@example.com", "quote": "Is the jam sweet?",
    "order_number": "", "once": "form-1",
}  # fmt: skip


def send(visitor, **changes):
    return visitor.post(PATH, GIVEN | changes)


def test_the_form_has_the_fields_and_the_details_box(visitor):
    Company.objects.create(legal_name="Leaf Ltd", cin="U12345DL2020PTC000001", address="1 Road\nDelhi 110001")
    answer = visitor.get(PATH)
    main = answer.text[answer.text.index("<main") :]
    for label in ("Name", "Phone No", "Email", "Write a quote"):
        assert f">{label}</label>" in main, label
    for told in (settings.SHOP_EMAIL, "U12345DL2020PTC000001", "1 Road<br>Delhi 110001"):
        assert told in main, told
    assert "no-store" in answer["Cache-Control"]


def test_every_spelling_of_the_address_leads_to_it(client):
    for spelling in ("/ContactUs", "/contactus", "/CONTACTUS/"):
        assert (client.get(spelling).status_code, client.get(spelling)["Location"]) == (301, "/contactus/")


def test_what_is_missing_is_said_at_its_field(visitor):
    answer = visitor.post(PATH, {"once": "1"})
    assert answer.status_code == 422
    for name, words in {
        "username": "Name is mandatory",
        "mobile": "Phone no. is mandatory",
        "email": "Email is mandatory",
        "quote": "Quote is mandatory",
    }.items():
        assert answer.context["form"].errors[name] == [words]
        assert f'id="id_{name}_error">{words}<' in answer.text
    assert not Enquiry.objects.exists()


@pytest.mark.parametrize("email", ["asha", "asha@", "asha@example", "a b@example.com", "asha@example.com\nBcc: x@y.in"])
def test_an_email_that_is_none_is_refused(visitor, email):
    answer = send(visitor, email=email)
    assert answer.context["form"].errors == {"email": ["Invalid Email Id"]}
    assert "Is the jam sweet?" in answer.text, "nothing that was typed is lost"


@pytest.mark.parametrize("mobile", ["987654321", "98765432100", "+12349876543210", "phone", "+6512345"])
def test_a_phone_number_that_is_none_is_refused(visitor, mobile):
    assert send(visitor, mobile=mobile).context["form"].errors == {"mobile": ["Invalid Mobile Number"]}


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("9876543210", "9876543210"),
        ("+919876543210", "+919876543210"),
        ("+91 98765-43210", "+919876543210"),
        ("+9719876543210", "+9719876543210"),
        ("+65 8123 4567", "+6581234567"),  # as long as numbers are in Singapore
    ],
)
def test_ten_digits_with_or_without_country_code_and_numbers_from_abroad_are_taken(visitor, typed, kept):
    assert send(visitor, mobile=typed).status_code == 200
    assert Enquiry.objects.get().phone == kept


def test_a_message_is_kept_mailed_and_confirmed_and_the_form_is_empty_again(visitor):
    answer = send(visitor, order_number="ord abc123xyz")
    assert answer.status_code == 200
    assert "Thank you, we've received your message." in answer.text and "Is the jam sweet?" not in answer.text
    enquiry = Enquiry.objects.get()
    assert (enquiry.name, enquiry.email, enquiry.order_number, enquiry.state) == (
        "Asha Rao", "asha@example.com", "ORD-ABC123XYZ", "new",
    )  # fmt: skip
    to_shop, to_sender = Message.objects.order_by("id")
    assert (to_shop.to, to_shop.headers) == (settings.SHOP_EMAIL, {"Reply-To": "asha@example.com"})
    assert "Is the jam sweet?" in to_shop.text and "ORD-ABC123XYZ" in to_shop.text
    assert to_sender.to == "asha@example.com"
    typed = [word for word in ("jam", "Asha", "9876543210") if word in to_sender.text + to_sender.html]
    assert typed == [], "a stranger's words are mailed to nobody"


def test_the_same_form_sent_again_is_one_message_and_other_words_are_another(visitor):
    for _ in range(3):
        assert send(visitor).status_code == 200
    assert (Enquiry.objects.count(), Message.objects.count()) == (1, 2)
    send(visitor, quote="And how big is it?")
    send(visitor, once="form-2")
    assert Enquiry.objects.count() == 3


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_a_double_click_stores_one_message():
    from django.test import Client

    def click():
        return Client(headers={"sec-fetch-site": "same-origin"}).post(PATH, GIVEN).status_code

    assert together([click] * 4) == [200] * 4
    assert (Enquiry.objects.count(), Message.objects.count()) == (1, 2)


def test_a_mailbox_and_a_client_get_so_many_and_no_more(visitor):
    for number in range(5):
        assert send(visitor, once=str(number)).status_code == 200
    refused = send(visitor, once="more")
    assert refused.status_code == 429 and int(refused["Retry-After"]) > 3600
    assert "Please wait a while" in refused.text and "Is the jam sweet?" in refused.text
    for number in range(14):
        assert send(visitor, email=f"a{number}@example.com").status_code == 200
    assert send(visitor, email="another@example.com").status_code == 429
    assert visitor.post(PATH, GIVEN | {"email": "b@example.com"}, REMOTE_ADDR="203.0.113.9").status_code == 200


def test_an_order_number_that_is_none_is_refused(visitor):
    assert "An order number is ORD- followed by nine letters or digits." in send(visitor, order_number="12").text


@pytest.mark.parametrize("field", ["username", "mobile", "email", "quote", "order_number", "once"])
@pytest.mark.parametrize("typed", ["\x00", "x" * 5000, "‮<script>alert(1)</script>", "²" * 12])
def test_odd_input_is_refused_in_words_or_kept_as_words(visitor, field, typed):
    answer = send(visitor, **{field: typed})
    assert answer.status_code in (200, 422)
    assert "<script>alert(1)" not in answer.text


def test_a_customer_need_not_type_what_is_known_and_takes_the_messages_along(browser_client, customer):
    browser_client.force_login(customer)
    form = browser_client.get(f"{PATH}?order=ORD-ABC123XYZ").context["form"]
    assert (form["username"].value(), form["email"].value()) == ("Asha Rao", "asha@example.com")
    assert form["order_number"].value() == "ORD-ABC123XYZ"
    send(browser_client)
    Enquiry.objects.create(name="B", email="b@example.com", phone="1", text="Not Asha's", submission="x")
    assert [message["text"] for message in data_of(customer)["messages"]] == ["Is the jam sweet?"]


def test_the_foot_leads_to_it(client):
    assert 'href="/en-in/contactus/"' in client.get("/en-in/brands/").text
