"""What an import would make that the shop does not have: listed before, made or replaced, and a draft for a table."""

from io import StringIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse

from ...models import Brand, Category, HealthConcern, Product, ProductImport
from ..services import work_on

pytestmark = [pytest.mark.django_db, pytest.mark.database]
TABLE = "sku,name,brand,category,price\nS-1,Neem Soap,Vanamitr,Ayurvda > Powdr,90\nS-2,Rose Tea,Fresh,Teas,80\n"
SHOP = "handle,sku,name,brand,category,concerns,published,selling_price,actual_price\n"


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    private = settings.STORAGES["private"] | {"OPTIONS": {"location": tmp_path / "private", "base_url": None}}
    settings.STORAGES = settings.STORAGES | {"private": private}


@pytest.fixture
def known(db):
    """Ayurveda > Powders, Vanamitra and Sleep."""
    ayurveda = Category.objects.create(name="Ayurveda", slug="ayurveda")
    powders = Category.objects.create(name="Powders", slug="powders", parent=ayurveda)
    return {
        "ayurveda": ayurveda,
        "powders": powders,
        "brand": Brand.objects.create(name="Vanamitra", slug="vanamitra"),
        "concern": HealthConcern.objects.create(name="Sleep", slug="sleep"),
    }


def checked(desk, text):
    """The address of an upload, and the upload, once it is counted."""
    file = SimpleUploadedFile("list.csv", text.encode())
    new = reverse("admin:catalog_productimport_add")
    answer = desk.post(new, {"file": file, "format": "", "currency": "INR"})
    assert answer.status_code == 302, answer.context["form"].errors
    kept = ProductImport.objects.latest("pk")
    work_on(kept.pk)
    kept.refresh_from_db()
    return answer["Location"], kept


def answers(desk, url, **chosen):
    """What the form would send with these answers to the questions, by name."""
    body = {}
    for question in desk.get(url).context["names"]:
        body[f"answer-{question.number}"] = chosen.get(question.name, question.answer)
        if body[f"answer-{question.number}"] == "":
            del body[f"answer-{question.number}"]
    return body


def test_the_dry_run_lists_what_would_be_new_with_what_is_like_it(desk, known):
    url, kept = checked(desk, TABLE)
    found = {(row["kind"], row["name"]): [name for _, name in row["near"]] for row in kept.new_names}
    assert found == {
        ("brand", "Vanamitr"): ["Vanamitra"],
        ("category", "Ayurvda"): ["Ayurveda"],
        ("category", "Ayurvda > Powdr"): ["Ayurveda > Powders"],
        ("brand", "Fresh"): [],
        ("category", "Teas"): [],
    }
    assert {row["products"] for row in kept.new_names} == {1}
    page = desk.get(url).content.decode()
    assert "Ayurvda &gt; Powdr" in page and "Use Ayurveda &gt; Powders" in page and "Create it" in page
    assert not Product.objects.exists() and Category.objects.count() == 2


def test_nothing_is_imported_before_each_near_name_has_its_answer(desk, known):
    url, kept = checked(desk, TABLE)
    answer = desk.post(url, answers(desk, url))
    assert answer.status_code == 422 and answer.content.decode().count("Choose one.") == 3
    kept.refresh_from_db()
    assert kept.state == "counted"


def test_names_are_replaced_or_made_as_chosen(desk, known):
    url, kept = checked(desk, TABLE)
    chosen = {
        "Vanamitr": str(known["brand"].pk),
        "Ayurvda": str(known["ayurveda"].pk),
        "Ayurvda > Powdr": str(known["powders"].pk),
    }
    assert desk.post(url, answers(desk, url, **chosen)).status_code == 302
    work_on(kept.pk)
    soap, tea = Product.objects.order_by("pk")
    assert (soap.brand, soap.category) == (known["brand"], known["powders"])
    assert (tea.brand.name, tea.category.path) == ("Fresh", "teas")
    assert Category.objects.count() == 3 and Brand.objects.count() == 2


def test_a_made_name_goes_under_the_replaced_one_above_it(desk, known):
    url, kept = checked(desk, TABLE)
    chosen = {"Vanamitr": "make", "Ayurvda": str(known["ayurveda"].pk), "Ayurvda > Powdr": "make"}
    desk.post(url, answers(desk, url, **chosen))
    work_on(kept.pk)
    assert Product.objects.get(name="Neem Soap").category.path == "ayurveda/powdr"


@pytest.mark.parametrize(("typed", "status"), [("ayurveda > POWDERS", 302), ("Powder of gold", 422), ("", 422)])
def test_any_name_of_the_shop_can_be_used(desk, known, typed, status):
    url, kept = checked(desk, TABLE)
    body = answers(desk, url, Vanamitr="make", Ayurvda="make", **{"Ayurvda > Powdr": "other"})
    number = next(row.number for row in desk.get(url).context["names"] if row.name == "Ayurvda > Powdr")
    answer = desk.post(url, body | {f"other-{number}": typed})
    assert answer.status_code == status
    if status == 302:
        work_on(kept.pk)
        assert Product.objects.get(name="Neem Soap").category == known["powders"]


def test_what_was_chosen_and_is_gone_since_is_said(desk, known):
    url, kept = checked(desk, TABLE)
    chosen = {"Vanamitr": str(known["brand"].pk), "Ayurvda": "make", "Ayurvda > Powdr": "make"}
    desk.post(url, answers(desk, url, **chosen))
    known["brand"].delete()
    work_on(kept.pk)
    kept.refresh_from_db()
    assert kept.state == "failed" and "Check the file again" in kept.problem
    assert not Product.objects.exists()


def test_concerns_are_asked_for_too(desk, known):
    url, kept = checked(desk, f"{SHOP}oil,O-1,Oil,Vanamitra,Ayurveda,Sleepp|Sleep|Joy,true,10,10\n")
    assert [(row["name"], len(row["near"])) for row in kept.new_names] == [("Sleepp", 1), ("Joy", 0)]
    desk.post(url, answers(desk, url, Sleepp=str(known["concern"].pk)))
    work_on(kept.pk)
    assert set(Product.objects.get().health_concerns.values_list("name", flat=True)) == {"Sleep", "Joy"}


def test_many_new_names_come_in_pages(desk):
    rows = "".join(f"S-{n},Thing {n},Brand number {n:03},Things,10\n" for n in range(150))
    url, kept = checked(desk, f"sku,name,brand,category,price\n{rows}")
    body = answers(desk, url)
    assert len(body) == 100
    answer = desk.post(url, body | {"next": "2"})
    assert answer["Location"].endswith("?n=2#names")
    assert len(answers(desk, f"{url}?n=2")) == 51
    desk.post(url)
    work_on(kept.pk)
    assert Brand.objects.count() == 150


@pytest.mark.parametrize(("text", "usual"), [(TABLE, True), (f"{SHOP}t,T,Tea,B,C,,true,9,9\n", False)])
@pytest.mark.parametrize("chosen", [None, "yes", "no"])
def test_drafts_are_a_choice_and_usual_for_tables(desk, client, text, usual, chosen):
    url, kept = checked(desk, text)
    assert ('value="yes" checked' in desk.get(url).content.decode()) is usual
    desk.post(url, {} if chosen is None else {"as_drafts": chosen})
    work_on(kept.pk)
    as_drafts = usual if chosen is None else chosen == "yes"
    assert Product.objects.filter(is_published=True).exists() is not as_drafts
    kept.refresh_from_db()
    assert kept.counts.get("unpublished", 0) == (Product.objects.count() if as_drafts else 0)
    menu = client.get("/get-menu-list/").json()
    assert bool(menu) is not as_drafts
    for product in Product.objects.all():
        assert (client.get(f"/product/{product.slug}/").status_code == 200) is not as_drafts


def test_a_draft_import_leaves_what_is_on_sale(desk, make_variant):
    variant = make_variant("100")
    url, kept = checked(desk, f"sku,name,price\n{variant.sku},{variant.product.name},90\n")
    desk.post(url)
    work_on(kept.pk)
    variant.refresh_from_db()
    assert (variant.selling_price, variant.product.is_published) == (90, True)


def run(file, **options):
    out = StringIO()
    call_command("import_products", file, report=file.with_suffix(".report"), verbosity=0, stdout=out, **options)
    return out.getvalue()


@pytest.fixture
def table(tmp_path):
    (tmp_path / "table.csv").write_text(TABLE)
    return tmp_path / "table.csv"


def test_the_command_keeps_a_table_as_drafts_unless_told_otherwise(table, known):
    out = run(table, format="table", use=["category:Ayurvda=Ayurveda", "brand:Vanamitr=vanamitra"])
    assert "2 new products are drafts" in out and "New category: Teas (1 product)" in out
    assert not Product.objects.filter(is_published=True).exists()
    soap = Product.objects.get(name="Neem Soap")
    assert (soap.brand, soap.category.path) == (known["brand"], "ayurveda/powdr")


def test_the_command_publishes_when_told_so(table):
    run(table, format="table", drafts=False)
    assert Product.objects.published().count() == 2


def test_the_command_lists_new_names_and_can_refuse_them(table, known):
    out = run(table, format="table", dry_run=True)
    assert "New brand: Vanamitr (1 product, like Vanamitra)" in out
    with pytest.raises(CommandError, match="has 5 names that the shop does not have"):
        run(table, format="table", no_new_names=True)
    assert not Product.objects.exists() and not ProductImport.objects.exists()
    with pytest.raises(CommandError, match="the shop has no brand"):
        run(table, format="table", use=["brand:Fresh=Nobody"])
