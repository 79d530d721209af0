from datetime import timedelta

import pytest
from django.utils import timezone

from shop.accounts.models import Customer

from .. import query_log
from ..models import SearchChange, SearchCount
from ..query_log import count_search, delete_old_searches

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def counts():
    return list(SearchCount.objects.order_by("words").values_list("words", "searches", "results"))


@pytest.fixture
def neem(make_product, make_variant):
    return make_variant(product=make_product("Neem Soap")).product


def test_spellings_of_the_same_words_are_counted_together_with_what_they_find(neem):
    for query in ("Neem  soap", "neem, SOAP!", "unicorn"):
        count_search(query)
    assert counts() == [("neem soap", 2, 1), ("unicorn", 1, 0)]


def test_each_day_is_counted_by_itself_and_forgotten_after_half_a_year(neem):
    today = timezone.localdate()
    for age in (181, 180, 1):
        SearchCount.objects.create(day=today - timedelta(days=age), words="neem", searches=3, results=1)
    count_search("neem")
    delete_old_searches()
    kept = SearchCount.objects.order_by("day").values_list("day", "searches")
    assert list(kept) == [(today - timedelta(days=180), 3), (today - timedelta(days=1), 3), (today, 1)]


@pytest.mark.parametrize("query", ["asha@example.com", "98765 43210", "+91-98765-43210", "n", "!!", ""])
def test_what_may_name_a_person_or_is_no_search_is_not_kept(query):
    count_search(query)
    assert counts() == []


def test_new_words_of_one_day_are_limited_known_ones_go_on(monkeypatch):
    monkeypatch.setattr(query_log, "MAX_NEW_A_DAY", 1)
    for query in ("neem", "tulsi", "neem"):
        count_search(query)
    assert counts() == [("neem", 2, 0)]


def test_pages_and_suggestions_count_nothing_by_themselves(browser_client, neem):
    browser_client.get("/en-in/search/neem/")
    browser_client.post("/search/", {"query": "neem"}, content_type="application/json")
    assert counts() == []
    answer = browser_client.post("/api/searches/", {"query": "Neem"}, content_type="application/json")
    assert (answer.status_code, counts()) == (204, [("neem", 1, 1)])


def test_one_client_is_counted_so_often_and_strangers_not_at_all(browser_client, client, neem):
    for _ in range(61):
        answer = browser_client.post("/api/searches/", {"query": "neem"}, content_type="application/json")
    assert (answer.status_code, counts()) == (429, [("neem", 60, 1)])
    foreign = {"sec-fetch-site": "cross-site"}
    client.post("/api/searches/", {"query": "neem"}, content_type="application/json", headers=foreign)
    long = browser_client.post("/api/searches/", {"query": "n" * 101}, content_type="application/json")
    assert (long.status_code, counts()) == (422, [("neem", 60, 1)])


def test_staff_see_the_most_wanted_words_first_and_those_that_find_nothing(client):
    client.force_login(Customer.objects.create_superuser("owner@example.com", "pw", name="Owner"))
    today = timezone.localdate()
    for words, searches, results in (("neem", 3, 8), ("unicorn oil", 9, 0), ("unicorn", 2, 0)):
        SearchCount.objects.create(day=today, words=words, searches=searches, results=results)
    screen = client.get("/admin/search/searchcount/")
    assert [row.words for row in screen.context["cl"].result_list] == ["unicorn oil", "neem", "unicorn"]
    assert '<a href="/search/unicorn%20oil/">' in screen.content.decode()
    nothing = client.get("/admin/search/searchcount/?found=nothing").context["cl"].result_list
    assert [row.words for row in nothing] == ["unicorn oil", "unicorn"]
    something = client.get("/admin/search/searchcount/?found=something").context["cl"].result_list
    assert [row.words for row in something] == ["neem"]


def test_countries_are_counted_apart_and_so_is_what_was_opened(browser_client, neem):
    for body in (
        {"query": "neem", "deliver_to": 1},
        {"query": "neem", "deliver_to": 1, "is_search": False, "is_click": True},
        {"query": "neem", "deliver_to": 2, "is_click": True},
    ):
        assert browser_client.post("/api/searches/", body, content_type="application/json").status_code == 204
    rows = SearchCount.objects.order_by("country").values_list("words", "searches", "clicks")
    assert list(rows) == [("neem", 1, 1), ("neem", 1, 1)]


def test_other_words_tried_at_once_are_counted_as_a_change(browser_client, neem):
    for before in ("Nem", "nem", "neem", "asha@example.com"):
        body = {"query": "neem", "before": before}
        assert browser_client.post("/api/searches/", body, content_type="application/json").status_code == 204
    assert list(SearchChange.objects.values_list("words", "changed_to", "times")) == [("nem", "neem", 2)]
