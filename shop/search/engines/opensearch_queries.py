"""Products as documents of OpenSearch, and what is asked for as its queries.

Fields and their weights are those of the word index; words are taken apart on our side alone, so that both engines
see the same ones.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from ..text.index import BIT, BREAK, FIELDS, Entry
from ..text.ranking import BEGINNING, Alternative, Group
from ..text.tables.substances import substances

ALL = "all"  # every word that a card shows, for corrections
ON_CARDS = ("name", "title", "brand", "tags", "options")
_TEXT = {"type": "text", "analyzer": "words"}
INDEX_BODY = {
    "settings": {
        "analysis": {"analyzer": {"words": {"type": "custom", "tokenizer": "whitespace", "filter": ["lowercase"]}}}
    },
    "mappings": {
        "dynamic": "strict",
        "properties": {
            ALL: _TEXT,
            **{name: {**_TEXT, **({"copy_to": ALL} if name in ON_CARDS else {})} for name in FIELDS},
        },
    },
}

Query = dict[str, Any]


def bulk_lines(index: str, entries: Iterable[Entry], deleted: Iterable[int], version: int) -> list[Query]:
    """Lines of a _bulk call. Of two writers the one that read later wins: `version` is when the caller read."""
    lines: list[Query] = []
    for pk, fields in entries:
        document = {name: text.replace(f" {BREAK} ", " ") for name, text in fields.items() if text}
        lines += [{"index": _place(index, pk, version)}, document]
    return [*lines, *({"delete": _place(index, pk, version)} for pk in deleted)]


def _place(index: str, pk: int, version: int) -> Query:
    return {"_index": index, "_id": str(pk), "version": version, "version_type": "external_gte"}


def query_of(groups: Sequence[Group], excluded: Sequence[Alternative] = ()) -> Query:
    """Products that hold all groups and nothing of `excluded`."""
    return {"bool": {"must": [of_group(group) for group in groups], "must_not": [*map(_of_alternative, excluded)]}}


def query_of_any(required: Sequence[Group], others: Sequence[Group]) -> Query:
    """Products that hold all `required` groups and some of the others, whose places `matched_queries` then names."""
    named = [{"bool": {"must": [of_group(group)], "_name": str(at)}} for at, group in enumerate(others)]
    return {"bool": {"must": [*map(of_group, required)], "should": named, "minimum_should_match": 1}}


def of_group(group: Group) -> Query:
    return {"dis_max": {"queries": [_of_alternative(one) for one in group.alternatives]}}


def suggestions_for(word: str) -> Query:
    """Words that products have, near one that none has."""
    term = {"field": ALL, "suggest_mode": "missing", "max_edits": 2, "prefix_length": 1, "size": 5}
    return {"text": word, "term": term}


def _of_alternative(alternative: Alternative) -> Query:
    """All words in one field: "black" of a name and "seed" of a text are no black seed."""
    fields = [name for name in FIELDS if alternative.fields & BIT[name]]
    return {"dis_max": {"queries": [_in_field(name, alternative) for name in fields]}}


def _in_field(name: str, alternative: Alternative) -> Query:
    boost = round(FIELDS[name][0] * alternative.factor, 3)
    return {"bool": {"must": [_of_word(name, forms) for forms in alternative.words], "boost": boost}}


def _of_word(field: str, forms: Sequence[str]) -> Query:
    beginnings = [form.removesuffix(BEGINNING) for form in forms if form.endswith(BEGINNING)]
    whole = [other for form in forms if not form.endswith(BEGINNING) for other in _one_and_many(form)]
    found: list[Query] = [{"prefix": {field: {"value": beginning}}} for beginning in beginnings]
    if whole:
        found.append({"match": {field: {"query": " ".join(dict.fromkeys(whole)), "operator": "or"}}})
    return found[0] if len(found) == 1 else {"dis_max": {"queries": found}}


def _one_and_many(word: str) -> Iterable[str]:
    """capsule, capsules; a substance is only itself."""
    yield word
    if word.isascii() and word.isalpha() and len(word) > 3:
        other = word[:-1] if word.endswith("s") else f"{word}s"
        if word not in substances() and other not in substances():
            yield other
