"""A search server in place of the index in each process: the same answers, the same rules of medicines, and the shop
goes on where it does not answer."""

import logging

import pytest
from django.core.management import call_command
from django_tasks_db.models import DBTaskResult

from shop.catalog.models import Product
from shop.catalog.services import refresh_products

from .. import services
from ..embedded import EmbeddedEngine
from ..opensearch import OpenSearchEngine
from ..services import explain, index, search, suggest
from .stand_in import Running, slow

pytestmark = [pytest.mark.database, pytest.mark.django_db]


@pytest.fixture(autouse=True)
def fresh_state(monkeypatch):
    monkeypatch.setattr(services, "_state", services._State())


@pytest.fixture
def server(settings):
    with Running() as stand_in:
        settings.SEARCH_SERVER_URL = stand_in.url
        yield stand_in


@pytest.fixture
def stocked(server, shelf):
    """stocked(names…) -> ids, all of them in the server."""

    def stocked(*names, **facts):
        ids = shelf(*names, **facts)
        index()
        server.calls.clear()
        return ids

    return stocked


QUERIES = [
    "neem soap", "soaps", "tulsi", "तुलसी", "holy basil drops", "hair fall", "baal jhadna", "acidity", "ashwag",
    "trifala", "neam soap", "unicorn soap", "dragon unicorn", "felodipine", "felodipine tablet", "paracitamol",
    "acetaminophen", "prednisoone", "chest pain", "honey 500 g", "honey 1 kg",
]  # fmt: skip


def test_both_engines_give_the_same_answers(stocked):
    names = [
        "Neem Soap", "Tulsi Drops", "Basil Tea", "Bhringraj Hair Oil", "Avipattikar Churna", "Antacid Gel",
        "Ashwagandha Capsules", "Triphala Powder", "Rose Soap", "Amlodipine Tablets 5 mg",
        "Paracetamol Tablets 500 mg", "Prednisone Tablets", "Prednisolone Tablets", "Forest Honey 500 g",
        "Forest Honey 1 kg",
    ]  # fmt: skip
    stocked(*names)
    said = {
        query: {
            engine.name: (set(found.ids), found.absent, found.need and found.need.name, found.meant)
            for engine in (EmbeddedEngine(), services.search_server())
            for found in [engine.search(query)]
        }
        for query in QUERIES
    }
    assert {query: engines for query, engines in said.items() if len(set(map(str, engines.values()))) > 1} == {}
    assert sum(bool(engines["OpenSearch"][0]) for engines in said.values()) > 12


def test_a_page_is_answered_by_the_server_alone(stocked, client, monkeypatch):
    (soap,) = stocked("Neem Soap")
    monkeypatch.setattr(EmbeddedEngine, "search", lambda *_: pytest.fail("the embedded engine was asked"))
    assert "Neem Soap" in client.get("/en-in/search/neem/").text
    assert search("neem").ids == suggest("nee").ids == [soap]


def test_it_is_sent_the_catalogue_then_what_changed(server, shelf):
    soap, oil = shelf("Neem Soap", "Sesame Oil")
    index()
    (behind,) = server.aliases["products"]
    assert set(server.indexes[behind]) == {str(soap), str(oil)}
    Product.objects.filter(pk=soap).update(name="Clove Soap")
    Product.objects.filter(pk=oil).update(is_published=False)
    refresh_products([soap, oil])
    index()
    assert server.aliases["products"] == {behind} and set(server.indexes[behind]) == {str(soap)}
    assert search("clove").ids == [soap] and search("neem").ids == []


def test_a_layout_of_before_is_made_anew_beside_the_old_index(server, shelf, monkeypatch):
    (soap,) = shelf("Neem Soap")
    index()
    before = set(server.aliases["products"])
    monkeypatch.setattr("shop.search.engines.opensearch.LAYOUT", 99)
    index()
    assert server.aliases["products"].isdisjoint(before) and len(server.indexes) == 1
    assert search("neem").ids == [soap]


def test_what_was_read_earlier_does_not_replace_what_was_read_later(stocked, server):
    (soap,) = stocked("Neem Soap")
    (behind,) = server.aliases["products"]
    later = server.versions[behind][str(soap)]
    place = {"_index": "products", "_id": str(soap), "version": later - 1, "version_type": "external_gte"}
    assert server.write(place, {"name": "old"}) == 409
    services.search_server()._client.bulk([{"index": place}, {"name": "old"}])  # which is no error
    assert search("neem").ids == [soap]


@pytest.mark.django_db(transaction=True)
def test_a_change_sets_the_worker_to_it_once(server, shelf, settings):
    settings.TASKS = {"default": {**settings.TASKS["default"], "BACKEND": "django_tasks_db.DatabaseBackend"}}
    waiting = DBTaskResult.objects.filter(task_path="shop.search.tasks.send_changes", status="READY")
    (soap,) = shelf("Neem Soap")
    refresh_products([soap])
    refresh_products([soap])
    assert waiting.count() == 1
    call_command("db_worker", "--batch")
    assert search("neem").ids == [soap]


def test_what_it_says_just_after_a_change_is_not_kept(stocked, monkeypatch):
    (soap,) = stocked("Neem Soap")
    search("neem")
    monkeypatch.setattr(services._state, "changed_at", float("-inf"))
    assert not search("neem").is_makeshift
    refresh_products([soap])
    assert search("neem").is_makeshift


# A medicine is never another one


@pytest.mark.parametrize("query", ["felodipine", "felodipine tablet", "felodipin", "felodipnie", "felodipine 5 mg"])
def test_a_substance_that_the_shop_lacks_is_answered_by_no_other(stocked, query):
    stocked("Amlodipine Tablets 5 mg", "Nifedipine Tablets 5 mg", "Felotab Holder")
    assert search(query).ids == [] == suggest(query).ids


def test_a_correction_to_a_substance_needs_a_single_nearest_one(stocked):
    tablets, *_ = stocked("Paracetamol Tablets", "Prednisone Tablets", "Prednisolone Tablets")
    found = search("paracitamol")
    assert (found.ids, found.meant) == ([tablets], "paracetamol")
    assert search("prednisoone").ids == []


def test_a_need_never_lists_what_harms(stocked):
    stocked("Acid Wart Paint", "Avipattikar Churna", "Antacid Gel")
    assert len(search("acidity").ids) == 2


# Without it


def refused():
    return 503, b'{"error": "unavailable"}'


def garbage():
    return 200, b"<html>"


def odd():
    return 200, b"[]"


@pytest.mark.parametrize("trouble", [refused, garbage, odd, slow(2.0)])
def test_a_server_that_does_not_answer_is_done_without(stocked, server, client, trouble, caplog):
    (soap,) = stocked("Neem Soap")
    server.trouble = trouble
    with caplog.at_level(logging.WARNING):
        assert search("neem").ids == [soap]
        assert "Neem Soap" in client.get("/en-in/search/neem/").text
    assert len(server.calls) == 1  # and is left alone for a while
    assert "without the search server" in caplog.text and "secret" not in caplog.text


def test_nobody_there(settings, shelf):
    settings.SEARCH_SERVER_URL = "http://127.0.0.1:9"
    (soap,) = shelf("Neem Soap")
    index()
    assert search("neem").ids == [soap]


def test_it_is_asked_again_after_a_while(stocked, server, monkeypatch):
    stocked("Neem Soap")
    server.trouble = refused
    search("neem")
    server.trouble = None
    search("neem")
    assert len(server.calls) == 1
    monkeypatch.setattr(services._state, "silent_until", 0.0)
    search("neem")
    assert len(server.calls) == 2


def test_an_index_that_is_not_there_yet_is_done_without(server, shelf):
    (soap,) = shelf("Neem Soap")
    assert search("neem").ids == [soap]


def test_the_probe_says_that_it_is_away_and_that_the_shop_serves(stocked, server, client):
    stocked("Neem Soap")
    assert client.get("/readyz").json()["search server"] == "ok"
    server.trouble = refused
    said = client.get("/readyz")
    assert said.status_code == 200 and "answered 503" in said.json()["search server"]


def test_name_and_password_are_sent_as_authorisation(stocked, server):
    stocked("Neem Soap")
    search("neem")
    assert server.authorisation == "Basic c2hvcDpzZWNyZXQ="


def test_explanations_come_from_the_engine_that_answers(stocked, capsys):
    (soap,) = stocked("Neem Soap")
    explanation = explain("neem soap")
    assert explanation.scores.keys() == {soap} and explanation.found.steps[0].what == "as typed"
    call_command("explain_search", "neem soap")
    assert "Neem Soap" in capsys.readouterr().out


def test_documents_that_the_server_refuses_are_an_error(server, shelf, monkeypatch):
    """Not a call that says 200: each document has a status of its own."""
    shelf("Neem Soap")
    monkeypatch.setattr("shop.search.engines.opensearch.INDEX_BODY", {"mappings": {"properties": {}}})
    with pytest.raises(services.SearchEngineError, match="refused 1 documents of 1"):
        OpenSearchEngine(server.url).index()
    assert not server.aliases.get("products")
