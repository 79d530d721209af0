"""The questions that the shop comes with.

They stand in page_texts/faq.html, sections as h2 and questions as h3 whose id is the slug, and are loaded once;
from then on they are the editors'.
"""

import re
from typing import Any

from .starting_pages import TEXTS

SECTION = re.compile(r"<h2>(.+?)</h2>(.*?)(?=<h2>|\Z)", re.DOTALL)
QUESTION = re.compile(r'<h3 id="([a-z0-9-]+)">(.+?)</h3>(.*?)(?=<h3 |\Z)', re.DOTALL)


def load_faq(apps: Any) -> None:
    """Fill a shop that has no questions yet."""
    section_model, faq_model = apps.get_model("content", "FaqSection"), apps.get_model("content", "Faq")
    if section_model.objects.exists():
        return
    for position, (name, body) in enumerate(SECTION.findall((TEXTS / "faq.html").read_text())):
        section = section_model.objects.create(name=name, position=position)
        faq_model.objects.bulk_create(
            faq_model(section=section, slug=slug, question=question, answer=answer.strip(), position=place)
            for place, (slug, question, answer) in enumerate(QUESTION.findall(body))
        )
