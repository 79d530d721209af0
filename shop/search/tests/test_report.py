"""The report of searches: what was asked for most, what found nothing, and the way to a synonym."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from ..models import SearchChange, SearchCount, SynonymGroup
from ..report import search_report

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def searched():
    def searched(words, searches, results, days_ago=0):
        day = timezone.localdate() - timedelta(days=days_ago)
        SearchCount.objects.create(day=day, words=words, searches=searches, results=results)

    searched("neem", 5, 3)
    searched("neem", 4, 0, days_ago=2)  # found since
    searched("chywanprash", 7, 0, days_ago=1)
    searched("chywanprash", 1, 0)
    searched("aloe", 9, 2, days_ago=20)
    return searched


def test_words_are_added_up_over_the_period(searched):
    week = search_report(7)
    assert [(row.words, row.searches, row.results) for row in week.top] == [("neem", 9, 3), ("chywanprash", 8, 0)]
    assert [(row.words, row.searches) for row in week.failed] == [("chywanprash", 8)]
    assert (week.searches, week.failures, week.failed_percent, len(week.days)) == (17, 12, 71, 7)
    assert [(day.searches, day.failed) for day in week.days[-3:]] == [(4, 4), (7, 7), (6, 1)]
    assert [row.words for row in search_report(30).top] == ["aloe", "neem", "chywanprash"]


def test_nothing_searched_is_no_mistake():
    assert (search_report(7).failed_percent, search_report(7).top) == (0, [])


def test_more_searches_take_no_more_queries(searched, django_assert_max_num_queries):
    for number in range(60):
        searched(f"word {number}", 1, number % 2)
    with django_assert_max_num_queries(12):
        assert len(search_report(30).top) == 50


def test_a_failed_search_leads_to_its_synonym(desk, searched):
    page = desk.get(reverse("admin:search_searchcount_report"), {"days": "7"}).content.decode()
    url = reverse("admin:search_synonymgroup_add") + "?term=chywanprash"
    assert url in page and "12</strong> (71%)" in page
    form = desk.get(url).content.decode()
    assert 'value="chywanprash"' in form
    rows = {"terms-TOTAL_FORMS": "2", "terms-INITIAL_FORMS": "0", "note": ""}
    desk.post(url, rows | {"terms-0-term": "chywanprash", "terms-1-term": "chyawanprash"})
    assert str(SynonymGroup.objects.latest("pk")) == "chywanprash, chyawanprash"
    assert "has a synonym" in desk.get(reverse("admin:search_searchcount_report"), {"days": "7"}).content.decode()


@pytest.mark.parametrize("days", ["0", "x", "9999999999999999999999"])
def test_another_period_is_thirty_days(desk, days):
    assert desk.get(reverse("admin:search_searchcount_report"), {"days": days}).context["days"] == 30


def test_words_that_find_something_which_few_open_are_named():
    today = timezone.localdate()
    for words, searches, clicks, results in (
        ("acidity", 10, 2, 4),
        ("neem", 10, 3, 4),
        ("tea", 4, 0, 4),
        ("zzz", 9, 0, 0),
    ):
        SearchCount.objects.create(day=today, words=words, searches=searches, clicks=clicks, results=results)
    assert [(row.words, row.clicks) for row in search_report(7).few_clicks] == [("acidity", 2)]


def test_words_tried_instead_of_others_become_synonyms_at_one_click(desk):
    SearchChange.objects.create(day=timezone.localdate(), words="mulati", changed_to="mulethi", times=3)
    SearchChange.objects.create(day=timezone.localdate(), words="tea", changed_to="amla", times=1)  # chance
    assert [(row.words, row.changed_to, row.times) for row in search_report(7).changed] == [("mulati", "mulethi", 3)]
    page = desk.get(reverse("admin:search_searchcount_report"), {"days": "7"}).content.decode()
    url = reverse("admin:search_synonymgroup_add") + "?term=mulati&amp;term=mulethi"
    assert url in page
    form = desk.get(url.replace("&amp;", "&")).content.decode()
    assert 'value="mulati"' in form and 'value="mulethi"' in form


def test_a_failed_search_leads_to_its_need(desk, searched):
    page = desk.get(reverse("admin:search_searchcount_report"), {"days": "7"}).content.decode()
    assert reverse("admin:search_need_add") + "?term=chywanprash" in page
