"""Staff translate: side by side in the forms, and by a file of what is missing."""

import csv
import io

import pytest
from django.contrib.auth.models import Group
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from shop.accounts.models import Customer
from shop.accounts.staff.roles import CATALOGUE_MANAGER, CONTENT_EDITOR
from shop.backoffice.forms import AS_SHOWN
from shop.catalog.models import AttributeValue, Brand, Category, Product, Variant
from shop.catalog.products.forms import ProductForm
from shop.content.models import Page, PageVersion
from shop.tests.backoffice.test_back_office import form_of

pytestmark = pytest.mark.django_db
URL = "/admin/content/page/translations/"


@pytest.fixture(autouse=True)
def languages(settings):
    settings.SHOP_LANGUAGES = ("en", "hi", "ar")


def member_of(role):
    member = Customer.objects.create_user(f"{role[:7].lower()}@example.com", "pw", name=role, is_staff=True)
    member.groups.add(Group.objects.get(name=role))
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(member)
    return client


@pytest.fixture
def manager():
    return member_of(CATALOGUE_MANAGER)


@pytest.fixture
def editor():
    return member_of(CONTENT_EDITOR)


@pytest.fixture
def soap(make_product, make_variant):
    product = make_product("Neem Soap", dosage="Lather", translations={"hi": {"name": "नीम"}})
    make_variant(product=product, description="<p>Mild</p>", ingredients="Neem")
    make_variant(product=product, description="<p>Mild</p>", ingredients="Neem")
    return product


def test_the_page_of_a_product_has_each_language_beside_english(manager, soap):
    url = reverse("admin:catalog_product_change", args=[soap.pk])
    shown = manager.get(url)
    page = shown.content.decode()
    assert 'name="name_in_hi"' in page and 'name="dosage_in_ar"' in page and 'name="description_in_hi"' in page
    sent = form_of(shown) | {
        "name_in_hi": "नीम  साबुन", "dosage_in_ar": "<p>رغوة</p><script>x</script>", "description_in_hi": "<p>कोमल</p>",
        "ingredients_in_hi": "नीम",
    }  # fmt: skip
    answer = manager.post(url, sent)
    assert answer.status_code == 302, answer.context["errors"]
    soap.refresh_from_db()
    assert (
        soap.translations == {"hi": {"name": "नीम साबुन"}, "ar": {"dosage": "<p>رغوة</p>"}} and soap.name == "Neem Soap"
    )
    variants = [variant.translations for variant in soap.variants.all()]
    assert variants == [{"hi": {"description": "<p>कोमल</p>", "ingredients": "नीम"}}] * 2
    assert "नीम साबुन" in Client().get("/hi-in/product/neem-soap/").content.decode()
    history = manager.get(reverse("admin:catalog_product_history", args=[soap.pk])).content.decode()
    assert "Name (Hindi)" in history and "नीम साबुन" in history


def test_a_translation_that_somebody_else_changed_meanwhile_is_refused(manager, soap):
    url = reverse("admin:catalog_product_change", args=[soap.pk])
    sent = form_of(manager.get(url)) | {"name_in_hi": "मेरा"}
    Product.objects.update(translations={"hi": {"name": "उनका"}, "ar": {"name": "نيم"}})
    answer = manager.post(url, sent)
    assert answer.status_code == 200 and "उनका" in answer.content.decode()
    assert Product.objects.get().translations == {"hi": {"name": "उनका"}, "ar": {"name": "نيم"}}


def test_an_emptied_translation_falls_back_again(manager, soap):
    url = reverse("admin:catalog_product_change", args=[soap.pk])
    manager.post(url, form_of(manager.get(url)) | {"name_in_hi": ""})
    assert Product.objects.get().translations == {}


def test_lists_and_rows_inside_a_page_leave_translations_alone(manager):
    scent = AttributeValue.objects.create(
        attribute_id=_attribute().pk, value="Rose", translations={"hi": {"value": "गुलाब"}}
    )
    url = reverse("admin:catalog_attribute_change", args=[scent.attribute_id])
    manager.post(url, form_of(manager.get(url)) | {"name_in_hi": "सुगंध"})
    scent.refresh_from_db()
    assert scent.translations == {"hi": {"value": "गुलाब"}} and scent.attribute.translations == {"hi": {"name": "सुगंध"}}


def _attribute():
    from shop.catalog.models import Attribute

    return Attribute.objects.create(name="Scent", slug="scent")


def test_new_rows_may_be_translated_at_once(manager):
    url = reverse("admin:catalog_brand_add")
    sent = form_of(manager.get(url)) | {"name": "Vanamitra", "slug": "v", "name_in_hi": "वनमित्र"}
    assert manager.post(url, sent).status_code == 302
    assert Brand.objects.get().translations == {"hi": {"name": "वनमित्र"}}


def test_a_shop_of_one_language_shows_no_other_fields(manager, soap, settings):
    settings.SHOP_LANGUAGES = ("en",)
    page = manager.get(reverse("admin:catalog_product_change", args=[soap.pk])).content.decode()
    assert "_in_hi" not in page and AS_SHOWN in page
    assert not ProductForm(instance=soap).translation_keys


def test_a_page_keeps_a_version_of_each_language_and_brings_it_back(editor):
    page = Page.objects.get(slug="about")
    url = reverse("admin:content_page_change", args=[page.pk])
    for title in ("हमारे बारे में", "हम"):
        sent = form_of(editor.get(url))
        assert editor.post(url, sent | {"title_in_hi": title}).status_code == 302
    page.refresh_from_db()
    assert page.translations == {"hi": {"title": "हम"}} and page.title == "About us"
    first = PageVersion.objects.filter(page=page, language="hi").earliest("id")
    assert first.title == "हमारे बारे में"
    editor.post(reverse("admin:content_page_restore", args=[first.pk]))
    page.refresh_from_db()
    assert page.translations == {"hi": {"title": "हमारे बारे में"}} and page.title == "About us"


def test_what_is_missing_is_counted_and_listed(manager, soap):
    page = manager.get(f"{URL}?language=hi").content.decode()
    assert "Products" in page and "Blog articles" not in page, "what this person may change"
    listed = manager.get(f"{URL}?language=hi&model=catalog.product").content.decode()
    assert "Neem Soap" in listed and "dosage" in listed and ">name<" not in listed
    assert manager.get(f"{URL}?language=ta").status_code == 404
    assert manager.get(f"{URL}?language=hi&model=content.post").status_code == 404


def lines_of(client, query="language=hi&export=csv"):
    text = b"".join(client.get(f"{URL}?{query}").streaming_content).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


def send(client, lines, **choices):
    file = io.StringIO()
    writer = csv.DictWriter(file, lines[0].keys())
    writer.writeheader()
    writer.writerows(lines)
    upload = SimpleUploadedFile("hi.csv", file.getvalue().encode())
    return client.post(f"{URL}?language=hi", {"file": upload} | choices).context["outcome"]


def filled(lines, **texts):
    """The lines of these fields with their translations."""
    return [line | {"translation": texts[line["field"]]} for line in lines if line["field"] in texts]


def test_a_file_goes_out_and_comes_back(manager, soap):
    lines = lines_of(manager)
    assert {line["field"] for line in lines if line["key"].startswith("catalog.product:")} == {"dosage"}
    assert [line["English"] for line in lines if line["field"] == "ingredients"] == ["Neem"], "once for both variants"
    sent = filled(lines, dosage="झाग बनाएँ <script>x</script>", ingredients="नीम")
    outcome = send(manager, sent)
    assert (outcome.written, outcome.notes) == (2, [])
    assert Product.objects.get().translations["hi"] == {"name": "नीम", "dosage": "झाग बनाएँ"}
    assert [variant.translations["hi"] for variant in Variant.objects.all()] == [{"ingredients": "नीम"}] * 2
    again = send(manager, sent)
    assert (again.written, again.unchanged + again.conflicts) == (0, 2)
    assert "झाग" in Client().get("/hi-in/product/neem-soap/").content.decode()


def test_what_changed_meanwhile_is_written_only_when_asked_for(manager, soap):
    sent = filled(lines_of(manager), dosage="झाग बनाएँ")
    Product.objects.update(dosage="Lather well")
    outcome = send(manager, sent)
    assert (outcome.written, outcome.conflicts) == (0, 1) and "Lather well" in outcome.notes[0][2]
    assert "dosage" not in Product.objects.get().translations["hi"]
    assert send(manager, sent, overwrite="on").written == 1
    Product.objects.update(translations={"hi": {"dosage": "कोई और"}})
    assert send(manager, sent).conflicts == 1
    assert Product.objects.get().translations["hi"]["dosage"] == "कोई और"


def test_lines_of_others_and_nonsense_are_named(manager, editor, soap):
    sent = filled(lines_of(manager), dosage="झाग")
    assert send(editor, sent).notes[0][2].startswith("There is no such text")
    for key in (
        "catalog.product:1",
        "catalog.product:x:dosage:hi",
        "catalog.product:1:slug:hi",
        "auth.user:1:x:hi",
        "",
    ):
        assert len(send(manager, [sent[0] | {"key": key}]).notes) == 1
    Product.objects.update(dosage="")
    assert "nothing to translate" in send(manager, sent).notes[0][2]
    answer = manager.post(f"{URL}?language=hi", {"file": SimpleUploadedFile("x.csv", b"a,b\n1,2\n")})
    assert "no column key" in answer.content.decode()


def test_a_workbook_holds_the_same(manager, soap, tmp_path):
    answer = manager.get(f"{URL}?language=hi&export=xlsx&all=1&model=catalog.product")
    file = tmp_path / "hi.xlsx"
    file.write_bytes(b"".join(answer.streaming_content))
    book = load_workbook(file)
    rows = list(book.active.iter_rows(values_only=True))
    assert {row[3] for row in rows[1:]} == {"name", "dosage"}
    place = next(row for row in book.active.iter_rows(min_row=2) if row[3].value == "dosage")
    place[5].value = "झाग"
    book.save(file)
    upload = SimpleUploadedFile("hi.xlsx", file.read_bytes())
    assert manager.post(f"{URL}?language=hi", {"file": upload}).context["outcome"].written == 1


def test_sizes_and_known_units_need_no_translation(manager):
    for value, unit in (("500", "g"), ("3 x 125", "g"), ("Mango", ""), ("2", "strips")):
        AttributeValue.objects.create(attribute_id=_size().pk, value=value, unit=unit)
    found = [line["English"] for line in lines_of(manager) if line["key"].startswith("catalog.attributevalue")]
    assert found == ["Mango", "strips"]


def _size():
    from shop.catalog.models import Attribute

    return Attribute.objects.get_or_create(name="Size", slug="size")[0]


def test_pages_get_a_version_from_a_file_too(editor):
    sent = filled([line for line in lines_of(editor) if line["row"] == "About us"], title="हमारे बारे में")
    assert send(editor, sent).written == 1
    assert PageVersion.objects.get(language="hi").title == "हमारे बारे में"


def test_a_new_hidden_category_is_no_reason_to_fail(manager):
    Category.objects.create(name="Tea", slug="tea")
    assert manager.get(URL).status_code == 200
