"""Questions and answers as visitors read them."""

from dataclasses import dataclass

from django.utils.html import strip_tags
from django.utils.safestring import SafeString

from shop.search.text.normalization import plain_words, words_of

from ..models import Faq
from ..pages.placeholders import fill_in


@dataclass(frozen=True)
class Answer:
    slug: str
    question: str
    text: SafeString
    source: str  # what the text was filled in from; a Fallback where nobody translated it

    def holds(self, words: list[str]) -> bool:
        """Whether each of these words begins a word of the question or its answer."""
        own = f" {plain_words(self.question)} {plain_words(strip_tags(self.text.replace('<', ' <')))}"
        return all(f" {word}" in own for word in words)


@dataclass(frozen=True)
class Section:
    name: str
    answers: list[Answer]


def find_answers(query: str = "") -> list[Section]:
    """The published questions in the active language and the editors' order, or those of them in which all words of
    `query` begin words."""
    words = words_of(query)
    sections: dict[int, Section] = {}
    for row in Faq.objects.filter(is_published=True).select_related("section"):
        source = row.translated.answer
        answer = Answer(row.slug, row.translated.question, fill_in(source), source)
        if answer.holds(words):
            section = sections.setdefault(row.section_id, Section(row.section.translated.name, []))
            section.answers.append(answer)
    return list(sections.values())
