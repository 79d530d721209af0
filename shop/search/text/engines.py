"""Two text engines behind one function: SQLite FTS5 and PostgreSQL tsvector.

What was typed arrives as wants: each must be found, by its own words or by a synonym. Every word is
quoted, so no word is an operator. Matches come in tiers, so that whole words in a name, brand,
category or concern stand before synonyms, these before words in ingredients and texts, and all whole
words before words that only begin like what was typed.
"""

from dataclasses import dataclass

from django.db import connection

MAX_MATCHES = 2000
MAX_BEGINNING_LENGTH = 2  # "vitamin c" must not find all vitamins when there are some with c
BEGINNINGS = 4  # the first tier of words that only begin like what was typed
SEEN = 100  # the first matches, whose words are looked at once more
# bm25 weights of name, brand, tags, ingredients, body
SQLITE_MATCH = """
    SELECT rowid AS id, {tier} AS tier, bm25(search_words, 10, 6, 4, 3, 1) AS score
    FROM search_words WHERE search_words MATCH %s"""
SQLITE_CASE = "rowid IN (SELECT rowid FROM search_words WHERE search_words MATCH %s)"
# ts_rank's 8 divides by the number of different words, so that a short text counts as bm25 counts it.
POSTGRES_MATCH = """
    SELECT product_id AS id, {tier} AS tier, -ts_rank('{{0.05, 0.2, 0.5, 1.0}}', words, wanted, 8) AS score
    FROM search_document, to_tsquery('english', %s) AS wanted WHERE words @@ wanted"""
POSTGRES_CASE = "words @@ to_tsquery('english', %s)"
# The best matches, the first of them with their words: by a look-up each, as a join might read the whole table.
BEST = """
    SELECT id, tier, CASE WHEN place <= {seen} THEN (
        SELECT name || ' ' || brand || ' | ' || tags FROM search_document WHERE product_id = id) END
    FROM (SELECT id, tier, row_number() OVER (ORDER BY tier, score, id) AS place
          FROM (SELECT * FROM ({match}) AS matched ORDER BY tier, score, id LIMIT {most}) AS first) AS best
    ORDER BY place"""

Match = tuple[int, int, str | None]  # id, tier, "name and brand | tags" of the first SEEN


@dataclass(frozen=True)
class Want:
    """Words that must all be found; or, instead of them, one of these phrases."""

    words: tuple[str, ...]
    synonyms: tuple[tuple[str, ...], ...] = ()
    # Whole words that the last of `words` begins: of "immunity" the index keeps only "immun", which
    # nothing beginning with "immuni" finds.
    completions: tuple[str, ...] = ()


def matching_ids(wants: list[Want]) -> list[int]:
    """Ids of products that hold all of `wants`, best first, at most MAX_MATCHES; one query."""
    if not wants:
        return []
    matches = _matches(_sqlite_tiers(wants) if connection.vendor == "sqlite" else _postgres_tiers(wants))
    if matches and matches[0][1] < BEGINNINGS and len(wants[-1].words[-1]) <= MAX_BEGINNING_LENGTH:
        matches = [match for match in matches if match[1] < BEGINNINGS]
    words = [word for want in wants for word in want.words]
    seen = sorted(matches[:SEEN], key=lambda match: _place(match, words))
    return [match[0] for match in seen + matches[SEEN:]]


def nearly_matching_ids(wants: list[Want]) -> list[int]:
    """Ids of products that hold all of `wants` but one, best first; one query."""
    every, either = (_sqlite_every, " OR ") if connection.vendor == "sqlite" else (_postgres_every, " | ")
    leaving_one_out = [every(wants[:at] + wants[at + 1 :]) for at in range(len(wants))]
    return [match[0] for match in _matches([either.join(f"({some})" for some in leaving_one_out)])]


def _place(match: Match, words: list[str]) -> tuple[int, bool, bool]:
    """Within a tier, what holds the words as they were typed ("shoes", not "shoe") comes first, and of
    this what belongs to a category or concern of that name."""
    _, tier, text = match
    found = f" {text} "
    return tier, not all(f" {word} " in found for word in words), " ".join(words) not in found.partition("|")[2]


def _matches(tiers: list[str]) -> list[Match]:
    """What the last of `tiers` matches, each in the first tier that it matches too."""
    *nearer, widest = tiers
    is_sqlite = connection.vendor == "sqlite"
    match, case = (SQLITE_MATCH, SQLITE_CASE) if is_sqlite else (POSTGRES_MATCH, POSTGRES_CASE)
    first: dict[str, int] = {}  # without synonyms two tiers ask the same, and the second finds nothing new
    for tier_number, words in enumerate(nearer):
        first.setdefault(words, tier_number)
    cases = " ".join(f"WHEN {case} THEN {tier_number}" for tier_number in first.values())
    tier = f"CASE {cases} ELSE {len(nearer)} END" if nearer else "0"
    statement = BEST.format(match=match.format(tier=tier), most=MAX_MATCHES, seen=SEEN)
    with connection.cursor() as cursor:
        cursor.execute(statement, [*first, widest])
        return list(cursor.fetchall())


def _sqlite_every(wants: list[Want], *, beginnings: bool = False, synonyms: bool = True) -> str:
    """All of `wants`, in FTS5's words."""
    parts = []
    for want in wants:
        *before, last = [f'"{word}"{"*" if beginnings else ""}' for word in want.words]
        whole = [f'"{word}"' for word in want.completions] if beginnings else []
        typed = " AND ".join([*before, f"({' OR '.join([last, *whole])})"])
        others = [f'"{" ".join(phrase)}"' for phrase in want.synonyms] if synonyms else []
        parts.append(f"({' OR '.join([f'({typed})', *others])})")
    return f"({' AND '.join(parts)})"


def _sqlite_tiers(wants: list[Want]) -> list[str]:
    phrase = " ".join(word for want in wants for word in want.words)
    return [
        f'name : "{phrase}"',
        f"{{name brand tags}} : {_sqlite_every(wants, synonyms=False)}",
        f"{{name brand tags}} : {_sqlite_every(wants)}",
        _sqlite_every(wants),
        f"{{name brand tags}} : {_sqlite_every(wants, beginnings=True)}",
        _sqlite_every(wants, beginnings=True),
    ]


def _postgres_every(
    wants: list[Want], weights: str = "ABCD", *, beginnings: bool = False, synonyms: bool = True
) -> str:
    """All of `wants`, in to_tsquery's words. Weights: A name, B brand and tags, C ingredients, D body."""
    parts = []
    for want in wants:
        *before, last = [f"'{word}':{'*' if beginnings else ''}{weights}" for word in want.words]
        whole = [f"'{word}':{weights}" for word in want.completions] if beginnings else []
        typed = " & ".join([*before, f"({' | '.join([last, *whole])})"])
        phrases = want.synonyms if synonyms else ()
        others = [" <-> ".join(f"'{word}':{weights}" for word in phrase) for phrase in phrases]
        parts.append(f"({' | '.join(f'({one})' for one in [typed, *others])})")
    return " & ".join(parts)


def _postgres_tiers(wants: list[Want]) -> list[str]:
    return [
        " <-> ".join(f"'{word}':A" for want in wants for word in want.words),
        _postgres_every(wants, "AB", synonyms=False),
        _postgres_every(wants, "AB"),
        _postgres_every(wants),
        _postgres_every(wants, "AB", beginnings=True),
        _postgres_every(wants, beginnings=True),
    ]
