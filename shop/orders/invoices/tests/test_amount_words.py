"""Amounts in words: in lakhs and crores, in English and Hindi; in Arabic by its grammar."""

from decimal import Decimal

import pytest

from ..amount_words import HINDI, amount_words


@pytest.mark.parametrize(
    ("amount", "english", "hindi"),
    [
        ("0.00", "Zero rupees only", "शून्य रुपये मात्र"),
        ("1.00", "One rupee only", "एक रुपया मात्र"),
        ("0.05", "Zero rupees and five paise only", "शून्य रुपये पाँच पैसे मात्र"),
        ("20.00", "Twenty rupees only", "बीस रुपये मात्र"),
        ("99.99", "Ninety-nine rupees and ninety-nine paise only", "निन्यानवे रुपये निन्यानवे पैसे मात्र"),
        ("100.00", "One hundred rupees only", "एक सौ रुपये मात्र"),
        ("529.00", "Five hundred and twenty-nine rupees only", "पाँच सौ उनतीस रुपये मात्र"),
        ("1001.00", "One thousand and one rupees only", "एक हज़ार एक रुपये मात्र"),
        (
            "1250.50",
            "One thousand two hundred and fifty rupees and fifty paise only",
            "एक हज़ार दो सौ पचास रुपये पचास पैसे मात्र",
        ),
        (
            "12345678.00",
            "One crore twenty-three lakh forty-five thousand six hundred and seventy-eight rupees only",
            "एक करोड़ तेईस लाख पैंतालीस हज़ार छह सौ अठहत्तर रुपये मात्र",
        ),
        ("1234567890.00", None, "एक सौ तेईस करोड़ पैंतालीस लाख सड़सठ हज़ार आठ सौ नब्बे रुपये मात्र"),
    ],
)
def test_rupees_are_said_as_people_say_them(amount, english, hindi):
    assert english is None or amount_words(Decimal(amount)) == english
    assert amount_words(Decimal(amount), "hi") == hindi


def test_hindi_has_a_word_for_each_number_below_a_hundred():
    assert len(HINDI) == len(set(HINDI)) == 100


def test_a_language_without_its_words_says_nothing():
    assert amount_words(Decimal("5.00"), "ta") == ""


@pytest.mark.parametrize(
    ("amount", "arabic"),
    [
        ("0.00", "صفر روبية"),
        ("1.00", "روبية واحدة"),
        ("2.00", "روبيتان"),
        ("3.02", "ثلاث روبيات وبيستان"),
        ("0.05", "خمس بيسات"),
        ("10.10", "عشر روبيات وعشر بيسات"),
        ("11.00", "إحدى عشرة روبية"),
        ("12.00", "اثنتا عشرة روبية"),
        ("18.00", "ثماني عشرة روبية"),
        ("21.00", "إحدى وعشرون روبية"),
        ("99.99", "تسع وتسعون روبية وتسع وتسعون بيسة"),
        ("100.00", "مئة روبية"),
        ("101.00", "مئة روبية وروبية واحدة"),
        ("200.00", "مئتا روبية"),
        ("202.00", "مئتا روبية وروبيتان"),
        ("529.00", "خمسمئة وتسع وعشرون روبية"),
        ("1250.50", "ألف ومئتان وخمسون روبية وخمسون بيسة"),
        ("2000.00", "ألفا روبية"),
        ("2300.00", "ألفان وثلاثمئة روبية"),
        ("7000.00", "سبعة آلاف روبية"),
        ("11000.00", "أحد عشر ألف روبية"),
        ("11200.00", "أحد عشر ألفًا ومئتا روبية"),
        ("100000.00", "مئة ألف روبية"),
        ("1234567.00", "مليون ومئتان وأربعة وثلاثون ألفًا وخمسمئة وسبع وستون روبية"),
        ("3000000.00", "ثلاثة ملايين روبية"),
    ],
)
def test_arabic_counts_by_the_rules_of_its_grammar(amount, arabic):
    assert amount_words(Decimal(amount), "ar") == f"فقط {arabic} لا غير"
