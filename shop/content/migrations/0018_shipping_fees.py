"""Shipping policy and questions name the fees from the data (pages/placeholders.py)."""

from django.db import migrations

from ..faq.initial import renew_faq
from ..pages.initial import renew_pages

# SHA-256 of the texts before
FORMER_PAGES = {"shippingpolicy": "dc2d83c510313263b17992c63b1dea5ad202276dacbeaa0802a020d4766edf1a"}
FORMER_ANSWERS = {"shipping-cost": "6db7b80b4f952b785a16d099803e5b3bbea34288ff7b9493ef9e36e57a279c76"}


def renew(apps, schema_editor):
    renew_pages(apps, FORMER_PAGES)
    renew_faq(apps, FORMER_ANSWERS)


class Migration(migrations.Migration):
    dependencies = [("content", "0017_plainer_texts")]
    operations = [migrations.RunPython(renew, migrations.RunPython.noop)]
