"""The word index of this process; while a large catalogue has none, names are searched by SQL (sql_fallback.py)."""

from datetime import timedelta

from ..snapshots import IndexStore
from .index import WordIndex
from .reading import read_entries

LAYOUT = 3  # of WordIndex.dump and of reading.py


class WordStore(IndexStore[WordIndex]):
    name = "words"
    small = 1000  # read in half a second
    renewed = timedelta(minutes=30)  # tens of megabytes for a hundred thousand products

    @property
    def version(self) -> int:
        return LAYOUT

    def build(self) -> WordIndex:
        return WordIndex.of(read_entries())

    def patch(self, index: WordIndex, changed: set[int]) -> WordIndex:
        return index.patched(changed, list(read_entries(changed)))

    def dump(self, index: WordIndex) -> bytes:
        return index.dump()

    def load(self, data: bytes) -> WordIndex:
        return WordIndex.load(data)


store = WordStore()
current_words = store.current
keep_snapshot = store.keep_snapshot
