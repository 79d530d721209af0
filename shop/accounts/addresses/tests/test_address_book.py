import re
import threading
from contextlib import nullcontext

import pytest
from django.db import connection

from shop.errors import NotFound

from ...auth import services
from ...models import Address, Customer

pytestmark = pytest.mark.django_db


@pytest.fixture
def other_address():
    other = Customer.objects.create_user("eve@example.com", "correct horse battery")
    return Address.objects.create(customer=other, full_name="Eve", country_id=1, is_default=True)


def defaults(customer):
    return customer.addresses.filter(is_default=True).count()


def test_an_address_is_added_in_its_kept_form(signed_in, customer, address_fields):
    answer = signed_in.post("/address/", address_fields)
    assert (answer.status_code, answer["Location"]) == (302, "/en-in/address/")
    address = customer.addresses.get()
    assert (address.phone_code, address.phone_number) == ("+91", "9876543210")
    assert address.alt_phone_number == "8022223333"
    assert (address.state, address.pincode, address.country_id) == ("Karnataka", "560001", 1)
    assert address.additional_info == ""
    assert address.is_default


def test_the_address_page_asks_strangers_to_sign_in(visitor, address):
    for path in ("/address/", f"/address/{address.pk}/", "/profile/"):
        assert visitor.get(path)["Location"].startswith("/en-in/signin/?next=")
    visitor.post(f"/address/{address.pk}/delete/")
    assert Address.objects.count() == 1


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("full_name", "", "Full name is required"),
        ("phone_number", "", "Phone number is required"),
        ("phone_number", "1234567890", "Enter a valid mobile number"),
        ("phone_number", "080 2222 3333", "Enter a valid mobile number"),
        ("alt_phone_number", "", "Alternative phone number is required"),
        ("alt_phone_number", "12", "Enter a valid phone number"),
        ("address", "", "Address is required"),
        ("city", " ", "City is required"),
        ("state", "Texas", "Choose your state from the list"),
        ("pincode", "", "PIN code is required"),
        ("pincode", "012345", "Enter a valid PIN code"),
        ("pincode", "56000", "Enter a valid PIN code"),
        ("email", "asha", "Enter a valid email"),
        ("landmark", "x" * 151, "at most 150 characters"),
        ("address_type", "Castle", "Select a valid choice"),
    ],
)
def test_a_wrong_field_is_said_at_the_field(signed_in, customer, address_fields, field, value, message):
    answer = signed_in.post("/address/", address_fields | {field: value})
    assert answer.status_code == 422
    assert message in " ".join(answer.context["form"].errors[field])
    assert not customer.addresses.exists()


def test_an_unknown_phone_code_is_said_at_its_number(signed_in, address_fields):
    answer = signed_in.post("/address/", address_fields | {"phone_code": "+999"})
    assert answer.context["form"].errors == {"phone_number": ["Enter a valid mobile number"]}


RULES = {
    "AE": {"phone_code": "+971", "phone_number": "50 123 4567", "city": "Dubai", "state": "Dubai", "pincode": ""},
    "US": {
        "phone_code": "+1", "phone_number": "212 555 0123", "city": "New York", "state": "ny", "pincode": "10001",
    },
    "GB": {
        "phone_code": "+44", "phone_number": "07400 123456", "city": "London", "state": "", "pincode": "sw1a 1aa",
    },
    "SG": {"phone_code": "+65", "phone_number": "8123 4567", "city": "Singapore", "state": "", "pincode": "546080"},
    "JP": {
        "phone_code": "+81", "phone_number": "090 1234 5678", "city": "Minato", "state": "Tokyo", "pincode": "105-0011",
    },
}  # fmt: skip
KEPT = {"AE": ("Dubai", ""), "US": ("New York", "10001"), "GB": ("", "SW1A 1AA"), "SG": ("", "546080")}
KEPT["JP"] = ("Tokyo", "105-0011")
WRONG = [
    ("US", "state", "", "State is required"),
    ("US", "state", "Karnataka", "Choose your state from the list"),
    ("US", "pincode", "1000", "Enter a valid ZIP code, such as 95014"),
    ("US", "pincode", "", "ZIP code is required"),
    ("GB", "pincode", "560001", "Enter a valid postcode"),
    ("GB", "pincode", "", "Postcode is required"),
    ("SG", "pincode", "12345", "Enter a valid postal code"),
    ("JP", "pincode", "1234", "Enter a valid postal code"),
    ("JP", "state", "", "Prefecture is required"),
    ("AE", "state", "", "Emirate is required"),
    ("AE", "state", "Karnataka", "Choose your emirate from the list"),
]


@pytest.fixture
def abroad(signed_in, address_fields):
    """abroad("US"): the fields of a good address there, in a browser that delivers there."""

    def move(code):
        signed_in.cookies["deliver_to"] = code
        fields = address_fields | RULES[code]
        return fields | {"alt_phone_code": fields["phone_code"], "alt_phone_number": fields["phone_number"]}

    return move


@pytest.mark.parametrize("code", RULES)
def test_each_country_has_its_own_rules(signed_in, customer, abroad, code):
    signed_in.post("/address/", abroad(code))
    address = customer.addresses.get()
    assert (address.country.code, (address.state, address.pincode)) == (code, KEPT[code])


@pytest.mark.parametrize(("code", "field", "value", "message"), WRONG)
def test_what_a_country_needs_is_said_at_the_field(signed_in, customer, abroad, code, field, value, message):
    answer = signed_in.post("/address/", abroad(code) | {field: value})
    assert message in " ".join(answer.context["form"].errors[field])
    assert not customer.addresses.exists()


def test_the_country_of_a_body_is_not_believed(signed_in, customer, address_fields):
    signed_in.post("/address/", address_fields | {"country": "United States", "country_id": 22, "customer": 99})
    assert customer.addresses.get().country_id == 1


def test_a_number_typed_with_its_country_code_brings_it_along(signed_in, customer, address_fields):
    signed_in.post("/address/", address_fields | {"phone_number": "+44 7400 123456"})
    assert customer.addresses.get().phone_code == "+44"


def test_the_name_of_an_address_is_kept_for_other_types_only(signed_in, customer, address_fields):
    signed_in.post("/address/", address_fields | {"custom_address_type": "Ashram"})
    signed_in.post("/address/", address_fields | {"custom_address_type": "Ashram", "address_type": "other"})
    assert list(customer.addresses.order_by("id").values_list("custom_address_type", flat=True)) == ["", "Ashram"]


def test_the_newest_address_becomes_the_default_unless_not_wanted(signed_in, customer, address_fields):
    signed_in.post("/address/", address_fields | {"full_name": "First"})
    signed_in.post("/address/", address_fields | {"full_name": "Second"})
    del address_fields["is_default"]
    signed_in.post("/address/", address_fields | {"full_name": "Third"})
    assert [a.full_name for a in customer.addresses.default_first()] == ["Second", "Third", "First"]
    assert defaults(customer) == 1


def test_the_first_address_is_the_default_in_any_case(signed_in, customer, address_fields):
    del address_fields["is_default"]
    signed_in.post("/address/", address_fields)
    assert defaults(customer) == 1


def test_an_address_is_updated_and_a_blank_required_field_keeps_what_it_was(signed_in, address):
    page = signed_in.get(f"/address/{address.pk}/")
    assert b'value="12 Temple Road"' in page.content
    fields = address.as_fields() | {"city": "Mysuru", "full_name": "", "landmark": "Clock tower"}
    answer = signed_in.post(f"/address/{address.pk}/", fields)
    assert answer["Location"] == "/en-in/address/"
    address.refresh_from_db()
    assert (address.city, address.full_name, address.landmark) == ("Mysuru", "Asha Rao", "Clock tower")
    assert address.is_default


def test_an_optional_field_can_be_emptied(signed_in, address):
    Address.objects.update(landmark="Clock tower")
    signed_in.post(f"/address/{address.pk}/", address.as_fields() | {"landmark": ""})
    address.refresh_from_db()
    assert address.landmark == ""


def test_choosing_an_address_makes_it_the_only_default(signed_in, customer, address, address_fields):
    signed_in.post("/address/", address_fields)
    for _ in range(2):
        assert signed_in.post("/address/choose/", {"address": address.pk})["Location"] == "/en-in/address/"
    assert customer.addresses.get(is_default=True) == address
    page = signed_in.get("/address/").content.decode()
    assert re.findall(r'name="address" id="address-(\d+)"[^>]* checked', page) == [str(address.pk)]
    assert page.index(f'id="address-{address.pk}"') == page.index('id="address-')


@pytest.mark.parametrize("chosen", ["", "0", "x", "-1", "9" * 30, "१"])
def test_choosing_nonsense_is_not_found(signed_in, address, chosen):
    assert signed_in.post("/address/choose/", {"address": chosen}).status_code == 404
    address.refresh_from_db()
    assert address.is_default


def test_after_deleting_the_default_the_newest_other_is_the_default(signed_in, customer, address, address_fields):
    signed_in.post("/address/", address_fields | {"full_name": "Newest"})
    newest = customer.addresses.latest("id")
    signed_in.post(f"/address/{newest.pk}/delete/")
    assert customer.addresses.get() == address
    assert defaults(customer) == 1
    assert signed_in.post(f"/address/{newest.pk}/delete/").status_code == 302, "pressed twice"
    assert signed_in.post("/address/999999/delete/").status_code == 404
    assert customer.addresses.get() == address


def without_paths(answer):
    return re.sub(rb"/address/\d+/[a-z/]*", b"", answer.content)


def test_another_customers_address_is_not_found_and_unchanged(signed_in, other_address):
    before = Address.objects.values().get()
    missing = without_paths(signed_in.get("/address/999999/"))
    for answer in (
        signed_in.get(f"/address/{other_address.pk}/"),
        signed_in.post(f"/address/{other_address.pk}/", {"full_name": "Mine"}),
        signed_in.post("/address/choose/", {"address": other_address.pk}),
        signed_in.post(f"/address/{other_address.pk}/delete/"),
    ):
        assert answer.status_code == 404
        assert without_paths(answer) == missing
    assert Address.objects.values().get() == before


def test_at_most_twenty_addresses_are_kept(signed_in, customer, address_fields):
    Address.objects.bulk_create([Address(customer=customer, full_name="A", country_id=1) for _ in range(20)])
    answer = signed_in.post("/address/", address_fields)
    assert answer.status_code == 409
    assert b"You can save up to 20 addresses." in answer.content
    assert customer.addresses.count() == 20


def test_markup_in_an_address_is_inert(signed_in, address_fields):
    signed_in.post(
        "/address/", address_fields | {"full_name": "<script>alert(1)</script>", "landmark": '"><img src=x>'}
    )
    page = signed_in.get("/address/").content.decode()
    assert "<script>alert(1)" not in page
    assert "<img src=x>" not in page


def test_the_page_takes_the_same_queries_for_one_and_three_addresses(
    signed_in, customer, address, django_assert_num_queries
):
    signed_in.get("/address/")
    with django_assert_num_queries(3):  # session, customer, addresses
        signed_in.get("/address/")
    Address.objects.bulk_create([Address(customer=customer, full_name="A", country_id=1) for _ in range(2)])
    with django_assert_num_queries(3):
        signed_in.get("/address/")


def test_the_service_names_no_foreign_address(customer, other_address):
    for act in (services.choose_address, services.delete_address):
        with pytest.raises(NotFound):
            act(customer, other_address.pk)


def race(customer, india, address_fields):
    """Eight additions at once to a book of nineteen; returns what went wrong."""
    Address.objects.bulk_create([Address(customer=customer, full_name="A", country_id=1) for _ in range(14)])
    barrier, problems = threading.Barrier(8), []

    def work(number):
        barrier.wait()
        try:
            services.add_address(customer, india, address_fields | {"landmark": f"Gate {number}"})
        except services.TooManyAddresses:
            pass
        except Exception as error:
            problems.append(error)
        connection.close()

    workers = [threading.Thread(target=work, args=[number]) for number in range(8)]
    [worker.start() for worker in workers]
    [worker.join() for worker in workers]
    return problems


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_eight_additions_at_once_leave_twenty_addresses_and_one_default(customer, india, address_fields):
    assert race(customer, india, address_fields) == []
    assert customer.addresses.count() == 20
    assert defaults(customer) == 1


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_without_the_lock_additions_at_once_break_the_book(customer, india, address_fields, monkeypatch):
    counted = threading.Barrier(8)
    monkeypatch.setattr(services.transaction, "atomic", lambda *a, **options: nullcontext())
    monkeypatch.setattr(services, "_lock", lambda customer: None)
    monkeypatch.setattr(services, "_make_default", lambda address: None)
    create = Address.objects.create

    def create_after_all_counted(**fields):
        counted.wait()
        return create(**fields)

    monkeypatch.setattr(Address.objects, "create", create_after_all_counted)
    race(customer, india, address_fields)
    assert customer.addresses.count() > 20
