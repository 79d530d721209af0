import pytest
from allauth.account.models import EmailAddress

from shop.accounts.otp.services import WrongCode
from shop.messaging.models import Message
from shop.tests.support.codes import SOME_CODE, other_code

from ...conftest import PASSWORD, prove
from ...models import Code, Customer
from ...otp.services import CodeMessage, send_code
from ...profile.services import finish_address_change

pytestmark = [pytest.mark.django_db, pytest.mark.database]
START, CONFIRM = "/en-in/profile/address/", "/en-in/profile/address/confirm/"
NEW_EMAIL = {"by": "email", "email": "Asha.Rao@example.org"}
NEW_MOBILE = {"by": "mobile", "mobile": "98765 43210"}


@pytest.fixture
def signed_in(signed_in):
    return prove(signed_in)


@pytest.fixture
def stranger():
    return Customer.objects.create_user("eve@example.com", PASSWORD, phone="+919876500000")


@pytest.fixture
def without_password(customer, visitor):
    customer.set_unusable_password()
    customer.save()
    visitor.force_login(customer)
    return visitor


def message_to(address):
    return Message.objects.filter(to=address).latest("id")


def test_an_email_is_changed_with_the_code_it_got(signed_in, customer, sent_code):
    answer = signed_in.post(START, NEW_EMAIL)
    assert answer["Location"] == CONFIRM
    customer.refresh_from_db()
    assert customer.email == "asha@example.com"
    answer = signed_in.post(CONFIRM, {"otp_code": sent_code("asha.rao@example.org")}, follow=True)
    assert "Your email was changed" in answer.content.decode()
    customer.refresh_from_db()
    assert customer.email == "asha.rao@example.org"
    row = EmailAddress.objects.get(user=customer)
    assert (row.email, row.verified, row.primary) == ("asha.rao@example.org", True, True)
    assert message_to("asha@example.com").kind == "address_changed"
    assert signed_in.get("/en-in/profile/").status_code == 200  # still signed in


def test_a_mobile_is_added_and_the_email_is_told(signed_in, customer, sent_code):
    signed_in.post(START, NEW_MOBILE)
    signed_in.post(CONFIRM, {"otp_code": sent_code("+919876543210")})
    customer.refresh_from_db()
    assert (customer.email, customer.phone) == ("asha@example.com", "+919876543210")
    assert message_to("asha@example.com").kind == "address_changed"
    assert EmailAddress.objects.get(user=customer).email == "asha@example.com"


def test_a_former_mobile_is_told_by_sms(signed_in, customer, sent_code):
    Customer.objects.filter(pk=customer.pk).update(phone="+919876511111")
    signed_in.post(START, NEW_MOBILE)
    signed_in.post(CONFIRM, {"otp_code": sent_code("+919876543210")})
    assert message_to("+919876511111").channel == Message.Channel.SMS


@pytest.mark.parametrize("fields", [NEW_EMAIL, NEW_MOBILE])
def test_nothing_is_sent_without_a_proof_and_nothing_typed_is_lost(signed_in, fields):
    prove(signed_in, minutes_ago=11)
    answer = signed_in.post(START, fields)
    assert (answer.status_code, "/profile/proof/?next=" in answer["Location"]) == (302, True)
    assert not Message.objects.exists()
    back = signed_in.post(answer["Location"], {"password": PASSWORD})
    assert back["Location"] == f"{START}?by={fields['by']}"
    page = signed_in.get(back["Location"]).text
    assert f'value="{fields[fields["by"]]}"' in page
    assert signed_in.post(START, fields)["Location"] == CONFIRM


def test_a_taken_address_looks_the_same_and_gets_an_email_without_code(signed_in, customer, stranger):
    free = signed_in.post(START, NEW_EMAIL)
    taken = signed_in.post(START, NEW_EMAIL | {"email": stranger.email})
    assert (taken.status_code, taken["Location"]) == (free.status_code, free["Location"])
    assert message_to(stranger.email).kind == "account_exists"
    for digits in (SOME_CODE, other_code(SOME_CODE)):
        assert signed_in.post(CONFIRM, {"otp_code": digits}).status_code == 400
    customer.refresh_from_db()
    assert customer.email == "asha@example.com"


def test_somebody_elses_code_confirms_nothing(signed_in, customer, stranger, sent_code):
    signed_in.post(START, NEW_EMAIL)
    with pytest.raises(WrongCode):
        finish_address_change(stranger, address="asha.rao@example.org", digits=sent_code("asha.rao@example.org"))
    assert Customer.objects.get(pk=stranger.pk).email == "eve@example.com"


@pytest.mark.parametrize("purpose", [Code.Purpose.SIGN_UP, Code.Purpose.CONFIRM])
def test_a_code_for_something_else_confirms_nothing(signed_in, customer, sent_code, purpose):
    signed_in.post(START, NEW_EMAIL)
    send_code(purpose=purpose, address="asha.rao@example.org", message=CodeMessage("confirm_code", "Your code"))
    assert signed_in.post(CONFIRM, {"otp_code": sent_code("asha.rao@example.org")}).status_code == 400
    customer.refresh_from_db()
    assert customer.email == "asha@example.com"


def test_a_code_works_once_and_the_sixth_guess_is_not_looked_at(signed_in, customer, sent_code):
    signed_in.post(START, NEW_EMAIL)
    right = sent_code("asha.rao@example.org")
    for _ in range(5):
        signed_in.post(CONFIRM, {"otp_code": other_code(right)})
    assert signed_in.post(CONFIRM, {"otp_code": right}).status_code == 400
    customer.refresh_from_db()
    assert customer.email == "asha@example.com"


def test_an_address_that_was_taken_meanwhile_stays_its_owners(signed_in, customer, sent_code):
    signed_in.post(START, NEW_EMAIL)
    owner = Customer.objects.create_user("asha.rao@example.org", PASSWORD)
    answer = signed_in.post(CONFIRM, {"otp_code": sent_code("asha.rao@example.org")})
    assert answer.status_code == 400
    customer.refresh_from_db()
    assert (customer.email, Customer.objects.get(email="asha.rao@example.org")) == ("asha@example.com", owner)


def test_codes_under_way_to_the_former_address_end(signed_in, customer, sent_code):
    send_code(purpose=Code.Purpose.RESET, address=customer.email, message=CodeMessage("sign_up_code", "Your code"))
    signed_in.post(START, NEW_EMAIL)
    signed_in.post(CONFIRM, {"otp_code": sent_code("asha.rao@example.org")})
    assert not Code.objects.filter(address="asha@example.com").exists()


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        (NEW_EMAIL | {"email": "asha@example.com"}, "email"),
        (NEW_EMAIL | {"email": "x"}, "email"),
        (NEW_EMAIL | {"email": ""}, "email"),
        (NEW_MOBILE | {"mobile": "123"}, "mobile"),
    ],
)
def test_an_address_that_will_not_do_is_told_at_its_field(signed_in, fields, field):
    answer = signed_in.post(START, fields)
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field]
    assert not Message.objects.exists()


def test_the_code_is_not_taken_without_a_proof_either(signed_in, customer, sent_code):
    signed_in.post(START, NEW_EMAIL)
    digits = sent_code("asha.rao@example.org")
    prove(signed_in, minutes_ago=11)
    answer = signed_in.post(CONFIRM, {"otp_code": digits})
    assert "/profile/proof/?next=" in answer["Location"]
    back = signed_in.post(answer["Location"], {"password": PASSWORD})["Location"]
    assert f'value="{digits}"' in signed_in.get(back).text
    signed_in.post(CONFIRM, {"otp_code": digits})
    customer.refresh_from_db()
    assert customer.email == "asha.rao@example.org"


def test_a_code_that_stands_for_the_password_leads_back_on_this_site_only(without_password):
    answer = without_password.post("/en-in/profile/code/", {"next": "//evil.example"})
    assert answer["Location"] == "/en-in/profile/"


def test_the_page_of_the_code_without_a_change_under_way_leads_to_the_profile(signed_in):
    assert signed_in.get(CONFIRM)["Location"] == "/en-in/profile/"
