"""The list of address fields is what the model, the form, the pages and the API show."""

import pytest

from shop.orders.schemas import ProfileOut

from ...auth.schemas import AddAddress, AddressOut
from ...models import Address
from ..fields import ADDRESS_FIELDS, FIELD_NAMES, FORM_FIELDS, ORDER_FIELDS, street_lines

NOT_OF_THE_LIST = {"id", "customer", "country", "is_default"}
TYPED = {"address": "12 Temple Road", "additional_info": "Ring twice", "landmark": "Clock tower", "city": "Pune"}


def test_the_list_has_every_column():
    assert {column.name for column in Address._meta.fields} - NOT_OF_THE_LIST == {*FIELD_NAMES}


def test_the_api_has_every_field_with_the_length_of_its_column():
    for field in ADDRESS_FIELDS:
        length = Address._meta.get_field(field.name).max_length
        assert f"max_length={length}" in str(AddAddress.model_fields[field.api_name].annotation)
    assert {*AddressOut.model_fields} - NOT_OF_THE_LIST == {field.api_name for field in ADDRESS_FIELDS}
    assert {*ProfileOut.model_fields} == {field.name for field in ORDER_FIELDS}


@pytest.mark.django_db
def test_the_page_asks_for_every_field_that_has_an_input(signed_in):
    page = signed_in.get("/address/").text
    assert [field.name for field in FORM_FIELDS if f'name="{field.name}"' not in page] == []


def test_the_street_is_shown_without_blanks_and_to_staff_with_what_only_the_api_sets():
    assert street_lines(TYPED) == ["12 Temple Road", "Clock tower"]
    assert street_lines(TYPED, for_staff=True) == ["12 Temple Road", "Ring twice", "Clock tower"]
    assert street_lines(TYPED | {"landmark": None}) == ["12 Temple Road"]
