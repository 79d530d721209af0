"""The count of clicks is itself tried: it refuses what it was not told of, and what is too much."""

import pytest

from .clicks import Job

pytestmark = pytest.mark.browser
PAGE = "<label>Name <input name='name'></label><button>Save</button><button>Apply</button>"


@pytest.fixture
def shelf(transactional_db, make_variant):
    make_variant()  # an empty shop would load the demo


@pytest.fixture
def page(shelf, running_shop, open_phone):
    page = open_phone(width=1280)
    page.goto("/brands/")
    page.set_content(PAGE)
    return page


def test_clicks_and_fields_are_counted_and_confirmations_are_not(page, capsys):
    with Job(page, "A job", most=1) as job:
        job.fill(page.get_by_label("Name"), "Asha")
        job.click(page.get_by_role("button", name="Save"))
        job.confirm(page.get_by_role("button", name="Apply"))
    assert (job.clicks, job.confirmations, job.typed) == (1, 1, ["name"])
    assert "A job: 1 clicks of at most 1, 1 fields typed (name)" in capsys.readouterr().out


def test_a_press_past_the_count_is_noticed(page):
    with pytest.raises(AssertionError, match="the page saw 1 presses, 0 were counted"), Job(page, "A job", most=9):
        page.get_by_role("button", name="Save").click()


def test_too_many_clicks_fail(page):
    with pytest.raises(AssertionError, match="2 clicks of at most 1"), Job(page, "A job", most=1) as job:
        job.click(page.get_by_role("button", name="Save"))
        job.click(page.get_by_role("button", name="Save"))
