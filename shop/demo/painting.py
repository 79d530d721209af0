"""Draws pictures, on both cores, and puts them into the picture store.

A drawing's name in the store is the hash of its SVG: what an interrupted load already drew is found
and kept, and the same catalogue always gives the same addresses. A picture may have its row long before
its file (pending.py).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from multiprocessing import get_context

from django.core.files.storage import default_storage

from shop.catalog.models import Picture
from shop.catalog.pictures.services import digest_of, folder_of, store_image

from .drawing.art import Art
from .drawing.raster import paint, rasterise
from .drawing.scene import Scene

CORES = 2


@dataclass(frozen=True, slots=True)
class Painting:
    """One picture to be. `at_once` makes every rendition while loading, for what is seen first and large."""

    drawing: Art | Scene
    alt: str
    at_once: bool = False

    @property
    def digest(self) -> str:
        tint = self.drawing.tint if isinstance(self.drawing, Scene) else ""
        return digest_of(f"{tint} {self.size} {self.drawing.svg}".encode())

    @property
    def size(self) -> tuple[int, int]:
        if isinstance(self.drawing, Scene):
            return self.drawing.size, self.drawing.size
        return self.drawing.width, self.drawing.height


def add_rows(paintings: Iterable[Painting]) -> dict[str, Picture]:
    """Write the row of each picture, in this order, before it is drawn; digest to Picture."""
    once = {painting.digest: painting for painting in paintings}
    Picture.objects.bulk_create(
        (
            Picture(file=file_name(digest), digest=digest, width=one.size[0], height=one.size[1], alt=one.alt[:200])
            for digest, one in once.items()
        ),
        batch_size=500,
        ignore_conflicts=True,
    )
    return Picture.objects.in_bulk(list(once), field_name="digest")


def file_name(digest: str) -> str:
    return f"{folder_of(digest)}/source.jpg"


def draw_all(paintings: list[Painting]) -> None:
    """Draw what is not drawn yet, in this order. The children touch files only, never the database."""
    with get_context("fork").Pool(CORES) as pool:
        complete = [digest for digest, at_once in pool.imap(_draw, paintings, chunksize=4) if at_once]
    Picture.objects.filter(digest__in=complete).update(is_complete=True)


def _draw(painting: Painting) -> tuple[str, bool]:
    draw(painting, complete=painting.at_once)
    return painting.digest, painting.at_once


def draw(painting: Painting, *, file: str = "", complete: bool = False) -> None:
    """Put a picture's files into the store, where its row says; `complete` makes every rendition."""
    drawing, digest = painting.drawing, painting.digest
    file = file or file_name(digest)
    if default_storage.exists(file):
        return
    width, _ = painting.size
    image = rasterise(drawing.svg, width).convert("RGB") if isinstance(drawing, Art) else paint(drawing)
    store_image(image, digest=digest, folder=file.rpartition("/")[0], complete=complete)
