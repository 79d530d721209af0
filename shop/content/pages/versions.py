"""Earlier versions of a page, to read and to bring back."""

import re
from difflib import SequenceMatcher
from html import unescape

from django.utils.html import format_html, format_html_join, strip_tags
from django.utils.safestring import SafeString

from shop.translated import ENGLISH

from ..models import Page, PageVersion
from ..services import WORDS, change_page, translate_page

LINK = re.compile(r'<a href="([^"]{0,2000}+)"[^<>]{0,200}+>')
BLOCK_END = re.compile(r"</(?:p|h\d|li|tr|blockquote)>|<br ?/?>")
CONTEXT = 12  # words that are shown around a change


def restore_version(version: PageVersion, *, author_id: int | None) -> Page:
    """Give the page the words of a version again; that is a version of its own, so nothing is lost."""
    words = {"title": version.title, "summary": version.summary, "text": version.text}
    if version.language != ENGLISH:
        return translate_page(version.page_id, version.language, words, author_id=author_id)
    return change_page(version.page_id, author_id=author_id, **words)


def version_of_today(version: PageVersion) -> PageVersion:
    """What the page of a version says today in the language of the version; not kept."""
    page = version.page
    said = page.translations.get(version.language, {})
    is_english = version.language == ENGLISH
    return PageVersion(**{name: getattr(page, name) if is_english else said.get(name, "") for name in WORDS})


def words_of(html: str) -> list[str]:
    """The words of a text with a mark where a paragraph ends, without its tags; a link with where it leads, which is
    seen nowhere else."""
    marked = LINK.sub(lambda link: f" ({link[1].replace('<', '&lt;')}) ", BLOCK_END.sub(" ¶ ", html))
    return unescape(strip_tags(marked)).split()


def difference(old: PageVersion | Page, new: PageVersion | Page) -> SafeString:
    """What was taken out and put in from one to the other, as <del> and <ins> among a few words around."""
    parts = [_of_texts(getattr(old, name), getattr(new, name)) for name in WORDS]
    changed = [part for part in parts if part]
    return format_html_join("", "<p>{}</p>", ([part] for part in changed)) if changed else SafeString("No change.")


def _of_texts(old: str, new: str) -> SafeString:
    before, after = words_of(old), words_of(new)
    steps = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    if all(kind == "equal" for kind, *_ in steps):
        return SafeString("")
    return format_html_join(" ", "{}", ([_part(kind, before[a:b], after[c:d])] for kind, a, b, c, d in steps))


def _part(kind: str, out: list[str], put_in: list[str]) -> SafeString:
    if kind == "equal":
        return format_html("{}", " ".join(_shortened(out)))
    gone = format_html("<del>{}</del> ", " ".join(out)) if out else ""
    return format_html("{}{}", gone, format_html("<ins>{}</ins>", " ".join(put_in)) if put_in else "")


def _shortened(words: list[str]) -> list[str]:
    return words if len(words) <= 2 * CONTEXT + 1 else [*words[:CONTEXT], "…", *words[-CONTEXT:]]
