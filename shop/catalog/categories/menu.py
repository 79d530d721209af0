"""The category menu: trees of categories with the concerns and brands found in them."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count
from django.urls import get_script_prefix, reverse
from django.utils.translation import get_language

from shop.invalidation.subscriptions import remembered
from shop.text import sort_key

from ..models import Brand, Category, HealthConcern, Picture, Product
from .tree import visible_categories

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
    return _menu_under(get_script_prefix(), get_language())


@remembered("shop", "product")
def _menu_under(prefix: str, language: str | None) -> list[MenuNode]:
    rows, links = _read_menu()
    children: dict[int | None, list[Category]] = {}
    for row in rows:
        children.setdefault(row.parent_id, []).append(row)
    return [_node(root, children, links) for root in children.get(None, [])]


@remembered("shop", "product")
def _read_menu() -> tuple[list[Category], dict[str, Any]]:
    """What the menus of all markets are made of."""
    rows = list(Category.objects.select_related("img_icon", "img_bg", "img_bg_m").order_by("position", "name"))
    visible = visible_categories()
    return [row for row in rows if row.pk in visible], _links_by_root(rows)


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


def _links_by_root(rows: list[Category]) -> dict[str, tuple[list[HealthConcern], list[HealthConcern], list[Brand]]]:
    """Root path to its concerns, those with few products, and its brands, each in the order that staff gave them."""
    root_of = {row.pk: row.path.partition("/")[0] for row in rows}
    products: dict[str, Counter[int]] = {}
    branded: dict[str, set[int]] = {}
    published = Product.objects.published().order_by()
    pairs = published.exclude(health_concerns=None).values_list("category_id", "health_concerns")
    for category_id, concern_id, count in pairs.annotate(count=Count("pk")):
        products.setdefault(root_of[category_id], Counter())[concern_id] += count
    for category_id, brand_id in published.values_list("category_id", "brand_id").distinct():
        branded.setdefault(root_of[category_id], set()).add(brand_id)
    concerns = {concern.pk: concern for concern in HealthConcern.objects.all()}
    brands = {brand.pk: brand for brand in Brand.objects.select_related("brand_image")}
    found = {}
    for path in products.keys() | branded.keys():
        counts = products.get(path, Counter())
        found[path] = (
            _in_order(concerns[pk] for pk, count in counts.items() if count >= MIN_PRODUCTS),
            _in_order(concerns[pk] for pk, count in counts.items() if count < MIN_PRODUCTS),
            _in_order(brands[pk] for pk in branded.get(path, ())),
        )
    return found


def _in_order(rows: Iterable[Any]) -> list[Any]:
    return sorted(rows, key=lambda row: (row.position, sort_key(row.translated.name)))[:MAX_LINKS]
