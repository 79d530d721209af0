"""The demo in Hindi and Arabic: complete where it is promised, and never half of a text."""

import re

import pytest

from shop.content.models import Faq, Page, PageVersion
from shop.content.pages.initial import STARTING_PAGES
from shop.content.pages.placeholders import check_names

from ..catalogue import home, reading, translating
from ..catalogue.blog import POSTS
from ..shelves import translate_pages

SCRIPTS = {"hi": re.compile("[\u0900-\u097f]"), "ar": re.compile("[\u0600-\u06ff]")}


@pytest.mark.parametrize("language", ["hi", "ar"])
def test_every_name_of_the_catalogue_is_in_both_languages(language):
    rows = [*reading.products(), *reading.categories(), *reading.concerns(), *reading.brands().values()]
    names = {row.name: translating.translations(name=row.name).get(language, {}).get("name", "") for row in rows}
    missing = {english for english, name in names.items() if not SCRIPTS[language].search(name)}
    assert missing <= {"BCAA 2:1:1"}, "an abbreviation alone"


def test_texts_of_products_are_in_hindi():
    for plan in reading.products():
        said = translating.of_product(plan)["hi"]
        missing = [name for name in ("highlight", "dosage", "storage") if not SCRIPTS["hi"].search(said.get(name, ""))]
        assert missing == [], plan.name
        assert not plan.cautions or said["cautions"].count("\n") == plan.cautions.count("\n"), plan.name


def test_a_text_that_changed_in_english_falls_back():
    assert translating.translations(name="Triphala Churna, new", dosage="Take\nthree") == {}


def test_articles_and_questions_keep_the_form_of_the_english_ones():
    for post in POSTS:
        for language, words in translating.of_block(post.slug, "title", "excerpt", "text").items():
            for tag in ("<h2>", "<li>", "<p>", "[return days:"):
                assert words["text"].count(tag) == post.text.count(tag), (post.slug, language, tag)


@pytest.mark.parametrize("language", ["hi", "ar"])
def test_the_home_page_and_the_blog_are_in_both_languages(language):
    banners = [text for plan in home.BANNERS for text in (plan.eyebrow, plan.title, plan.text, plan.button)]
    stories = [brand.story for brand in reading.brands().values()]
    taglines = [category.tagline for category in reading.categories()]
    known = {
        text: translating.translations(text=text).get(language, {}) for text in (*banners, *stories, *taglines) if text
    }
    assert [text for text, said in known.items() if not said] == []
    blocks = ["Points on every order", "Shipping, returns and cancellation", *(post.slug for post in POSTS)]
    assert [
        key for key in blocks if not SCRIPTS[language].search(translating.of_block(key, "text")[language]["text"])
    ] == []


@pytest.mark.django_db
def test_pages_and_questions_are_translated_and_name_only_facts_of_the_shop():
    translate_pages()
    pages = {page.slug: page.translations for page in Page.objects.all()}
    for page in Page.objects.all():
        for language in ("hi", "ar"):
            text = pages[page.slug][language]["text"]
            check_names(text)
            for tag in ("<h2>", "<li>", "<p>", "[return windows]", "[shipping fees]"):
                assert text.count(tag) == page.text.count(tag), (page.slug, language, tag)
    assert set(pages) == set(STARTING_PAGES) and PageVersion.objects.filter(language="ar").count() == len(pages)
    for faq in Faq.objects.all():
        check_names(faq.translations["hi"]["answer"])
        assert faq.translations["hi"]["answer"].count("<p>") == faq.answer.count("<p>"), faq.slug
    translate_pages()
    assert PageVersion.objects.filter(language="ar").count() == len(pages), "a second time changes nothing"
