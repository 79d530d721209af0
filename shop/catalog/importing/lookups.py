"""Names that rows mention, as ids: brands, categories, attribute values. Missing ones are created.

They are few, so all are read once; a run that writes nothing gives out None in place of new ids.
"""

from django.utils.text import slugify

from shop.catalog.models import Attribute, AttributeValue, Brand, Category, HealthConcern, HsnCode, OldSlug, Product
from shop.changes.models import Change
from shop.changes.services import announce

from .cells import short_hash

UNKNOWN_BRAND = "Unknown Brand"
UNCATEGORIZED = ("Uncategorized",)


def slug_of(name: str, most: int) -> str:
    """Never empty: a name in another script gets a hash."""
    return slugify(name)[:most].strip("-") or short_hash(name)


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

    def take(self, name: str) -> str:
        base = slug = slug_of(name, 190)
        while slug in self._taken:
            self._numbers[base] = self._numbers.get(base, 1) + 1
            slug = f"{base}-{self._numbers[base]}"
        self._taken.add(slug)
        return slug


class Brands:
    def __init__(self, *, create: bool) -> None:
        self._create = create
        self._ids = {name.casefold(): pk for name, pk in Brand.objects.values_list("name", "pk")}
        self._slugs = set(Brand.objects.values_list("slug", flat=True))

    def id_of(self, name: str) -> int | None:
        name = name[:80].strip()
        if self._create and name.casefold() not in self._ids:
            slug = slug_of(name, 70)
            slug = f"{slug}-{short_hash(name)}" if slug in self._slugs else slug
            self._slugs.add(slug)
            self._ids[name.casefold()] = Brand.objects.create(name=name, slug=slug).pk
        return self._ids.get(name.casefold())


class Categories:
    def __init__(self, *, create: bool) -> None:
        self._create = create
        self._ids = dict(Category.objects.values_list("path", "pk"))

    def id_of(self, names: tuple[str, ...]) -> int | None:
        path = "/".join(slug_of(name, 80) for name in names)
        if self._create and path not in self._ids:
            parent = self.id_of(names[:-1]) if names[:-1] else None
            made = Category(name=names[-1][:80], slug=path.rpartition("/")[2], path=path, parent_id=parent)
            Category.objects.bulk_create([made])  # save() would look for children to move
            announce(Change.Kind.SHOP)
            self._ids[path] = made.pk
        return self._ids.get(path)


class AttributeValues:
    """Only asked for when something is written."""

    def __init__(self) -> None:
        self._attributes = {name.casefold(): pk for name, pk in Attribute.objects.values_list("name", "pk")}
        self._slugs = set(Attribute.objects.values_list("slug", flat=True))
        self._ids: dict[tuple[str, str], int] = {}
        for value in AttributeValue.objects.select_related("attribute"):
            self._ids[value.attribute.name.casefold(), value.label.casefold()] = value.pk

    def id_of(self, name: str, value: str) -> int:
        key = name.casefold(), value.casefold()
        if key not in self._ids:
            self._ids[key] = AttributeValue.objects.create(attribute_id=self._attribute(name), value=value).pk
        return self._ids[key]

    def _attribute(self, name: str) -> int:
        if name.casefold() not in self._attributes:
            slug = slug_of(name, 50)
            slug = f"{slug}-{short_hash(name)}" if slug in self._slugs else slug
            self._slugs.add(slug)
            self._attributes[name.casefold()] = Attribute.objects.create(name=name, slug=slug).pk
        return self._attributes[name.casefold()]


class Lookups:
    def __init__(self, *, create: bool) -> None:
        self.slugs = FreeSlugs()
        self.brands = Brands(create=create)
        self.categories = Categories(create=create)
        self.values = AttributeValues()
        self.concerns = {name.casefold(): pk for name, pk in HealthConcern.objects.values_list("name", "pk")}
        self.hsn_codes = set(HsnCode.objects.values_list("code", flat=True))
