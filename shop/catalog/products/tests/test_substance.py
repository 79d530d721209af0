"""The longer words of a product: who it is for, cautions, storage, and the laboratory's certificate as a document."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from shop.tests.backoffice.test_back_office import form_of

from ...models import Product

pytestmark = pytest.mark.django_db
WORDS = {
    "suited_for": "Adults who sleep badly.",
    "dosage": "One capsule after dinner.",
    "cautions": "Not in pregnancy.\nNot with sedatives.",
    "storage": "Below 25 °C, closed.",
}
CERTIFICATE = b"%PDF-1.4 lead: not detected"


@pytest.fixture
def product(make_variant):
    return make_variant(price="250").product


def page_of(client, product):
    return client.get(f"/en-in/product/{product.slug}/").text


def change(desk, product, **changes):
    url = reverse("admin:catalog_product_change", args=[product.pk])
    return desk.post(url, form_of(desk.get(url)) | changes)


def test_the_page_says_who_it_is_for_how_to_use_it_cautions_and_storage(client, product):
    Product.objects.filter(pk=product.pk).update(**WORDS)
    page = page_of(client, product)
    for heading in ("Who it's for", "How to use", "Cautions", "Storage"):
        assert re.search(rf"<h[23][^>]*>{heading}</h", page)
    for words in WORDS.values():
        assert all(line in page for line in words.split("\n"))


def test_nothing_is_said_where_nothing_is_known(client, product):
    page = page_of(client, product)
    for heading in ("Who it's for", "How to use", "Cautions", "Storage", "Lab certificate"):
        assert heading not in page


def test_storage_alone_has_its_own_tab(client, product):
    Product.objects.filter(pk=product.pk).update(storage="Keep dry.")
    page = page_of(client, product)
    assert '<label for="part-cautions">Storage</label>' in page and "<h3>Storage</h3>" not in page


def test_the_certificate_is_uploaded_as_a_pdf_and_opened_from_the_page(desk, client, product, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    file = SimpleUploadedFile("report.pdf", CERTIFICATE, "application/pdf")
    assert change(desk, product, lab_certificate=file, **WORDS).status_code == 302
    address = re.search(r'href="([^"]+)">Lab certificate \(PDF\)', page_of(client, product))[1]
    answer = client.get(address)
    assert b"".join(answer.streaming_content) == CERTIFICATE
    assert answer["Content-Type"] == "application/pdf"


@pytest.mark.parametrize("content", [b"<html>", b"", b"MZ\x90"])
def test_what_is_no_pdf_is_refused(desk, product, settings, tmp_path, content):
    settings.MEDIA_ROOT = tmp_path
    answer = change(desk, product, lab_certificate=SimpleUploadedFile("report.pdf", content or b" ", "application/pdf"))
    assert answer.status_code == 200 and "A certificate is a PDF file." in answer.text
    assert not Product.objects.get(pk=product.pk).lab_certificate


@pytest.mark.parametrize(
    "wrong", [{"variants-0-selling_price": "much"}, {"variants-0-units": "-700"}], ids=["checked", "saved"]
)
def test_what_is_refused_publishes_no_certificate(desk, product, settings, tmp_path, wrong):
    settings.MEDIA_ROOT = tmp_path
    file = SimpleUploadedFile("report.pdf", CERTIFICATE, "application/pdf")
    answer = change(desk, product, lab_certificate=file, **wrong)
    assert answer.status_code == 200 and not Product.objects.get(pk=product.pk).lab_certificate
    assert [found for found in tmp_path.rglob("*") if found.is_file()] == []


def test_a_certificate_is_replaced_and_kept_when_others_fields_change(desk, product, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    for content in (CERTIFICATE, CERTIFICATE + b" 2"):
        file = SimpleUploadedFile("report.pdf", content, "application/pdf")
        assert change(desk, product, lab_certificate=file).status_code == 302
    assert change(desk, product, storage="Cool.").status_code == 302
    assert Product.objects.get(pk=product.pk).lab_certificate.read() == CERTIFICATE + b" 2"


def test_a_new_product_has_its_certificate(desk, product, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    url = reverse("admin:catalog_product_add")
    of_first = {"name": "Tulsi", "slug": "tulsi", "brand": product.brand_id, "category": product.category_id}
    file = SimpleUploadedFile("report.pdf", CERTIFICATE, "application/pdf")
    answer = desk.post(url, form_of(desk.get(url)) | of_first | {"lab_certificate": file})
    assert answer.status_code == 302, answer.context["errors"]
    assert Product.objects.get(slug="tulsi").lab_certificate.read() == CERTIFICATE


def test_the_api_says_it_too(client, product):
    Product.objects.filter(pk=product.pk).update(**WORDS)
    answer = client.post("/get-product/", {"product": product.slug}, content_type="application/json").json()
    assert {name: answer[name] for name in WORDS} == WORDS
    assert answer["lab_certificate"] == ""


def test_what_the_editor_writes_is_shown_as_it_is_and_stays_harmless(client, product):
    written = "<p>Not in <strong>pregnancy</strong>, below 18 &amp; over 65.</p><script>alert(1)</script>"
    Product.objects.filter(pk=product.pk).update(cautions=written, highlight="<ul><li>Calms</li></ul>", dosage="1 < 2")
    page = page_of(client, product)
    assert "<p>Not in <strong>pregnancy</strong>, below 18 &amp; over 65.</p>" in page and "alert(1)" not in page
    assert "<ul><li>Calms</li></ul>" in page and "<p>1 &lt; 2</p>" in page


def test_plain_lines_become_paragraphs_and_items(client, product):
    Product.objects.filter(pk=product.pk).update(highlight="Calms\nSmells of leaves", storage="Keep dry\nand cool.")
    page = page_of(client, product)
    assert '<ul class="highlights"><li>Calms</li><li>Smells of leaves</li></ul>' in page
    assert "<p>Keep dry<br>and cool.</p>" in page
