"""An import is undone as a whole: what it made goes, what it changed is as before, what others changed since stays."""

from decimal import Decimal
from io import BytesIO, StringIO

import pytest
from django.contrib.admin.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse
from PIL import Image

from shop.http import outbound
from shop.tests.support.foreign_server import foreign_server, ok

from ...models import (
    Attribute,
    AttributeValue,
    Brand,
    Category,
    HealthConcern,
    ImportedChange,
    Picture,
    PictureAddress,
    Product,
    ProductImport,
    StockMovement,
    Variant,
    VariantImage,
    VariantPrice,
)
from ...pictures import fetching as picture_fetching
from ...pictures.galleries import add_to_gallery
from ...pictures.services import add_picture
from ...stock import services as stock
from .. import undo
from ..services import work_on

pytestmark = [pytest.mark.django_db, pytest.mark.database]
HEADER = (
    "handle,sku,name,brand,category,concerns,not_sold_in,published,selling_price,actual_price,selling_price_us,"
    "actual_price_us,option1_name,option1_value,description,images,stock\n"
)


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    private = settings.STORAGES["private"] | {"OPTIONS": {"location": tmp_path / "private", "base_url": None}}
    settings.STORAGES = settings.STORAGES | {"private": private}


def png(colour) -> bytes:
    target = BytesIO()
    Image.new("RGB", (40, 30), colour).save(target, "PNG")
    return target.getvalue()


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr(outbound, "ALLOW_LOOPBACK", True)
    with foreign_server() as server:
        server.answers |= {"/red.png": ok(png("red")), "/blue.png": ok(png("blue"))}
        yield server


@pytest.fixture
def soap(make_product, make_variant):
    """What was in the shop before: one product with everything that an import changes."""
    product = make_product("Soap", handle="soap")
    product.health_concerns.add(HealthConcern.objects.create(name="Skin", slug="skin"))
    product.barred_locations.add(23)
    size = Attribute.objects.create(name="Size", slug="size").values.create(value="100 g")
    bar = make_variant("100", actual="120", product=product, units=4, description="<p>Old</p>")
    bar.attribute_values.add(size)
    bar.fixed_prices.create(location_id=22, selling_price=Decimal(4), actual_price=Decimal(5))
    add_to_gallery([bar], add_picture(png("blue")))
    return bar


def rows(soap, server=None) -> str:
    """A file that changes everything of the soap, gives it a second variant, and brings another product."""
    at = server.at if server else lambda path: ""
    both = f"{at('/red.png')} {at('/blue.png')}"
    return HEADER + (
        f"soap,{soap.sku},Better Soap,Newcomer,Baths > Soaps,Skin|Glow,-,true,80,110,3,4,Colour,Red,<p>New</p>,{both},9"
        "\n"
        f"soap,SOAP-2,Better Soap,Newcomer,Baths > Soaps,,,true,60,60,,,Colour,Green,,,2\n"
        f"tea,TEA-1,Tea,Newcomer,Teas,Glow,,true,50,50,,,Size,50 g,,{at('/red.png')},3\n"
    )


def imported(desk, text, **choices):
    file = SimpleUploadedFile("list.csv", text.encode())
    body = {"file": file, "format": "", "currency": "INR", "take_stock": "on", "take_pictures": "on"} | choices
    url = desk.post(reverse("admin:catalog_productimport_add"), body)["Location"]
    kept = ProductImport.objects.latest("pk")
    work_on(kept.pk)
    assert desk.post(url, {"as_drafts": "no"}).status_code == 302
    work_on(kept.pk)
    while picture_fetching.fetch_due(8):
        pass
    kept.refresh_from_db()
    assert kept.state == "done"
    return kept


def undone(desk, kept):
    """What staff press, and the worker."""
    url = reverse("admin:catalog_productimport_undo", args=[kept.pk])
    assert "Undo this import" in desk.get(url).content.decode()
    answer = desk.post(url, follow=True)
    work_on(kept.pk)
    kept.refresh_from_db()
    return answer.content.decode()


def everything() -> list:
    """The catalogue without what says when, and what is counted onwards."""
    models = (Category, Brand, HealthConcern, Attribute, AttributeValue, Picture, PictureAddress, VariantImage)
    told = [list(model.objects.order_by("pk").values()) for model in (*models, VariantPrice)]
    for model in (Product, Variant):
        for row in model.objects.order_by("pk").values():
            told.append([row.pop("changed_at", None) and row, row])
    told += [sorted(Product.health_concerns.through.objects.values_list("product", "healthconcern"))]
    told += [sorted(Product.barred_locations.through.objects.values_list("product", "location"))]
    return [*told, sorted(Variant.attribute_values.through.objects.values_list("variant", "attributevalue"))]


def test_everything_is_as_before(desk, manager, soap, server):
    before = everything()
    kept = imported(desk, rows(soap, server))
    soap.refresh_from_db()
    assert (soap.selling_price, soap.on_hand, soap.variant_images.count()) == (80, 9, 2)
    assert Product.objects.count() == 2 and Category.objects.filter(path="baths/soaps").exists()
    undone(desk, kept)
    assert kept.state == "undone" and not undo.left_of(kept).exists()
    assert everything() == before
    assert [entry.change_message.count("Undone") for entry in LogEntry.objects.order_by("-pk")[:1]] == [1]
    page = desk.get(reverse("admin:catalog_productimport_change", args=[kept.pk])).content.decode()
    assert "Everything has been restored." in page


@pytest.mark.parametrize("before", ["Paracetamol (650mg)", "Paracetamol (650mg) + Caffeine (65mg)", ""])
@pytest.mark.parametrize("after", ["Paracetamol (500mg)", "Ibuprofen (400mg) + Paracetamol (325mg)"])
def test_changed_active_ingredients_come_back(desk, import_text, before, after):
    header = "sku,name,price,composition\n"
    import_text(f"{header}S1,Dolo,30,{before}\n")
    told = "active_ingredients", "is_composition_confirmed"
    was = Product.objects.values(*told).get()
    kept = imported(desk, f"{header}S1,Dolo,30,{after}\n")
    assert Product.objects.values(*told).get() != was
    undone(desk, kept)
    assert Product.objects.values(*told).get() == was
    assert kept.state == "undone" and not undo.left_of(kept).exists()


def test_active_ingredients_that_staff_changed_since_stay(desk, import_text):
    header = "sku,name,price,composition\n"
    import_text(f"{header}S1,Dolo,30,Paracetamol (650mg)\n")
    kept = imported(desk, f"{header}S1,Dolo,30,Paracetamol (500mg)\n")
    Product.objects.update(active_ingredients=[["Ibuprofen", "400 mg"]])
    undone(desk, kept)
    assert Product.objects.get().active_ingredients == [["Ibuprofen", "400 mg"]]
    assert "active ingredients" in undo.left_of(kept).get().left


def test_a_second_undo_changes_nothing(desk, soap, server):
    before = everything()
    kept = imported(desk, rows(soap, server))
    undone(desk, kept)
    assert "There is nothing to undo." in undone(desk, kept)
    ProductImport.objects.filter(pk=kept.pk).update(state="undoing")  # a worker that was thought lost
    work_on(kept.pk)
    assert everything() == before


def test_it_can_be_imported_again_and_undone_again(desk, soap, server):
    before = [row for row in everything() if row]
    for _ in range(2):
        undone(desk, imported(desk, rows(soap, server)))
    assert Product.objects.get().name == "Soap" and Variant.objects.get().selling_price == 100
    assert [row for row in everything() if row] == before


@pytest.mark.parametrize("moved", ["hold", "sell"])
def test_what_was_ordered_keeps_the_whole_import(desk, soap, moved):
    kept = imported(desk, rows(soap))
    tea = Variant.objects.get(sku="TEA-1")
    stock.hold({tea.pk: 1}, reference="ORD-X")
    if moved == "sell":
        stock.sell({tea.pk: 1}, reference="ORD-X")
    before = everything()
    undone(desk, kept)
    assert (kept.state, kept.problem) == ("done", "This can't be undone: TEA-1 was ordered since.")
    assert everything() == before
    page = desk.get(reverse("admin:catalog_productimport_change", args=[kept.pk])).content.decode()
    assert "TEA-1 was ordered since" in page


def test_what_was_sold_of_a_changed_product_keeps_nothing_else(desk, soap):
    kept = imported(desk, rows(soap))
    stock.hold({soap.pk: 8}, reference="ORD-X")
    stock.sell({soap.pk: 8}, reference="ORD-X")
    undone(desk, kept)
    soap.refresh_from_db()
    assert (soap.selling_price, soap.on_hand, soap.sold) == (100, 1, 8)
    assert [row.left for row in undo.left_of(kept)] == ["Changed since: stock (5 units came in, fewer are on hand)."]


def test_what_somebody_changed_since_stays_and_is_told(desk, soap):
    kept = imported(desk, rows(soap))
    Variant.objects.filter(pk=soap.pk).update(selling_price=75)
    Product.objects.filter(pk=soap.product_id).update(name="Named By Hand")
    soap.product.health_concerns.clear()
    undone(desk, kept)
    soap.refresh_from_db()
    product = Product.objects.get(pk=soap.product_id)
    assert (soap.selling_price, soap.actual_price, soap.description) == (75, 110, "<p>Old</p>")
    assert (product.name, product.category.path, product.health_concerns.count()) == ("Named By Hand", "ayurveda", 0)
    told = {row.kind: row.left for row in undo.left_of(kept)}
    assert told["product"] == "Changed since: health concerns, name."
    assert told["variant"] == "Changed since: actual price, MRP (INR), selling price (INR)."
    page = desk.get(reverse("admin:catalog_productimport_change", args=[kept.pk])).content.decode()
    assert "Changed since: health concerns, name." in page and "Try those again" in page
    # Set to what the import said, it can be taken back after all.
    Variant.objects.filter(pk=soap.pk).update(selling_price=80)
    undone(desk, kept)
    soap.refresh_from_db()
    assert (soap.selling_price, soap.actual_price, soap.on_hand) == (100, 120, 4)
    assert {row.kind for row in undo.left_of(kept)} == {"product"}


def test_names_that_are_used_since_stay(desk, soap, make_product):
    kept = imported(desk, rows(soap))
    make_product("Other", category=Category.objects.get(path="teas"), brand=Brand.objects.get(name="Newcomer"))
    undone(desk, kept)
    assert set(Category.objects.values_list("path", flat=True)) == {"ayurveda", "teas"}
    told = {row.name: row.left for row in undo.left_of(kept)}
    assert told == {"Teas": "It is in use: product Other.", "Newcomer": "It is in use: product Other."}


def test_a_product_with_a_variant_of_somebody_else_stays(desk, soap, make_variant):
    kept = imported(desk, rows(soap))
    tea = Product.objects.get(slug="tea")
    own = make_variant("10", product=tea)
    undone(desk, kept)
    tea.refresh_from_db()
    assert not tea.is_published and Variant.objects.filter(pk=own.pk).exists()
    told = {row.name: row.left for row in undo.left_of(kept)}
    assert own.sku in told["Tea"] and told["TEA-1"] == "Its product was kept."


def test_a_later_import_of_the_same_is_undone_first(desk, soap):
    first = imported(desk, rows(soap))
    second = imported(desk, rows(soap).replace("50,50,,,Size", "40,50,,,Size"))
    undone(desk, first)
    assert f"Import {second.pk} changed it later" in {row.name: row.left for row in undo.left_of(first)}["Tea"]
    undone(desk, second)
    undone(desk, first)
    assert not Product.objects.filter(slug="tea").exists() and not undo.left_of(first).exists()


def test_pictures_that_are_waited_for_are_not_fetched_any_more(desk, soap, server):
    file = SimpleUploadedFile("list.csv", rows(soap, server).encode())
    body = {"file": file, "format": "", "currency": "INR", "take_pictures": "on"}
    url = desk.post(reverse("admin:catalog_productimport_add"), body)["Location"]
    kept = ProductImport.objects.get()
    work_on(kept.pk)
    desk.post(url)
    work_on(kept.pk)
    undone(desk, kept)
    assert picture_fetching.fetch_due(8) is False and server.asked == []
    assert not PictureAddress.objects.exists() and soap.variant_images.count() == 1


def test_undoing_goes_on_after_a_worker_that_died(desk, soap, server, monkeypatch):
    before = everything()
    kept = imported(desk, rows(soap, server))
    monkeypatch.setattr(undo, "BATCH", 1)
    steps = iter(range(4))

    def die(*args):
        if next(steps, None) is None:
            raise KeyboardInterrupt

    monkeypatch.setattr(undo, "_done", lambda row, done=undo._done: (die(), done(row)))
    desk.post(reverse("admin:catalog_productimport_undo", args=[kept.pk]))
    with pytest.raises(KeyboardInterrupt):
        work_on(kept.pk)
    monkeypatch.undo()
    work_on(kept.pk)
    kept.refresh_from_db()
    assert kept.state == "undone" and Product.objects.count() == 1
    assert everything()[:6] == before[:6]


def test_the_command_can_be_undone_too(tmp_path, soap):
    (tmp_path / "list.csv").write_text(rows(soap))
    out = StringIO()
    call_command("import_products", tmp_path / "list.csv", format="shop", stock=True, verbosity=0, stdout=out)
    kept = ProductImport.objects.get()
    assert f"undo_import {kept.pk}" in out.getvalue() and Product.objects.count() == 2
    call_command("undo_import", kept.pk, stdout=out)
    assert out.getvalue().endswith("Undone.\n")
    assert Product.objects.get().name == "Soap" and not StockMovement.objects.filter(variant__sku="TEA-1").exists()
    with pytest.raises(CommandError, match="nothing to undo"):
        call_command("undo_import", kept.pk)
    assert ImportedChange.objects.filter(undone_at=None).count() == 0


def test_an_import_of_the_command_is_seen_in_the_list(desk, tmp_path, soap):
    (tmp_path / "list.csv").write_text(rows(soap))
    call_command("import_products", tmp_path / "list.csv", format="shop", verbosity=0)
    kept = ProductImport.objects.get()
    page = desk.get(reverse("admin:catalog_productimport_change", args=[kept.pk])).content.decode()
    assert "Imported on the command line" in page and "Undo this import" in page
    assert "list.csv" in desk.get(reverse("admin:catalog_productimport_changelist")).content.decode()
    assert desk.get(reverse("admin:catalog_productimport_refused_rows", args=[kept.pk])).status_code == 404
