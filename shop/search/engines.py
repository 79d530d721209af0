"""Two text engines behind one function: SQLite FTS5 and PostgreSQL tsvector.

Every word the user typed is quoted, so no word is an operator; the last ones match as prefixes.
"""

import re

from django.db import connection

LONGEST_QUERY = 100
MOST_MATCHES = 2000
# bm25 weights of name, brand, tags, ingredients, body
SQLITE_MATCH = """
    SELECT rowid FROM search_words WHERE search_words MATCH %s
    ORDER BY bm25(search_words, 10, 6, 4, 3, 1), rowid LIMIT %s"""
POSTGRES_MATCH = """
    SELECT product_id FROM search_document, to_tsquery('english', %s) AS wanted WHERE words @@ wanted
    ORDER BY ts_rank('{0.05, 0.2, 0.5, 1.0}', words, wanted) DESC, product_id LIMIT %s"""


def words_of(query: str) -> list[str]:
    """Letters and digits of a query, lower case, at most LONGEST_QUERY characters."""
    return re.findall(r"\w+", query[:LONGEST_QUERY].lower().replace("_", " "))


def matching_ids(query: str) -> list[int]:
    """Ids of products whose words match all words of `query`, best first, at most MOST_MATCHES."""
    words = words_of(query)
    if not words:
        return []
    if connection.vendor == "sqlite":
        statement, wanted = SQLITE_MATCH, " ".join(f'"{word}"*' for word in words)
    else:
        statement, wanted = POSTGRES_MATCH, " & ".join(f"'{word}':*" for word in words)
    with connection.cursor() as cursor:
        cursor.execute(statement, [wanted, MOST_MATCHES])
        return [row[0] for row in cursor.fetchall()]
