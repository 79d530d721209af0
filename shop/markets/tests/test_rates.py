from datetime import timedelta
from decimal import Decimal

import pytest
from django.core.checks import run_checks
from django.core.management import CommandError, call_command
from django.utils import timezone

from shop.errors import Invalid

from ..exchange_rates import MAX_BYTES, read_rates, refresh_rates
from ..models import Rate
from ..queries import market_registry, stale_currencies
from ..services import set_rate


def newest(currency):
    return Rate.objects.filter(currency=currency).latest().inr


@pytest.fixture
def rates_file(tmp_path):
    def write(text, name="rates"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return write


def test_a_new_rate_counts_and_the_old_one_stays_as_history(db):
    set_rate("USD", Decimal("90.1"), "by hand")
    assert newest("USD") == Decimal("90.1")
    assert Rate.objects.filter(currency="USD").count() == 2
    assert market_registry().rates["USD"] == Decimal("90.1")


@pytest.mark.parametrize("inr", ["0", "-1", "NaN", "Infinity", "1e12", "0.00000000001"])
def test_what_is_no_rate_is_refused(db, inr):
    with pytest.raises(Invalid):
        set_rate("USD", Decimal(inr), "")
    assert newest("USD") == Decimal("88.5")


def test_the_rupee_is_always_one(db):
    with pytest.raises(Invalid):
        set_rate("INR", Decimal("1.01"), "")


def test_a_change_over_20_percent_needs_force(db):
    set_rate("USD", Decimal("106.2"), "exactly 20 %")
    with pytest.raises(Invalid):
        set_rate("USD", Decimal("130"), "")
    set_rate("USD", Decimal("130"), "", force=True)
    assert newest("USD") == Decimal("130")


@pytest.mark.parametrize("text", ['{"USD": "89.25", "EUR": 103.5}', "currency,inr\nUSD,89.25\nEUR,103.5\n"])
def test_rates_are_read_from_json_and_csv(db, rates_file, text):
    call_command("refresh_rates", rates_file("\ufeff" + text), verbosity=0)
    assert (newest("USD"), newest("EUR")) == (Decimal("89.25"), Decimal("103.5"))


def test_bad_rates_are_refused_and_good_ones_kept(db, rates_file):
    text = '{"USD": "89", "EUR": "lots", "XXX": "2", "GBP": "-117", "JPY": null, "AUD": "99", "CHF": NaN}'
    outcome = refresh_rates(read_rates(rates_file(text)), source="test")
    assert outcome.written == ["USD"]
    assert set(outcome.refused) == {"EUR", "XXX", "GBP", "JPY", "AUD", "CHF"}


def test_the_command_fails_when_a_rate_was_refused(db, rates_file):
    with pytest.raises(CommandError, match=r"AUD refused: .*20%"):
        call_command("refresh_rates", rates_file('{"AUD": "99"}'))
    call_command("refresh_rates", rates_file('{"AUD": "99"}'), force=True)
    assert newest("AUD") == Decimal("99")


@pytest.mark.parametrize("text", ["", "[]", "{", "a,b\n1,2\n", b"\xff\xfe", "{}", "x" * (MAX_BYTES + 1)])
def test_a_file_without_rates_is_refused_in_words(rates_file, text):
    with pytest.raises(Invalid):
        read_rates(rates_file(text))


@pytest.mark.parametrize(
    "source", ["file:///etc/passwd", "ftp://127.0.0.1/x", "/nowhere/at/all", "http://127.0.0.1:9/"]
)
def test_only_files_and_web_addresses_that_answer_are_read(source):
    with pytest.raises(Invalid):
        read_rates(source)


def test_rates_older_than_a_week_are_told(db, rates_file, capsys):
    assert stale_currencies() == []
    Rate.objects.update(valid_from=timezone.now() - timedelta(days=8))
    call_command("refresh_rates", rates_file('{"USD": "89"}'))
    assert "USD" not in stale_currencies() and "EUR" in stale_currencies()
    assert "EUR" in capsys.readouterr().err
    assert [message.id for message in run_checks(databases=["default"]) if message.id == "markets.W001"]
