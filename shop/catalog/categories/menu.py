"""The category menu: trees of categories with the concerns and brands found in them."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeVar

from django.urls import get_script_prefix, reverse
from django.utils.translation import get_language

from shop.invalidation.subscriptions import remembered
from shop.text import sort_key

from ..models import Brand, Category, HealthConcern, Picture
from .tree import Presence, presence, visible_categories

Named = TypeVar("Named", HealthConcern, Brand)
MAX_LINKS = 12
MIN_PRODUCTS = 3  # of a concern, to be worth a link in a category's menu


@dataclass(frozen=True)
class Link:
    name: str
    slug: str
    url: str
    picture: Picture | None = None


@dataclass(frozen=True)
class MenuNode:
    pk: int
    name: str
    slug: str
    url: str
    color: str = ""
    children: list["MenuNode"] = field(default_factory=list)
    concerns: list[Link] = field(default_factory=list)
    rare_concerns: list[Link] = field(default_factory=list)  # with fewer products: the API alone tells of them
    brands: list[Link] = field(default_factory=list)
    icon: Picture | None = None
    picture: Picture | None = None
    picture_mobile: Picture | None = None

    @property
    def has_more(self) -> bool:
        """Whether anything is below it that a menu shows."""
        return bool(self.children or self.concerns or self.brands)


def menu() -> list[MenuNode]:
    """Top categories with children, grandchildren, concerns and brands; links keep the market prefix."""
    return presence().made(("menu", get_script_prefix(), get_language()), _menu)


def _menu(present: Presence) -> list[MenuNode]:
    rows, links = _categories(), _links_by_root(present)
    visible = visible_categories()
    children: dict[int | None, list[Category]] = {}
    for row in rows:
        if row.pk in visible:
            children.setdefault(row.parent_id, []).append(row)
    return [_node(root, children, links) for root in children.get(None, [])]


@remembered("shop")
def _categories() -> list[Category]:
    return list(Category.objects.select_related("img_icon", "img_bg", "img_bg_m").order_by("position", "name"))


def _node(row: Category, children: dict[int | None, list[Category]], links: dict[str, Any]) -> MenuNode:
    concerns, rare, brands = links.get(row.path, ([], [], []))

    def concern_links(concerns: list[HealthConcern]) -> list[Link]:
        return [
            Link(each.translated.name, each.slug, reverse("category", args=[f"{row.path}/{each.slug}"]))
            for each in concerns
        ]

    return MenuNode(
        pk=row.pk,
        name=row.translated.name,
        slug=row.slug,
        url=reverse("category", args=[row.path]),
        color=row.color,
        children=[_node(child, children, links) for child in children.get(row.pk, [])],
        concerns=concern_links(concerns),
        rare_concerns=concern_links(rare),
        brands=[
            Link(brand.translated.name, brand.slug, reverse("brand", args=[brand.slug]), brand.brand_image)
            for brand in brands
        ],
        icon=row.img_icon,
        picture=row.img_bg,
        picture_mobile=row.img_bg_m,
    )


def _links_by_root(present: Presence) -> dict[str, tuple[list[HealthConcern], list[HealthConcern], list[Brand]]]:
    """Root path to its concerns, those with few products, and its brands, each in the order that staff gave them."""
    root_of = {row.pk: row.path.partition("/")[0] for row in _categories()}
    products: dict[str, Counter[int]] = {}
    branded: dict[str, set[int]] = {}
    for category_id, brand_ids in present.brands.items():
        if root := root_of.get(category_id):  # else it is of this very second, and the menu is made again
            branded.setdefault(root, set()).update(brand_ids)
            products.setdefault(root, Counter()).update(present.concerns.get(category_id, {}))
    concerns, brands = _in_order(get_language())
    found = {}
    for root, counts in products.items():
        frequent = {pk for pk, count in counts.items() if count >= MIN_PRODUCTS}
        found[root] = (
            _first(concerns, frequent),
            _first(concerns, counts.keys() - frequent),
            _first(brands, branded[root]),
        )
    return found


@remembered("shop")
def _in_order(language: str | None) -> tuple[list[HealthConcern], list[Brand]]:
    """All concerns and brands, by their names in the active language where staff gave no order."""

    def ordered(rows: Iterable[Named]) -> list[Named]:
        return sorted(rows, key=lambda row: (row.position, sort_key(row.translated.name)))

    return ordered(HealthConcern.objects.all()), ordered(Brand.objects.select_related("brand_image"))


def _first(rows: Iterable[Named], ids: set[int]) -> list[Named]:
    return list(islice((row for row in rows if row.pk in ids), MAX_LINKS))
