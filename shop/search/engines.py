"""Two text engines behind one function: SQLite FTS5 and PostgreSQL tsvector.

What was typed arrives as wants: each must be found, by its own words or by a synonym. Every word is
quoted, so no word is an operator. Matches come in tiers, so that whole words in a name, brand,
category or concern stand before synonyms, these before words in ingredients and texts, and all whole
words before words that only begin like what was typed.
"""

from dataclasses import dataclass

from django.db import connection

MOST_MATCHES = 2000
LONGEST_BEGINNING = 2  # "vitamin c" must not find all vitamins when there are some with c
BEGINNINGS = 4  # the first tier of words that only begin like what was typed
# bm25 weights of name, brand, tags, ingredients, body
SQLITE_MATCH = """
    SELECT rowid, CASE {cases} ELSE {last} END AS tier FROM search_words WHERE search_words MATCH %s
    ORDER BY tier, bm25(search_words, 10, 6, 4, 3, 1), rowid LIMIT %s"""
SQLITE_CASE = "rowid IN (SELECT rowid FROM search_words WHERE search_words MATCH %s)"
POSTGRES_MATCH = """
    SELECT product_id, CASE {cases} ELSE {last} END AS tier
    FROM search_document, to_tsquery('english', %s) AS wanted WHERE words @@ wanted
    ORDER BY tier, ts_rank('{{0.05, 0.2, 0.5, 1.0}}', words, wanted) DESC, product_id LIMIT %s"""
POSTGRES_CASE = "words @@ to_tsquery('english', %s)"


@dataclass(frozen=True)
class Want:
    """Words that must all be found; or, instead of them, one of these phrases."""

    words: tuple[str, ...]
    synonyms: tuple[tuple[str, ...], ...] = ()


def matching_ids(wants: list[Want]) -> list[int]:
    """Ids of products that hold all of `wants`, best first, at most MOST_MATCHES; one query."""
    if not wants:
        return []
    is_sqlite = connection.vendor == "sqlite"
    tiers = _sqlite_tiers(wants) if is_sqlite else _postgres_tiers(wants)
    *nearer, widest = tiers
    statement, case = (SQLITE_MATCH, SQLITE_CASE) if is_sqlite else (POSTGRES_MATCH, POSTGRES_CASE)
    cases = " ".join(f"WHEN {case} THEN {tier}" for tier in range(len(nearer)))
    with connection.cursor() as cursor:
        cursor.execute(statement.format(cases=cases, last=len(nearer)), [*nearer, widest, MOST_MATCHES])
        rows = cursor.fetchall()
    if rows and rows[0][1] < BEGINNINGS and len(wants[-1].words[-1]) <= LONGEST_BEGINNING:
        return [pk for pk, tier in rows if tier < BEGINNINGS]
    return [pk for pk, _ in rows]


def _sqlite_tiers(wants: list[Want]) -> list[str]:
    def every(is_beginning: bool, with_synonyms: bool) -> str:
        star = "*" if is_beginning else ""
        parts = []
        for want in wants:
            typed = " AND ".join(f'"{word}"{star}' for word in want.words)
            others = [f'"{" ".join(phrase)}"' for phrase in want.synonyms] if with_synonyms else []
            parts.append(f"({' OR '.join([f'({typed})', *others])})")
        return f"({' AND '.join(parts)})"

    phrase = " ".join(word for want in wants for word in want.words)
    return [
        f'name : "{phrase}"',
        f"{{name brand tags}} : {every(False, False)}",
        f"{{name brand tags}} : {every(False, True)}",
        every(False, True),
        f"{{name brand tags}} : {every(True, True)}",
        every(True, True),
    ]


def _postgres_tiers(wants: list[Want]) -> list[str]:
    """Weights: A name, B brand and tags, C ingredients, D body."""

    def every(marks: str, with_synonyms: bool) -> str:
        parts = []
        weights = marks.replace("*", "")
        for want in wants:
            typed = " & ".join(f"'{word}':{marks}" for word in want.words)
            phrases = want.synonyms if with_synonyms else ()
            others = [" <-> ".join(f"'{word}':{weights}" for word in phrase) for phrase in phrases]
            parts.append(f"({' | '.join(f'({one})' for one in [typed, *others])})")
        return " & ".join(parts)

    phrase = " <-> ".join(f"'{word}':A" for want in wants for word in want.words)
    return [phrase, every("AB", False), every("AB", True), every("ABCD", True), every("*AB", True), every("*", True)]
