"""What visitors read, in Chromium: one answer open at a time, each by its address; and the editor it is written in."""

import pytest
from playwright.sync_api import Page, expect

from shop.content.models import Faq

from ..conftest import WAIT_SECONDS
from ..support.staff import EDITOR, new_editor

pytestmark = pytest.mark.browser
REFUND = "When do I get my refund or replacement?"
DUTY = "Do I pay customs duty?"


@pytest.fixture(autouse=True)
def questions(make_variant, transactional_db, real_passwords):
    make_variant()  # a shop with products is not filled with the demo
    new_editor()


def answer(page: Page, question: str):
    return page.locator("details", has_text=question).locator(".prose")


def test_an_address_opens_its_answer_alone_and_typing_finds_others(open_phone):
    page = open_phone()
    page.goto("/en-in/faq/#refund")
    expect(answer(page, REFUND)).to_be_visible()
    page.locator("summary", has_text=DUTY).click()
    expect(answer(page, DUTY)).to_be_visible()
    expect(answer(page, REFUND)).to_be_hidden()
    page.get_by_role("searchbox", name="Search FAQ").press_sequentially("prescr")
    expect(page.get_by_role("status").filter(has_text="1 answer for")).to_be_visible()
    expect(page.locator("details.answer")).to_have_count(1)
    expect(page).to_have_url("/en-in/faq/?q=prescr")


def test_without_scripts_the_address_opens_and_the_search_finds(open_phone):
    page = open_phone(scripts=False)
    page.goto("/en-in/faq/#refund")
    expect(answer(page, REFUND)).to_be_visible()
    page.get_by_role("searchbox", name="Search FAQ").fill("customs")
    page.get_by_role("main").get_by_role("button", name="Search", exact=True).click()
    expect(answer(page, DUTY)).to_be_visible()
    expect(page.locator("details.answer")).to_have_count(1)


def test_an_editor_writes_an_answer_and_visitors_read_it(running_shop, chromium):
    context = chromium.new_context(base_url=running_shop.url, viewport={"width": 1280, "height": 800})
    context.set_default_timeout(WAIT_SECONDS * 1000)
    page, refused = context.new_page(), []
    page.on("console", lambda said: refused.append(said.text) if "Content Security Policy" in said.text else None)
    page.goto(f"/signin/?next=/admin/content/faq/{Faq.objects.get(slug='duties').pk}/change/")
    page.get_by_role("textbox").first.fill(EDITOR["email"])
    page.locator("input[type=password]").first.fill(EDITOR["password"])
    page.get_by_role("button", name="Login", exact=True).click()
    text = page.locator(".ProseMirror[contenteditable]").first  # its translations stand beside
    expect(text).to_contain_text("import duty")
    text.click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.press("ControlOrMeta+b")
    page.keyboard.type("Ask your customs office.")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("was changed successfully")).to_be_visible()
    page.goto("/en-in/faq/#duties")
    expect(answer(page, DUTY)).to_have_text("Ask your customs office.")
    context.close()
    assert refused == []
