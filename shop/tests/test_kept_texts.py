"""Texts that are kept in English are read in the language of the page, with what they were filled with."""

import pytest
from django.utils import translation

from shop.catalog.bulk_edit import services as bulk_edit
from shop.catalog.import_export import undo
from shop.catalog.import_export.rows import FILE_PROBLEMS
from shop.catalog.pictures import fetching
from shop.kept_texts import PLACEHOLDER, read_back, translated_text

LISTS = {
    "bulk edits": bulk_edit.REFUSALS,
    "undoing": undo.REASONS,
    "files": FILE_PROBLEMS,
    "pictures": fetching.PROBLEMS,
}


@pytest.mark.parametrize("templates", LISTS.values(), ids=LISTS)
def test_every_template_reads_itself_and_no_other(templates):
    for template in templates:
        kept = template % dict.fromkeys(PLACEHOLDER.findall(template), "Neem 5")
        assert translated_text(kept, templates) == kept
        with translation.override("hi"):
            read = translated_text(kept, templates)
        assert read != kept and "Neem 5" in read


@pytest.mark.parametrize(
    ("kept", "words"),
    [
        ("Only 3 are on hand.", "स्टॉक में सिर्फ़ 3 हैं।"),
        ("Changed since the preview: Weight, Brand.", "प्रीव्यू के बाद बदला: वज़न, ब्रांड।"),
        ("The stock would be too high.", "स्टॉक बहुत ज़्यादा हो जाएगा।"),
        ("Written by hand", "Written by hand"),
        ("", ""),
    ],
)
def test_why_a_bulk_edit_refuses_a_row(kept, words):
    assert translated_text(kept, bulk_edit.REFUSALS) == kept
    with translation.override("hi"):
        assert translated_text(kept, bulk_edit.REFUSALS) == words


def test_a_text_that_was_cut_is_no_template():
    assert read_back("It is in use: %(user)s.", "It is in use: the banner of the") is None
