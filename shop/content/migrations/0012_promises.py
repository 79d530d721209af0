"""Policies and answers say which messages are sent, until when an address may change, and how cash goes back."""

from django.db import migrations

from ..faq.initial import renew_faq
from ..pages.initial import renew_pages

# SHA-256 of the texts before
FORMER_PAGES = {
    "shippingpolicy": "52fa2c681668728ee4b4448dc4235cce18e33aaa25d4b442b9b628ba208baba4",
    "returnspolicy": "ded187e608518eb65a8c8bb62f5bb8f52a36768cfe0c328a18c2e3719312c296",
    "about": "d38e589c1665906605c00f1eae3a69e3f2924f205cc9bc52bd4253dd23576eba",
    "cancellationpolicy": "c80194d5c7950cac3c90cad91ff45499459f197fab42b1c96cca90309f49ca1e",
}
FORMER_ANSWERS = {
    "genuine-products": "336665a022b5223bd629d1543022785869c1aaa5788852528637de773b537f1e",
    "ways-to-pay": "345b9d6b9a66ac5a83a24fc44962c252b1ed37da5b49abb77a91b04a3e4d6ccf",
    "cancel": "34645ec435b419bb593a8d2e28e31c8ca27bb7ce6d19550bf49bcb82d3c5555b",
    "refund": "4d0744ec44b4dc222e59318c98a7c97c703908735382d88744c2f31bd4bda5c7",
}


def renew(apps, schema_editor):
    renew_pages(apps, FORMER_PAGES)
    renew_faq(apps, FORMER_ANSWERS)


class Migration(migrations.Migration):
    dependencies = [("content", "0011_menu")]
    operations = [migrations.RunPython(renew, migrations.RunPython.noop)]
