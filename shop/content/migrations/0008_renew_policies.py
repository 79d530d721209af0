"""Return windows and other facts come from the data that product pages and mails read."""

from django.db import migrations

from ..pages.initial import renew_pages

# SHA-256 of the texts before
FORMER = {
    "returnspolicy": "827ddcce0f24e5ba6992bec9bf5ed8947faa4078af43728d8f0d8003c0b2947e",
    "cancellationpolicy": "b241f185e65e781f952e2809783e91c4861ca6ce61fa0b93b0a54fba378242bf",
    "shippingpolicy": "44f2969fe98d5d8a252ee270c17d74f4cdcafa6be5495fe0587f2c274732b5da",
    "terms_conditions": "5de169953a5b63436a789ab5a5d83ed8dc7cd152524b5a8c11f09670c2147293",
}


def renew(apps, schema_editor):
    renew_pages(apps, FORMER)


class Migration(migrations.Migration):
    dependencies = [("content", "0007_starting_faq")]
    operations = [migrations.RunPython(renew, migrations.RunPython.noop)]
