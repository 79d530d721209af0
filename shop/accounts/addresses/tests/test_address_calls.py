"""The address calls: what the PIN tells, how many are kept, and what an update leaves alone."""

import json

import pytest

from ...models import Address

pytestmark = pytest.mark.django_db
ADDED = {
    "full_name": "Asha Rao", "phone_number": "9876543210", "alt_phone_number": "9876543211",
    "address": "12 Temple Road", "city": "Bengaluru", "state": "Karnataka", "pincode": "560001",
}  # fmt: skip
FIELDS = {
    "id", "customer", "full_name", "email", "phone_number", "phone_code", "alt_phone_number", "alt_phone_code",
    "address", "additional_info", "landmark", "city", "state", "pincode", "country", "address_type",
    "custom_Address_type", "is_default",
}  # fmt: skip


@pytest.fixture
def call(signed_in):
    def post(path, body):
        answer = signed_in.post(path, json.dumps(body), content_type="application/json")
        return answer.status_code, answer.json()

    return post


def test_an_answer_is_the_whole_list_with_the_documented_fields(call, customer):
    call("/add-address/", ADDED)
    status, listed = call("/add-address/", ADDED | {"user_id": customer.pk, "landmark": "Clock tower"})
    assert status == 200 and len(listed) == 2
    assert set(listed[0]) == FIELDS
    named = {name: listed[0][name] for name in ("country", "phone_code", "address_type", "additional_info")}
    assert named == {"country": "India", "phone_code": "+91", "address_type": "Home", "additional_info": ""}


def test_an_address_that_is_sent_twice_is_added_once(call, customer):
    call("/add-address/", ADDED)
    status, listed = call("/add-address/", ADDED)
    assert (status, len(listed)) == (200, 1)


def test_a_pin_code_fills_the_state_of_a_call_too(call):
    status, listed = call("/add-address/", ADDED | {"state": "", "pincode": "682001"})
    assert (status, listed[0]["state"]) == (200, "Kerala")


def test_the_twenty_first_address_is_refused(call, customer):
    Address.objects.bulk_create([Address(customer=customer, full_name="A", country_id=1) for _ in range(20)])
    status, answer = call("/add-address/", ADDED)
    assert (status, answer["code"]) == (409, "too_many_addresses")
    assert customer.addresses.count() == 20


def test_choosing_changes_the_default_alone(call, customer, address):
    other = Address.objects.create(**(address.as_fields() | {"customer": customer, "country_id": 1}))
    before = other.as_fields()
    status, listed = call("/update-address/", {"user_id": customer.pk, "address_id": other.pk, "is_default": True})
    assert status == 200
    assert [(row["id"], row["is_default"]) for row in listed] == [(other.pk, True), (address.pk, False)]
    other.refresh_from_db()
    assert other.as_fields() == before


def test_a_default_is_never_unset(call, address):
    status, listed = call(
        "/update-address/", {"address_id": address.pk, "is_default": False, "landmark": "Clock tower"}
    )
    assert (status, listed[0]["is_default"], listed[0]["landmark"]) == (200, True, "Clock tower")


def test_blank_fields_are_dropped_from_an_update(call, address):
    blank = dict.fromkeys(("full_name", "phone_number", "address", "city", "state", "pincode"), "")
    status, listed = call("/update-address/", {"address_id": address.pk, **blank, "landmark": "Clock tower"})
    assert status == 200
    assert {name: listed[0][name] for name in blank} == {name: getattr(address, name) for name in blank}


def test_an_update_must_leave_a_good_address(call, address):
    status, answer = call("/update-address/", {"address_id": address.pk, "pincode": "12"})
    assert (status, list(answer["fields"])) == (422, ["pincode"])
    address.refresh_from_db()
    assert address.pincode == "560001"
