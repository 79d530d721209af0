"""The page of a product, saved as a browser would."""

from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from PIL import Image

from shop.tests.backoffice.test_back_office import form_of

from ...models import VariantImage
from ...pictures.services import add_picture


def drawing(colour="green", name="neem-leaf.png"):
    target = BytesIO()
    Image.new("RGB", (60, 40), colour).save(target, "PNG")
    return SimpleUploadedFile(name, target.getvalue(), "image/png")


def address(variant):
    return reverse("admin:catalog_product_change", args=[variant.product_id])


def row(number, **fields):
    return {f"variants-{number}-{name}": value for name, value in fields.items()}


def order_of(variant):
    return list(variant.variant_images.order_by("position").values_list("picture_id", flat=True))


@pytest.fixture
def save(desk):
    """save(url, **changes): the page as it is, with these changes; the answer."""
    return lambda url, changes: desk.post(url, form_of(desk.get(url)) | changes)


@pytest.fixture
def illustrated(make_variant):
    """A variant with a green and a red picture, and what its page says of them."""
    variant = make_variant()
    pictures = [add_picture(drawing(colour).read()) for colour in ("green", "red")]
    for position, picture in enumerate(pictures):
        VariantImage.objects.create(variant=variant, picture=picture, position=position)
    ids = [picture.pk for picture in pictures]
    shown = {f"picture_was_{pk}": "all" for pk in ids} | {f"picture_for_{pk}": "all" for pk in ids}
    return variant, ids, shown | {"gallery": "yes", "picture_shown": ids, "picture": ids}
