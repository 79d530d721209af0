"""Names that rows mention, as ids: categories, brands, concerns, attribute values. Missing ones are created.

They are few, so all are read once. A run that writes nothing gives new names ids below zero, and lists them
(`new_names`) for a person to decide on; `choices` are those decisions.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from django.db import models
from django.utils.text import slugify
from django.utils.translation import gettext

from shop.invalidation.models import Change
from shop.invalidation.services import invalidate

from ..models import MAX_CATEGORY_DEPTH as MAX_DEPTH
from ..models import Attribute, AttributeValue, Brand, Category, GstRate, HealthConcern, HsnCode, OldSlug, Product
from .formats.cells import short_hash
from .rows import MAX_POSITION, REPLACEMENT_GONE, BadFile, BadRow, Row

UNKNOWN_BRAND = "Unknown Brand"
UNCATEGORIZED = ("Uncategorized",)
MAX_NAME = 80
MAX_PATH = 250
LEVEL = " > "
_HSN = re.compile(r"[0-9]{2,8}")
_BETWEEN_WORDS = re.compile(r"[\s_,/'’-]+")

Choices = Mapping[str, Mapping[str, int]]  # kind, name: the id to use instead of making it
Made = Callable[[models.Model], None]


@dataclass(slots=True)
class NewName:
    """A category, brand or concern that a file names and the shop did not have."""

    kind: str
    name: str  # of a category: its names from the top, joined by LEVEL
    handles: set[str] = field(default_factory=set)  # of products that name it


def slug_of(name: str, maximum: int) -> str:
    """Never empty: a name in another script gets a hash."""
    return slugify(name)[:maximum].strip("-") or short_hash(name)


def free_slug(name: str) -> str:
    """A product slug that nobody has or had; for many at once there is FreeSlugs."""
    base = slug = slug_of(name, 190)
    number = 1
    while Product.objects.filter(slug=slug).exists() or OldSlug.objects.filter(slug=slug).exists():
        number += 1
        slug = f"{base}-{number}"
    return slug


class FreeSlugs:
    """Gives out product slugs that nobody has or had."""

    def __init__(self) -> None:
        self._taken = set(Product.objects.values_list("slug", flat=True))
        self._taken.update(OldSlug.objects.values_list("slug", flat=True))
        self._numbers: dict[str, int] = {}

    def take(self, name: str, stated: str = "") -> str:
        """The `stated` slug where it is free, else one made of the name."""
        base = slug = stated if stated and stated not in self._taken else slug_of(name, 190)
        while slug in self._taken:
            self._numbers[base] = self._numbers.get(base, 1) + 1
            slug = f"{base}-{self._numbers[base]}"
        self._taken.add(slug)
        return slug


class Register:
    """What is shared by all kinds of names: the list of the new ones, and their ids in a run that writes nothing."""

    def __init__(self, *, create: bool, choices: Choices, made: Made) -> None:
        self.create = create
        self.made = made
        self.new: dict[tuple[str, int], NewName] = {}  # kind, id
        self._choices = choices

    def chosen(self, kind: str, name: str) -> int | None:
        return self._choices.get(kind, {}).get(name)

    def add(self, kind: str, name: str, made: models.Model | None = None) -> int:
        """The id of a new name: that of the row that was made for it, else one below zero."""
        if made is not None:
            self.made(made)
        pk = made.pk if made is not None else -1 - len(self.new)
        self.new[kind, pk] = NewName(kind, name)
        return pk

    def count(self, kind: str, pk: int, handle: str) -> int:
        """Remember that this product needs the name."""
        if new := self.new.get((kind, pk)):
            new.handles.add(handle)
        return pk


class Names:
    """Brands, or concerns: a name is unique, and found in any case."""

    def __init__(self, kind: str, model: type[models.Model], register: Register) -> None:
        self._kind = kind
        self._model = model
        self._register = register
        rows = list(model._default_manager.order_by("-pk").values_list("pk", "name", "slug"))
        self._exact: dict[str, int] = {name: pk for pk, name, _ in rows}
        self._ids: dict[str, int] = {name.casefold(): pk for pk, name, _ in rows}
        self._slugs = {slug for _, _, slug in rows}
        self._by_slug = {slug: pk for pk, _, slug in rows}
        self._known = {pk for pk, _, _ in rows}

    def id_of(self, name: str, slug: str = "", position: int = 0) -> int:
        """`slug` finds one that was renamed, and is what a new one gets; `position` its place among the others."""
        name = name[:MAX_NAME].strip()
        found = self._exact.get(name) or self._ids.get(name.casefold())
        if found is None:
            found = self._chosen(name) or self._by_slug.get(slug) or self._make(name, slug, position)
            self._exact[name] = self._ids[name.casefold()] = found
        return found

    def _chosen(self, name: str) -> int | None:
        pk = self._register.chosen(self._kind, name)
        if pk is not None and pk not in self._known:
            raise BadFile(gettext(REPLACEMENT_GONE) % {"name": f"{name!r}"})
        return pk

    def _make(self, name: str, stated: str, position: int) -> int:
        if not self._register.create:
            return self._register.add(self._kind, name)
        slug = stated if stated and stated not in self._slugs else slug_of(name, 70)
        slug = f"{slug}-{short_hash(name)}" if slug in self._slugs else slug
        self._slugs.add(slug)
        made = self._model._default_manager.create(name=name, slug=slug, position=position)
        return self._register.add(self._kind, name, made)


@dataclass(frozen=True, slots=True)
class Node:
    pk: int
    path: str
    names: tuple[str, ...]


class Categories:
    """The tree, found by path of slugs or by names under their parents."""

    def __init__(self, register: Register) -> None:
        self._register = register
        self._nodes: dict[int, Node] = {}
        self._by_path: dict[str, Node] = {}
        self._by_name: dict[tuple[int | None, str], Node] = {}
        self._by_joined_names: dict[str, Node] = {}
        self._made: set[int] = set()  # in this run, where the file said
        rows = Category.objects.order_by("path").select_related("parent__parent")
        for row in sorted(rows, key=lambda row: -row.depth):  # a name with a ">" comes after names joined by one
            self._add(Node(row.pk, row.path, row.names), row.parent_id)

    def id_of(self, names: tuple[str, ...], path: str = "", positions: tuple[int, ...] = ()) -> int:
        """`path` is tried first, and is where a new one is made; else names count, in any case.

        `positions`, one each level or none at all, are the places of new ones among their siblings.
        """
        joined = self._by_joined_names.get(LEVEL.join(names)) or self._by_joined_names.get(_joined(names))
        found = self._by_path.get(path) or self._unless_namesake(joined, path)
        return (found or self._follow(names, path, positions)).pk

    def way_to(self, pk: int) -> Iterator[int]:
        """The ids of a category and those above it."""
        node: Node | None = self._nodes[pk]
        while node:
            yield node.pk
            node = self._by_path.get(node.path.rpartition("/")[0])

    def _follow(self, names: tuple[str, ...], path: str, positions: tuple[int, ...]) -> Node:
        """The node at the end of these names, made where it is missing."""
        slugs = path.split("/") if path and path.count("/") + 1 == len(names) else [""] * len(names)
        node: Node | None = None
        for depth, (name, slug) in enumerate(zip(names, slugs, strict=True), start=1):
            below = self._find(node, name[:MAX_NAME].strip(), slug) or self._chosen(names[:depth])
            node = below or self._make(node, names[:depth], slug, positions[depth - 1] if positions else 0)
        if node is None:
            raise BadRow("the category has no name")
        return node

    def _find(self, parent: Node | None, name: str, slug: str) -> Node | None:
        key = parent.pk if parent else None
        if slug and (found := self._by_path.get(_path(parent, slug))):
            return found
        found = self._by_name.get((key, name)) or self._by_name.get((key, _folded(name)))
        if found := self._unless_namesake(found, slug):
            return found
        # What staff renamed is known to the files of before by its address.
        former = self._by_path.get(_path(parent, slug_of(name, MAX_NAME)))
        is_renamed = former and slug_of(former.names[-1], MAX_NAME) != former.path.rpartition("/")[2]
        return former if is_renamed else None

    def _unless_namesake(self, found: Node | None, stated: str) -> Node | None:
        """What this run made at the address that the file gives is not what the file has at another one."""
        return None if found and stated and found.pk in self._made else found

    def _chosen(self, names: tuple[str, ...]) -> Node | None:
        name = LEVEL.join(names)
        pk = self._register.chosen("category", name)
        if pk is not None and pk not in self._nodes:
            raise BadFile(gettext(REPLACEMENT_GONE) % {"name": f"{name!r}"})
        return None if pk is None else self._nodes[pk]

    def _make(self, parent: Node | None, names: tuple[str, ...], stated: str, position: int) -> Node:
        if parent and len(parent.names) >= MAX_DEPTH:
            return parent  # a level above it was replaced by a deeper one
        name = names[-1][:MAX_NAME].strip()
        slug = stated or slug_of(name, MAX_NAME)
        if _path(parent, slug) in self._by_path:
            slug = f"{slug[:70]}-{short_hash(name)}"
        path, above = _path(parent, slug), parent.pk if parent else None
        if len(path) > MAX_PATH:
            raise BadRow("the category names are too long")
        made = None
        if self._register.create:
            made = Category(
                name=name, slug=slug, path=path, parent_id=above, position=position, is_unseen_while_empty=True
            )
            Category.objects.bulk_create([made])  # save() would look for children to move
            invalidate(Change.Kind.SHOP)
        pk = self._register.add("category", LEVEL.join(names), made)
        node = Node(pk, path, (*(parent.names if parent else ()), name))
        self._add(node, above)
        if stated:
            self._made.add(pk)
        return node

    def _add(self, node: Node, parent: int | None) -> None:
        self._nodes[node.pk] = node
        self._by_path[node.path] = node
        for name in (node.names[-1], _folded(node.names[-1])):
            self._by_name.setdefault((parent, name), node)
        for names in (LEVEL.join(node.names), _joined(node.names)):
            self._by_joined_names.setdefault(names, node)


class AttributeValues:
    """Only asked for when something is written."""

    def __init__(self, register: Register) -> None:
        self._register = register
        self._attributes = {name.casefold(): pk for name, pk in Attribute.objects.values_list("name", "pk")}
        self._slugs = set(Attribute.objects.values_list("slug", flat=True))
        self._ids: dict[tuple[str, str], int] = {}
        for value in AttributeValue.objects.select_related("attribute"):
            self._ids[value.attribute.name.casefold(), value.label.casefold()] = value.pk

    def id_of(self, name: str, value: str) -> int:
        key = name.casefold(), value.casefold()
        if key not in self._ids:
            made = AttributeValue.objects.create(attribute_id=self._attribute(name), value=value)
            self._register.made(made)
            self._ids[key] = made.pk
        return self._ids[key]

    def _attribute(self, name: str) -> int:
        if name.casefold() not in self._attributes:
            slug = slug_of(name, 50)
            slug = f"{slug}-{short_hash(name)}" if slug in self._slugs else slug
            self._slugs.add(slug)
            # After the others: in the order in which a product's options are first named.
            made = Attribute.objects.create(name=name, slug=slug, position=min(len(self._attributes), MAX_POSITION))
            self._register.made(made)
            self._attributes[name.casefold()] = made.pk
        return self._attributes[name.casefold()]


class Lookups:
    """`made` is called with each row that is created."""

    def __init__(self, *, create: bool, choices: Choices | None = None, made: Made = lambda row: None) -> None:
        self._register = Register(create=create, choices=choices or {}, made=made)
        self.slugs = FreeSlugs()
        self.values = AttributeValues(self._register)
        self._hsn_codes = set(HsnCode.objects.values_list("code", flat=True))
        self._brands = Names("brand", Brand, self._register)
        self._concerns = Names("concern", HealthConcern, self._register)
        self._categories = Categories(self._register)

    @property
    def new_names(self) -> list[NewName]:
        """What was made, or would be, in the order of the file."""
        return list(self._register.new.values())

    def check_hsn(self, row: Row) -> None:
        """An unknown code is made where the file says its rates, else its row is refused."""
        if row.hsn in self._hsn_codes:
            return
        if not row.gst_rates or not _HSN.fullmatch(row.hsn):
            raise BadRow(f"no HSN code {row.hsn}: add it with its GST rate first")
        self._hsn_codes.add(row.hsn)
        if self._register.create:
            made = HsnCode.objects.create(code=row.hsn)
            GstRate.objects.bulk_create(
                GstRate(hsn=made, valid_from=day, percent=percent) for day, percent in row.gst_rates
            )

    def brand_of(self, row: Row) -> int:
        pk = self._brands.id_of(row.brand or UNKNOWN_BRAND, row.brand_slug, row.brand_position)
        return self._register.count("brand", pk, row.handle)

    def category_of(self, row: Row) -> int:
        pk = self._categories.id_of(row.category or UNCATEGORIZED, row.category_path, row.category_positions)
        for above in self._categories.way_to(pk):
            self._register.count("category", above, row.handle)
        return pk

    def concerns_of(self, row: Row) -> set[int]:
        names = row.concerns or ()
        slugs = row.concern_slugs or ("",) * len(names)
        positions = row.concern_positions or (0,) * len(names)
        return {
            self._register.count("concern", self._concerns.id_of(*stated), row.handle)
            for stated in zip(names, slugs, positions, strict=True)
        }


def _path(parent: Node | None, slug: str) -> str:
    return f"{parent.path}/{slug}" if parent else slug


def _folded(name: str) -> str:
    """A name to compare by: neither case nor what stands between words matters, every other sign does."""
    return _BETWEEN_WORDS.sub(" ", name[:MAX_NAME].strip().casefold().replace("&", " and ")).strip()


def _joined(names: tuple[str, ...]) -> str:
    """Names as an older file joins them: what stands between two of them may also be within one."""
    return ">".join(_folded(part) for name in names for part in name.split(">"))
