"""The catalogue manager's list and form of products: found quickly, edited in rows, copied, given pictures."""

import re
from io import BytesIO

import pytest
from django.contrib.admin.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from PIL import Image

from shop.backoffice import history
from shop.tests.backoffice.test_back_office import form_of

from ...models import Category, Product, Variant, VariantImage, VariantPrice
from ...pictures.services import add_picture

pytestmark = [pytest.mark.django_db, pytest.mark.database]
LIST = "admin:catalog_product_changelist"
FORM_QUERIES = 30


def drawing(colour="green", name="neem-leaf.png"):
    target = BytesIO()
    Image.new("RGB", (60, 40), colour).save(target, "PNG")
    return SimpleUploadedFile(name, target.getvalue(), "image/png")


def listed(desk, **asked):
    return sorted(product.name for product in desk.get(reverse(LIST), asked).context["cl"].result_list)


def count(queries, ask):
    ask()
    with queries(FORM_QUERIES) as asked:
        assert ask().status_code in (200, 302)
    return len(asked)


# --- The list ---------------------------------------------------------------------------------


@pytest.fixture
def shelf(make_product, make_variant):
    soap, oil = make_product("Neem Soap 75 g"), make_product("Neem Oil", is_prescription=True)
    for product, sku, units in ((soap, "SP-75", 9), (oil, "OIL-1", 2), (oil, "OIL-2", 0)):
        Variant.objects.filter(pk=make_variant(product=product, units=units).pk).update(sku=sku)
    Product.objects.filter(pk=make_product("Tulsi Tea").pk).update(is_published=False)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("neem", ["Neem Oil", "Neem Soap 75 g"]),
        ("soap NEEM", ["Neem Soap 75 g"]),
        ("oil-2", ["Neem Oil"]),
        ("SP-", ["Neem Soap 75 g"]),
        ("tulsi-t", ["Tulsi Tea"]),
        ("100%_", []),
        ("nothing like it", []),
    ],
)
def test_products_are_found_by_words_sku_and_address(desk, shelf, words, found):
    assert listed(desk, q=words) == found


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"stock": "no"}, ["Tulsi Tea"]),
        ({"stock": "low"}, ["Neem Oil"]),
        ({"stock": "yes"}, ["Neem Oil", "Neem Soap 75 g"]),
        ({"is_published__exact": "0"}, ["Tulsi Tea"]),
        ({"is_prescription__exact": "1"}, ["Neem Oil"]),
    ],
)
def test_products_are_filtered(desk, shelf, asked, found):
    assert listed(desk, **asked) == found


def test_a_category_filters_with_everything_below_it(desk, shelf):
    top = Category.objects.get(path="ayurveda")
    below = Category.objects.create(name="Tea", slug="tea", parent=top)
    Product.objects.filter(name="Tulsi Tea").update(category=below)
    assert len(listed(desk, category__id__exact=top.pk)) == 3
    assert listed(desk, category__id__exact=below.pk) == ["Tulsi Tea"]


def test_the_list_shows_thumbnails_in_the_same_number_of_queries(desk, make_variant, django_assert_max_num_queries):
    def ask():
        return desk.get(reverse(LIST))

    def illustrated(colour):
        variant = make_variant()
        picture = add_picture(drawing(colour).read())
        VariantImage.objects.create(variant=variant, picture=picture)
        Product.objects.filter(pk=variant.product_id).update(first_picture=picture)

    illustrated("green")
    few = count(django_assert_max_num_queries, ask)
    for colour in ("red", "blue", "black"):
        illustrated(colour)
    assert count(django_assert_max_num_queries, ask) == few
    assert ask().content.decode().count('loading="lazy"') == 4


def test_publishing_many_is_kept_in_their_history(desk, manager, shelf):
    body = {"action": "publish", "_selected_action": list(Product.objects.values_list("pk", flat=True)), "index": "0"}
    desk.post(reverse(LIST), body | {"select_across": "0"})
    assert not Product.objects.filter(is_published=False).exists()
    entry = LogEntry.objects.get()
    assert (entry.object_repr, entry.user) == ("Tulsi Tea", manager)
    assert history.read(entry)[0].fields == [("Is published", "no", "yes")]


# --- The form -----------------------------------------------------------------------------------


def test_fifty_variants_take_as_many_queries_as_two(desk, make_variant, django_assert_max_num_queries):
    product = make_variant().product
    make_variant(product=product)
    url = reverse("admin:catalog_product_change", args=[product.pk])
    few = count(django_assert_max_num_queries, lambda: desk.get(url))
    for _ in range(48):
        VariantPrice.objects.create(
            variant=make_variant(product=product), location_id=22, selling_price=4, actual_price=5
        )
    assert count(django_assert_max_num_queries, lambda: desk.get(url)) == few

    changed = form_of(desk.get(url)) | {"variants-0-selling_price": "90"}
    assert desk.post(url, changed).status_code == 302
    changed_again = form_of(desk.get(url)) | {"variants-0-selling_price": "91"}
    with django_assert_max_num_queries(60):
        assert desk.post(url, changed_again).status_code == 302
    assert product.variants.get(position=0, sku="SKU-1").selling_price == 91


def test_a_row_of_another_product_is_not_touched(desk, make_variant):
    mine, other = make_variant("100"), make_variant("100")
    url = reverse("admin:catalog_product_change", args=[mine.product_id])
    desk.post(url, form_of(desk.get(url)) | {"variants-0-id": other.pk, "variants-0-selling_price": "50"})
    assert Variant.objects.get(pk=other.pk).selling_price == 100


# --- A copy ---------------------------------------------------------------------------------------


def test_a_button_pressed_twice_makes_one_copy(desk, make_variant):
    url = reverse("admin:catalog_product_duplicate", args=[make_variant().product_id])
    for copies in (1, 2):
        seen = re.search(r'name="seen" value="(\d+)"', desk.get(url).content.decode())[1]
        answers = [desk.post(url, {"seen": seen}) for _ in range(2)]
        assert Product.objects.count() == 1 + copies
        assert {answer.url for answer in answers} == {answers[0].url}
    assert LogEntry.objects.filter(change_message__contains="Duplicated from").count() == 2


def test_a_copy_has_variants_prices_and_pictures_and_is_not_published(desk, make_variant):
    variant = make_variant("100", actual="120", units=5)
    variant.fixed_prices.create(location_id=22, selling_price=4, actual_price=5)
    VariantImage.objects.create(variant=variant, picture=add_picture(drawing().read()))
    url = reverse("admin:catalog_product_duplicate", args=[variant.product_id])
    assert "has no stock" in desk.get(url).content.decode()
    assert Product.objects.count() == 1
    desk.post(url)
    desk.post(url)
    first, second = Product.objects.exclude(pk=variant.product_id).order_by("pk")
    assert (first.slug, second.slug) == ("copy-of-product-1", "copy-of-product-1-2")
    assert (first.is_published, first.handle, first.price_inr) == (False, "", 100)
    made = first.variants.get()
    assert (made.sku, made.selling_price, made.actual_price, made.received) == ("SKU-1-COPY1", 100, 120, 0)
    assert second.variants.get().sku == "SKU-1-COPY2"
    assert made.fixed_prices.get().selling_price == 4
    assert made.variant_images.get().picture == variant.variant_images.get().picture
    assert LogEntry.objects.filter(change_message__contains="Duplicated from product-1").count() == 2


def test_the_head_of_a_searched_list_says_how_much_was_found(desk, make_product):
    make_product("Neem Soap")
    page = desk.get(reverse("admin:catalog_product_changelist") + "?q=neem").content.decode()
    assert "1 result · " in page and "Show all</a>" in page
