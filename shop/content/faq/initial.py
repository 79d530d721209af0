"""The questions that the shop comes with.

They stand in page_texts/faq.html, sections as h2 and questions as h3 whose id is the slug, and are loaded once;
from then on they are the editors'.
"""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from ..pages.initial import TEXTS


def renew_faq(apps: Any, former: dict[str, str]) -> None:
    """Give questions the answers that the shop comes with now, where no editor has changed the former ones.

    `former` holds, by slug, the SHA-256 of the answer that the shop came with before.
    """
    faq_model = apps.get_model("content", "Faq")
    answers = {slug: answer.strip() for _, questions in _sections() for slug, _, answer in questions}
    for faq in faq_model.objects.filter(slug__in=former):
        if sha256(faq.answer.encode()).hexdigest() == former[faq.slug]:
            faq_model.objects.filter(pk=faq.pk).update(answer=answers[faq.slug])


def load_faq(apps: Any) -> None:
    """Fill a shop that has no questions yet."""
    section_model, faq_model = apps.get_model("content", "FaqSection"), apps.get_model("content", "Faq")
    if section_model.objects.exists():
        return
    for position, (name, questions) in enumerate(_sections()):
        section = section_model.objects.create(name=name, position=position)
        faq_model.objects.bulk_create(
            faq_model(section=section, slug=slug, question=question, answer=answer.strip(), position=place)
            for place, (slug, question, answer) in enumerate(questions)
        )


def _sections() -> Iterator[tuple[str, list[tuple[str, str, str]]]]:
    """(name, its questions as (slug, question, answer)) of each section."""
    for part in (TEXTS / "faq.html").read_text().split("<h2>")[1:]:
        name, _, body = part.partition("</h2>")
        yield name, [_question(one) for one in body.split('<h3 id="')[1:]]


def _question(part: str) -> tuple[str, str, str]:
    slug, _, words = part.partition('">')
    question, _, answer = words.partition("</h3>")
    return slug, question, answer
