"""One canonical form of e-mails and phones."""

import pytest

from shop.errors import Invalid

from ..contact_points import canonical_email, canonical_mobile


@pytest.mark.parametrize(
    "typed",
    [
        "asha@example.com",
        "  Asha@Example.COM ",
        "ＡＳＨＡ@example.com",
        "asha＠example.com",
        "asha@ｅxample.com",
        "ASHA@EXAMPLE。com",
    ],
)
def test_spellings_of_one_email_are_one(typed):
    assert canonical_email(typed) == "asha@example.com"


def test_a_foreign_domain_is_kept_as_mail_servers_know_it():
    assert canonical_email("a@Bücher.example") == "a@xn--bcher-kva.example"


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "asha",
        "@example.com",
        "mıke@example.com",
        "mİke@example.com",
        "asha@example.com\r\nBcc: eve@example.com",
        "asha@example.com\neve@example.com",
        "asha@example.com,eve@example.com",
        "asha@example.com\x00",
        "a" * 250 + "@example.com",
        "asha@" + "x" * 300,
        "asha@\udce9.com",
    ],
)
def test_what_is_no_email_is_refused(typed):
    with pytest.raises(Invalid):
        canonical_email(typed)


def test_a_dotless_i_in_a_domain_is_another_domain():
    assert canonical_email("mike@exampıe.com") != canonical_email("mike@exampie.com")


@pytest.mark.parametrize(
    "typed",
    [
        "9876543210",
        "+91 98765 43210",
        "098765-43210",
        "0091 9876543210",
        "＋９１ ９８７６５４３２１０",
        "(+91) 98765.43210",
    ],
)
def test_spellings_of_one_mobile_are_one(typed):
    assert canonical_mobile(typed, country_code="IN") == "+919876543210"


@pytest.mark.parametrize(
    "typed",
    ["", "1234567890", "080 2222 3333", "98765", "+1", "9876543210;ext=5", "98765abc10", "9" * 31, "+91\n9876543210"],
)
def test_what_is_no_mobile_is_refused(typed):
    with pytest.raises(Invalid):
        canonical_mobile(typed, country_code="IN")
