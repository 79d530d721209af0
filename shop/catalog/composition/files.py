"""Compositions in the files of shops: in the shop's own, and in one or two columns of any other table."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from .parsing import MAX_COMPONENTS, MAX_NAME, MAX_TEXT, Part, part_of, read_composition
from .services import Ingredients, ingredients_of
from .strengths import is_not_stated, read_strength

MIN_CUT = 20  # so many rows that have as many substances as the longest list show where a file cuts lists off
_CUT = re.compile(r"[+,/&…]\s*\Z|\.\.\.\s*\Z|\s\Z")
_AMOUNTS_IN_NAME = re.compile(r"\d\s?(?:mg|mcg|gm|g|iu)?\s?/\s?\d[\d.]*+(?!\s?ml)", re.IGNORECASE)


class CompositionColumns:
    """Of one file: `add` every row's cells first, then `read` each. A list that the file may have cut off is not sure;
    lists are cut where so many columns are full, or where many are as long as the longest."""

    def __init__(self, columns: int) -> None:
        self._columns = columns
        self._lengths: Counter[int] = Counter()
        self.read_rows = self.unsure = self.unread = 0

    def add(self, cells: Sequence[str]) -> None:
        self._lengths[len(_parts(cells))] += 1

    def read(self, cells: Sequence[str], name: str) -> tuple[list[list[str]], bool]:
        """The ingredients of a row, and whether they are sure to be all. `name` is that of the product."""
        parts = _parts(cells)
        if not parts:
            return [], False
        is_read = all(part.is_read for part in parts)
        is_sure = is_read and not self._may_be_cut(parts, [cell for cell in cells if cell.strip()], name)
        self.read_rows += is_read
        self.unread += not is_read
        self.unsure += is_read and not is_sure
        return ingredients_of(parts), is_sure

    def _may_be_cut(self, parts: Sequence[Part], filled: Sequence[str], name: str) -> bool:
        longest = max(self._lengths, default=0)
        return (
            (self._columns > 1 and len(filled) == self._columns)
            or (len(parts) == longest and self._lengths[longest] >= MIN_CUT)
            or len(parts) >= MAX_COMPONENTS
            or any(len(cell) > MAX_TEXT for cell in filled)
            or bool(_CUT.search(filled[-1]))
            or len(_AMOUNTS_IN_NAME.findall(name)) >= len(parts)
        )

    def remark(self) -> str:
        """What the report says; nothing where the file has no compositions."""
        if not self.read_rows + self.unread:
            return ""
        said = [f"compositions: {self.read_rows:,} rows were read"]
        if self.unread:
            said.append(f"{self.unread:,} have a strength that could not be read, and are kept as written")
        if self.unsure:
            said.append(
                f'{self.unsure:,} may be cut off in the file, so they are not listed under "Same composition" until '
                "someone confirms them on the product's page"
            )
        return "; ".join(said)


def _parts(cells: Iterable[str]) -> list[Part]:
    return [part for cell in cells for part in read_composition(cell)]


def written_ingredients(ingredients: Ingredients) -> list[str]:
    """One text each, for a cell: "Paracetamol (500 mg)"; with brackets where no strength is stated, too."""
    return [f"{name} ({strength})" for name, strength in ingredients]


def read_ingredients(texts: Iterable[str]) -> list[list[str]]:
    """What `written_ingredients` wrote, or staff typed in its place."""
    return ingredients_of(part for words in texts for part in _written(words))[:MAX_COMPONENTS]


def _written(words: str) -> list[Part]:
    name, bracket, strength = words.strip().removesuffix(")").rpartition("(")
    is_apart = not strength or strength[0].isdigit() or is_not_stated(strength) or read_strength(strength)
    if bracket and words.strip().endswith(")") and name.strip() and is_apart:
        return [part_of(name[:MAX_NAME], strength)]
    return read_composition(words)
