"""When the replica is read: by what it has replayed, and which queries go there."""

import pytest
from django.db import DatabaseError, connection, connections, transaction

from shop.accounts.models import Customer
from shop.catalog.models import Brand, Product
from shop.limits.models import Counter

from .. import replica as module
from ..replica import ALIAS, BACKOFF_SECONDS, MAX_LAG_SECONDS, POSITION, Replica, ReplicaRouter, is_visitors_read

DEFAULT = "default"


class Servers:
    """A primary and a standby, as positions of their logs, and a process that asks them each second."""

    def __init__(self):
        self.written, self.replayed, self.is_standby = 100, 100, True
        self.away: set[str] = set()
        self.now = 1000.0
        self.process = Replica()
        self.process.is_wanted = True

    def answer(self, alias, sql):
        if alias in self.away:
            raise DatabaseError("away")
        return (self.written,) if sql == POSITION else (self.is_standby, self.replayed)

    def look(self, after=1.0):
        self.now += after
        source = self.process.source(self.now)
        self.process.note_position(self.now)
        return source


@pytest.fixture
def servers(monkeypatch):
    servers = Servers()
    monkeypatch.setattr(module, "_ask", servers.answer)
    monkeypatch.setitem(connections.databases, ALIAS, connection.settings_dict)
    yield servers
    connections[ALIAS].close()
    del connections[ALIAS]


def test_it_is_read_where_it_has_everything(servers):
    servers.written = servers.replayed + 1
    assert servers.look() == DEFAULT
    servers.replayed = servers.written
    assert [servers.look(), servers.look()] == [ALIAS, ALIAS]
    assert servers.process.trouble == ""


def test_who_never_wants_it_asks_nobody(servers):
    servers.process.is_wanted = False
    servers.away = {ALIAS, DEFAULT}
    assert [servers.look(), servers.look()] == [DEFAULT, DEFAULT]


def test_a_standby_that_is_late_is_left_and_its_lag_told(servers):
    servers.look(), servers.look()
    servers.written += 1
    sources = [servers.look() for _ in range(8)]
    assert sources == [ALIAS] * 5 + [DEFAULT] * 3
    assert servers.process.trouble == "The read replica is 7 seconds behind."


def test_an_idle_primary_makes_no_lag(servers):
    servers.look()
    assert {servers.look() for _ in range(100)} == {ALIAS}


def test_who_did_not_ask_for_long_reads_the_primary_for_a_second(servers):
    servers.look(), servers.look()
    servers.written += 1
    assert servers.look(after=600) == DEFAULT
    assert servers.process.trouble == ""  # it is not known to be late
    servers.replayed = servers.written
    assert servers.look() == ALIAS
    assert servers.look(after=600) == ALIAS  # the primary was idle, too


def test_it_is_read_again_once_it_has_what_was_read_from_the_primary(servers):
    """A change that was published already is not published again: rows from before it may not follow."""
    for _ in range(2):
        servers.look()
    servers.written += 1
    while servers.look() == ALIAS:
        pass
    servers.replayed = servers.written
    servers.written += 1  # and its change is read with the position
    assert servers.look() == ALIAS  # all that was read until the look before is there
    while servers.look() == ALIAS:
        pass
    servers.written += 1
    servers.look()
    servers.replayed = servers.written - 1
    assert servers.look() == DEFAULT  # less than a second behind, but not with all that was read
    servers.replayed = servers.written
    assert servers.look() == ALIAS


def test_one_that_is_away_rests(servers):
    servers.look(), servers.look()
    servers.away.add(ALIAS)
    assert servers.look() == DEFAULT
    assert servers.process.trouble == "The read replica is not responding (DatabaseError)."
    servers.away.clear()
    sources = [servers.look() for _ in range(round(BACKOFF_SECONDS))]
    assert sources == [DEFAULT] * (round(BACKOFF_SECONDS) - 1) + [ALIAS]
    assert servers.process.trouble == ""


def test_while_it_rests_it_is_not_used(servers):
    servers.look(), servers.look()
    servers.process._retry_after = servers.now + BACKOFF_SECONDS  # another thread gave it up while this one asked
    servers.process.is_usable = True
    assert servers.look() == DEFAULT and not servers.process.is_usable
    servers.look(), servers.look(after=BACKOFF_SECONDS)
    assert servers.process.is_usable
    replayed = servers.process._replayed
    servers.process._replayed = lambda now: (replayed(now), servers.process._rest(now, "gone"))[0]
    assert servers.look() == DEFAULT and not servers.process.is_usable


def test_after_changes_of_the_primary_whose_place_is_unknown_it_is_not_read(servers):
    """They may be of rows that the standby does not have, though it has all positions that were noted."""
    servers.look(), servers.look()
    servers.process.leave()
    servers.written += 1
    servers.away.add(DEFAULT)
    servers.process.note_position(servers.now)
    assert servers.look() == DEFAULT
    servers.away.clear()
    assert servers.look() == DEFAULT
    servers.replayed = servers.written
    assert servers.look() == ALIAS


def test_while_the_primary_is_away_visitors_go_on_reading(servers):
    servers.look(), servers.look()
    servers.away.add(DEFAULT)
    assert {servers.look() for _ in range(60)} == {ALIAS}


def test_a_server_that_is_no_standby_is_not_read(servers):
    servers.is_standby = False
    servers.look()
    assert servers.look() == DEFAULT
    assert servers.process.trouble == "The read replica is not a standby."


@pytest.fixture
def visitors_read(servers, monkeypatch):
    monkeypatch.setattr(module.replica, "is_usable", True)
    token = is_visitors_read.set(True)
    yield
    is_visitors_read.reset(token)


@pytest.fixture
def router(settings, visitors_read):
    settings.DATABASE_ROUTERS = ["shop.invalidation.replica.ReplicaRouter"]


@pytest.mark.django_db(transaction=True)
def test_visitors_reads_alone_go_there(router):
    assert (Product.objects.all().db, Product.objects.raw("SELECT 1").db) == (ALIAS, ALIAS)
    assert Product.objects.select_for_update().db == DEFAULT
    assert {model.objects.all().db for model in (Customer, Counter)} == {DEFAULT}
    with transaction.atomic():
        assert Product.objects.all().db == DEFAULT
    connections[ALIAS].errors_occurred = True
    assert Product.objects.all().db == DEFAULT
    connections[ALIAS].errors_occurred = False
    is_visitors_read.set(False)
    assert Product.objects.all().db == DEFAULT


def test_what_was_read_there_is_written_to_the_primary(visitors_read):
    brand = Brand(name="Vanamitra", slug="vanamitra")
    brand._state.db = ALIAS
    assert ReplicaRouter().db_for_write(Brand, instance=brand) == DEFAULT
    assert ReplicaRouter().allow_relation(brand, Brand())
    assert not ReplicaRouter().allow_migrate(ALIAS, "catalog") and ReplicaRouter().allow_migrate(DEFAULT, "catalog")


def test_the_lag_that_is_borne_leaves_room_for_transactions():
    from ..subscriptions import SETTLED_SECONDS

    assert SETTLED_SECONDS > 2 * MAX_LAG_SECONDS
