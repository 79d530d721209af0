"""A search engine for django-oscar that finds without looking, so that only the pages of what is found are measured."""

from haystack.backends import BaseEngine, SearchResult
from haystack.backends.simple_backend import SimpleSearchBackend, SimpleSearchQuery

FOUND = 800


class FreeBackend(SimpleSearchBackend):
    def search(self, query_string, start_offset=0, end_offset=None, **kwargs):
        ids = range(start_offset + 1, min(end_offset or FOUND, FOUND) + 1)
        return {"results": [SearchResult("catalogue", "product", pk, 0) for pk in ids], "hits": FOUND}


class FreeEngine(BaseEngine):
    backend = FreeBackend
    query = SimpleSearchQuery
