"""The category menu: trees of categories with the concerns and brands found in them."""

from dataclasses import dataclass, field
from typing import Any

from django.urls import get_script_prefix, reverse

from shop.invalidation.subscriptions import remembered

from ..models import Brand, Category, HealthConcern, Picture, Product
from .tree import visible_categories

MAX_LINKS = 12


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
    brands: list[Link] = field(default_factory=list)
    icon: Picture | None = None
    picture: Picture | None = None
    picture_mobile: Picture | None = None


def menu() -> list[MenuNode]:
    """Top categories with children, grandchildren, concerns and brands; links keep the market prefix."""
    return _menu_under(get_script_prefix())


@remembered("shop", "product")
def _menu_under(prefix: str) -> list[MenuNode]:
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
    concerns, brands = links.get(row.path, ([], []))
    return MenuNode(
        pk=row.pk,
        name=row.name,
        slug=row.slug,
        url=reverse("category", args=[row.path]),
        color=row.color,
        children=[_node(child, children, links) for child in children.get(row.pk, [])],
        concerns=[Link(name, slug, reverse("category", args=[f"{row.path}/{slug}"])) for name, slug in concerns],
        brands=[
            Link(brand.name, brand.slug, reverse("brand", args=[brand.slug]), brand.brand_image) for brand in brands
        ],
        icon=row.img_icon,
        picture=row.img_bg,
        picture_mobile=row.img_bg_m,
    )


def _links_by_root(rows: list[Category]) -> dict[str, tuple[list[tuple[str, str]], list[Brand]]]:
    """Root path to its concerns and brands, those with most products first left to their own order."""
    root_of = {row.pk: row.path.partition("/")[0] for row in rows}
    found: dict[str, tuple[dict[int, HealthConcern], dict[int, Brand]]] = {}
    concerns = {concern.pk: concern for concern in HealthConcern.objects.all()}
    brands = {brand.pk: brand for brand in Brand.objects.select_related("brand_image")}
    published = Product.objects.published().order_by()
    for category_id, concern_id in published.values_list("category_id", "health_concerns").distinct():
        if concern_id:
            found.setdefault(root_of[category_id], ({}, {}))[0][concern_id] = concerns[concern_id]
    for category_id, brand_id in published.values_list("category_id", "brand_id").distinct():
        found.setdefault(root_of[category_id], ({}, {}))[1][brand_id] = brands[brand_id]
    return {
        path: (
            [(concern.name, concern.slug) for concern in _in_order(named)],
            _in_order(branded),
        )
        for path, (named, branded) in found.items()
    }


def _in_order(rows: dict[int, Any]) -> list[Any]:
    return sorted(rows.values(), key=lambda row: (row.position, row.name))[:MAX_LINKS]
