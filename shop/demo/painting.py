"""Draws what is asked for, on both cores, and puts it into the picture store.

A drawing's name in the store is the hash of its SVG: what an interrupted load already drew is found
and kept, and the same catalogue always gives the same addresses.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import get_context

from django.core.files.storage import default_storage
from tqdm import tqdm

from shop.catalog.models import Picture
from shop.catalog.pictures.services import StoredPicture, store_image

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
    def sha256(self) -> str:
        tint = self.drawing.tint if isinstance(self.drawing, Scene) else ""
        return hashlib.sha256(f"{tint} {self.size} {self.drawing.svg}".encode()).hexdigest()

    @property
    def size(self) -> tuple[int, int]:
        if isinstance(self.drawing, Scene):
            return self.drawing.size, self.drawing.size
        return self.drawing.width, self.drawing.height


def paint_all(paintings: list[Painting]) -> dict[str, Picture]:
    """Draw what is not there yet and write the rows; sha256 to Picture."""
    alts = {painting.sha256: painting.alt for painting in paintings}
    rows = [
        Picture(
            file=stored.name, sha256=stored.sha256, width=stored.width, height=stored.height,
            is_complete=stored.is_complete, alt=alts[stored.sha256][:200],
        )
        for stored in tqdm(_stored(paintings), total=len(alts), desc="Drawing", unit="picture")
    ]  # fmt: skip
    Picture.objects.bulk_create(rows, batch_size=500, ignore_conflicts=True)
    return {picture.sha256: picture for picture in Picture.objects.filter(sha256__in=alts)}


def _stored(paintings: list[Painting]) -> Iterator[StoredPicture]:
    """In the order asked for, each once. The children touch files only, never the database."""
    once = list({painting.sha256: painting for painting in paintings}.values())
    with get_context("fork").Pool(CORES) as pool:
        yield from pool.imap(_store, once, chunksize=4)


def _store(painting: Painting) -> StoredPicture:
    drawing, sha256 = painting.drawing, painting.sha256
    width, height = painting.size
    name = f"pictures/{sha256[:2]}/{sha256}/source.jpg"
    if default_storage.exists(name):
        return StoredPicture(name, sha256, width, height, painting.at_once)
    image = rasterise(drawing.svg, width).convert("RGB") if isinstance(drawing, Art) else paint(drawing)
    return store_image(image, sha256=sha256, complete=painting.at_once)
