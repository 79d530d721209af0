"""What PIN codes tell, and the directory that tells more."""

import gzip
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from shop.accounts.addresses.rules import address_rules

from ..geography.pin_directory import SHIPPED, load_directory
from ..geography.pincodes import UNKNOWN_PIN, all_states, look_up_one, states_of
from ..models import PinCode

pytestmark = pytest.mark.django_db


@pytest.fixture
def directory(tmp_path):
    """directory("IN/560001,Bangalore,Karnataka", …): a file of these lines, packed."""

    def write(*lines, head="key,place_name,admin_name1"):
        path = tmp_path / "pins.csv.gz"
        path.write_bytes(gzip.compress("\n".join((head, *lines)).encode()))
        return path

    return write


@pytest.mark.parametrize(
    ("pin", "state"),
    [
        ("110001", "Delhi"), ("122001", "Haryana"), ("141001", "Punjab"), ("160017", "Chandigarh"),
        ("171001", "Himachal Pradesh"), ("190001", "Jammu and Kashmir"), ("194101", "Ladakh"),
        ("226001", "Uttar Pradesh"), ("248001", "Uttarakhand"), ("247667", "Uttarakhand"), ("247001", "Uttar Pradesh"),
        ("246701", "Uttar Pradesh"), ("262501", "Uttarakhand"), ("302001", "Rajasthan"), ("380001", "Gujarat"),
        ("400001", "Maharashtra"), ("403001", "Goa"), ("462001", "Madhya Pradesh"), ("492001", "Chhattisgarh"),
        ("500001", "Telangana"), ("520001", "Andhra Pradesh"), ("560001", "Karnataka"), ("600001", "Tamil Nadu"),
        ("605001", "Puducherry"), ("609602", "Puducherry"), ("682001", "Kerala"), ("682555", "Lakshadweep"),
        ("700001", "West Bengal"), ("737101", "Sikkim"), ("744101", "Andaman and Nicobar Islands"),
        ("751001", "Odisha"), ("781001", "Assam"), ("791111", "Arunachal Pradesh"), ("793001", "Meghalaya"),
        ("795001", "Manipur"), ("796001", "Mizoram"), ("797001", "Nagaland"), ("799001", "Tripura"),
        ("800001", "Bihar"), ("834001", "Jharkhand"), ("827001", "Jharkhand"), ("846004", "Bihar"),
    ],
)  # fmt: skip
def test_a_pin_tells_the_state_of_today(pin, state):
    facts = look_up_one(pin)
    assert (facts.state, facts.city, facts.is_known) == (state, "", True)
    assert facts.warning() == facts.warning(state) == ""


def test_every_state_of_the_table_is_one_of_the_address_form_and_none_is_missing():
    named = set(all_states().values())
    alone = {state for first in range(100, 1000) for state in states_of(f"{first}000") or ()}
    assert named == set(address_rules("IN").states)
    assert named - alone == {"Dadra and Nagar Haveli and Daman and Diu", "Lakshadweep"}  # within other circles


def test_a_pin_that_states_share_fills_none_and_contradicts_none_of_them():
    facts = look_up_one("160062")
    assert (facts.state, facts.states) == ("", ("Chandigarh", "Punjab"))
    assert facts.warning("Punjab") == ""
    assert facts.warning("Kerala") == (
        "PIN code 160062 belongs to Chandigarh or Punjab. Please check the PIN code and state."
    )


def test_an_army_post_office_is_known_and_tells_no_state():
    assert look_up_one("900056").is_known
    assert look_up_one("900056").warning("Assam") == ""


@pytest.mark.parametrize("pin", ["860001", "290001", "999999", "012345", "5600", "56000x", ""])
def test_an_unknown_pin_is_said(pin):
    assert look_up_one(pin).warning("Kerala") == UNKNOWN_PIN


def test_a_directory_tells_the_city_and_a_whole_one_which_pins_there_are(directory, monkeypatch):
    load_directory(directory("IN/560001,Bangalore,Karnataka", "IN/160062,Mohali,Punjab"))
    assert look_up_one("560001").city == "Bangalore"
    assert look_up_one("160062").state == "Punjab"
    assert look_up_one("560999").is_known  # a small directory is no proof
    monkeypatch.setattr("shop.markets.geography.pincodes.MAX_PINS", 2)
    assert look_up_one("560999").warning() == UNKNOWN_PIN
    assert look_up_one("560001").warning() == ""


def test_states_of_former_days_become_those_of_today(directory):
    load_directory(
        directory(
            "IN/500001,Hyderabad,Andhra Pradesh", "IN/520001,Vijayawada,Andhra Pradesh",
            "IN/194101,Leh,Jammu and Kashmir", "IN/248001,Dehra Dun,Uttaranchal", "IN/751001,Bhubaneswar,Orisa",
            "IN/110001,Connaught Place,New Delhi",
            "IN/396210,Daman,Daman and Diu", "IN/121001,Faridabad,Uttar Pradesh",
        )
    )  # fmt: skip
    assert dict(PinCode.objects.values_list("pin", "state")) == {
        "500001": "Telangana", "520001": "Andhra Pradesh", "194101": "Ladakh", "248001": "Uttarakhand",
        "751001": "Odisha", "110001": "Delhi", "396210": "Dadra and Nagar Haveli and Daman and Diu",
        "121001": "Haryana",
    }  # fmt: skip


def test_nonsense_is_refused_by_its_line_and_stops_no_other(directory):
    loaded = load_directory(
        directory(
            "IN/560001,Bangalore,Karnataka",
            "IN/012345,Nowhere,Karnataka",
            "IN/56000x,Bangalore,Karnataka",
            "IN/560002,,Karnataka",
            "IN/560003,Bangalore,Texas",
            "IN/560004",
            f"IN/560005,{'x' * 101},Karnataka",
            "IN/560006,Bangalore,Karnataka",
        )
    )
    assert [line for line, _ in loaded.refused] == [3, 4, 5, 6, 7, 8]
    assert "'IN/012345' is not a PIN code" in dict(loaded.refused)[3]
    assert "'Texas' is not a state" in dict(loaded.refused)[6]
    assert set(PinCode.objects.values_list("pin", flat=True)) == {"560001", "560006"}


def test_loading_again_changes_nothing_and_a_new_directory_what_is_new(directory):
    first = directory("IN/560001,Bangalore,Karnataka", "IN/560002,Bangalore,Karnataka")
    call_command("import_pincodes", str(first), stdout=(out := StringIO()))
    assert out.getvalue().startswith("2 added, 0 changed, 0 unchanged, 0 refused")
    call_command("import_pincodes", str(first), stdout=(out := StringIO()))
    assert out.getvalue().startswith("0 added, 0 changed, 2 unchanged")
    later = directory("560001,Bengaluru,Karnataka,Urban", head="pincode,city,state,district")
    call_command("import_pincodes", str(later), stdout=(out := StringIO()))
    assert out.getvalue().startswith("0 added, 1 changed, 0 unchanged")
    assert PinCode.objects.get(pin="560001").district == "Urban"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"a,b\n1,2\n", "missing: pincode|postal_code"),
        (b"", "The first line must name columns"),
        (b"\x1f\x8bno gzip", "is cut off"),
        (b"pin,city,state\n560001,\xff\xfe,Karnataka\n", "is cut off"),
    ],
)
def test_a_file_that_is_no_directory_is_refused_in_words(tmp_path, content, reason):
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(CommandError, match=reason):
        call_command("import_pincodes", str(path))
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("import_pincodes", str(tmp_path / "missing"))


def test_the_call_is_the_same_for_everyone(client, directory):
    load_directory(directory("IN/560001,Bangalore,Karnataka"))
    answer = client.get("/api/pincode/560001/?state=Kerala")
    assert answer.json() == {
        "pincode": "560001",
        "is_known": True,
        "states": ["Karnataka"],
        "state": "Karnataka",
        "city": "Bangalore",
        "warning": "PIN code 560001 belongs to Karnataka. Please check the PIN code and state.",
    }
    assert "public" in answer["Cache-Control"]
    assert not answer.cookies and "Cookie" not in answer.get("Vary", "")


@pytest.mark.parametrize("pin", ["12345", "012345", "5600011", "abcdef", "५६०००१"])
def test_what_is_no_pin_is_refused_by_the_call(client, pin):
    assert client.get(f"/api/pincode/{pin}/").status_code == 422
    assert client.get(f"/api/pincode/560001/?state={'x' * 101}").status_code == 422


def test_the_call_takes_one_query(client, directory, django_assert_num_queries):
    load_directory(directory("IN/560001,Bangalore,Karnataka"))
    client.get("/api/pincode/560001/")
    with django_assert_num_queries(1):
        client.get("/api/pincode/560002/")


def test_the_directory_that_comes_with_the_shop_loads_without_refusals(client):
    loaded = load_directory(SHIPPED)
    assert (loaded.added, loaded.refused) == (11_042, [])
    assert look_up_one("560001").state == "Karnataka" and look_up_one("560001").city
    assert not look_up_one("560999").warning()  # of 2011, and not of all: what it lacks is no mistake


def test_the_footer_names_where_the_pin_codes_come_from(client):
    page = client.get("/en-in/").text
    assert 'href="https://datameet.org"' in page and "creativecommons.org/licenses/by/3.0/" in page
