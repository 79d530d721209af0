"""The address form and list: what a PIN code fills, what waits while the country changes, partial answers."""

import json
import re

import pytest

from shop.markets.models import Location, PinCode, ServiceRule

from ...models import Address

pytestmark = pytest.mark.django_db


@pytest.fixture
def directory():
    PinCode.objects.create(pin="560001", city="Bengaluru", state="Karnataka")


def test_a_pin_code_fills_a_blank_state(signed_in, customer, address_fields):
    signed_in.post("/address/", address_fields | {"state": "", "pincode": "682 001"})
    assert customer.addresses.get().state == "Kerala"


def test_a_loaded_directory_fills_a_blank_city_too(signed_in, customer, address_fields, directory):
    signed_in.post("/address/", address_fields | {"state": "", "city": ""})
    address = customer.addresses.get()
    assert (address.city, address.state) == ("Bengaluru", "Karnataka")


def test_what_was_typed_is_never_replaced(signed_in, customer, address_fields, directory):
    signed_in.post("/address/", address_fields | {"city": "Whitefield"})
    address = customer.addresses.get()
    assert (address.city, address.state) == ("Whitefield", "Karnataka")
    refused = signed_in.post("/address/", address_fields | {"city": "Whitefield", "state": "Kerala"})
    assert (refused.context["form"]["city"].value(), refused.context["form"]["state"].value()) == (
        "Whitefield",
        "Kerala",
    )


def test_a_state_that_no_pin_tells_is_asked_for(signed_in, address_fields):
    answer = signed_in.post("/address/", address_fields | {"state": "", "pincode": "900056"})
    assert answer.context["form"].errors == {"state": ["State is required"]}


def test_a_refused_form_shows_what_the_pin_told(signed_in, address_fields):
    page = signed_in.post("/address/", address_fields | {"state": "", "full_name": ""}).content.decode()
    assert '<option value="Karnataka" selected>' in page


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"pincode": "560999"}, "We don&#x27;t recognise this PIN code. Please check it."),
        ({"pincode": "900056"}, "We don&#x27;t recognise this PIN code. Please check it."),
        ({}, ""),
    ],
)
def test_a_pin_that_a_whole_directory_lacks_warns_and_is_not_refused(
    signed_in, customer, address_fields, directory, monkeypatch, changes, words
):
    monkeypatch.setattr("shop.markets.geography.pincodes.MAX_PINS", 1)
    page = signed_in.post("/address/", address_fields | changes, follow=True).content.decode()
    assert customer.addresses.count() == 1
    assert re.findall(r"We don&#x27;t recognise this PIN[^<]*|PIN code \d+ belongs[^<]*", page) == (
        [words] if words else []
    )


# (country, pincode, state, the field that is wrong, what is offered instead)
CONTRADICTIONS = [
    *[("in", "400001", "Karnataka", "state", ["Maharashtra"]), ("in", "682001", "Karnataka", "state", ["Kerala"])],
    *[("in", "403001", "Maharashtra", "state", ["Goa"]), ("in", "194101", "Jammu and Kashmir", "state", ["Ladakh"])],
    *[("in", "500001", "Andhra Pradesh", "state", ["Telangana"]), ("in", "834001", "Bihar", "state", ["Jharkhand"])],
    *[("in", "492001", "Madhya Pradesh", "state", ["Chhattisgarh"])],
    *[("in", "160062", "Kerala", "state", ["Chandigarh", "Punjab"])],
    *[("in", pin, "Karnataka", "pincode", []) for pin in ("999999", "860001", "290001")],
    *[("us", "10001", "California", "state", ["New York"]), ("us", "00000", "New York", "pincode", [])],
    *[("ca", "M5V 3L9", "Quebec", "state", ["Ontario"]), ("au", "2000", "Victoria", "state", ["New South Wales"])],
]
MATCHES = [
    *[("in", "400001", "Maharashtra"), ("in", "160062", "Punjab"), ("in", "160062", "Chandigarh")],
    *[("in", "605001", "Puducherry"), ("in", "673310", "Puducherry"), ("in", "673310", "Kerala")],
    *[("in", "507111", "Andhra Pradesh"), ("in", "900056", "Assam"), ("in", "396230", "Gujarat")],
    *[("us", "10001", "New York"), ("ca", "K1A 0B1", "Ontario"), ("au", "2620", "New South Wales")],
]
PHONES = {
    "in": ("+91", "9876543210"), "us": ("+1", "2125550123"), "ca": ("+1", "4165550123"), "au": ("+61", "412345678"),
}  # fmt: skip


def typed_in(country, pincode, state, address_fields):
    code, number = PHONES[country]
    phones = {"phone_code": code, "phone_number": number, "alt_phone_code": code, "alt_phone_number": number}
    return address_fields | phones | {"pincode": pincode, "state": state, "landmark": "Clock tower"}


@pytest.mark.parametrize(("country", "pincode", "state", "field", "instead"), CONTRADICTIONS)
def test_a_contradiction_is_stopped_with_the_way_out_and_keeps_what_was_typed(
    signed_in, customer, address_fields, country, pincode, state, field, instead
):
    path, typed = f"/en-{country}/address/", typed_in(country, pincode, state, address_fields)
    page = signed_in.post(path, typed)
    form, html = page.context["form"], page.content.decode()
    assert page.status_code == 422 and list(form.errors) == [field] and not customer.addresses.exists()
    assert (form["landmark"].value(), form["pincode"].value(), form["state"].value()) == ("Clock tower", pincode, state)
    assert re.findall(r'name="use_state" value="([^"]+)"[^>]*>Use \1</button>', html) == instead
    assert not instead or f'formaction="{path}"' in html
    for use in instead[:1]:
        signed_in.post(path, typed | {"use_state": use})
        kept = customer.addresses.get()
        assert (kept.state, kept.landmark) == (use, "Clock tower")


@pytest.mark.parametrize(("country", "pincode", "state"), MATCHES)
def test_what_agrees_is_kept(signed_in, customer, address_fields, country, pincode, state):
    signed_in.post(f"/en-{country}/address/", typed_in(country, pincode, state, address_fields))
    assert customer.addresses.get().state == state


@pytest.mark.parametrize(("country", "pincode", "state", "field", "instead"), CONTRADICTIONS)
def test_calls_and_changes_refuse_the_same_contradictions(
    signed_in, customer, address_fields, country, pincode, state, field, instead
):
    typed = typed_in(country, pincode, state, address_fields)
    location = Location.objects.get(code=country.upper())
    body = {name: value for name, value in typed.items() if name != "is_default"}
    answer = signed_in.post("/add-address/", body | {"deliver_to": location.pk}, content_type="application/json")
    assert (answer.status_code, list(answer.json()["fields"])) == (422, [field])
    assert answer.json().get("states", []) == instead
    own = Address.objects.create(customer=customer, country=location, **{name: typed[name] for name in body})
    update = {"address_id": own.pk, "landmark": "Gate"}
    assert signed_in.post("/update-address/", update, content_type="application/json").status_code == 422
    page = signed_in.post(f"/address/{own.pk}/", typed)
    assert list(page.context["form"].errors) == [field]
    assert "please check" in signed_in.get("/address/").content.decode().lower()
    if instead:
        signed_in.post(f"/address/{own.pk}/", typed | {"use_state": instead[0]})
        own.refresh_from_db()
        assert own.state == instead[0]


def test_an_address_that_is_not_served_says_so(signed_in, address):
    ServiceRule.objects.create(location_id=1, prefix="56", is_served=False)
    assert "We don&#x27;t deliver to 560001." in signed_in.get("/address/").content.decode()


def test_a_new_pin_moves_a_blank_state_of_a_changed_address(signed_in, address):
    signed_in.post(f"/address/{address.pk}/", address.as_fields() | {"pincode": "682001", "state": ""})
    address.refresh_from_db()
    assert (address.pincode, address.state, address.city) == ("682001", "Kerala", "Bengaluru")


def test_all_calling_codes_are_offered_and_the_delivery_country_s_comes_first(signed_in):
    page = signed_in.get("/en-ae/address/").content.decode()
    codes = re.search(r'name="phone_code"[^>]*>(.*?)</select>', page, re.DOTALL)[1]
    options = re.findall(r'<option value="(\+\d+)"( selected)?>([^<]*)', codes)
    assert options[0] == ("+971", " selected", "+971 United Arab Emirates")
    assert len(options) > 200 and len(options) == len({code for code, _, _ in options})
    assert ("+354", "", "+354 Iceland") in options


def test_a_new_address_begins_with_the_customer_s_name_and_email(signed_in):
    form = signed_in.get("/address/").context["form"]
    assert (form["full_name"].value(), form["email"].value()) == ("Asha Rao", "asha@example.com")
    assert form["phone_code"].value() == "+91"


def test_the_country_is_read_only_and_the_name_of_other_types_is_there_without_scripts(signed_in):
    page = signed_in.get("/address/").content.decode()
    assert re.search(r'<input id="id_country" value="India" readonly', page)
    assert 'name="custom_address_type"' in page and 'formaction="/en-in/address/country/"' in page
    assert [kind for kind in Address.Type.values if f'value="{kind}"' not in page] == []


def test_changing_the_country_loses_nothing_that_was_typed(signed_in, customer, address_fields):
    typed = address_fields | {"full_name": "Ravi", "landmark": "Clock tower", "next": "/address/"}
    answer = signed_in.post("/address/country/", typed)
    assert answer["Location"] == "/en-in/deliver-to/?next=%2Faddress%2F"
    page = signed_in.post("/deliver-to/", {"country": "US", "next": "/address/"}, follow=True)
    form = page.context["form"]
    assert (form["full_name"].value(), form["landmark"].value()) == ("Ravi", "Clock tower")
    assert (form["country"].value(), form["phone_number"].value()) == ("USA", "98765 43210")
    assert page.context["is_open"] is True
    american = {"state": "New York", "pincode": "10001", "city": "New York"}
    signed_in.post("/address/", address_fields | american)
    assert customer.addresses.get().country.code == "US"
    assert signed_in.get("/address/").context["form"]["full_name"].value() == "Asha Rao"


def test_without_a_number_the_calling_code_follows_the_country(signed_in, address_fields):
    signed_in.post("/address/country/", address_fields | {"phone_number": ""})
    form = signed_in.get("/en-us/address/").context["form"]
    assert (form["phone_code"].value(), form["alt_phone_code"].value()) == ("+1", "+91")


@pytest.mark.parametrize("path", ["https://evil.example/", "//evil.example/", "/\\evil"])
def test_the_way_back_stays_on_this_site(signed_in, address, path):
    assert "evil" not in signed_in.post("/address/country/", {"next": path})["Location"]
    answer = signed_in.post(f"/address/{address.pk}/", address.as_fields() | {"next": path})
    assert answer["Location"] == "/en-in/address/"


def test_an_update_returns_to_the_page_that_asked(signed_in, address):
    page = signed_in.get(f"/address/{address.pk}/?next=/en-in/checkout/").content.decode()
    assert 'name="next" value="/en-in/checkout/"' in page
    fields = address.as_fields() | {"next": "/en-in/checkout/"}
    assert signed_in.post(f"/address/{address.pk}/", fields)["Location"] == "/en-in/checkout/"


@pytest.mark.parametrize(
    ("path", "words"),
    [("/address/choose/", "Address Updated Successfully"), ("/address/{}/delete/", "Address deleted successfully")],
)
def test_with_scripts_the_list_alone_is_answered(signed_in, address, path, words):
    answer = signed_in.post(path.format(address.pk), {"address": address.pk}, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert answer.content.decode().lstrip().startswith('<div class="stack" id="addresses">')
    assert json.loads(answer["HX-Trigger"]) == {"shop:toast": {"kind": "success", "message": words}}


def test_deleting_asks_first_without_scripts_too(signed_in, address):
    page = signed_in.get("/address/").content.decode()
    question = re.search(r'<details class="confirm">(.*?)</details>', page, re.DOTALL)[1]
    assert "Delete this address?" in question
    assert f'action="/en-in/address/{address.pk}/delete/"' in question
    assert "data-busy-label=" in question
    assert 'hx-sync="replace"' in re.search(r'<form id="choose-address".*?>', page)[0]


def labels_of(page):
    """The labels of the add form, in their order."""
    form = page[page.index("Add address") :]
    return re.findall(r'<label class="field__label"[^>]*>([^<]+?)\s*<', form)


def test_an_indian_form_begins_with_the_pin_code(signed_in):
    labels = labels_of(signed_in.get("/address/").text)
    assert labels[:5] == ["PIN code", "City", "State", "Country", "Full name"]
    assert labels[5:] == [
        "House, street, area", "Landmark", "Code", "Phone number", "Code", "Alternative phone", "Email",
        "Name for this address",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("US", ["City", "State", "ZIP code"]),
        ("GB", ["Town or city", "County", "Postcode"]),
        ("AU", ["Suburb", "State", "Postcode"]),
        ("AE", ["City", "Emirate", "Postal code"]),
        ("CA", ["City", "Province", "Postal code"]),
    ],
)
def test_a_form_has_the_words_of_its_country_and_begins_with_the_name(signed_in, code, words):
    signed_in.cookies["deliver_to"] = code
    labels = labels_of(signed_in.get("/address/").text)
    assert labels[0] == "Full name"
    assert [label for label in labels if label in words] == words
