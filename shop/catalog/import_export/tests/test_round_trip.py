"""Export and import are inverse: into the same shop nothing changes, into an empty one everything comes back."""

import csv
from decimal import Decimal
from io import BytesIO, StringIO

import pytest
from django.core.files.storage import default_storage
from PIL import Image

from shop.backoffice.spreadsheets import safe_cell
from shop.http import outbound
from shop.tests.support.foreign_server import foreign_server, ok

from ...models import (
    Attribute,
    AttributeValue,
    Brand,
    Category,
    HealthConcern,
    HsnCode,
    Picture,
    PictureAddress,
    Product,
    Variant,
)
from ...pictures import fetching as picture_fetching
from ...pictures.galleries import add_to_gallery
from ...pictures.services import add_picture
from ...services import refresh_products
from ..formats.base import detect_format
from ..formats.shop_export import product_rows
from ..report import Outcome, Report
from ..run import Request, import_products

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"


def export() -> str:
    target = StringIO(newline="")
    csv.writer(target).writerows([safe_cell(cell) for cell in row] for row in product_rows(Product.objects.all()))
    return target.getvalue()


@pytest.fixture
def bring_back(tmp_path):
    def bring_back(text, **choices):
        path = tmp_path / "products.csv"
        path.write_text(text, newline="")
        assert detect_format(path) == "shop"
        request = Request(path, "shop", {}, **({"take_stock": True, "take_pictures": True} | choices))
        with Report(tmp_path / "report.csv") as told:
            import_products(request, told, lambda done, total: None)
        while picture_fetching.fetch_due(8):
            pass
        return {outcome: number for outcome, number in told.counts.items() if number}

    return bring_back


def png(colour) -> bytes:
    target = BytesIO()
    Image.new("RGB", (700, 50), colour).save(target, "PNG")
    return target.getvalue()


def empty_the_shop():
    for model in (Product, Category, Brand, HealthConcern, Attribute, Picture, PictureAddress, HsnCode):
        model.objects.all().delete()


def rows_of_the_shop() -> list:
    """Everything that a shopper sees of products and categories, by what they are known by."""
    return [
        list(Category.objects.order_by("path").values_list("path", "name", "parent__path", "position")),
        list(
            Product.objects.order_by("slug").values_list(
                "slug", "name", "title", "category__path", "brand__slug", "brand__name", "brand__position",
                "is_published", "is_pinned", "highlight", "maker", "price_inr", "variant_count",
                "first_picture__digest",
            )
        ),
        [(p.slug, [c.name for c in p.health_concerns.all()]) for p in Product.objects.order_by("slug")],
        list(HealthConcern.objects.values_list("slug", "name", "position")),
        list(Product.objects.order_by("slug", "barred_locations").values_list("slug", "barred_locations__code")),
        list(
            Variant.objects.order_by("sku", "variant_images__position").values_list(
                "sku", "position", "is_active", "selling_price", "actual_price", "ingredients", "on_hand",
                "weight_actual", "composition_json", "variant_images__picture__digest",
                "variant_images__picture__alt",
            )
        ),
        sorted(Product.objects.exclude(hsn=None).values_list("hsn", "hsn__rates__percent", "hsn__rates__valid_from")),
        sorted((v.sku, value.label) for v in Variant.objects.all() for value in v.attribute_values.all()),
    ]  # fmt: skip


@pytest.fixture
def stocked(make_product, make_variant):
    """Names that a file could take for something else, and rows that only one's own file knows how to write."""
    tree = Category.objects.create(name="आयुर्वेद", slug="ayurveda", position=7)
    hair = Category.objects.create(name="Hair > Skin / Nails", slug="hair", parent=tree)
    oils = Category.objects.create(name="Öle | Oils \\ Fats", slug="o", parent=hair, position=3)
    namesake = Category.objects.create(name="Hair > skin / nails", slug="hair-2", parent=tree)
    hindi = Brand.objects.create(name="तुलसी > वन", slug="forest", position=2)
    odd = HealthConcern.objects.create(name="Skin | Hair", slug="beauty", position=9)
    plain = HealthConcern.objects.create(name="Sleep", slug="rest", position=4)
    drops = make_product("ड़ाबर  &amp; Co > Drops", category=oils, brand=hindi, maker="A  &amp; B", is_pinned=True)
    drops.health_concerns.add(odd, plain)
    drops.barred_locations.add(22)
    drops.hsn = HsnCode.objects.create(code="30049011")
    drops.hsn.rates.create(percent=12, valid_from="2017-07-01")
    drops.hsn.rates.create(percent=5, valid_from="2025-09-22")
    drops.save()
    first = make_variant(
        "100", actual="120.50", product=drops, units=7, ingredients="one,\ntwo", weight_actual=Decimal("1.125")
    )
    for number in range(4):
        attribute = Attribute.objects.create(name=f"Kind {9 - number}", slug=f"kind-{number}", position=number)
        first.attribute_values.add(attribute.values.create(value="100", unit="g"))
    first.fixed_prices.create(location_id=22, selling_price=Decimal("4.50"), actual_price=Decimal(5))
    for colour in ("red", "green"):
        add_to_gallery([first], add_picture(png(colour), alt=f"a | {colour}"))
    second = make_variant("200", product=drops, units=0, position=1)
    add_to_gallery([second], add_picture(png("green")))
    draft = make_variant("1", product=make_product("Draft", category=namesake), units=0)
    Variant.objects.filter(pk=draft.pk).update(is_active=False, selling_price=0, actual_price=50)
    paused = make_variant("30", product=make_product("Paused", category=hair), is_active=False, units=3)
    twins = [make_product(name, category=tree, handle="twin") for name in ("Twin A", "Twin B")]
    variants = [make_variant("10", product=twin, units=1) for twin in twins]
    make_product("Nothing Yet", category=oils)
    refresh_products([drops.pk, draft.product_id, paused.product_id, *(v.product_id for v in variants)])


def test_into_the_same_shop_nothing_changes(stocked, bring_back):
    before = rows_of_the_shop(), Category.objects.count(), list(Picture.objects.values("pk", "digest"))
    counts = bring_back(export())
    assert set(counts) == {Outcome.UNCHANGED}
    assert (rows_of_the_shop(), Category.objects.count(), list(Picture.objects.values("pk", "digest"))) == before
    assert not PictureAddress.objects.exists()


def test_into_an_empty_shop_everything_comes_back(stocked, bring_back):
    before, text = rows_of_the_shop(), export()
    empty_the_shop()
    assert set(bring_back(text)) == {Outcome.CREATED}
    assert [row for part in rows_of_the_shop() for row in part] == [row for part in before for row in part]
    assert export() == text
    assert set(bring_back(text)) == {Outcome.UNCHANGED}
    assert export() == text


def test_categories_renamed_since_are_still_the_same(stocked, bring_back):
    text, number = export(), Category.objects.count()
    for category in Category.objects.order_by("path"):
        category.name = f"Now {category.pk}"
        category.save()
    assert set(bring_back(text)) == {Outcome.UNCHANGED}
    assert set(bring_back(export())) == {Outcome.UNCHANGED}
    assert Category.objects.count() == number


def test_without_paths_renamed_categories_are_made_again(stocked, bring_back):
    rows = list(csv.DictReader(StringIO(export(), newline="")))
    number = Category.objects.count()
    target = StringIO(newline="")
    writer = csv.DictWriter(target, [name for name in rows[0] if name != "category_names"], extrasaction="ignore")
    writer.writeheader()
    writer.writerows(row | {"category": row["category_names"]} for row in rows)
    Category.objects.filter(slug="ayurveda").update(name="Renamed")
    assert Outcome.UPDATED in bring_back(target.getvalue())
    assert Category.objects.count() > number


def test_categories_with_a_new_address_are_known_by_their_names(stocked, bring_back):
    text, number = export(), Category.objects.count()
    category = Category.objects.get(slug="hair")
    category.slug = "hair-and-skin"
    category.save()
    assert set(bring_back(text)) == {Outcome.UNCHANGED}
    assert Category.objects.count() == number


@pytest.mark.parametrize("cell", ["Ayurveda > Hair Care > Oils & Fats", "AYURVEDA>hair-care>oils and fats"])
def test_files_of_before_name_categories_by_their_names(make_variant, make_product, bring_back, cell):
    top = Category.objects.create(name="Ayurveda", slug="a")
    hair = Category.objects.create(name="Hair Care", slug="b", parent=top)
    oils = Category.objects.create(name="Oils & Fats", slug="c", parent=hair)
    variant = make_variant(product=make_product("Oil", category=oils))
    header = "handle,sku,name,category,selling_price,actual_price\n"
    assert bring_back(f"{header}oil,{variant.sku},Oil,{cell},100,100\n", take_stock=False) == {Outcome.UNCHANGED: 1}
    assert Category.objects.count() == 3


def test_a_name_with_the_sign_between_names_is_found_in_files_of_before(make_variant, make_product, bring_back):
    top = Category.objects.create(name="Ayurveda", slug="a")
    odd = Category.objects.create(name="Hair > Skin", slug="b", parent=top)
    variant = make_variant(product=make_product("Oil", category=odd))
    text = (
        f"handle,sku,name,category,selling_price,actual_price\noil,{variant.sku},Oil,Ayurveda > Hair > Skin,100,100\n"
    )
    assert bring_back(text, take_stock=False) == {Outcome.UNCHANGED: 1}


def test_names_that_differ_by_a_sign_are_two_categories(bring_back):
    header = "handle,sku,name,category,selling_price,actual_price\n"
    bring_back(f"{header}c,1,C,Vitamin C,10,10\nc+,2,C plus,Vitamin C+,10,10\n")
    assert set(Category.objects.values_list("name", flat=True)) == {"Vitamin C", "Vitamin C+"}
    assert len(set(Category.objects.values_list("path", flat=True))) == 2


def test_another_shop_fetches_the_pictures_and_gives_them_back(stocked, bring_back, settings, tmp_path, monkeypatch):
    monkeypatch.setattr(outbound, "ALLOW_LOOPBACK", True)
    first = rows_of_the_shop()
    with foreign_server() as server:
        settings.IMAGE_HOST = server.at("")
        text = export()
        for picture in Picture.objects.all():
            with default_storage.open(picture.file.name) as source:
                server.answers[default_storage.url(picture.file.name)] = ok(source.read())
        kept = list(Picture.objects.values())
        Product.objects.all().delete()
        Picture.objects.all().delete()
        settings.MEDIA_ROOT = tmp_path / "other"
        bring_back(text)
        assert len(server.asked) == 2
        assert not PictureAddress.objects.exclude(state="fetched").exists()
        assert set(bring_back(text)) == {Outcome.UNCHANGED} and len(server.asked) == 2
        there = [len(v.variant_images.all()) for v in Variant.objects.order_by("pk")]
        text = export()
        assert set(bring_back(text)) == {Outcome.UNCHANGED} and Picture.objects.count() == 2
        # Back in the first shop, which knows its own pictures by what they are called there.
        Product.objects.all().delete()
        Picture.objects.all().delete()
        Picture.objects.bulk_create(Picture(**row) for row in kept)
        settings.MEDIA_ROOT = tmp_path / "media"
        bring_back(text)
    assert there == [2, 1, 0, 0, 0, 0]
    assert [row for part in rows_of_the_shop() for row in part] == [row for part in first for row in part]
    assert len(server.asked) == 2


def test_a_supplier_cannot_name_a_picture_of_the_shop_that_is_none(make_variant, bring_back):
    variant = make_variant()
    address = f"http://10.0.0.1/media/pictures/ab/{'ab' * 32}/source.jpg"
    header = "handle,sku,name,selling_price,actual_price,images\n"
    bring_back(f"{header}x,{variant.sku},{variant.product.name},100,100,{address}\n", take_stock=False)
    assert PictureAddress.objects.get().problem == "The address isn't on a public server."
    assert not variant.variant_images.exists()


@pytest.mark.parametrize("rates", ["", "5", "5@soon", "5@2025-13-01", "-1@2025-09-22", "101@2025-09-22"])
def test_an_unknown_tax_code_is_refused_without_its_rates(bring_back, rates):
    header = "handle,sku,name,hsn,gst_rates,selling_price,actual_price\n"
    assert bring_back(f"{header}x,1,X,30049011,{rates},10,10\n") == {Outcome.REFUSED: 1}
    assert not HsnCode.objects.exists()


def test_values_are_found_again_in_an_empty_shop(stocked, bring_back):
    text = export()
    empty_the_shop()
    bring_back(text)
    assert sorted(str(value) for value in AttributeValue.objects.all()) == ["100 g"] * 4
