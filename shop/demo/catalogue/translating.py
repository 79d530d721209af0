"""What the demo says in Hindi and Arabic. The lists in translations/ are found by the English text, so that a text that
is changed falls back to English until somebody translates it anew."""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from shop.accounts.points.services import RUPEES_A_POINT

from .dosages import FORMS
from .plans import ProductPlan

LISTS = Path(__file__).resolve().parent / "translations"
LANGUAGES = ("hi", "ar")  # in the order of the lists' columns
Texts = dict[str, dict[str, str]]  # language to field to text
PRESCRIPTION = "Sold only against a doctor's prescription."
WORDS = {"made of": "सिर्फ़ {} से बना।", "with": "{} और {} के साथ।", "more": "{} और दूसरी चीज़ों के साथ।"}


def translations(**texts: str) -> Texts:
    """Field to English text as a row keeps its translations; what no list knows is left out."""
    found = {language: {name: _in(language, text) for name, text in texts.items() if text} for language in LANGUAGES}
    return _filled(found)


def of_product(plan: ProductPlan) -> Texts:
    """A product's own texts; its title and highlights are put together as those of its plan are."""
    own = translations(
        name=plan.name, suited_for=plan.suited_for, dosage=plan.dosage, cautions=plan.cautions, storage=plan.storage,
        meta_desc=plan.about,
    )  # fmt: skip
    for language in LANGUAGES:
        texts = own.setdefault(language, {})
        if name := texts.get("name", ""):
            brand = _in(language, plan.brand.name)
            texts["meta_title"] = f"{name} – {brand}"[:120] if brand else ""
            texts["title"] = _title(language, plan.title, name)
    if highlight := _highlight(plan):
        own["hi"]["highlight"] = highlight
    return _filled(own)


def of_variant(plan: ProductPlan) -> Texts:
    about = _in("hi", plan.about)
    note = f"<p><strong>{_in('hi', PRESCRIPTION)}</strong></p>" if PRESCRIPTION in plan.description else ""
    keep = f"<p>{_in('hi', plan.storage)}</p>" if plan.description.endswith(f"<p>{plan.storage}</p>") else ""
    names = [_ingredient(name) for name in plan.ingredients.split(", ")]
    description = f"<p>{about}</p>{note}{keep}" if about else ""
    return _filled({"hi": {"description": description, "ingredients": ", ".join(names) if all(names) else ""}})


def of_category(path: str, **texts: str) -> Texts:
    """With how to choose in it, and with what search engines show as English has it."""
    own = translations(**texts)
    for said in own.values():
        said["meta_title"] = said.get("name", "")
    if path in _table("choosing.txt"):
        own.setdefault("hi", {})["how_to_choose"] = "\n".join(_table("choosing.txt")[path][0].split(" / "))
    return _filled(own)


def of_block(key: str, *fields: str) -> Texts:
    """An article by its slug, whose first lines are fields of their own; a text of the home page by its title."""
    found = {language: block for language in LANGUAGES if (block := _blocks(language).get(key))}
    return {
        language: dict(zip(fields, block.split("\n", len(fields) - 1), strict=True))
        for language, block in found.items()
    }


def of_page(slug: str) -> Texts:
    """Title, summary and text of a page in both languages."""
    files = {language: LISTS / "pages" / language / f"{slug}.html" for language in LANGUAGES}
    parts = {language: file.read_text(encoding="utf-8").strip() for language, file in files.items() if file.exists()}
    names = ("title", "summary", "text")
    return {language: dict(zip(names, text.split("\n", 2), strict=True)) for language, text in parts.items()}


@lru_cache
def questions() -> dict[str, Texts]:
    """Slug to question and answer."""
    found = {}
    for part in (LISTS / "faq.hi.html").read_text(encoding="utf-8").split('<h3 id="')[1:]:
        slug, _, words = part.partition('">')
        question, _, answer = words.partition("</h3>")
        found[slug] = {"hi": {"question": question, "answer": answer.partition("<h2>")[0].strip()}}
    return found


def of_substance(name: str) -> Texts:
    """As the list of ingredients names it, without its pharmacopoeia."""
    known = _ingredient(name) or _ingredient(f"{name} IP").removesuffix(" IP")
    return _filled({"hi": {"name": known}})


def _filled(texts: Texts) -> Texts:
    kept = {language: {name: text for name, text in said.items() if text} for language, said in texts.items()}
    return {language: said for language, said in kept.items() if said}


def _in(language: str, text: str) -> str:
    """A text, else each of its lines; nothing where one of them is unknown."""
    known = _dictionary()[language]
    lines = [known.get(line, "") for line in ([text] if text in known else text.split("\n"))]
    return "\n".join(lines) if all(lines) else ""


def _title(language: str, title: str, name: str) -> str:
    """Of a single herb, such as Tulsi Tea (Ocimum tenuiflorum, leaf): in Hindi alone."""
    latin, _, part = title.partition(" (")[2].removesuffix(")").rpartition(", ")
    in_hindi = _herbs().get(part, ("", ""))[0]
    return f"{name} ({latin}, {in_hindi})" if latin and in_hindi and language == "hi" else ""


def _highlight(plan: ProductPlan) -> str:
    """How it is made, and what is in it where the list knows all of it."""
    made, _, _ = plan.highlight.partition("\n")
    names = [_ingredient(name) for name in plan.ingredients.split(", ")]
    lines = [_in("hi", made)]
    if all(names):
        first = ", ".join(names[:-1][:3])
        is_long = len(names) > 4
        inside = WORDS["more"].format(first) if is_long else WORDS["with"].format(first, names[-1])
        lines.append(inside if len(names) > 1 else WORDS["made of"].format(names[0]))
    return "\n".join(lines) if lines[0] else ""


def _ingredient(name: str) -> str:
    """By its own line, else a herb with its part: Ashwagandha root."""
    if known := _table("ingredients.txt").get(name):
        return known[0]
    words = name.split(" ")
    for cut in (name, words[0], " ".join(words[:2])):
        rest = name.removeprefix(cut).strip()
        if cut in _herbs() and (not rest or rest in _herbs()):
            return f"{_herbs()[cut][0]} {_herbs()[rest][0] if rest else ''}".strip()
    return ""


@lru_cache
def _dictionary() -> dict[str, dict[str, str]]:
    """Language to English text to its translation."""
    known: dict[str, dict[str, str]] = {language: {} for language in LANGUAGES}
    for name in ("texts.txt", "abouts.txt", "names.txt", "needs.txt", "products.txt"):
        for english, texts in _table(name).items():
            for language, text in zip(LANGUAGES, texts, strict=False):
                known[language][english] = text
    for english, hindi, arabic in _herb_products():
        known["hi"].setdefault(english, hindi)
        known["ar"].setdefault(english, arabic)
    for key, (dosage, made) in _table("forms.txt").items():
        known["hi"] |= {FORMS[key].dosage: dosage, FORMS[key].made: made}
    return known


def _herb_products() -> Iterator[tuple[str, str, str]]:
    suffixes = {form.suffix for form in FORMS.values() if form.suffix}
    herbs = _herbs()
    for herb, (hindi, arabic) in herbs.items():
        for suffix in suffixes if arabic else ():
            yield f"{herb} {suffix}", f"{hindi} {herbs[suffix][0]}", f"{herbs[suffix][1]} {arabic}"


@lru_cache
def _herbs() -> dict[str, list[str]]:
    """Herbs, forms and parts of plants."""
    return _table("herbs.txt")


@lru_cache
def _blocks(language: str) -> dict[str, str]:
    text = (
        (LISTS / f"blocks.{language}.html").read_text(encoding="utf-8").replace("[rupees a point]", str(RUPEES_A_POINT))
    )
    parts = re.split(r"<!-- ([^>]{1,80}) -->\n", text)
    return {key: body.strip() for key, body in zip(parts[1::2], parts[2::2], strict=True)}


@lru_cache
def _table(name: str) -> dict[str, list[str]]:
    """The first cell of each line to the others."""
    lines = (LISTS / name).read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.split(" |")] for line in lines if line.strip() and not line.startswith("#")]
    return {first: rest for first, *rest in rows}
