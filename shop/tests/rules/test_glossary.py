"""Translations keep to one word for each thing (docs/glossary.md)."""

import re

import pytest
from babel.messages import Message

from shop.locale.catalogues import FOLDERS, ROOT, languages, read

# Words that the glossary has another for. A stem stands for all of its forms.
OTHERS = {
    "hi": re.compile(
        "[कखग]\u093c|उत्पाद|भुगतान|रद्द|सहेज|संदेश|पर्ची|उप-योग|लॉग (?:इन|आउट)|अपने-आप|सत्यापन|श्रेणी"
        "|न्योत|अस्वीकार|तालिका|संस्करण|निर्णय|रिक्वेस्ट|मिटा|पे करें|(?<!के )कारण"
        "|मेल अकाउंट|(?:आपके|आपका|अपने|अपना|मेरे|मेरा|नया|नए) खात|[एउऊाुू]ं(?![\u0900-\u0963\u0966-\u097f])|बांट"
        "|(?<![\u0900-\u097f])(?:दाम|वापसी|इकाइयाँ|शॉप)(?![\u0900-\u0963\u0966-\u097f])"
    ),
    "ar": re.compile("[“”]|سلّت|فئة|فئات|صنف|أصناف|تسليم|مالك المتجر|طرد|لست أنت|دفع (?:هذا )?(?:ال)?طلب"),
}
CATALOGUES = [(language, domain) for domain in FOLDERS for language in languages(domain)]
DEMO = ROOT / "shop" / "demo" / "catalogue" / "translations"


def others_in(language, message):
    strings = message.string if isinstance(message.string, tuple) else (message.string,)
    others = OTHERS.get(language)
    return [found[0] for string in strings for found in others.finditer(string)] if others else []


@pytest.mark.parametrize(("language", "domain"), CATALOGUES)
def test_catalogues_keep_to_the_words_of_the_glossary(language, domain):
    messages = [message for message in read(language, domain) if message.id]
    assert messages
    assert {str(message.id): words for message in messages if (words := others_in(language, message))} == {}


@pytest.mark.parametrize(
    "path",
    [*sorted(DEMO.glob("pages/hi/*.html")), DEMO / "faq.hi.html", DEMO / "blocks.hi.html"],
    ids=lambda path: path.name,
)
def test_pages_keep_to_the_words_of_the_glossary(path):
    assert OTHERS["hi"].findall(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("language", "string", "words"),
    [
        ("hi", "यह उत्पाद ख़ास है।", ["उत्पाद", "ख़"]),
        ("hi", ("1 दाम", "2 दाम।"), ["दाम", "दाम"]),
        ("hi", "बादाम की कीमत", []),
        ("hi", "अपने खाते से हटाएं।", ["अपने खात", "एं"]),
        ("hi", "उसी कार्ड या खाते में, सफ़ाई के कारण अंदर", []),
        ("hi", "बिना कारण", ["कारण"]),
        ("ar", "“سلّتك”", ["“", "سلّت", "”"]),
        ("ar", "لا يمكن دفع هذا الطلب", ["دفع هذا الطلب"]),
        ("ar", "دفع ثمن الطلب", []),
    ],
)
def test_another_word_is_found(language, string, words):
    assert others_in(language, Message(("day", "days") if isinstance(string, tuple) else "day", string)) == words
